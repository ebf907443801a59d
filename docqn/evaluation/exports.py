"""What other programs take: answers in the official prediction format, and the paragraphs that were found as SQuAD."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docqn.document import NONE
from docqn.evaluation.outcomes import Outcomes
from docqn.files import write_text
from docqn.policies.tracing import answering_paragraph

if TYPE_CHECKING:
    from docqn.corpora.split import Example, Split


def write_predictions(folder: Path, outcomes: Outcomes) -> Path:
    """The answer to each question by id, as the official scripts of TriviaQA and SQuAD want it."""
    return _write(folder, outcomes.policy, outcomes.answers())


def write_squad(folder: Path, outcomes: Outcomes, split: Split) -> Path:
    """Each pair's question, asked about the paragraph where the policy stopped. Answers stand at their offsets; a
    paragraph without one makes the question impossible. Stops where there is no paragraph to read are left out."""
    articles: dict[str, dict[int, tuple[str, list[dict[str, Any]]]]] = {}
    for place, stop in enumerate(outcomes["stop_node"].astype(int).tolist()):
        example = split[place]
        node = answering_paragraph(example.document, stop)
        if node != NONE:
            paragraphs = articles.setdefault(example.document.source, {})
            _, questions = paragraphs.setdefault(node, (example.document.text_of(node), []))
            questions.append(_question(example, node))
    data = [
        {"title": title, "paragraphs": [{"context": text, "qas": qas} for _, (text, qas) in sorted(paragraphs.items())]}
        for title, paragraphs in articles.items()
    ]
    return _write(folder, outcomes.policy, {"version": "2.0", "data": data}, "-squad")


def _question(example: Example, node: int) -> dict[str, Any]:
    document = example.document
    begin, end = int(document.start[node]), int(document.end[node])
    spans = [(a, b) for a, b in example.answer_spans.tolist() if begin <= a and b <= end]
    answers = [{"text": document.text[a:b], "answer_start": a - begin} for a, b in spans]
    return {"id": example.id, "question": example.question.text, "answers": answers, "is_impossible": not answers}


def file_name(policy: str) -> str:
    """A policy's name without what a file system may not like."""
    return re.sub(r"[^\w.+-]+", "_", policy)


def _write(folder: Path, policy: str, content: dict[str, Any], ending: str = "") -> Path:
    path = folder / f"{file_name(policy)}{ending}.json"
    write_text(path, json.dumps(content, ensure_ascii=False) + "\n")
    return path
