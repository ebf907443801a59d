"""The fits are those of another library, and probabilities are probabilities."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from docqn.errors import DocqnError
from docqn.readers.neural.calibration import (
    Calibration,
    Features,
    calibration_of,
    choice_weights,
    fit,
    logistic,
    probability,
)

RNG = np.random.default_rng(0)


def drawn(documents: int = 1500, weights: tuple[float, ...] = (1.0, 0.3, 0.0)) -> tuple[Any, ...]:
    """Paragraphs of documents, of which one holds the answer, by chances that follow the weights."""
    features = RNG.normal(size=(documents, 4, 3)) * [1, 5, 0.3] + RNG.normal(size=(documents, 1, 3)) * 3
    score = features @ weights
    chance = np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True))
    holding = (RNG.random((documents, 1)) > chance.cumsum(1)).sum(1)
    holds = np.arange(4) == holding[:, None]
    right = holds & (RNG.random((documents, 4)) < 0.7)
    return features.reshape(-1, 3), holds.ravel(), right.ravel(), np.arange(documents).repeat(4)


def test_the_features_are_weighed_as_the_choice_was_made() -> None:
    features, holds, _, document = drawn()
    assert choice_weights(features, holds, document) == pytest.approx([1.0, 0.3, 0.0], abs=0.15)


def test_with_two_paragraphs_the_choice_is_a_logistic_regression_on_their_difference() -> None:
    features = RNG.normal(size=(3000, 2, 3))
    difference = features[:, 0] - features[:, 1]
    first = RNG.random(3000) < 1 / (1 + np.exp(-difference @ [0.5, 1.0, 1.5]))
    theirs = LogisticRegression(C=1e6, fit_intercept=False).fit(difference, first).coef_[0]
    holds = np.stack([first, ~first], 1).ravel()
    ours = choice_weights(features.reshape(-1, 3), holds, np.arange(3000).repeat(2))
    assert ours == pytest.approx(theirs, rel=0.03)


def test_no_weight_is_below_zero() -> None:
    features, holds, right, document = drawn(weights=(1.0, -0.3, 0.5))
    made = fit(features, holds, right, document)
    assert made.best == 0
    assert made.answerable > 0


@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_reader_that_chooses_wrongly_is_no_reason_for_a_weight_below_zero(column: int) -> None:
    features, holds, right, document = drawn(200, weights=(-1.0, -1.0, -1.0))
    features[:, np.arange(3) != column] = 0.0
    assert choice_weights(features, holds, document).tolist() == [0, 1, 0]
    made = fit(features, holds, right, document)
    assert min(made.answerable, made.best, made.mass) >= 0
    chances = [probability(made.score(Features(*row))) for row in features.tolist()]
    assert np.mean(chances) == pytest.approx(right.mean(), abs=0.02)


def test_documents_in_which_all_or_none_hold_an_answer_tell_nothing_of_the_choice() -> None:
    features, holds, _, document = drawn(300)
    more = RNG.permutation(features)[:40]
    ours = choice_weights(features, holds, document) * features.std(0)
    every = np.concatenate([features, more])
    told = np.concatenate([holds, np.arange(40) < 20])
    rows = np.concatenate([document, 1000 + np.arange(40) // 20])
    assert choice_weights(every, told, rows) * features.std(0) == pytest.approx(ours, rel=0.05, abs=0.02)
    assert choice_weights(more, np.arange(40) < 20, np.arange(40) // 20).tolist() == [0, 1, 0]


def test_the_probability_is_that_of_another_library() -> None:
    score = RNG.normal(size=4000) * 3 - 10
    right = RNG.random(4000) < 1 / (1 + np.exp(-(score + 8)))
    theirs = LogisticRegression(C=1e6, max_iter=1000).fit(score[:, None], right)
    assert logistic(score, right) == pytest.approx([theirs.intercept_[0], theirs.coef_[0, 0]], rel=0.05)


def test_classes_that_can_be_told_apart_give_a_finite_fit() -> None:
    features = np.column_stack([np.arange(40.0), np.zeros(40), np.ones(40)])
    late = np.arange(40) >= 20
    ours = fit(features, late, late, np.zeros(40, np.int64))
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
