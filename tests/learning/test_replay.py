"""Prioritized replay against the formulas."""

from __future__ import annotations

import numpy as np
import pytest

from docqn.environment.mdp import States
from docqn.learning.replay import SMALLEST, Replay


def transitions(first: int, count: int) -> tuple[States, np.ndarray]:
    number = np.arange(first, first + count)
    states = States(number * 3, (number * 7).astype(np.int32), (number % 30).astype(np.int32), number % 2 == 1)
    return states, number % 7


def test_what_goes_in_comes_out() -> None:
    replay = Replay(16, 0.6)
    replay.add(*transitions(100, 10))
    sample = replay.sample(32, 0.4, np.random.default_rng(0))
    number = sample.states.task // 3
    assert set(number.tolist()) == set(range(100, 110))
    expected, action = transitions(0, 200)
    for name in States._fields:
        ours, theirs = getattr(sample.states, name), getattr(expected, name)
        assert (ours == theirs[number]).all()
        assert ours.dtype == theirs.dtype
    assert (sample.action == action[number]).all()


def test_the_oldest_are_forgotten() -> None:
    replay = Replay(8, 0.6)
    for first in (0, 5, 10, 15):
        replay.add(*transitions(first, 5))
    assert len(replay) == 8
    tasks = replay.sample(200, 0.4, np.random.default_rng(0)).states.task // 3
    assert set(tasks.tolist()) == set(range(12, 20))


def test_draws_and_weights_follow_the_priorities() -> None:
    alpha, beta, size = 0.6, 0.7, 6
    replay = Replay(size, alpha)
    replay.add(*transitions(0, size))
    error = np.array([0.0, -0.5, 1.0, 2.0, -4.0, 0.1])
    replay.update(np.arange(size), error)
    priority = (np.abs(error) + SMALLEST) ** alpha
    share = priority / priority.sum()
    rng = np.random.default_rng(0)
    counts = np.zeros(size)
    for _ in range(2000):
        sample = replay.sample(4, beta, rng)
        counts += np.bincount(sample.place, minlength=size)
        weight = (size * share[sample.place]) ** -beta
        assert sample.weight == pytest.approx(weight / weight.max(), rel=1e-5)
    assert counts / counts.sum() == pytest.approx(share, abs=0.01)


def test_new_transitions_get_the_highest_priority_so_far() -> None:
    replay = Replay(8, 1.0)
    replay.add(*transitions(0, 2))
    replay.update(np.array([0, 1]), np.array([3.0, 0.5]))
    replay.add(*transitions(2, 1))
    assert replay.arrays()["weight"][:3].tolist() == pytest.approx([3 + SMALLEST, 0.5 + SMALLEST, 3 + SMALLEST])


def test_what_is_saved_goes_on_as_before() -> None:
    first = Replay(8, 0.6)
    first.add(*transitions(0, 11))
    first.update(np.array([1, 5]), np.array([2.0, 0.2]))
    second = Replay(8, 0.6)
    second.load({name: array.copy() for name, array in first.arrays().items()})
    for replay in (first, second):
        replay.add(*transitions(20, 3))
    one, two = (replay.sample(16, 0.5, np.random.default_rng(3)) for replay in (first, second))
    assert (one.place == two.place).all()
    assert (one.weight == two.weight).all()
    assert all(np.array_equal(getattr(one.states, name), getattr(two.states, name)) for name in States._fields)


def test_the_paper_s_memory_takes_less_than_20_mb() -> None:
    assert Replay(300_000, 0.6).bytes < 20e6
