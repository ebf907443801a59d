"""Trace: the one record of what a policy did on a question and a document.

Metrics, tables, figures, the command line and the viewer all read it, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from docqn.document import KINDS
from docqn.environment.actions import ACTIONS

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass
class Answer:
    """A reader's answer, in the document's characters."""

    paragraph: int  # node; the section or title if the reader was given more than one paragraph and answered from that
    start: int
    end: int
    text: str
    logit: float
    probability: float
    entropy: float


@dataclass
class Step:
    """One action, and what was known when it was taken."""

    node: int
    index: int  # n(u)
    kind: str  # title, section, paragraph or sentence
    text: str  # how the node begins
    action: int
    reward: float | None = None  # None where there are no labels
    q_values: list[float] | None = None  # of the seven actions
    answer: Answer | None = None  # what the reader gave, if the action had it read
    question_attention: list[float] | None = None  # a weight a token of the question
    observation_attention: list[float] | None = None  # a weight a token of the observation


@dataclass
class Trace:
    """The way of one policy through one document, and its answer."""

    policy: str
    question_id: str
    question: str
    document: str  # its name in the corpus, or its source
    path: list[str]  # title and headings above the stop node, and its own if it has one
    stop_node: int
    stop_index: int  # n(u)
    stop_kind: str
    stopped: bool  # by Stop; otherwise by the limit
    read: list[tuple[int, int]]  # ranges of tokens that were observed or read, ascending and apart
    tokens_total: int  # of the document
    paragraphs: list[int]  # nodes that the reader was given one by one
    reader_calls: int
    uses_index: bool  # whether an index over the document told where to go; what that takes is not counted
    seconds: float
    answer: Answer | None = None  # the reader's on the paragraph of the stop node
    others: list[Answer] = field(default_factory=list)  # more answers that count over a question's documents
    readings: list[Answer] = field(default_factory=list)  # at the paragraphs that it was led to without steps, in order
    steps: list[Step] = field(default_factory=list)
    # Labels, where there are any, so that every metric follows from traces alone.
    golds: list[str] | None = None  # answers that count as right
    answer_indices: list[int] | None = None  # node indices of the paragraphs with such an answer
    supporting_indices: list[int] | None = None  # of those judged to support it

    @property
    def tokens_read(self) -> int:
        """Tokens observed or read, each once."""
        return sum(end - start for start, end in self.read)

    @property
    def correct(self) -> bool | None:
        """Whether it stopped in a paragraph with an answer."""
        return None if self.answer_indices is None else self.stop_index in self.answer_indices

    @property
    def verified_correct(self) -> bool | None:
        """Whether it stopped in a paragraph that supports the answer."""
        return None if self.supporting_indices is None else self.stop_index in self.supporting_indices

    def as_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists, without what is None."""
        plain: dict[str, Any] = _plain(self)
        return plain

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Trace:
        """The trace that `as_json` was of; ValueError if it was none."""
        trace = _validator().validate_python(record)
        if {trace.stop_kind, *(step.kind for step in trace.steps)}.difference(KINDS):
            raise ValueError("a kind of node that there is not")
        if not all(0 <= step.action < len(ACTIONS) for step in trace.steps):
            raise ValueError("an action that there is not")
        return trace


def _plain(value: Any) -> Any:
    if isinstance(value, Trace | Step | Answer):
        return {name: _plain(part) for name, part in vars(value).items() if part is not None}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value


@cache
def _validator() -> TypeAdapter[Trace]:
    from pydantic import TypeAdapter

    for part in (Trace, Step, Answer):
        part.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[union-attr]
    return TypeAdapter(Trace)
