"""Paragraphs that people judged to support an answer, found again in a document by how they begin.

The judged text is from another extraction, which may keep footnote marks, spaces and nested lists differently.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from docqn.document import PARAGRAPH, Document

Ints = NDArray[np.int32]

_SIMILAR = 0.7  # share of the words that have to be at the beginning of a paragraph


def supporting_paragraphs(document: Document, beginnings: tuple[str, ...], answers: Ints) -> tuple[Ints, int]:
    """The nodes, and how many of the beginnings are nowhere. `answers` are the paragraphs that hold an answer."""
    if not beginnings:
        return np.empty(0, np.int32), 0
    nodes = np.flatnonzero(document.kind == PARAGRAPH).tolist()
    texts = [document.text_of(node) for node in nodes]
    letters = [_letters(text) for text in texts]
    found: set[int] = set()
    missing = 0
    for beginning in beginnings:
        wanted = _letters(beginning)
        places = [node for node, text in zip(nodes, letters, strict=True) if wanted and text.startswith(wanted)]
        places = places or _across(nodes, letters, wanted, answers.tolist()) or _similar(nodes, texts, beginning)
        found.update(places)
        missing += not places
    return np.array(sorted(found), np.int32), missing


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _across(nodes: list[int], letters: list[str], wanted: str, answers: list[int]) -> list[int]:
    """Of a text that is several paragraphs here, such as a nested list, those that hold an answer. If none of what is
    known of it does, the next one that does: the judged text held an answer, so it went on at least that far."""
    at = "".join(letters).find(wanted) if wanted else -1
    if at < 0:
        return []
    begins = list(accumulate(map(len, letters), initial=0))
    first, last = bisect_right(begins, at) - 1, bisect_right(begins, at + len(wanted) - 1) - 1
    inside = [node for node in answers if nodes[first] <= node <= nodes[last]]
    return inside or [node for node in answers if node > nodes[last]][:1]


def _similar(nodes: list[int], texts: list[str], beginning: str) -> list[int]:
    """The paragraph that begins with most of the same words, if it is enough of them."""
    wanted = set(beginning.lower().split())
    shares = [len(wanted & set(text[: 2 * len(beginning)].lower().split())) / max(len(wanted), 1) for text in texts]
    best = max(range(len(shares)), key=shares.__getitem__, default=0)
    return [nodes[best]] if shares and shares[best] >= _SIMILAR else []
