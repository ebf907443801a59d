"""SQuAD's files as they are, paragraph for paragraph, and the scores of its official evaluation."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from docqn.errors import DocqnError
from docqn.text.answers import normalize_squad
from docqn.text.scores import exact_match, f1


class SquadQuestion(NamedTuple):
    """A question on one paragraph; without answers it cannot be answered there."""

    id: str
    text: str
    context: int  # number of its paragraph
    answers: tuple[tuple[str, int], ...]  # text and offset in the paragraph

    @property
    def golds(self) -> tuple[str, ...]:
        """The texts of the answers."""
        return tuple(text for text, _ in self.answers)


@dataclass(frozen=True)
class SquadFile:
    """Paragraphs and questions in the order of the file."""

    path: Path
    digest: str
    contexts: list[str]
    article: list[int]  # of each paragraph
    titles: list[str]
    questions: list[SquadQuestion]


def load_squad(path: Path) -> SquadFile:
    """A file of version 1.1 or 2.0, also a compressed one."""
    try:
        data = path.read_bytes()
        raw = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, EOFError, zlib.error, RecursionError) as error:
        raise DocqnError(f"{path}: not JSON, or damaged ({error})") from error
    file = SquadFile(path, blake2b(data, digest_size=16).hexdigest(), [], [], [], [])
    try:
        for number, article in enumerate(raw["data"]):
            file.titles.append(str(article.get("title", "")))
            for paragraph in article["paragraphs"]:
                for record in paragraph["qas"]:
                    file.questions.append(_question(record, len(file.contexts)))
                file.contexts.append(_text(paragraph["context"]))
                file.article.append(number)
    except (KeyError, TypeError, AttributeError) as error:
        raise DocqnError(f"{path}: does not have SQuAD's form ({type(error).__name__}: {error})") from error
    if not file.questions:
        raise DocqnError(f"{path}: has no questions")
    return file


def _question(record: Mapping[str, Any], context: int) -> SquadQuestion:
    answers = [] if record.get("is_impossible") else record.get("answers") or []
    given = tuple((_text(answer["text"]), int(answer["answer_start"])) for answer in answers)
    return SquadQuestion(str(record["id"]), _text(record["question"]).strip(), context, given)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value


def squad_scores(prediction: str, golds: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1. Where there is no answer, none is right."""
    if not golds:
        return float(not prediction), float(not prediction)
    return exact_match(prediction, golds, normalize_squad), f1(prediction, golds, normalize_squad)


def check_ids(file: SquadFile) -> None:
    """Predictions in the official form go by id, so that no two questions may have the same."""
    known: dict[str, tuple[str, int]] = {}
    for question in file.questions:
        if known.setdefault(question.id, (question.text, question.context)) != (question.text, question.context):
            raise DocqnError(f"{file.path}: two questions have the id {question.id!r}; write them with --form squad")


def with_predictions(file: SquadFile, found: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The questions as SQuAD JSON, with the predicted text and offset of each in place of its answers."""
    impossible = any(not text for text, _ in found)
    paragraphs: list[dict[str, Any]] = [{"context": context, "qas": []} for context in file.contexts]
    for question, (text, start) in zip(file.questions, found, strict=True):
        record: dict[str, Any] = {"id": question.id, "question": question.text}
        record["answers"] = [{"text": text, "answer_start": start}] if text else []
        if impossible:
            record["is_impossible"] = not text
        paragraphs[question.context]["qas"].append(record)
    articles: list[dict[str, Any]] = [{"title": title, "paragraphs": []} for title in file.titles]
    for paragraph, number in zip(paragraphs, file.article, strict=True):
        articles[number]["paragraphs"].append(paragraph)
    return {"version": "2.0" if impossible else "1.1", "data": articles}
