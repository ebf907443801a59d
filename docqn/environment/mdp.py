"""The Markov decision process, for many cursors at once: one array operation a step, no object per node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import MOVES
from docqn.environment import rewards
from docqn.environment.actions import ACTIONS, ANSWER, MASKS, STOP
from docqn.environment.tasks import Tasks
from docqn.environment.trees import Trees

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]

_PRICES = np.full(len(ACTIONS), rewards.MOVE, np.float32)  # what an action costs; Stop is rewarded apart
_PRICES[ANSWER] = rewards.ANSWER

TRAINING_LIMIT = 30
TEST_LIMIT = 100


class States(NamedTuple):
    """What is known of each cursor, [cursors] each. All that is observed follows from these."""

    task: Longs
    node: Ints
    step: Ints  # navigation steps so far
    predicted: Bools  # whether the reader's answer prediction z for this node is at hand

    def take(self, chosen: Bools | Longs) -> States:
        """Of these cursors."""
        return States(self.task[chosen], self.node[chosen], self.step[chosen], self.predicted[chosen])


class Outcome(NamedTuple):
    """What a step brings, [cursors] each."""

    reward: NDArray[np.float32]
    stopped: Bools  # by Stop
    truncated: Bools  # by the time limit


class Environment:
    """The MDP: states, legality, transitions, reward and the time limit. Holds no cursors: states go in and come out.

    `coupled`: Answer is part of Stop, as in the paper's coupled variants, and not an action of its own.
    """

    def __init__(self, trees: Trees, tasks: Tasks, *, limit: int = TEST_LIMIT, coupled: bool = False) -> None:
        self.trees = trees
        self.tasks = tasks
        self.limit = limit
        self.coupled = coupled
        self._masks = MASKS & (np.arange(MASKS.shape[1]) != ANSWER) if coupled else MASKS
        self._readable = np.ascontiguousarray(self._masks[:, ANSWER])
        self._moves = trees.moves.reshape(-1)
        self._first = trees.first.take(tasks.document)  # [tasks]: the row of the title

    def start(self, task: Longs) -> States:
        """At the title, nothing done yet."""
        n = len(task)
        return States(np.asarray(task, np.int64), np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, bool))

    def place(self, states: States) -> Longs:
        """Rows of the trees' arrays."""
        return self._first.take(states.task) + states.node

    def legal(self, states: States) -> Bools:
        """[cursors, 7]: the title allows Down and Stop; elsewhere up is always possible, another move must lead away,
        and only paragraphs and their sentences can be read."""
        return self._masks.take(self.trees.legal.take(self.place(states)), axis=0)

    def step(self, states: States, action: Longs) -> tuple[States, Outcome]:
        """The states after the actions, and what they brought. An illegal action only costs its price and a step."""
        place = self.place(states)
        target = self._moves.take(place * len(MOVES) + np.minimum(action, len(MOVES) - 1))
        node = np.where(action < len(MOVES), target, states.node)
        answered = (action == ANSWER) & self._readable.take(self.trees.legal.take(place))
        predicted = (states.predicted & (node == states.node)) | answered
        step = states.step + np.int32(1)

        reward, stopped = _PRICES.take(action), action == STOP
        if len(ends := np.flatnonzero(stopped)):
            task = states.task.take(ends)
            distance = self.tasks.distance(task, self.trees.index.take(place.take(ends)))
            reward[ends] = rewards.stop_reward(distance, self.trees.largest_index.take(self.tasks.document.take(task)))
        truncated = ~stopped & (step >= self.limit)
        return States(states.task, node, step, predicted), Outcome(reward, stopped, truncated)
