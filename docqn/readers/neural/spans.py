"""The best span of a passage, from the scores of all spans in all of its windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.readers.neural.windows import Window

Floats = NDArray[np.floating]

LONGEST = 30  # tokens of a span


class BestSpan(NamedTuple):
    """The best span of a passage and the distribution that it is from."""

    first: int  # token
    last: int
    score: float
    mass: float  # logarithm of the sum over all spans of exp(score)
    entropy: float  # of the softmax over all spans


def start_end_scores(start: Floats, end: Floats, longest: int = LONGEST) -> NDArray[np.float64]:
    """[tokens, longest]: scores of the spans that begin at a token and have 1, 2, … tokens; -inf beyond the end."""
    beyond = np.full(longest - 1, -np.inf)
    ends = np.lib.stride_tricks.sliding_window_view(np.concatenate([end.astype(np.float64), beyond]), longest)
    scores: NDArray[np.float64] = start.astype(np.float64)[:, None] + ends
    return scores


def best_span(windows: Sequence[Window], scores: Sequence[Floats]) -> BestSpan:
    """The best span of a passage of at least one token. Each span counts once, by the window that owns its start."""
    owned = np.concatenate(
        [
            part[window.own_first - window.first : window.own_end - window.first]
            for window, part in zip(windows, scores, strict=True)
        ]
    )
    flat = owned.reshape(-1).astype(np.float64)
    top = int(flat.argmax())
    first, length = divmod(top, owned.shape[1])
    flat = flat[flat > -np.inf]
    weights = np.exp(flat - flat.max())
    total = weights.sum()
    mass = float(flat.max() + np.log(total))
    entropy = mass - float(weights @ flat / total)
    return BestSpan(first, first + length, float(flat.max()), mass, max(entropy, 0.0))
