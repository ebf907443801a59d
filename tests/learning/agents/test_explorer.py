"""The explorer: turns, exploration, and what it hands on."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from docqn.environment.actions import ANSWER, STOP
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.starts import start_distribution
from docqn.learning.agents.explorer import Explorer, Taken
from docqn.learning.agents.learner import Floats
from tests.documents import document

DOCUMENT = document(["## A", "One stands here. Two too.", "Three.", "## B", "Four.", "### C", "Five. Six."])
PAIRS = [Pair(f"Question {i}?", DOCUMENT, answers=(2 + i,)) for i in range(3)]
LIMIT = 6


def world() -> Environment:
    return environment_of(PAIRS, limit=LIMIT)


def explorer(seed: int = 0, cursors: int = 4, environment: Environment | None = None) -> Explorer:
    return Explorer(environment or world(), start_distribution("uniform"), cursors, 5, seed)


def never(states: States) -> Floats:
    raise AssertionError("nothing is greedy")


def wants(*order: int) -> object:
    """Values that prefer these actions, the first one most."""

    def values(states: States) -> Floats:
        q = np.zeros((len(states.task), 7), np.float32)
        for rank, action in enumerate(order):
            q[:, action] = len(order) - rank
        return q

    return values


def test_sampled_turns_are_k_states_of_a_pair_with_one_action_each() -> None:
    taken = explorer().act(never, 1.0, 1.0)
    assert len(taken.action) == 4 * 5
    assert taken.turns == 4
    assert not taken.episodes
    assert all(len(set(part.tolist())) == 1 for part in np.split(taken.states.task, 4))
    following = explorer().act(never, 1.0, 1.0)
    assert (following.states.node == taken.states.node).all()  # the same seed, the same turns


def test_episodes_begin_at_the_title_and_go_on_until_they_end() -> None:
    environment = world()
    one = explorer(environment=environment)
    last: States | None = None
    for _ in range(40):
        taken = one.act(never, 1.0, 0.0)
        assert len(taken.action) == 4
        if last is not None:
            going = len(last.task)
            first = np.arange(len(taken.action)) < going
            assert all(
                np.array_equal(getattr(taken.states.take(first), name), getattr(last, name)) for name in States._fields
            )
            new = taken.states.take(~first)
            assert not any(part.any() for part in (new.node, new.step, new.predicted))
        after, outcome = environment.step(taken.states, taken.action)
        ended = outcome.stopped | outcome.truncated
        assert taken.turns == len(taken.episodes) == ended.sum()
        last = after.take(~ended)


def test_random_actions_are_legal_and_evenly_spread() -> None:
    environment = world()
    counts: Counter[int] = Counter()
    one = explorer(environment=environment, cursors=50)
    for _ in range(100):
        taken = one.act(never, 1.0, 0.0)
        assert environment.legal(taken.states)[np.arange(len(taken.action)), taken.action].all()
        counts.update(taken.action[taken.states.node == 0].tolist())
    assert set(counts) == {2, STOP}  # Down and Stop at the title
    assert counts[2] / sum(counts.values()) == pytest.approx(0.5, abs=0.05)


def test_greedy_actions_are_the_best_legal_ones() -> None:
    environment = world()
    one = explorer(environment=environment)
    for _ in range(10):
        taken: Taken = one.act(wants(ANSWER, 4, 2), 0.0, 0.0)  # type: ignore[arg-type]
        legal = environment.legal(taken.states)
        for may, action in zip(legal, taken.action.tolist(), strict=True):
            assert action == next(wanted for wanted in (ANSWER, 4, 2) if may[wanted])


def test_an_episode_tells_what_came_of_it() -> None:
    pairs = [Pair("Q?", DOCUMENT, answers=(2,))]
    one = explorer(cursors=1, environment=environment_of(pairs, limit=LIMIT))

    def shortest(states: States) -> Floats:
        q = np.zeros((1, 7), np.float32)
        q[0, STOP if states.node[0] == 2 else 2] = 1
        return q

    episodes = [episode for _ in range(3) for episode in one.act(shortest, 0.0, 0.0).episodes]
    ((total, *others),) = episodes
    assert total == pytest.approx(2 - 0.04)
    assert others == [3, True, int(DOCUMENT.index[2]), True]


def test_all_pairs_have_their_turn_before_one_has_a_second() -> None:
    one = explorer(cursors=3)
    for _ in range(4):
        taken = one.act(never, 1.0, 1.0)
        assert sorted(taken.states.task[::5].tolist()) == [0, 1, 2]


def test_what_is_saved_goes_on_as_before() -> None:
    first, second = explorer(seed=3), explorer(seed=4)
    for _ in range(7):
        first.act(never, 1.0, 0.4)
    arrays, said = first.saved()
    second = Explorer(world(), start_distribution("uniform"), 4, 5, 3)
    second.load({name: array.copy() for name, array in arrays.items()}, said)
    for _ in range(7):
        one, two = first.act(never, 1.0, 0.4), second.act(never, 1.0, 0.4)
        assert all(np.array_equal(getattr(one.states, name), getattr(two.states, name)) for name in States._fields)
        assert (one.action == two.action).all()
        assert one.episodes == two.episodes
