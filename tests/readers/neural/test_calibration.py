"""The fit is a logistic regression, and probabilities are probabilities."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from docqn.errors import DocqnError
from docqn.readers.neural.calibration import Calibration, Features, calibration_of, fit, probability

RNG = np.random.default_rng(0)


def test_the_fit_is_that_of_another_library() -> None:
    features = RNG.normal(size=(2000, 3)) * [1, 5, 0.3] + [0, 10, -1]
    chance = 1 / (1 + np.exp(-(features @ [1.0, 0.3, -2.0] - 4)))
    right = RNG.random(2000) < chance
    theirs = LogisticRegression(C=1e6, max_iter=1000).fit(features, right)
    ours = fit(features, right)
    expected = theirs.decision_function(features)
    found = np.array([ours.score(Features(*row)) for row in features])
    assert np.abs(found - expected).max() < 0.1


def test_classes_that_can_be_told_apart_give_a_finite_fit() -> None:
    features = np.column_stack([np.arange(40.0), np.zeros(40), np.ones(40)])
    ours = fit(features, np.arange(40) >= 20)
    assert all(map(math.isfinite, vars(ours).values()))
    assert ours.score(Features(39, 0, 1)) > 2 > -2 > ours.score(Features(0, 0, 1))


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_probability_grows_with_the_score(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert 0 <= probability(low) <= probability(high) <= 1
    assert probability(0) == 0.5


def test_what_a_config_says() -> None:
    said = {"bias": 1, "answerable": 0.5, "best": 0, "mass": -1}
    assert calibration_of({}, Path("x")) is None
    assert calibration_of({"calibration": said}, Path("x")) == Calibration(1, 0.5, 0, -1)
    wrongs: list[object] = [{}, {**said, "mass": "much"}, [], "no"]
    for wrong in wrongs:
        with pytest.raises(DocqnError, match="x: its calibration"):
            calibration_of({"calibration": wrong}, Path("x"))
