"""Legality, moves, predictions, rewards and limits against a cursor of plain objects, on every small tree."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, TITLE
from docqn.environment.actions import ANSWER, STOP
from docqn.environment.mdp import Environment, States
from tests.environment.naive import ACTIONS, State, World, environment, small_worlds

NODES = 6


def states_of(rows: list[tuple[int, State]]) -> States:
    task, states = zip(*rows, strict=True)
    node, step, predicted = zip(*states, strict=True)
    return States(np.array(task), np.array(node, np.int32), np.array(step, np.int32), np.array(predicted))


def one(environment: Environment, node: int, step: int = 0, predicted: bool = False) -> States:
    return states_of([(0, State(node, step, predicted))])


@pytest.mark.parametrize("coupled", [False, True])
def test_every_step_on_every_small_tree(coupled: bool) -> None:
    worlds = [replace(world, coupled=coupled) for world in small_worlds(NODES)]
    arrays = environment(worlds)
    cases = [
        (task, State(node, step, predicted))
        for task, world in enumerate(worlds)
        for node in range(len(world.parent))
        for step, predicted in product((0, world.limit - 1), (False, True))
    ]
    states = states_of(cases)
    legal = arrays.legal(states)
    assert [{ACTIONS[i] for i in np.flatnonzero(row)} for row in legal] == [worlds[t].legal(s.node) for t, s in cases]
    for action, name in enumerate(ACTIONS):
        after, outcome = arrays.step(states, np.full(len(cases), action))
        got = zip(
            zip(after.node.tolist(), after.step.tolist(), after.predicted.tolist(), strict=True),
            outcome.reward.tolist(),
            outcome.stopped.tolist(),
            outcome.truncated.tolist(),
            strict=True,
        )
        for (task, state), (next_state, reward, stopped, truncated) in zip(cases, got, strict=True):
            expected = worlds[task].step(state, name)
            assert (State(*next_state), stopped, truncated) == (expected[0], *expected[2:]), (worlds[task], state)
            assert reward == pytest.approx(expected[1])
        assert (after.task == states.task).all()


def with_answers(worlds: Iterator[World]) -> Iterator[World]:
    """Each world with every set of its paragraphs as the answers, none included."""
    for world in worlds:
        paragraphs = [node for node, kind in enumerate(world.kinds) if kind == PARAGRAPH]
        for size in range(len(paragraphs) + 1):
            for answers in combinations(paragraphs, size):
                yield replace(world, answers=list(answers))


def test_every_reward_of_stopping_on_every_small_tree() -> None:
    worlds = list(with_answers(small_worlds(NODES)))
    cases = [(task, State(node, 0, False)) for task, world in enumerate(worlds) for node in range(len(world.parent))]
    _, outcome = environment(worlds).step(states_of(cases), np.full(len(cases), STOP))
    assert outcome.reward == pytest.approx([worlds[task].stop_reward(state.node) for task, state in cases])


WORLD = World([NONE, 0, 1, 2, 2, 1, 0], [TITLE, SECTION, PARAGRAPH, SENTENCE, SENTENCE, PARAGRAPH, SECTION], [2])


def test_the_papers_rewards() -> None:
    env = environment([WORLD])
    stops = states_of([(0, State(node, 0, False)) for node in range(len(WORLD.parent))])
    _, outcome = env.step(stops, np.full(len(WORLD.parent), STOP))
    # indices are 0 1 2 2 2 3 4, the answer is 2, the largest is 4
    assert outcome.reward == pytest.approx([0.5, 0.75, 2, 2, 2, 0.75, 0.5])
    assert env.step(one(env, 2), np.array([ANSWER]))[1].reward == pytest.approx([-0.06])
    assert env.step(one(env, 2), np.array([0]))[1].reward == pytest.approx([-0.02])


def test_an_illegal_answer_costs_its_price_and_changes_nothing_but_the_clock() -> None:
    env = environment([WORLD])
    after, outcome = env.step(one(env, 1, 2), np.array([ANSWER]))
    assert (after.node[0], after.step[0], after.predicted[0]) == (1, 3, False)
    assert outcome.reward == pytest.approx([-0.06])


def test_the_prediction_is_lost_by_moving_away_and_not_by_a_move_in_vain() -> None:
    env = environment([WORLD])
    answered, _ = env.step(one(env, 2), np.array([ANSWER]))
    assert answered.predicted[0]
    stayed, _ = env.step(answered, np.array([ACTIONS.index("Left")]))
    assert stayed.predicted[0]
    moved, _ = env.step(stayed, np.array([ACTIONS.index("Down")]))
    assert not moved.predicted[0]


def test_stop_at_the_last_step_is_a_stop() -> None:
    env = environment([WORLD])
    last = one(env, 2, env.limit - 1)
    _, outcome = env.step(last, np.array([STOP]))
    assert (outcome.stopped[0], outcome.truncated[0]) == (True, False)
    _, outcome = env.step(last, np.array([0]))
    assert (outcome.stopped[0], outcome.truncated[0]) == (False, True)


def test_a_title_without_children_can_only_stop() -> None:
    env = environment([World([NONE], [TITLE])])
    assert np.flatnonzero(env.legal(env.start(np.zeros(1, np.int64)))[0]).tolist() == [STOP]
