"""Rank statistics and reliability against another library and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_auc_score

from docqn.evaluation.readers.reliability import Bin, auroc, calibration_error, reliability


@given(st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=2, max_size=60))
def test_auroc(rows: list[tuple[int, bool]]) -> None:
    scores, right = np.array([row[0] for row in rows], float), np.array([row[1] for row in rows], np.bool_)
    if right.all() or not right.any():
        assert math.isnan(auroc(scores, right))
    else:
        assert auroc(scores, right) == pytest.approx(roc_auc_score(right, scores))


def test_the_curve_is_that_of_another_library() -> None:
    rng = np.random.default_rng(0)
    probability = rng.random(1000)
    right = rng.random(1000) < probability**2
    expected_right, expected_probability = calibration_curve(right, probability, n_bins=10)
    curve = reliability(probability, right)
    assert [part.right for part in curve] == pytest.approx(expected_right)
    assert [part.probability for part in curve] == pytest.approx(expected_probability)
    assert sum(part.readings for part in curve) == 1000


def test_the_error_by_hand() -> None:
    assert calibration_error([Bin(3, 0.2, 0.5), Bin(1, 0.9, 0.9)]) == pytest.approx(0.225)
    assert calibration_error(reliability(np.array([1.0, 0.0]), np.array([True, False]))) == 0
