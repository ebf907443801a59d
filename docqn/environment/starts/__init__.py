"""Start-state distributions: over which node an episode begins at. One file each.

A distribution is a module, or an object, with

- `sample(environment, task, rng) -> nodes`: one node for each of the tasks;
- `probabilities(environment, task) -> [nodes of its document]`: the exact shares, for one task.
"""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from docqn import plugins
from docqn.document import NONE
from docqn.environment.mdp import Environment, States

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

PREDICTED = 1 / 7  # share of sampled start states in which the answer prediction is at hand


class StartDistribution(Protocol):
    """What a start distribution's module offers."""

    def sample(self, environment: Environment, task: Longs, rng: np.random.Generator) -> Ints: ...

    def probabilities(self, environment: Environment, task: int) -> Floats: ...


def start_distribution(name: str) -> StartDistribution:
    """The distribution with this name: built in, `mixture:root=1,uniform=3`, or `package.module:Name`."""
    if name.partition(":")[0] == "mixture":
        from docqn.environment.starts.mixture import mixture

        return mixture(name.partition(":")[2])
    return cast(StartDistribution, plugins.find(__name__, name, "probabilities"))


def sample_states(
    distribution: StartDistribution, environment: Environment, task: Longs, rng: np.random.Generator
) -> States:
    """States at sampled nodes. The step number is uniform between the shortest path from the title and the last step
    before the limit; at a paragraph or sentence the prediction is at hand in one of seven."""
    node = distribution.sample(environment, task, rng)
    n = len(task)
    states = States(task, node, np.zeros(n, np.int32), np.zeros(n, bool))
    place = environment.place(states)
    latest = environment.limit - 1
    step = rng.integers(
        np.minimum(environment.trees.shortest_path[place], latest), latest, endpoint=True, dtype=np.int32
    )
    readable = environment.trees.paragraph[place] != NONE
    predicted = readable & (rng.random(n) < PREDICTED) & (not environment.coupled)
    return States(task, node, np.where(node == 0, 0, step).astype(np.int32), predicted)
