"""Traces made up for tests, of any outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from docqn.document import KINDS
from docqn.evaluation.trace_file import TraceWriter
from docqn.policies.trace import Answer, Step, Trace

WORDS = ("Tea", "the tea", "Milk", "black tea", "_tea_", "Coffee")


def answer(text: str = "Tea", probability: float = 0.5) -> Answer:
    return Answer(2, 0, len(text), text, 1.0, probability, 0.25)


def trace(question: str = "q0", document: str = "d0", **changes: object) -> Trace:
    """A trace that stopped at index 2 of a document with 100 tokens."""
    values: dict[str, object] = {
        "policy": "p",
        "question_id": question,
        "question": f"{question}?",
        "document": document,
        "path": ["Title", "Heading"],
        "stop_node": 2,
        "stop_index": 2,
        "stop_kind": "paragraph",
        "stopped": True,
        "read": [(0, 10), (20, 25)],
        "tokens_total": 100,
        "paragraphs": [2],
        "reader_calls": 1,
        "uses_index": False,
        "seconds": 0.25,
        "answer": answer(),
        "golds": ["Tea"],
        "answer_indices": [2, 5],
    }
    return Trace(**{**values, **changes})  # type: ignore[arg-type]


def walk(length: int) -> list[Step]:
    """So many steps."""
    return [Step(i, i, "section", f"Heading {i}", 2, reward=-0.02, q_values=[float(i)] * 7) for i in range(length)]


HEADER = {
    "corpus": "schools",
    "split": "dev",
    "fingerprint": "f",
    "pairs": 60,
    "normalization": "triviaqa",
    "policies": [],
    "reader": "lexical",
    "reader_fingerprint": "lexical-2",
    "seed": 0,
    "max_steps": 100,
    "mask": True,
}


def made(policy: str, right: int, **changes: Any) -> list[Trace]:
    """Sixty traces of which so many are right; their first answers stand ever later."""
    return [
        trace(
            f"q{i // 2}",
            f"d{i % 2} <odd> & name",
            **{
                "policy": policy,
                "stop_index": i + 1 if i < right else 0,
                "stop_node": i + 1 if i < right else 0,
                "answer_indices": [i + 1],
                "stopped": i % 7 != 6,
                **changes,
            },
        )
        for i in range(60)
    ]


def write_traces(path: Path, *policies: list[Trace], **header: Any) -> Path:
    """Traces with a header as evaluations write it."""
    writer = TraceWriter(path, {**HEADER, **header})
    list(writer.written())
    for one in (one for traces in policies for one in traces):
        writer.write(one)
    writer.finish()
    return path


answers = st.none() | st.builds(answer, st.sampled_from(WORDS), st.floats(0, 1))


@st.composite
def outcomes(draw: st.DrawFn, most: int = 12) -> list[Trace]:
    """Traces of one policy on pairs of a few questions, in the order of the questions."""
    found = []
    for number in range(draw(st.integers(1, 6))):
        golds = draw(st.none() | st.lists(st.sampled_from(WORDS), min_size=1, max_size=2))
        for place in range(draw(st.integers(1, 3))):
            stop = draw(st.integers(0, 9))
            indices = draw(st.lists(st.integers(1, 9), max_size=3, unique=True).map(sorted))
            found.append(
                trace(
                    f"q{number}",
                    f"d{place}",
                    stop_node=stop,
                    stop_index=stop,
                    stop_kind=draw(st.sampled_from(KINDS)),
                    stopped=draw(st.booleans()),
                    answer=draw(answers),
                    others=draw(st.lists(st.builds(answer, st.sampled_from(WORDS), st.floats(0, 1)), max_size=2)),
                    golds=golds,
                    answer_indices=None if golds is None else indices,
                    supporting_indices=draw(st.none() | st.just(indices[:1])),
                    steps=walk(draw(st.integers(0, 4))),
                    reader_calls=draw(st.integers(0, 3)),
                )
            )
    return found
