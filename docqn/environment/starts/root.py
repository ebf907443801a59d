"""Every episode begins at the title, as in plain DQN."""

import numpy as np
from numpy.typing import NDArray

from docqn.environment.mdp import Environment


def sample(environment: Environment, task: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
    return np.zeros(len(task), np.int32)


def probabilities(environment: Environment, task: int) -> NDArray[np.float64]:
    first = environment.trees.first
    document = environment.tasks.document[task]
    shares = np.zeros(first[document + 1] - first[document])
    shares[0] = 1
    return shares
