"""What a document holds for the questions on it: answer nodes, and what the rules make of the pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.corpora.matching import Alias, Answers, Numbers, WordIndex
from docqn.corpora.nop import Fate, Preface, fate, preface, remove_preface
from docqn.corpora.records import PageRecord
from docqn.corpora.supporting import supporting_paragraphs
from docqn.corpora.tasks import NOP
from docqn.document import NONE, PARAGRAPH, Document

Ints = NDArray[np.int32]

_NO_NODES = np.empty(0, np.int32)


class Finding(NamedTuple):
    """What was found for a pair; nodes and spans are those of the document as it is stored."""

    fate: int
    first_answer: int = NONE  # index of the first answer paragraph
    original_first_answer: int = NONE  # the same with the preface
    context: int = NONE  # the paragraph that the question was asked about
    supporting_counts: tuple[int, int, int] = (0, 0, 0)  # given, not found, gone with the preface
    answer_paragraphs: Ints = _NO_NODES  # that hold an answer
    answer_sentences: Ints = _NO_NODES
    answer_spans: Ints = _NO_NODES  # of the answers in the text: start, end, start, end, …
    supporting: Ints = _NO_NODES  # paragraphs judged to support the answer


class Finder:
    """A document before and after the rules, and where answers stand in it."""

    def __init__(self, original: Document, rules: str, numbers: Numbers) -> None:
        self.original = original
        self.nop = rules == NOP
        self.preface = preface(original) if self.nop else Preface(0, 0, 0)
        self.document = remove_preface(original) if self.preface.nodes else original
        self._numbers = numbers

    @cached_property
    def _index(self) -> WordIndex:
        return WordIndex(self.original, self._numbers)

    @cached_property
    def _paragraphs(self) -> Ints:
        return np.flatnonzero(self.original.kind == PARAGRAPH).astype(np.int32)

    def find(self, page: PageRecord, answers: Sequence[str], aliases: Sequence[Alias]) -> Finding:
        """All about one question; `aliases` are its answers as words."""
        found = self._index.answers(aliases) if page.spans is None else self._given(page)
        paragraphs = self.preface.nodes_beyond(found.answer_paragraphs)
        first = int(self.document.index[paragraphs[0]]) if len(paragraphs) else NONE
        verdict = Fate.KEPT
        if self.nop and answers:
            verdict = fate(
                single_character=not aliases,
                anywhere=found.anywhere,
                in_titles=found.in_titles,
                first_answer=first,
            )
        supporting, missing = supporting_paragraphs(self.original, page.supporting, found.answer_paragraphs)
        left = self.preface.nodes_beyond(supporting)
        return Finding(
            verdict,
            first,
            int(self.original.index[found.answer_paragraphs[0]]) if len(found.answer_paragraphs) else NONE,
            NONE if page.context == NONE else int(self._paragraphs[page.context]) - self.preface.nodes,
            (len(page.supporting), missing, len(supporting) - len(left)),
            paragraphs,
            self.preface.nodes_beyond(found.answer_sentences),
            self.preface.spans_beyond(found.answer_spans).ravel(),
            left,
        )

    def _given(self, page: PageRecord) -> Answers:
        """Answers whose places in a paragraph are known."""
        document = self.original
        node = int(self._paragraphs[page.context])
        spans = np.array(page.spans, np.int32).reshape(-1, 2) + document.start[node]
        sentences = np.arange(node + 1, document.last[node] + 1, dtype=np.int32)
        start, end = document.start[sentences, None], document.end[sentences, None]
        whole = ((start <= spans[:, 0]) & (spans[:, 1] <= end)).any(axis=1)
        paragraphs = np.full(min(len(spans), 1), node, np.int32)
        return Answers(bool(len(spans)), False, paragraphs, sentences[whole], spans)
