"""The questions of a split, and its question–document pairs as examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array
from docqn.corpora.layout import ROWS
from docqn.corpora.nop import Fate
from docqn.corpora.ragged import Ragged, Strings
from docqn.document import Document

if TYPE_CHECKING:
    from docqn.corpora.store import Corpus

Ints = NDArray[np.int32]

BETWEEN = "--"  # question's and document's name in a pair's id


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question with its answers; none if they are not known, or if there is none."""

    id: str
    text: str
    answers: tuple[str, ...]  # the canonical one first
    source: str  # where it was taken from, if the file says
    tokens: Ints  # numbers in the corpus's vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A question, a document, and where in it the answer stands; arrays are views of the corpus."""

    id: str  # QuestionId--Filename
    question: Question
    document: Document
    answer_paragraphs: Ints  # nodes
    answer_sentences: Ints
    answer_spans: Ints  # [answers, 2]: characters of the document's text
    first_answer: int  # index of the first answer paragraph, NONE if there is none
    supporting: Ints  # paragraphs that people judged to support the answer
    verified: int  # 1: people found support in the document, 0: they found none, NONE: nobody looked
    coverage: float  # share of the question's weighted words in its best answer paragraph, nan if not known
    context: int  # the paragraph that the question was asked about, NONE if it was about the document


class Split(Sequence[Example]):
    """The questions of a split, and the pairs that were kept. Arrays have one entry a pair, if nothing else is said."""

    def __init__(self, corpus: Corpus, name: str, arrays: dict[str, Array]) -> None:
        self.corpus = corpus
        self.name = name
        self.arrays = arrays  # all that the split's file holds, also of the dropped pairs
        self.question: Ints = arrays["question"]  # its place among the questions, ascending
        self.document: Ints = arrays["document"]
        self.first_answer: Ints = arrays["first_answer"]
        self.context: Ints = arrays["context"]
        self.answer_paragraphs = self._rows("answer_paragraphs")
        self.answer_sentences = self._rows("answer_sentences")
        self.answer_spans = self._rows("answer_spans")  # start, end, start, end, …
        self.supporting = self._rows("supporting")
        self.question_tokens = self._rows("question_token")  # of each question
        self.question_ids = Strings(self._rows("id"))  # of all questions, also those without a pair
        self._texts, self._answers, self._sources = (Strings(self._rows(name)) for name in ("text", "answer", "source"))

    def _rows(self, name: str) -> Ragged:
        return Ragged(self.arrays[name], self.arrays[f"{name}_offset"])

    def __len__(self) -> int:
        return len(self.question)

    @overload
    def __getitem__(self, at: int) -> Example: ...
    @overload
    def __getitem__(self, at: slice) -> list[Example]: ...
    def __getitem__(self, at: int | slice) -> Example | list[Example]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        pair = range(len(self))[at]
        return Example(
            id=self.id(pair),
            question=self.question_at(int(self.question[pair])),
            document=self.corpus.document(int(self.document[pair])),
            answer_paragraphs=self.answer_paragraphs[pair],
            answer_sentences=self.answer_sentences[pair],
            answer_spans=self.answer_spans[pair].reshape(-1, 2),
            first_answer=int(self.first_answer[pair]),
            supporting=self.supporting[pair],
            verified=int(self.arrays["verified"][pair]),
            coverage=float(self.arrays["coverage"][pair]),
            context=int(self.context[pair]),
        )

    def id(self, pair: int) -> str:
        """The pair's id, `QuestionId--Filename`."""
        name = self.corpus.names[int(self.document[pair])]
        return f"{self.question_ids[int(self.question[pair])]}{BETWEEN}{name}"

    def question_at(self, place: int) -> Question:
        """A question by its place."""
        begin, end = self.arrays["question_answer"][place : place + 2].tolist()
        return Question(
            self.question_ids[place],
            self._texts[place],
            tuple(self._answers[begin:end]),
            self._sources[place],
            self.question_tokens[place],
        )

    def pairs_of(self, place: int) -> range:
        """The pairs of a question."""
        begin, end = np.searchsorted(self.question, (place, place + 1)).tolist()
        return range(begin, end)

    def dropped_of(self, place: int) -> Iterator[tuple[int, Fate]]:
        """Document and fate of the pairs of a question that were dropped."""
        for row in np.flatnonzero(self.arrays["dropped_question"] == place).tolist():
            yield int(self.arrays["dropped_document"][row]), Fate(int(self.arrays["dropped_fate"][row]))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {id: place for place, id in enumerate(self.question_ids)}

    def find(self, id: str) -> tuple[int, range] | None:
        """Place and pairs that a question's or a pair's id names."""
        place = self._places.get(id)
        if place is not None:
            return place, self.pairs_of(place)
        place = self._places.get(id.partition(BETWEEN)[0])
        if place is not None:
            for pair in self.pairs_of(place):
                if self.id(pair) == id:
                    return place, range(pair, pair + 1)
        return None


_ROWS = ("id", "text", "answer", "source", "question_token", *ROWS)
_PER_PAIR = ("question", "document", "first_answer", "original_first_answer", "context", "supporting_counts")
_JUDGED = ("coverage", "verified", "doubtful")
_OFFSETS = (f"{name}_offset" for name in _ROWS)
_OF_DROPPED = ("question", "document", "verified", "fate", "original_first_answer", "supporting_counts")
_DROPPED = (f"dropped_{name}" for name in _OF_DROPPED)
NEEDED = frozenset(("question_answer", *_PER_PAIR, *_JUDGED, *_ROWS, *_OFFSETS, *_DROPPED))
