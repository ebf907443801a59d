"""Student's t, against another implementation and by how often its intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from docqn.evaluation.students import interval, quantile


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 3, 4.7, 9, 30, 250, 4000])
@pytest.mark.parametrize("level", [50, 95, 99])
def test_quantiles(freedom: float, level: float) -> None:
    assert quantile(freedom, level) == pytest.approx(stats.t.ppf(0.5 + level / 200, freedom), rel=1e-4)


def test_of_one_part_it_is_the_textbooks() -> None:
    values = np.array([30.1, 28.4, 33.0, 29.5])
    expected = stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
    assert interval([values]) == pytest.approx(expected, rel=1e-4)


def test_of_two_parts_it_is_welchs() -> None:
    first, second = np.array([30.1, 28.4, 33.0, 29.5]), np.array([25.0, 27.5, 22.0])
    expected = stats.ttest_ind(first, second, equal_var=False).confidence_interval()
    assert interval([first, -second]) == pytest.approx((expected.low, expected.high), rel=1e-4)


def test_a_single_value_is_fixed() -> None:
    values = np.array([3.0, 5.0])
    low, high = interval([values])
    assert interval([values, np.array([-10.0])]) == pytest.approx((low - 10, high - 10))
    assert interval([np.array([2.0, 2.0]), np.array([1.0])]) == (3, 3)


def test_it_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    inside = []
    for _ in range(400):
        low, high = interval([rng.normal(5, 1, 3), rng.normal(-2, 1, 3)])
        inside.append(low <= 3 <= high)
    assert 0.92 <= np.mean(inside) <= 0.99
