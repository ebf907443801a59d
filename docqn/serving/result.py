"""Result: an answer, where it stands, how sure it is, and the way to it. `docqn ask --json` prints one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Evidence:
    """Where an answer stands."""

    source: str  # the document
    path: list[str]  # title and headings above it
    paragraph: str  # the text of the paragraph
    start: int  # of the answer, in characters of the document's text, as `docqn parse --json` counts them
    end: int
    page: int | None  # where it begins; None where the format has no pages
    line: int | None
    node: int  # the paragraph's `id` in `docqn parse --json`
    paragraph_start: int  # so paragraph[start - paragraph_start : end - paragraph_start] is the answer


@dataclass(frozen=True)
class Candidate:
    """An answer with its score and place."""

    answer: str
    score: float  # between 0 and 1
    evidence: Evidence


@dataclass(frozen=True)
class Shade:
    """The attention that was paid to a token."""

    start: int  # characters of the document's text, or of the question
    end: int
    text: str
    weight: float


@dataclass(frozen=True)
class Visit:
    """A step on the way: a node, what was seen there, and what was done."""

    source: str
    node: int
    index: int  # n(u)
    kind: str
    path: list[str]
    text: str  # how the node begins
    page: int | None
    line: int | None
    action: str  # UpL, UpR, Down, Left, Right, Answer or Stop
    value: float | None  # the policy's, of this action
    values: dict[str, float] | None  # of all actions
    reading: Candidate | None  # what the reader answered here
    question_attention: list[Shade]
    attention: list[Shade]


@dataclass(frozen=True)
class Result:
    """What came of a question."""

    question: str
    answer: str | None  # None where the documents do not hold one
    score: float  # how likely the best answer is right, between 0 and 1
    answerable: bool
    evidence: Evidence | None
    alternatives: list[Candidate]  # the next best; where there is no answer, the guesses that were not sure enough
    tokens_total: int  # of all documents
    tokens_read: int  # observed or read, each once
    steps: int
    reader_calls: int
    seconds: float
    policy: str
    reader: str
    trace: list[Visit]
    documents: int  # that were asked
    notes: list[str]  # what else there is to know, such as documents that cannot be read

    def as_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        return asdict(self)
