"""States compared."""

import numpy as np

from docqn.environment.mdp import States


def same(one: States, two: States) -> bool:
    """Whether two are the same in all."""
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in States._fields)
