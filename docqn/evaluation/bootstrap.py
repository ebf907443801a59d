"""How sure a figure is: 95 % intervals by resampling questions, since pairs of one question are not independent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESAMPLES = 2000
LEVEL = 95
_AT_ONCE = 1 << 22  # drawn questions held in memory


class Interval(NamedTuple):
    """The middle 95 % of a figure's resamples."""

    low: float
    high: float


class Comparison(NamedTuple):
    """The difference of two figures on the same questions."""

    difference: float
    interval: Interval
    p_value: float  # two-sided; of there being no difference


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Element by element, nan where there is nothing to divide by."""
    undefined: Floats = np.full(np.broadcast(top, bottom).shape, np.nan)
    return np.divide(top, bottom, out=undefined, where=bottom != 0)


def resampled(top: Floats, bottom: Floats, seed: int) -> Floats:
    """[resamples, figures]: sum of `top` over sum of `bottom` [questions, figures], each time over as many questions
    drawn with replacement; all figures see the same draws."""
    counts = _counts(len(top), np.random.default_rng(seed))
    return np.concatenate([ratio(count @ top, count @ bottom) for count in counts])


def resampled_medians(values: Floats, question: NDArray[np.int64], seed: int) -> Floats:
    """[resamples]: the median over the drawn questions' pairs, by the same draws; the lower of two in the middle."""
    order = np.argsort(values)
    medians = []
    for count in _counts(int(question.max()) + 1, np.random.default_rng(seed)):
        below = count[:, question[order]].cumsum(axis=1)
        medians.append(values[order][(2 * below >= below[:, -1:]).argmax(axis=1)])
    return np.concatenate(medians)


def _counts(questions: int, rng: np.random.Generator) -> Iterator[Floats]:
    """How often each question is drawn, [some resamples, questions] at a time."""
    at_once = max(1, min(RESAMPLES, _AT_ONCE // max(questions, 1)))
    for first in range(0, RESAMPLES, at_once):
        rows = min(at_once, RESAMPLES - first)
        drawn = rng.integers(questions, size=(rows, questions)) + np.arange(rows)[:, None] * questions
        yield np.bincount(drawn.ravel(), minlength=rows * questions).reshape(rows, questions).astype(float)


def interval(samples: Floats) -> Interval:
    """Of one figure's resamples; those in which it is not defined are left out."""
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        return Interval(np.nan, np.nan)
    low, high = np.percentile(defined, [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return Interval(float(low), float(high))


def compared(difference: float, samples: Floats) -> Comparison:
    """A difference with its resamples. No p-value is smaller than the resamples can tell."""
    defined = samples[~np.isnan(samples)]
    tail = min((defined <= 0).sum(), (defined >= 0).sum()) if len(defined) else 0
    return Comparison(difference, interval(samples), min(1.0, 2 * (float(tail) + 1) / (len(defined) + 1)))
