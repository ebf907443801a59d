"""The explorer: many turns at once, each an ε-greedy episode from the title or, by tree sampling, K states of one pair
with one action each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.environment.actions import STOP
from docqn.environment.mdp import Environment, States
from docqn.environment.starts import StartDistribution, sample_states
from docqn.learning.agents.learner import Values

Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Taken(NamedTuple):
    """What one action of every cursor brought."""

    states: States
    action: Longs
    turns: int  # that ended
    episodes: list[tuple[float, int, bool, int, bool]]  # that ended: return, length, stopped, n(u), right


class Explorer:
    """Takes turns on the tasks of an environment, in an order that is new each time all have had theirs."""

    def __init__(
        self, environment: Environment, starts: StartDistribution, cursors: int, sampled: int, seed: int
    ) -> None:
        self._environment = environment
        self._starts = starts
        self._cursors = cursors
        self._sampled = sampled
        self._seed = seed
        self.rng = np.random.default_rng(seed)
        self._round, self._at = 0, 0
        self._order = self._shuffled()
        self._states = environment.start(np.empty(0, np.int64))
        self._return = np.empty(0)

    def act(self, values: Values, epsilon: float, sampling: float) -> Taken:
        """Begin as many turns as there is room for, and take one action with every cursor."""
        rng, environment = self.rng, self._environment
        tasks = self._draw(self._cursors - len(self._states.task))
        by_sampling = rng.random(len(tasks)) < sampling
        begun = environment.start(tasks[~by_sampling])
        drawn = sample_states(self._starts, environment, np.repeat(tasks[by_sampling], self._sampled), rng)
        states = _joined(self._states, begun, drawn)
        walking = len(self._states.task) + len(begun.task)

        action = self._actions(states, values, epsilon)
        after, outcome = environment.step(states, action)
        ended = (outcome.stopped | outcome.truncated)[:walking]
        total = np.concatenate((self._return, np.zeros(len(begun.task)))) + outcome.reward[:walking]
        episodes = self._ended(states, action, after, total, np.flatnonzero(ended))
        going = np.zeros(len(action), bool)
        going[:walking] = ~ended
        self._states, self._return = after.take(going), total[~ended]
        return Taken(states, action, int(ended.sum()) + int(by_sampling.sum()), episodes)

    def _actions(self, states: States, values: Values, epsilon: float) -> Longs:
        legal = self._environment.legal(states)
        rank = (self.rng.random(len(legal)) * legal.sum(1)).astype(np.int64)
        action: Longs = (legal.cumsum(1) > rank[:, None]).argmax(1)
        greedy = self.rng.random(len(legal)) >= epsilon
        if greedy.any():
            found = values(states.take(greedy))
            action[greedy] = np.where(legal[greedy], found, -np.inf).argmax(1)
        return action

    def _ended(
        self, states: States, action: Longs, after: States, total: NDArray[np.float64], ends: Longs
    ) -> list[tuple[float, int, bool, int, bool]]:
        environment = self._environment
        index = environment.trees.index[environment.place(states)]
        distance = environment.tasks.distance(states.task, index)
        return [
            (float(total[i]), int(after.step[i]), bool(action[i] == STOP), int(index[i]), bool(distance[i] == 0))
            for i in ends.tolist()
        ]

    def _draw(self, count: int) -> Longs:
        parts = []
        while count:
            part = self._order[self._at : self._at + count]
            parts.append(part)
            count -= len(part)
            self._at += len(part)
            if self._at == len(self._order):
                self._round, self._at = self._round + 1, 0
                self._order = self._shuffled()
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _shuffled(self) -> Longs:
        tasks: Longs = np.random.default_rng([self._seed, self._round]).permutation(len(self._environment.tasks))
        return tasks

    def saved(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """All that it holds, as arrays and as what JSON can say."""
        arrays = {**self._states._asdict(), "return": self._return}
        return arrays, {"round": self._round, "at": self._at, "rng": self.rng.bit_generator.state}

    def load(self, arrays: Mapping[str, NDArray[Any]], said: Mapping[str, Any]) -> None:
        """Take up what was saved."""
        self._states = States(*(arrays[name] for name in States._fields))
        self._return = arrays["return"]
        self._round, self._at = said["round"], said["at"]
        self._order = self._shuffled()
        self.rng.bit_generator.state = said["rng"]


def _joined(*parts: States) -> States:
    return States(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
