"""From what a network says of a paragraph to a score that means the same everywhere, and the probability it stands for.

A logistic regression on a few features of a reading, fitted on held-out readings that are known to be right or wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.errors import DocqnError

Floats = NDArray[np.float64]

_RIDGE = 1e-3  # keeps the fit finite where the classes can be told apart without error
_ROUNDS = 100


class Features(NamedTuple):
    """What a network says of a paragraph, before calibration."""

    answerable: float  # logit that the paragraph answers the question
    best: float  # score of the best span
    mass: float  # logarithm of the sum over all spans


@dataclass(frozen=True)
class Calibration:
    """score = bias + Σ weight · feature; probability = 1 / (1 + exp(−score))."""

    bias: float
    answerable: float
    best: float
    mass: float

    def score(self, features: Features) -> float:
        weights = (self.answerable, self.best, self.mass)
        return self.bias + sum(w * x for w, x in zip(weights, features, strict=True))


def calibration_of(config: Mapping[str, Any], path: Path) -> Calibration | None:
    """What the config of a reader's folder says; None if it was not calibrated."""
    said = config.get("calibration")
    if said is None:
        return None
    try:
        return Calibration(**{name: float(said[name]) for name in Calibration.__dataclass_fields__})
    except (KeyError, TypeError, ValueError) as error:
        raise DocqnError(
            f"{path}: its calibration cannot be understood ({error}); calibrate the reader again"
        ) from error


def probability(score: float) -> float:
    """The logistic function, without overflow."""
    return float(np.exp(-np.logaddexp(0.0, -score)))


def fit(features: Floats, right: NDArray[np.bool_]) -> Calibration:
    """Logistic regression by Newton's method, a little ridge on the weights. features: [readings, 3]."""
    mean, scale = features.mean(0), features.std(0) + 1e-9
    x = np.column_stack([np.ones(len(features)), (features - mean) / scale])
    ridge = np.diag([0.0, *[_RIDGE * len(x)] * (x.shape[1] - 1)]) + 1e-9 * np.eye(x.shape[1])
    weights = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (p - right) + ridge @ weights
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, gradient)
        weights -= step / max(1.0, float(np.abs(step).max()))  # no step is longer than one
        if np.abs(step).max() < 1e-9:
            break
    slopes = weights[1:] / scale
    return Calibration(float(weights[0] - slopes @ mean), *map(float, slopes))
