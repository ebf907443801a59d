"""f_B: an answer paragraph, then one to three random moves away from it. Without an answer, the title."""

import numpy as np
from numpy.typing import NDArray

from docqn.document import MOVES
from docqn.environment.mdp import Environment, States

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

MOST_MOVES = 3  # B is uniform over 1 … this


def sample(environment: Environment, task: Longs, rng: np.random.Generator) -> Ints:
    first = environment.tasks.first_answer
    labelled = np.flatnonzero(first[task + 1] > first[task])
    owner = task[labelled]
    node = np.zeros(len(task), np.int32)
    node[labelled] = environment.tasks.answer[rng.integers(first[owner], first[owner + 1])]
    moves = rng.integers(1, MOST_MOVES, len(labelled), endpoint=True)
    for done in range(MOST_MOVES):
        going = labelled[moves > done]
        node[going] = _random_move(environment, task[going], node[going], rng)
    return node


def probabilities(environment: Environment, task: int) -> NDArray[np.float64]:
    tasks, trees = environment.tasks, environment.trees
    begin, end = trees.first[tasks.document[task]], trees.first[tasks.document[task] + 1]
    share = np.zeros(end - begin)
    answers = tasks.answer[tasks.first_answer[task] : tasks.first_answer[task + 1]]
    if not len(answers):
        share[0] = 1
        return share
    share[answers] = 1 / len(answers)

    nodes = np.arange(end - begin, dtype=np.int32)
    legal = _legal_moves(environment, np.full(len(nodes), task, np.int64), nodes)
    weight = legal / legal.sum(axis=1, keepdims=True)
    total = np.zeros_like(share)
    for _ in range(MOST_MOVES):
        share = np.bincount(trees.moves[begin:end].ravel(), (share[:, None] * weight).ravel(), len(nodes))
        total += share / MOST_MOVES
    return total


def _legal_moves(environment: Environment, task: Longs, node: Ints) -> NDArray[np.bool_]:
    n = len(task)
    return environment.legal(States(task, node, np.zeros(n, np.int32), np.zeros(n, bool)))[:, : len(MOVES)]


def _random_move(environment: Environment, task: Longs, node: Ints, rng: np.random.Generator) -> Ints:
    """Where a move drawn uniformly from the legal ones leads."""
    legal = _legal_moves(environment, task, node)
    rank = rng.integers(legal.sum(axis=1))  # the title always allows Down
    move = (legal.cumsum(axis=1) > rank[:, None]).argmax(axis=1)
    place = environment.trees.first[environment.tasks.document[task]] + node
    target: Ints = environment.trees.moves[place, move]
    return target
