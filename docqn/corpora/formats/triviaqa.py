"""TriviaQA's reading comprehension files, `qa/wikipedia-*.json`, with pages as files in an evidence folder."""

from __future__ import annotations

import re
from math import nan
from pathlib import Path
from typing import Any

from docqn.corpora.evidence import find_evidence
from docqn.corpora.records import Bad, PageRecord, QuestionFile, QuestionRecord
from docqn.corpora.streaming import elements
from docqn.document import NONE
from docqn.errors import DocqnError

RULES = "nop"
NORMALIZATION = "triviaqa"


def recognises(head: str) -> bool:
    """A list `Data` of records with a `QuestionId`."""
    return bool(re.search(r'"(Data"\s*:\s*\[|QuestionId")', head))


def read(path: Path, evidence: Path | None) -> QuestionFile:
    """All questions of the file; the split is the file's own, `verified-` before it if the answers were verified."""
    if evidence is None:
        raise DocqnError(f"{path}: TriviaQA's documents are in files of their own; name their folder (--evidence)")
    if not evidence.is_dir():
        raise DocqnError(f"{evidence}: no such folder")
    rest: dict[str, Any] = {}
    file = QuestionFile("")
    for number, record in enumerate(elements(path, "Data", rest), start=1):
        _add(file, record, number, path.name, evidence)
    file.split = ("verified-" if rest.get("VerifiedEval") is True else "") + str(rest.get("Split") or path.stem)
    return file


def _add(file: QuestionFile, record: Any, number: int, name: str, evidence: Path) -> None:
    """Add a record to the questions, or to the bad ones."""
    id = record.get("QuestionId") if isinstance(record, dict) else None
    if not isinstance(id, str) or not id:
        file.bad.append(Bad("no id", name, f"record {number}", "has no QuestionId"))
        return
    text, pages = record.get("Question"), record.get("EntityPages")
    if not isinstance(text, str) or not text.strip():
        file.bad.append(Bad("no question", name, id, "has no text in Question"))
        return
    if not isinstance(pages, list) or not pages:
        file.bad.append(Bad("no page", name, id, "has no EntityPages"))
        return
    try:
        answers = _answers(record.get("Answer"))
    except (TypeError, ValueError):
        file.bad.append(Bad("wrong answer", name, id, "its Answer does not have TriviaQA's form"))
        return
    kept = {}
    for entry in pages:
        try:
            page = _page(entry)
        except (AttributeError, KeyError, TypeError, ValueError):
            file.bad.append(Bad("wrong page", name, id, "one of its EntityPages does not have TriviaQA's form"))
            continue
        kept[page.document] = page
        if page.document not in file.sources and (found := find_evidence(evidence, page.document)):
            file.sources[page.document] = found
    file.questions.append(
        QuestionRecord(id, text, answers, str(record.get("QuestionSource", "")), tuple(kept.values()))
    )


def _answers(answer: Any) -> tuple[str, ...]:
    """The canonical answer, then the others; none in a test file."""
    if answer is None:
        return ()
    if not isinstance(answer, dict):
        raise TypeError
    given = [answer.get("Value"), *(answer.get("Aliases") or ()), *(answer.get("HumanAnswers") or ())]
    if not all(isinstance(one, str | None) for one in given):
        raise TypeError
    return tuple(dict.fromkeys(one for one in given if one and one.strip()))


def _page(entry: dict[str, Any]) -> PageRecord:
    """A page with what the verified files and the coverage add to it."""
    coverage = entry.get("Coverage")
    judged = entry.get("DocVerifiedEvalAttempt", "DocPartOfVerifiedEval" in entry)
    supporting = tuple(entry.get("SupportingParagraphs") or ())
    if (
        not isinstance(entry["Filename"], str)
        or not entry["Filename"]
        or not all(isinstance(p, str) for p in supporting)
    ):
        raise TypeError
    return PageRecord(
        entry["Filename"],
        nan if coverage is None else float(coverage),
        int(bool(entry.get("DocPartOfVerifiedEval"))) if judged else NONE,
        bool(entry.get("Doubtful")),
        supporting,
    )
