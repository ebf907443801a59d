"""The sum-tree against a plain array, and its draws against the weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.learning.sum_tree import SumTree

weights = st.floats(0, 10).map(lambda weight: round(weight, 3))


@given(st.integers(1, 40), st.data())
def test_like_an_array(size: int, data: st.DataObject) -> None:
    tree, naive = SumTree(size), np.zeros(size)
    for _ in range(data.draw(st.integers(1, 5))):
        places = data.draw(st.lists(st.integers(0, size - 1), unique=True))
        new = [data.draw(weights) for _ in places]
        tree[np.array(places, np.int64)] = np.array(new)
        for place, weight in zip(places, new, strict=True):
            naive[place] = weight
        assert tree.weights == pytest.approx(naive)
        assert tree.total == pytest.approx(naive.sum())
    assert tree[np.arange(size)] == pytest.approx(naive)
    loaded = SumTree(size)
    loaded.load(naive)
    assert loaded.total == pytest.approx(tree.total)
    if naive.sum():
        mass = np.array(data.draw(st.lists(st.floats(0, 1, exclude_max=True), max_size=20))) * tree.total
        found = tree.find(mass)
        assert (found == loaded.find(mass)).all()
        running = naive.cumsum()
        for left, place in zip(mass, found, strict=True):
            assert naive[place] > 0
            assert running[place] >= left - 1e-9
            assert running[place] - naive[place] <= left + 1e-9


def test_draws_are_in_proportion_to_the_weights() -> None:
    rng = np.random.default_rng(0)
    tree = SumTree(50)
    tree[np.arange(50)] = rng.random(50) ** 3
    tree[np.array([3, 17])] = 0.0
    draws = 200_000
    counts = np.bincount(tree.find(rng.random(draws) * tree.total), minlength=50)
    expected = draws * tree.weights / tree.total
    assert counts[[3, 17]].tolist() == [0, 0]
    there = expected > 0
    chi_square = ((counts - expected)[there] ** 2 / expected[there]).sum()
    assert chi_square < 47 + 5 * (2 * 47) ** 0.5  # mean and five deviations of the chi-square distribution


def test_of_a_place_given_twice_the_last_weight_counts() -> None:
    tree = SumTree(3)
    tree[np.array([1, 1, 0])] = np.array([5.0, 2.0, 1.0])
    assert tree.weights.tolist() == [1, 2, 0]
    assert tree.total == 3
