"""Observations share their beginnings: each node's is that of the node above and its own first words.

A forest has every node that some observations need once, level by level, so that what they share is encoded once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.observation import WORDS
from docqn.environment.trees import Trees

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Forest(NamedTuple):
    """The nodes whose words are to be encoded, those above first."""

    place: Longs  # [nodes]: rows of the trees, each once
    above: Longs  # [nodes]: the row whose observation each one's words continue, NONE if it is the first of its path
    first: tuple[int, ...]  # [levels + 1]: where each level begins; the nodes above are those of the level before

    def entry(self, place: Longs) -> Longs:
        """Where these rows are among the nodes; NONE stays NONE."""
        order = np.argsort(self.place)
        found: Longs = order[np.searchsorted(self.place, place, sorter=order) % max(len(order), 1)]
        return np.where(place == NONE, NONE, found)


def forest(parents: Longs, place: Longs, known: Bools | None = None) -> Forest:
    """The forest of the observations of these rows. `parents` is `observed_parents`; what is `known` [rows] is left out
    with all above it."""
    at = _left(place, known)
    path = [at]  # from the nodes upwards
    while (at != NONE).any():
        at = _left(np.where(at == NONE, NONE, parents.take(at)), known)
        path.append(at)
    rows = np.stack(path)
    there = rows != NONE
    above = there.sum(0) - 1 - np.arange(len(rows))[:, None]  # how many nodes stand above each one of a path
    nodes, found = np.unique(rows[there], return_index=True)
    depth = above[there][found]
    order = np.argsort(depth, kind="stable")
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(depth))))
    return Forest(nodes[order], parents[nodes[order]], tuple(first.tolist()))


def _left(place: Longs, known: Bools | None) -> Longs:
    """Without what is known."""
    return place if known is None else np.where((place != NONE) & known.take(place), NONE, place)


def own_words(trees: Trees, place: Longs) -> tuple[Ints, Ints]:
    """The first words of each node itself, [n, 20] padded with NONE, and how many there are, [n]."""
    document = np.searchsorted(trees.first, place, side="right") - 1
    length = np.minimum(trees.end_token[place] - trees.first_token[place], WORDS).astype(np.int32)
    begin = trees.first_word[document] + trees.first_token[place]
    column = np.arange(WORDS)
    filled = column < length[:, None]
    words = np.full(filled.shape, NONE, np.int32)
    words[filled] = trees.token[(begin[:, None] + column)[filled]]
    return words, length
