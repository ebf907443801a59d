"""SQuAD 1.1 and 2.0: articles with their paragraphs in the question file itself, and answers by offset.

An article becomes a document of its distinct paragraphs; articles with the same title are one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from docqn.build import Block, build_document
from docqn.corpora.records import Bad, PageRecord, QuestionFile, QuestionRecord
from docqn.corpora.streaming import elements
from docqn.document import NONE, PARAGRAPH, Document
from docqn.errors import DocqnError
from docqn.files import replacing
from docqn.text.clean import clean

if TYPE_CHECKING:
    from docqn.corpora.split import Example, Split

RULES = "original"
NORMALIZATION = "squad"


class Article(NamedTuple):
    """The paragraphs of an article."""

    title: str
    contexts: tuple[str, ...]

    def read(self) -> bytes:
        """What the document is made of."""
        return json.dumps(self).encode()

    def parse(self, data: bytes, name: str) -> Document:
        """A title with paragraphs."""
        return build_document(
            map(Block, self.contexts), source=name, format="squad", title=self.title.replace("_", " ")
        )


def recognises(head: str) -> bool:
    """A list `data`, or a paragraph's `qas`."""
    return bool(re.search(r'"(data"\s*:\s*\[|qas"\s*:|context"\s*:)', head))


def read(path: Path, evidence: Path | None) -> QuestionFile:
    """All questions of the file; the split is named as the file is."""
    name = path.name.removesuffix(".gz").removesuffix(".json")
    file = QuestionFile(name)
    articles: dict[str, dict[str, int]] = {}  # title → paragraph → its number
    for number, article in enumerate(elements(path, "data", {}), start=1):
        try:
            title = clean(str(article.get("title") or name))
            paragraphs = [(paragraph["context"], list(paragraph["qas"])) for paragraph in article["paragraphs"]]
            if not all(isinstance(context, str) for context, _ in paragraphs):
                raise TypeError
        except (KeyError, TypeError, AttributeError):
            file.bad.append(Bad("wrong article", path.name, f"article {number}", "does not have SQuAD's form"))
            continue
        contexts = articles.setdefault(title, {})
        for context, questions in paragraphs:
            if clean(context).strip():
                at = contexts.setdefault(context, len(contexts))
                for record in questions:
                    _add(file, record, title, context, at, path.name)
            elif questions:
                file.bad.append(Bad("empty paragraph", path.name, title, "asks about a paragraph without text"))
    file.sources.update((title, Article(title, tuple(contexts))) for title, contexts in articles.items())
    return file


def _add(file: QuestionFile, record: Any, title: str, context: str, at: int, name: str) -> None:
    """Add a question to the file's, or to the bad ones."""
    id = record.get("id") if isinstance(record, dict) else None
    if not isinstance(id, str | int) or id == "":
        file.bad.append(Bad("no id", name, title, "has a question without id"))
        return
    try:
        text = record["question"]
        answers = [] if record.get("is_impossible") else record.get("answers") or []
        given = [(answer["text"], answer["answer_start"]) for answer in answers]
        if not isinstance(text, str) or not text.strip():
            raise TypeError
        if not all(a and b >= 0 and context[b : b + len(a)] == a for a, b in given):
            file.bad.append(Bad("misplaced answer", name, str(id), "an answer is not at its offset in the paragraph"))
            return
    except (KeyError, TypeError):
        file.bad.append(Bad("wrong record", name, str(id), "does not have SQuAD's form"))
        return
    spans = tuple((_moved(context, start), _moved(context, start + len(answer))) for answer, start in given)
    page = PageRecord(title, context=at, spans=tuple((a, b) for a, b in spans if a < b))
    file.questions.append(QuestionRecord(str(id), text, tuple(dict.fromkeys(a for a, _ in given)), "", (page,)))


def _moved(context: str, offset: int) -> int:
    """The offset in the paragraph's text as the document has it: without invisible characters and space around it."""
    return min(len(clean(context[:offset]).lstrip()), len(clean(context).strip()))


def write(split: Split, path: Path) -> None:
    """The questions of a split as SQuAD JSON, with all paragraphs of their documents; 2.0 if any has no answer."""
    asked: dict[int, dict[int, list[dict[str, Any]]]] = {}  # document → paragraph → questions
    for pair, (document, context) in enumerate(zip(split.document.tolist(), split.context.tolist(), strict=True)):
        if context == NONE:
            raise DocqnError(f"{split.id(pair)}: was not asked about one paragraph, as SQuAD's form wants it")
        asked.setdefault(document, {}).setdefault(context, []).append(_written(split[pair]))
    articles = []
    for number in sorted(asked):
        document = split.corpus.document(number)
        nodes = np.flatnonzero(document.kind == PARAGRAPH).tolist()
        paragraphs = [{"context": document.text_of(node), "qas": asked[number].get(node, [])} for node in nodes]
        articles.append({"title": document.source, "paragraphs": paragraphs})
    questions = [question for paragraphs in asked.values() for few in paragraphs.values() for question in few]
    impossible = any(not question["answers"] for question in questions)
    if impossible:
        for question in questions:
            question["is_impossible"] = not question["answers"]
    whole = {"version": "2.0" if impossible else "1.1", "data": articles}
    with replacing(path) as part:
        part.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def _written(example: Example) -> dict[str, Any]:
    text, start = example.document.text, int(example.document.start[example.context])
    answers = [{"text": text[a:b], "answer_start": a - start} for a, b in example.answer_spans.tolist()]
    return {"id": example.question.id, "question": example.question.text, "answers": answers}
