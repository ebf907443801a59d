"""One's own questions: a JSON object a line with `id`, `question`, `answers` and `document`.

`document` is a file name, or a list of them, of any format that docqn parses; in the evidence folder, or else beside
the question file. `answers` may be left out where they are not known.
"""

import json
from pathlib import Path
from typing import Any

from docqn.corpora.evidence import find_evidence
from docqn.corpora.records import Bad, PageRecord, QuestionFile, QuestionRecord
from docqn.corpora.streaming import open_text

RULES = "original"
NORMALIZATION = "triviaqa"


def recognises(head: str) -> bool:
    """A first line that is an object with a question."""
    try:
        record = json.loads(head.lstrip().partition("\n")[0])
    except ValueError:
        return False
    return isinstance(record, dict) and "question" in record


def read(path: Path, evidence: Path | None) -> QuestionFile:
    """All questions of the file; the split is named as the file is."""
    file = QuestionFile(path.name.removesuffix(".gz").partition(".")[0])
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                _add(file, line, f"line {number}", path, evidence or path.parent)
    return file


def _add(file: QuestionFile, line: str, where: str, path: Path, folder: Path) -> None:
    """Add a line to the questions, or to the bad ones."""
    try:
        record = json.loads(line.rstrip())  # so that a string cut at the end of the line is called that
    except json.JSONDecodeError as error:
        place = f"{error.msg.removesuffix(' at')} at character {error.pos}"
        file.bad.append(Bad("not JSON", path.name, where, f"is not valid JSON ({place})"))
        return
    except (ValueError, RecursionError) as error:  # numbers too long, lists too deep
        file.bad.append(Bad("not JSON", path.name, where, f"is not valid JSON ({error})"))
        return
    question, reason = _question(record)
    if question is None:
        id = record.get("id") if isinstance(record, dict) else None
        file.bad.append(Bad("wrong record", path.name, str(id or where), reason))
        return
    file.questions.append(question)
    for page in question.pages:
        if page.document not in file.sources and (found := find_evidence(folder, page.document)):
            file.sources[page.document] = found


def _question(record: Any) -> tuple[QuestionRecord | None, str]:
    """The question, or what is wrong with the record."""
    if not isinstance(record, dict):
        return None, "is not a JSON object"
    id, text, answers, documents = (record.get(name) for name in ("id", "question", "answers", "document"))
    if not isinstance(id, str | int) or isinstance(id, bool) or id == "":
        return None, "has no id"
    if not isinstance(text, str) or not text.strip():
        return None, "has no question"
    answers = [] if answers is None else answers
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        return None, "its answers are not a list of strings"
    documents = [documents] if isinstance(documents, str) else documents
    if not isinstance(documents, list) or not documents or not all(isinstance(d, str) and d for d in documents):
        return None, "its document is not a file name or a list of them"
    kept = tuple(dict.fromkeys(answer for answer in answers if answer.strip()))
    return QuestionRecord(
        str(id), text, kept, "", tuple(PageRecord(document) for document in dict.fromkeys(documents))
    ), ""
