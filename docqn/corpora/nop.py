"""TriviaQA-NoP: documents without their preface, and the rules by which question–document pairs are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE, SECTION, SENTENCE, Document
from docqn.tree import link, trace_moves

Ints = NDArray[np.int32]

LATEST_ANSWER = 700  # a larger index of the first answer node and the pair is dropped


class Fate(IntEnum):
    """What becomes of a pair. The first rule that fits, in this order, drops it."""

    KEPT = 0
    NO_DOCUMENT = 1  # the page is missing or cannot be read
    SINGLE_CHARACTER = 2  # (b) the answer is a single character
    NO_ANSWER = 3  # no alias occurs in the whole document
    ONLY_IN_PREFACE = 4
    ONLY_IN_TITLES = 5  # (a) in the title or headings, and in no paragraph after the preface
    LATE = 6  # (c) the first answer node's index is above 700

    @property
    def label(self) -> str:
        return self.name.lower()


def fate(*, single_character: bool, anywhere: bool, in_titles: bool, first_answer: int) -> Fate:
    """What the rules say of a pair whose answer is known.

    `anywhere` and `in_titles` are about the whole document, `first_answer` is the index of the first answer paragraph
    once the preface is gone, NONE if there is none.
    """
    if single_character:
        return Fate.SINGLE_CHARACTER
    if not anywhere:
        return Fate.NO_ANSWER
    if first_answer == NONE:
        return Fate.ONLY_IN_TITLES if in_titles else Fate.ONLY_IN_PREFACE
    return Fate.LATE if first_answer > LATEST_ANSWER else Fate.KEPT


class Preface(NamedTuple):
    """What stands between the title and the first section: nothing, if there is no section to come before."""

    nodes: int  # the nodes 1 … nodes
    start: int  # characters of the text, up to the first section
    end: int

    def nodes_beyond(self, nodes: Ints) -> Ints:
        """Those of the nodes that stay, by their numbers without the preface."""
        return nodes[nodes > self.nodes] - np.int32(self.nodes)

    def spans_beyond(self, spans: Ints) -> Ints:
        """Those of the spans, [n, 2], that stay, in the text without the preface."""
        return spans[spans[:, 0] >= self.end] - np.int32(self.end - self.start)


def preface(document: Document) -> Preface:
    """The document's preface."""
    sections = np.flatnonzero(document.kind == SECTION)
    if not len(sections) or sections[0] == 1:
        return Preface(0, 0, 0)
    return Preface(int(sections[0]) - 1, int(document.start[1]), int(document.start[sections[0]]))


def remove_preface(document: Document) -> Document:
    """The document as if its source began with the first section."""
    cut, begin, end = preface(document)
    if not cut:
        return document
    keep = np.r_[0, cut + 1 : len(document)]
    first, beyond = int(document.first_token[1]), int(document.first_token[cut + 1])
    tokens = np.r_[0:first, beyond : len(document.token)]
    text = document.text[:begin] + document.text[end:]

    # How far nodes and tokens move up: all but the title and its tokens.
    characters = np.where(keep == 0, 0, end - begin).astype(np.int32)
    places = np.where(keep == 0, 0, beyond - first).astype(np.int32)
    token_characters = np.where(tokens < first, 0, end - begin).astype(np.int32)

    parent = np.maximum(document.parent[keep] - cut, 0).astype(np.int32)
    parent[0] = NONE
    kind = document.kind[keep]
    links = link(parent)
    token, vocabulary = _renumbered(document.token[tokens], document.vocabulary)
    shortened = replace(
        document,
        utf8=np.frombuffer(text.encode(), np.uint8),
        vocabulary_utf8=np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
        kind=kind,
        parent=parent,
        **links._asdict(),
        index=np.cumsum(kind != SENTENCE, dtype=np.int32) - np.int32(1),
        start=document.start[keep] - characters,
        end=document.end[keep] - characters,
        first_token=document.first_token[keep] - places,
        end_token=document.end_token[keep] - places,
        moves=trace_moves(parent, links),
        token_start=document.token_start[tokens] - token_characters,
        token_end=document.token_end[tokens] - token_characters,
        token=token,
        **{name: getattr(document, name)[keep] for name in ("level", "line", "page")},
    )
    vars(shortened).update(text=text, vocabulary=tuple(vocabulary))  # spares decoding what is at hand
    return shortened


def _renumbered(token: Ints, vocabulary: Sequence[str]) -> tuple[Ints, list[str]]:
    """Tokens numbered by first appearance, and the words that are left."""
    used, first, number = np.unique(token, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(used), np.int32)
    rank[order] = np.arange(len(used), dtype=np.int32)
    return rank[number], [vocabulary[word] for word in used[order].tolist()]
