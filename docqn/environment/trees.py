"""Many documents side by side: the arrays of all their trees, so that thousands of cursors move in one operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqn.document import DOWN, LEFT, NONE, PARAGRAPH, RIGHT, SENTENCE, UP_LEFT, UP_RIGHT, Document
from docqn.environment.actions import ANSWER, STOP

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Trees:
    """Node and token arrays of all documents, one after another; what they hold is local to a document, as there.

    A place is a row of the node arrays: `first[document] + node`.
    """

    first: Longs  # [documents + 1]: row of each document's title
    first_word: Longs  # [documents + 1]: where each document's tokens begin in `token`
    kind: NDArray[np.uint8]
    parent: Ints
    moves: Ints  # [rows, 5]
    depth: Ints
    height: Ints
    siblings_before: Ints
    siblings_after: Ints
    index: Ints
    first_token: Ints
    end_token: Ints
    token: Ints  # [tokens of all documents]

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Trees:
        """The trees of documents in memory. Their tokens are numbered by each document's own vocabulary."""
        arrays = {name: np.concatenate([getattr(d, name) for d in documents]) for name in FIELDS}
        return cls.over(_offsets([len(d) for d in documents]), _offsets([len(d.token) for d in documents]), arrays)

    @classmethod
    def over(cls, first: Longs, first_word: Longs, arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """The trees of a corpus, whose arrays are taken as they are."""
        return cls(first, first_word, **{name: arrays[name] for name in FIELDS})

    @cached_property
    def paragraph(self) -> Ints:
        """[rows]: the node of the paragraph that a node is or lies in; NONE for titles and sections."""
        node = np.arange(len(self.kind), dtype=np.int64) - np.repeat(self.first[:-1], np.diff(self.first))
        own = np.where(self.kind == PARAGRAPH, node, np.where(self.kind == SENTENCE, self.parent, NONE))
        return own.astype(np.int32)

    @cached_property
    def legal(self) -> NDArray[np.uint8]:
        """[rows]: the legal actions as bits, a row of `MASKS`."""
        legal = np.full(len(self.kind), 1 << UP_LEFT | 1 << UP_RIGHT | 1 << STOP, np.uint8)
        legal[self.first[:-1]] = 1 << STOP
        for action, possible in (
            (DOWN, self.height > 0),
            (LEFT, self.siblings_before > 0),
            (RIGHT, self.siblings_after > 0),
            (ANSWER, self.paragraph != NONE),
        ):
            legal |= possible.astype(np.uint8) << action
        return legal

    @cached_property
    def largest_index(self) -> Ints:
        """[documents]: the largest node index n(u)."""
        return self.index[self.first[1:] - 1]

    @cached_property
    def sentences(self) -> tuple[Longs, Longs]:
        """Rows of all sentences, and where each document's begin among them, [documents + 1]."""
        return self._rows_where(self.kind == SENTENCE)

    @cached_property
    def others(self) -> tuple[Longs, Longs]:
        """Rows of all nodes but sentences, and where each document's begin among them, [documents + 1]."""
        return self._rows_where(self.kind != SENTENCE)

    def _rows_where(self, chosen: NDArray[np.bool_]) -> tuple[Longs, Longs]:
        rows = np.flatnonzero(chosen)
        return rows, np.searchsorted(rows, self.first)

    @cached_property
    def shortest_path(self) -> Ints:
        """[rows]: fewest moves from the title: one down and some to the right on every level."""
        distance = np.zeros(len(self.kind), np.int32)
        step = 1 + self.siblings_before
        above = np.maximum(self.parent, 0) + np.repeat(self.first[:-1], np.diff(self.first))
        for depth in range(1, int(self.depth.max(initial=0)) + 1):
            rows = np.flatnonzero(self.depth == depth)
            distance[rows] = distance[above[rows]] + step[rows]
        return distance


FIELDS = tuple(field.name for field in fields(Trees) if field.name not in ("first", "first_word"))


def _offsets(lengths: Sequence[int]) -> Longs:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
