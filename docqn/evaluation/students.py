"""How sure a mean over seeds is: 95 % intervals by Student's t, from how far the trainings lie apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation.bootstrap import LEVEL, Interval

Floats = NDArray[np.float64]

_GRID = 100_001


def quantile(freedom: float, level: float = LEVEL) -> float:
    """The t that bounds the middle `level` percent, for these degrees of freedom. With t = √ν·tan θ the density is that
    of cosᵛ⁻¹ θ, which is added up."""
    angle = np.linspace(0, np.pi / 2, _GRID)
    density = np.cos(angle) ** (freedom - 1)
    below = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return float(np.sqrt(freedom) * np.tan(np.interp(level / 100, below / below[-1], angle)))


def interval(parts: Sequence[Floats]) -> Interval:
    """Of the sum of means of independent parts, each with a value a seed; one with a single value is taken as fixed.
    Several parts have Welch and Satterthwaite's degrees of freedom."""
    mean = sum(float(part.mean()) for part in parts)
    several = [part for part in parts if len(part) > 1]
    spread = np.array([part.var(ddof=1) / len(part) for part in several])
    if not spread.sum():
        return Interval(mean, mean)
    freedom = spread.sum() ** 2 / (spread**2 / [len(part) - 1 for part in several]).sum()
    half = quantile(float(freedom)) * float(np.sqrt(spread.sum()))
    return Interval(mean - half, mean + half)
