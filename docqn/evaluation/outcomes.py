"""Outcomes: what the metrics need of a policy's traces, as arrays; the traces themselves need not be kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from docqn.document import KINDS
from docqn.policies.trace import Trace
from docqn.text.scores import exact_match, f1, normalization

Array = NDArray[np.float64]

NUMBERS = (
    "question",  # its place in `questions`
    "correct",  # whether it stopped in a paragraph with an answer; nan if that is not known
    "verified",  # the same for paragraphs that support the answer
    "stop_node",
    "stop_index",
    "stop_kind",  # its place in KINDS
    "first_answer",  # node index of the first answer paragraph; nan if there is none
    "first_supporting",  # of the first that supports the answer; nan if there is none
    "stopped",
    "steps",
    "reader_calls",
    "tokens",  # share of the document's
    "seconds",
)


class _Asked:
    """A question's right answers, and the answers that were given."""

    def __init__(self) -> None:
        self.golds: list[str] | None = None
        self.mass: defaultdict[str, float] = defaultdict(float)  # by normalised answer
        self.spelt: dict[str, tuple[float, str]] = {}  # its likeliest spelling


class Outcomes:
    """Grows by one trace after another, all of one policy."""

    def __init__(self, normalization_name: str = "triviaqa") -> None:
        self.policy = ""
        self.uses_index = False
        self._normalize = lru_cache(maxsize=1 << 16)(normalization(normalization_name))
        self._rows: list[tuple[float, ...]] = []
        self._places: dict[str, int] = {}
        self._asked: list[_Asked] = []
        self.pairs: list[tuple[str, str]] = []  # question and document of each row
        self._scores: Array | None = None  # of the traces so far, once they were asked for

    @classmethod
    def of(cls, traces: Iterable[Trace], normalization_name: str = "triviaqa") -> Outcomes:
        """The outcomes of traces of one policy."""
        outcomes = cls(normalization_name)
        for trace in traces:
            outcomes.add(trace)
        return outcomes

    def add(self, trace: Trace) -> None:
        """Take note of a trace."""
        if self.policy and trace.policy != self.policy:
            raise ValueError(f"a trace of {trace.policy} among those of {self.policy}")
        self.policy, self.uses_index = trace.policy, self.uses_index or trace.uses_index
        id = trace.question_id or trace.question
        question = self._places.setdefault(id, len(self._asked))
        if question == len(self._asked):
            self._asked.append(_Asked())
        self.pairs.append((id, trace.document))
        self._scores = None
        self._rows.append((question, *_numbers(trace)))
        self._hear(self._asked[question], trace)

    def _hear(self, asked: _Asked, trace: Trace) -> None:
        if asked.golds is None:
            asked.golds = trace.golds
        for answer in (trace.answer, *trace.others):
            if answer is not None:
                key = self._normalize(answer.text)
                asked.mass[key] += answer.probability
                asked.spelt[key] = max(asked.spelt.get(key, (-1.0, "")), (answer.probability, answer.text))

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, name: str) -> Array:
        """[pairs]: one of NUMBERS."""
        column = NUMBERS.index(name)
        return np.array([row[column] for row in self._rows], np.float64)

    @property
    def questions(self) -> list[str]:
        """Ids of the questions, in the order in which they came."""
        return list(self._places)

    def answers(self) -> dict[str, str]:
        """The answer to each question that has one: over its documents, the normalised answer with the largest sum of
        probabilities; the first of two that are as good."""
        given: dict[str, str] = {}
        for id, asked in zip(self._places, self._asked, strict=True):
            if asked.mass:
                best = max(asked.mass, key=asked.mass.__getitem__)
                given[id] = asked.spelt[best][1]
        return given

    def scores(self) -> Array:
        """[questions, 2]: exact match and F1 of the answer to each, 0 where there is none; nan if none is right."""
        if self._scores is None:
            self._scores = self._scored()
        return self._scores

    def _scored(self) -> Array:
        given = self.answers()
        rows: list[tuple[float, float]] = []
        for id, asked in zip(self._places, self._asked, strict=True):
            if not asked.golds:
                rows.append((np.nan, np.nan))
            elif id not in given:
                rows.append((0.0, 0.0))
            else:
                answer = given[id], asked.golds, self._normalize
                rows.append((exact_match(*answer), f1(*answer)))
        return np.array(rows, np.float64).reshape(-1, 2)


def _numbers(trace: Trace) -> tuple[float, ...]:
    """A row, all but the question."""
    verified = trace.verified_correct if trace.supporting_indices else None
    return (
        np.nan if trace.correct is None else trace.correct,
        np.nan if verified is None else verified,
        trace.stop_node,
        trace.stop_index,
        KINDS.index(trace.stop_kind),
        min(trace.answer_indices or (), default=np.nan),
        min(trace.supporting_indices or (), default=np.nan),
        trace.stopped,
        len(trace.steps),
        trace.reader_calls,
        trace.tokens_read / max(trace.tokens_total, 1),
        trace.seconds,
    )
