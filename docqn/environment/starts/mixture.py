"""Any mixture of start distributions."""

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from docqn.environment.mdp import Environment
from docqn.environment.starts import StartDistribution, start_distribution
from docqn.errors import DocqnError


class Mixture:
    """Draws from each part with the probability given by its weight."""

    def __init__(self, parts: Sequence[StartDistribution], weights: Sequence[float]) -> None:
        self.parts = parts
        self.weights = np.asarray(weights, float) / np.sum(weights)

    def sample(self, environment: Environment, task: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        chosen = rng.choice(len(self.parts), len(task), p=self.weights)
        node = np.empty(len(task), np.int32)
        for i, part in enumerate(self.parts):
            node[chosen == i] = part.sample(environment, task[chosen == i], rng)
        return node

    def probabilities(self, environment: Environment, task: int) -> NDArray[np.float64]:
        shares = [part.probabilities(environment, task) for part in self.parts]
        return np.tensordot(self.weights, np.stack(shares), 1)


def mixture(argument: str) -> Mixture:
    """The mixture that `root=1,uniform=3` stands for."""
    parts, weights = [], []
    for entry in argument.split(","):
        name, _, weight = entry.rpartition("=")
        try:
            weights.append(float(weight))
        except ValueError:
            weights.append(-1.0)
        if not name or not 0 <= weights[-1] < inf:
            raise DocqnError(f"'mixture:{argument}' does not name its parts as in 'mixture:root=1,uniform=3'")
        parts.append(start_distribution(name))
    if not sum(weights):
        raise DocqnError(f"'mixture:{argument}' gives no part any weight")
    return Mixture(parts, weights)
