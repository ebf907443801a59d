"""What a build has to do, from the question files alone: splits, questions, documents, and the shards they make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from docqn.corpora import formats
from docqn.corpora.progress import Progress, no_progress
from docqn.corpora.records import Bad, PageRecord, QuestionFile, QuestionRecord, Source
from docqn.corpora.tasks import DocumentTask, PairTask, ShardTask
from docqn.document import NONE
from docqn.errors import DocqnError
from docqn.text.clean import clean

SHARD = 128  # documents in a shard: two or three seconds of work

_SPLIT_NAME = re.compile(r"\w[\w.-]*")


class ReadFile(NamedTuple):
    """A question file, as the manifest names it."""

    file: str
    format: str
    split: str
    digest: str


@dataclass
class SplitPlan:
    """The questions of a split, from one file or several, by their ids."""

    normalization: str
    questions: dict[str, QuestionRecord] = field(default_factory=dict)
    documents: dict[str, tuple[int, ...]] = field(default_factory=dict)  # of each page, NONE where it is missing


class Plan:
    """All that is to be built."""

    def __init__(self) -> None:
        self.rules = ""
        self.files: list[ReadFile] = []
        self.splits: dict[str, SplitPlan] = {}
        self.names: list[str] = []  # of the documents, in the order in which they are first named
        self.sources: dict[Source, int] = {}
        self.order: list[int] = []  # the documents sorted by name
        self.bad: list[Bad] = []
        self.records = 0  # questions and documents, bad ones included

    def add(self, file: QuestionFile, name: str, split: str, normalization: str) -> None:
        """Add what a file says. A question that is there already has to be the same."""
        if not _SPLIT_NAME.fullmatch(split):
            raise DocqnError(f"{name}: {split!r} cannot name a split; choose letters and digits (--split)")
        plan = self.splits.setdefault(split, SplitPlan(normalization))
        if plan.normalization != normalization:
            raise DocqnError(f"{name}: the split {split} already has questions that are judged by other rules")
        self.bad += file.bad
        self.records += len(file.questions) + len(file.bad)
        missing: set[str] = set()
        for question in map(_cleaned, file.questions):
            if question.id in plan.questions:
                if plan.questions[question.id] != question:
                    self.bad.append(Bad("duplicate id", name, question.id, f"another one in the split {split} has it"))
                continue
            for page in question.pages:
                if page.document not in file.sources and page.document not in missing:
                    missing.add(page.document)
                    self.bad.append(
                        Bad(
                            "missing document",
                            name,
                            question.id,
                            f"no file for {page.document} in the folder of documents",
                        )
                    )
            plan.questions[question.id] = question
            plan.documents[question.id] = tuple(self._number(page, file) for page in question.pages)
        self.records += len(missing)

    def _number(self, page: PageRecord, file: QuestionFile) -> int:
        """The document's number; a file that two names lead to is one document, with the first name by the alphabet."""
        source = file.sources.get(page.document)
        if source is None:
            return NONE
        number = self.sources.setdefault(source, len(self.sources))
        if number == len(self.names):
            self.names.append(page.document)
            self.records += 1
        self.names[number] = min(self.names[number], page.document)
        return number

    def finish(self) -> None:
        """Sort the documents, and tell those with the same name apart."""
        self.order = sorted(range(len(self.names)), key=self.names.__getitem__)
        taken: set[str] = set()
        for number in self.order:
            name, copies = self.names[number], 1
            while self.names[number] in taken:
                copies += 1
                self.names[number] = f"{name} ({copies})"
            taken.add(self.names[number])

    def pairs(self) -> Iterator[tuple[str, int, int, PageRecord]]:
        """Split, question's place in it, document and page of all pairs, by split, question and page."""
        for split, plan in self.splits.items():
            for place, (id, question) in enumerate(plan.questions.items()):
                seen: set[int] = set()
                for number, page in zip(plan.documents[id], question.pages, strict=True):
                    if number == NONE or number not in seen:
                        seen.add(number)
                        yield split, place, number, page

    def shards(self) -> int:
        """How many shards there will be."""
        return -(-len(self.order) // SHARD)

    def tasks(self) -> Iterator[ShardTask]:
        """The shards, in order."""
        answers = {name: [q.answers for q in split.questions.values()] for name, split in self.splits.items()}
        on: list[list[tuple[int, str, int, PageRecord]]] = [[] for _ in self.names]
        for pair, (split, question, document, page) in enumerate(self.pairs()):
            if document != NONE:
                on[document].append((pair, split, question, page))
        sources = list(self.sources)
        for number in range(self.shards()):
            rows: dict[tuple[str, int], int] = {}  # questions of the shard
            documents = []
            for document in self.order[number * SHARD : (number + 1) * SHARD]:
                pairs = [
                    PairTask(pair, rows.setdefault((split, question), len(rows)), page)
                    for pair, split, question, page in on[document]
                ]
                documents.append(DocumentTask(self.names[document], sources[document], tuple(pairs)))
            yield ShardTask(number, self.rules, tuple(answers[s][q] for s, q in rows), tuple(documents))


def make_plan(
    paths: Sequence[Path],
    evidence: Path | None,
    *,
    rules: str | None = None,
    splits: Sequence[str] = (),
    format: str | None = None,
    progress: Progress = no_progress,
) -> Plan:
    """Read the question files. `splits` are names for all of them, or `NAME=PATTERN` for those whose names fit."""
    for rule in splits:
        if not any(_fits(path.name, rule) for path in paths):
            raise DocqnError(f"no file is named as the split {rule} says; give the pattern of a file's name (--split)")
    plan = Plan()
    usual = set()
    for done, path in enumerate(paths):
        progress("question files", done, len(paths))
        name = format or formats.detect(path)
        reader = formats.format_named(name)
        usual.add(reader.RULES)
        file = reader.read(path, evidence)
        split = _split_name(path.name, splits) or file.split
        plan.files.append(ReadFile(path.name, name, split, _digest(path)))
        plan.add(file, path.name, split, reader.NORMALIZATION)
    progress("question files", len(paths), len(paths))
    if rules is None and len(usual) > 1:
        raise DocqnError("the rules are usual for some of these files only; choose --nop or --keep-preface")
    plan.rules = rules or usual.pop()
    if not plan.names:
        raise DocqnError(
            f"nothing to build; {plan.bad[0] if plan.bad else f'{paths[0]}: there are no questions in it'}"
        )
    plan.finish()
    return plan


def _split_name(file: str, splits: Sequence[str]) -> str | None:
    return next((rule.partition("=")[0] for rule in splits if _fits(file, rule)), None)


def _fits(file: str, rule: str) -> bool:
    return fnmatch(file, rule.partition("=")[2] or "*")


def _cleaned(question: QuestionRecord) -> QuestionRecord:
    """The question without characters that cannot be written or seen."""
    answers = tuple(dict.fromkeys(filter(None, map(clean, question.answers))))
    return question._replace(id=clean(question.id), text=clean(question.text), answers=answers)


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()
