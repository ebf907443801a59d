"""Pair: a question and a document, with the labels that are known. Policies and evaluation take no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docqn.document import Document
from docqn.environment.mdp import TEST_LIMIT, Environment
from docqn.environment.tasks import Tasks
from docqn.environment.trees import Trees

if TYPE_CHECKING:
    from docqn.corpora.split import Example


@dataclass(frozen=True, eq=False)
class Pair:
    """From a corpus or made on the spot: `Pair("How many?", docqn.parse("handbook.pdf"))`."""

    question: str
    document: Document
    question_id: str = ""
    name: str = ""  # the document's in its corpus
    golds: tuple[str, ...] | None = None  # answers that count as right; None: not known
    answers: tuple[int, ...] | None = None  # nodes of the paragraphs with such an answer, ascending
    supporting: tuple[int, ...] | None = None  # of those judged to support it

    @classmethod
    def of(cls, example: Example) -> Pair:
        """A pair of a corpus. Only documents that people found support in have supporting paragraphs."""
        golds = example.question.answers or None
        return cls(
            example.question.text,
            example.document,
            example.question.id,
            example.document.source,
            golds,
            tuple(example.answer_paragraphs.tolist()) if golds else None,
            tuple(example.supporting.tolist()) if example.verified == 1 else None,
        )

    @property
    def answer_indices(self) -> list[int] | None:
        """n(u) of the answer paragraphs."""
        return None if self.answers is None else self.document.index[list(self.answers)].tolist()

    @property
    def supporting_indices(self) -> list[int] | None:
        """n(u) of the supporting paragraphs."""
        return None if self.supporting is None else self.document.index[list(self.supporting)].tolist()


def environment_of(pairs: Sequence[Pair], *, limit: int = TEST_LIMIT, coupled: bool = False) -> Environment:
    """The environment in which task i is pair i."""
    numbers: dict[int, int] = {}  # a document that several pairs share is there once
    document = [numbers.setdefault(id(pair.document), len(numbers)) for pair in pairs]
    distinct = {id(pair.document): pair.document for pair in pairs}
    tasks = Tasks.of(document, [pair.answers or () for pair in pairs], [pair.answer_indices or () for pair in pairs])
    return Environment(Trees.of(list(distinct.values())), tasks, limit=limit, coupled=coupled)
