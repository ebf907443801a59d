"""Whether scores tell right from wrong, and probabilities mean what they say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BINS = 10


class Bin(NamedTuple):
    """Readings of about the same probability."""

    readings: int
    probability: float  # mean of what was said
    right: float  # share that was


def auroc(scores: Floats, right: Bools) -> float:
    """The chance that something right scores above something wrong, ties counted half; nan without both."""
    positive, both = scores[right], np.sort(scores)
    n, m = len(positive), len(scores) - len(positive)
    if not n or not m:
        return float("nan")
    ranks = (np.searchsorted(both, positive, "left") + np.searchsorted(both, positive, "right") + 1) / 2
    return float((ranks.sum() - n * (n + 1) / 2) / (n * m))


def reliability(probability: Floats, right: Bools, bins: int = BINS) -> list[Bin]:
    """The reliability curve: readings by probability in bins of the same width, empty ones left out."""
    place = np.minimum((probability * bins).astype(int), bins - 1)
    found = []
    for number in np.unique(place):
        inside = place == number
        found.append(Bin(int(inside.sum()), float(probability[inside].mean()), float(right[inside].mean())))
    return found


def calibration_error(curve: list[Bin]) -> float:
    """The mean distance between what was said and what was right, over all readings."""
    total = sum(part.readings for part in curve)
    return sum(part.readings * abs(part.probability - part.right) for part in curve) / max(total, 1)
