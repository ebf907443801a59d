"""Prioritized replay of transitions, each a handful of integers: the states are rebuilt from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.environment.mdp import States
from docqn.learning.sum_tree import SumTree

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

SMALLEST = 1e-3  # priority of a transition without error, so that none is forgotten

# What follows (reward, next state, whether the episode ended) is a function of the state and the action.
_FIELDS = {"task": np.int32, "node": np.int32, "step": np.int16, "predicted": np.bool_, "action": np.int8}


class Sample(NamedTuple):
    """Transitions that were drawn."""

    place: Longs
    states: States
    action: Longs
    weight: NDArray[np.float32]  # of importance sampling, at most 1


class Replay:
    """The last transitions, drawn in proportion to priority^α."""

    def __init__(self, size: int, alpha: float) -> None:
        self.size = size
        self.alpha = alpha
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(size, dtype) for name, dtype in _FIELDS.items()}
        self._tree = SumTree(size)
        self._next = 0
        self._count = 0
        self._highest = 1.0  # priority so far, which new transitions get

    def __len__(self) -> int:
        return self._count

    @property
    def bytes(self) -> int:
        """Memory in use."""
        return sum(array.nbytes for array in self._arrays.values()) + self._tree.nbytes

    def add(self, states: States, action: Longs) -> None:
        """Take up transitions; the oldest are forgotten."""
        place = (self._next + np.arange(len(action))) % self.size
        for name, values in zip(_FIELDS, (*states, action), strict=True):
            self._arrays[name][place] = values
        self._tree[place] = self._highest**self.alpha
        self._next = int((self._next + len(action)) % self.size)
        self._count = min(self._count + len(action), self.size)

    def sample(self, count: int, beta: float, rng: np.random.Generator) -> Sample:
        """Draw transitions, one from each of `count` equal parts of the mass."""
        mass = (np.arange(count) + rng.random(count)) * (self._tree.total / count)
        place = self._tree.find(mass)
        share = self._tree[place] / self._tree.total
        weight = (self._count * share) ** -beta
        task, node, step, predicted, action = (self._arrays[name][place] for name in _FIELDS)
        return Sample(
            place,
            States(task.astype(np.int64), node, step.astype(np.int32), predicted),
            action.astype(np.int64),
            (weight / weight.max()).astype(np.float32),
        )

    def update(self, place: Longs, error: Floats) -> None:
        """Set the priorities of transitions by their errors."""
        priority = np.abs(error) + SMALLEST
        self._highest = max(self._highest, float(priority.max(initial=0)))
        self._tree[place] = priority**self.alpha

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it holds, to be saved."""
        numbers = np.array([self._next, self._count, self._highest])
        return {**self._arrays, "weight": self._tree.weights, "numbers": numbers}

    def load(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what was saved."""
        for name, array in self._arrays.items():
            array[:] = arrays[name]
        self._tree.load(arrays["weight"])
        following, count, self._highest = arrays["numbers"].tolist()
        self._next, self._count = int(following), int(count)
