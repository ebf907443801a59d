"""Resampling against a plain loop over the same draws, and against what statistics says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.evaluation.bootstrap import RESAMPLES, compared, interval, resampled, resampled_medians


def naive(top: np.ndarray, bottom: np.ndarray, seed: int) -> list[list[float]]:
    """One resample after another, one question after another."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(len(top), size=(RESAMPLES, len(top)))
    figures = []
    for questions in drawn.tolist():
        row = []
        for figure in range(top.shape[1]):
            above = sum(top[question, figure] for question in questions)
            below = sum(bottom[question, figure] for question in questions)
            row.append(above / below if below else float("nan"))
        figures.append(row)
    return figures


@settings(max_examples=4)
@given(st.integers(1, 9), st.integers(0, 99))
def test_resamples_are_those_of_a_loop(questions: int, seed: int) -> None:
    rng = np.random.default_rng(seed + 1)
    bottom = rng.integers(0, 3, (questions, 2)).astype(float)
    top = rng.integers(0, bottom + 1).astype(float)
    np.testing.assert_allclose(resampled(top, bottom, seed), naive(top, bottom, seed))


def test_draws_are_the_same_however_many_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    top, bottom = np.arange(20.0).reshape(10, 2), np.full((10, 2), 20.0)
    at_once = resampled(top, bottom, 3)
    monkeypatch.setattr("docqn.evaluation.bootstrap._AT_ONCE", 70)
    np.testing.assert_array_equal(resampled(top, bottom, 3), at_once)


def test_the_interval_of_a_mean_is_that_of_the_normal_approximation() -> None:
    hits = (np.arange(800) % 4 == 0).astype(float)[:, None]
    low, high = interval(resampled(hits, np.ones_like(hits), 0)[:, 0])
    spread = 1.96 * np.sqrt(0.25 * 0.75 / 800)
    assert (low, high) == pytest.approx((0.25 - spread, 0.25 + spread), abs=0.004)


def test_pairs_of_one_question_are_not_independent() -> None:
    """Four pairs a question that go the same way tell no more than one."""
    hits = (np.arange(100) % 2).astype(float)[:, None]
    once = interval(resampled(hits, np.ones_like(hits), 0)[:, 0])
    four = interval(resampled(4 * hits, np.full_like(hits, 4), 0)[:, 0])
    assert once == four


def test_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for trial in range(100):
        hits = (rng.random(150) < 0.3).astype(float)[:, None]
        low, high = interval(resampled(hits, np.ones_like(hits), trial)[:, 0])
        covered += low <= 0.3 <= high
    assert 87 <= covered <= 100


def test_a_difference_that_is_always_there_has_the_smallest_p_value() -> None:
    assert compared(1.0, np.ones(1999)).p_value == pytest.approx(2 / 2000)
    assert compared(-1.0, -np.ones(1999)).p_value == pytest.approx(2 / 2000)


def test_no_difference_has_the_largest() -> None:
    assert compared(0.0, np.zeros(1999)).p_value == 1
    assert compared(0.0, np.linspace(-1, 1, 1999)).p_value == 1


def test_p_values_are_even_where_there_is_no_difference() -> None:
    rng = np.random.default_rng(0)
    found = []
    for trial in range(200):
        apart = rng.choice([-1.0, 0.0, 1.0], size=(120, 1))
        samples = resampled(apart, np.ones_like(apart), trial)[:, 0]
        found.append(compared(float(apart.mean()), samples).p_value)
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=0.05)
    assert np.mean(np.array(found) < 0.5) == pytest.approx(0.5, abs=0.12)


def test_what_cannot_be_divided_is_left_out() -> None:
    top, bottom = np.array([[0.0], [1.0]]), np.array([[0.0], [1.0]])
    samples = resampled(top, bottom, 0)[:, 0]
    assert np.isnan(samples).any()
    assert interval(samples) == (1, 1)
    assert np.isnan(interval(np.full(5, np.nan))).all()


def test_medians_are_those_of_the_drawn_pairs() -> None:
    """By drawing the same questions one after another."""
    rng = np.random.default_rng(1)
    question = np.sort(rng.integers(9, size=30))
    question[-1] = 8
    values = rng.integers(12, size=30).astype(float)
    found = resampled_medians(values, question, seed=3)
    drawn = np.random.default_rng(3).integers(9, size=(RESAMPLES, 9))
    for sample, median in zip(drawn[:50], found, strict=False):
        pairs = np.concatenate([values[question == one] for one in sample])
        assert median == np.sort(pairs)[(len(pairs) - 1) // 2]
    assert len(found) == RESAMPLES
