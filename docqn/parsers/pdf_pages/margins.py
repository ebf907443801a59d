"""The right edges of columns: where a line could have gone on to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from docqn.parsers.pdf_pages.lines import Floats, Lines

Ints = NDArray[np.int64]

EDGE = 1.5  # points: lines that end within have the same right edge
FEWEST, SHARE = 3, 0.12  # lines of a column that make a right edge
AROUND = 6  # lines before and after that show how wide a ragged text is set
_EDGES = 1 << 22  # more than there can be, since places are bounded


def right_edges(lines: Lines, run: Ints) -> Floats:
    """The right edge that each line could have reached: the nearest at which several lines of its column end, which a
    justified text has for each of its measures; else that of the longest line around. `run` numbers the columns."""
    edge = np.round(lines.right / EDGE).astype(np.int64) + _EDGES // 2
    keys, counts = np.unique(run * _EDGES + edge, return_counts=True)
    shared = keys[counts >= np.maximum(FEWEST, SHARE * np.bincount(run)[keys // _EDGES])]
    longest = _longest_near(lines.right, run)
    if not len(shared):
        return longest
    wanted = run * _EDGES + edge
    nearest = shared[np.minimum(np.searchsorted(shared, wanted - 1), len(shared) - 1)]
    found = (nearest // _EDGES == run) & (nearest >= wanted - 1)
    reached = (nearest % _EDGES - _EDGES // 2) * EDGE
    return np.where(found, np.maximum(reached, lines.right), longest)


def _longest_near(right: Floats, run: Ints) -> Floats:
    """How far right the lines around each one reach, within its column: the lesser of before and after, because text
    may be set narrower beside a picture."""
    before, known_before = _longest_before(right, run)
    after, known_after = _longest_before(right[::-1], run[::-1])
    after, known_after = after[::-1], known_after[::-1]
    lesser = np.where(known_before & known_after, np.minimum(before, after), np.maximum(before, after))
    return np.where(known_before == known_after, lesser, np.where(known_before, before, after))


def _longest_before(right: Floats, run: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """How far right each line and those before it reach, and whether these are enough to tell."""
    reach, seen = right.copy(), np.zeros(len(right), np.int64)
    for step in range(1, min(AROUND, len(right) - 1) + 1):
        same = run[step:] == run[:-step]
        np.maximum(reach[step:], right[:-step], out=reach[step:], where=same)
        seen[step:] += same
    return reach, seen >= AROUND // 2
