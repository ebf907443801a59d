"""From what a network says of a paragraph to a score that means the same everywhere, and the probability it stands for.

Fitted on held-out readings in two parts. How the features are weighed against each other: so that the best of a
document's paragraphs is one that holds an answer (a conditional logistic regression). How likely a reading with that
score is right: a logistic regression. The second alone would choose worse: most of what makes readings right is the
same for all paragraphs of a document.
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
_FLATTEST = 1e-6  # a score that tells nothing stays in order


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


def fit(
    features: Floats, holds: NDArray[np.bool_], right: NDArray[np.bool_], document: NDArray[np.int64]
) -> Calibration:
    """features: [readings, 3]; whether the paragraph holds an answer, and the reading is one; documents in a row."""
    weights = choice_weights(features, holds, document)
    bias, slope = logistic(features @ weights, right)
    if slope < _FLATTEST:
        bias, slope = float(np.log(right.sum() / (~right).sum())), _FLATTEST
    return Calibration(bias, *(slope * weights).tolist())


def choice_weights(features: Floats, holds: NDArray[np.bool_], document: NDArray[np.int64]) -> Floats:
    """[3], none below 0: the weights that make it most likely that a paragraph that holds an answer is chosen from a
    document's, with chances that are the softmax of the scores."""
    number = np.unique(document, return_inverse=True)[1]
    some = np.bincount(number, holds)[number]
    telling = (some > 0) & (some < np.bincount(number)[number])  # the other documents tell nothing
    scale = features.std(0)
    used = (scale > 0) & telling.any()
    weights = np.zeros(features.shape[1])
    x = features[telling] / np.where(used, scale, 1)
    groups = np.unique(number[telling], return_inverse=True)[1]
    while used.any():
        weights[:] = 0
        weights[used] = _conditional(x[:, used], holds[telling], groups)
        if weights.min() >= 0:
            return weights / np.where(scale > 0, scale, 1)
        used[weights.argmin()] = False  # what only corrects another feature would mislead elsewhere
    return np.array([0.0, 1.0, 0.0])  # nothing tells of the choice: the score of the span, as without calibration


def _conditional(x: Floats, holds: NDArray[np.bool_], group: NDArray[np.int64]) -> Floats:
    """Each step maximises a parabola that lies below the likelihood, so it never falls."""
    weights = np.zeros(x.shape[1])
    count = int(group[-1]) + 1
    for _ in range(_ROUNDS):
        every = _shares(x @ weights, group, count)
        among = _shares(np.where(holds, x @ weights, -np.inf), group, count)
        means = np.stack([np.bincount(group, every * column, count) for column in x.T], 1)
        spread = x - means[group]
        curvature = (spread * every[:, None]).T @ spread + _RIDGE * count * np.eye(len(weights))
        step = np.linalg.solve(curvature, x.T @ (among - every) - _RIDGE * count * weights)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _shares(scores: Floats, group: NDArray[np.int64], count: int) -> Floats:
    """The softmax of each group's scores."""
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, group, scores)
    odds = np.exp(scores - highest[group])
    shares: Floats = odds / np.bincount(group, odds, count)[group]
    return shares


def logistic(score: Floats, right: NDArray[np.bool_]) -> tuple[float, float]:
    """Bias and slope of a logistic regression by Newton's method, with a little ridge on the slope."""
    mean, scale = float(score.mean()), float(score.std()) + 1e-9
    x = np.column_stack([np.ones(len(score)), (score - mean) / scale])
    ridge = np.diag([1e-9, _RIDGE * len(x)])
    weights = np.zeros(2)
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (p - right) + ridge @ weights
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, gradient)
        weights -= step / max(1.0, float(np.abs(step).max()))  # no step is longer than one
        if np.abs(step).max() < 1e-9:
            break
    slope = float(weights[1]) / scale
    return float(weights[0]) - slope * mean, slope
