"""Which tokens of a document were consumed: those a network observed and those the reader read, each once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from docqn.document import Document
from docqn.environment.observation import WORDS, observed_path

Ranges = list[tuple[int, int]]  # of tokens, ascending and apart


def consumed(document: Document, observed: Iterable[int] = (), read: Iterable[int] = (), first: int = 0) -> Ranges:
    """Ranges of tokens seen in observing these nodes, reading these paragraphs, and reading so many first tokens."""
    seen = np.zeros(len(document.token), bool)
    seen[:first] = True
    for node in read:
        start, end = read_range(document, node)
        seen[start:end] = True
    for start, end in {shown for node in set(observed) for shown in observed_ranges(document, node)}:
        seen[start:end] = True
    return _ranges(seen)


def read_range(document: Document, node: int) -> tuple[int, int]:
    """The node's own tokens."""
    return int(document.first_token[node]), int(document.end_token[node])


def observed_ranges(document: Document, node: int) -> Ranges:
    """The tokens that an observation of the node shows, a range for each node on its path; they do not overlap."""
    own = (read_range(document, shown) for shown in observed_path(document, node))
    return [(start, min(start + WORDS, end)) for start, end in own]


def united(document: Document, *parts: Ranges) -> Ranges:
    """The tokens of any of these."""
    seen = np.zeros(len(document.token), bool)
    for part in parts:
        for start, end in part:
            seen[start:end] = True
    return _ranges(seen)


def _ranges(seen: np.ndarray) -> Ranges:
    edges = np.flatnonzero(np.diff(seen, prepend=False, append=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
