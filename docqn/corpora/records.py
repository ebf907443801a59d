"""What question files say, before any document is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import NamedTuple, Protocol

from docqn.document import NONE, Document


class PageRecord(NamedTuple):
    """A document that a question goes with, and what the file says of the two together."""

    document: str  # its name, the same for all questions on it
    coverage: float = nan  # share of the question's weighted words in its best answer paragraph
    verified: int = NONE  # 1: judged to support the answer, 0: judged not to, NONE: not judged
    doubtful: bool = False
    supporting: tuple[str, ...] = ()  # how the paragraphs begin that were judged to support the answer
    context: int = NONE  # which of the document's paragraphs the question was asked about, from 0
    spans: tuple[tuple[int, int], ...] | None = None  # the answers' offsets in it; None: they are found by matching


class QuestionRecord(NamedTuple):
    """A question, the strings that answer it, and its documents."""

    id: str
    text: str
    answers: tuple[str, ...]  # the canonical one first; none if they are not known or there is none
    source: str
    pages: tuple[PageRecord, ...]


class Bad(NamedTuple):
    """A record or document that had to be left out."""

    kind: str
    file: str
    id: str  # of a question; empty for a document
    reason: str

    def __str__(self) -> str:
        return " ".join(": ".join(filter(None, self[1:])).split())


class Source(Protocol):
    """Where a document comes from; goes to the process that parses it. Equal sources are one document."""

    def read(self) -> bytes:
        """What it is made from; two sources with the same bytes give the same document."""

    def parse(self, data: bytes, name: str) -> Document:
        """The document, under this name; raises ParseError."""


@dataclass
class QuestionFile:
    """All of a file."""

    split: str
    questions: list[QuestionRecord] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)  # of the documents, by name
    bad: list[Bad] = field(default_factory=list)
