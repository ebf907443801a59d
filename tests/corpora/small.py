"""Small question files and evidence, and TriviaQA-NoP as one would first write it down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import combining

from docqn.build import Block, build_document
from docqn.corpora.records import PageRecord, QuestionFile, QuestionRecord
from docqn.document import Document
from docqn.text.answers import normalize_triviaqa

PAGES = {
    "Nile.html": """<html><head><title>Nile</title></head><body><h1>Nile</h1>
        <p>The Nile is a river in Africa that flows through Egypt.</p>
        <h2>Course</h2><p>It rises at Lake Victoria. It ends in the Mediterranean Sea near Alexandria.</p>
        <h3>Cataracts</h3><p>There are six cataracts between Aswan and Khartoum.</p>
        <h2>History of Egypt</h2><p>Floods made farming possible.</p><p>Cleopatra died in Alexandria in 30 BC.</p>
        </body></html>""",
    "Tea_(drink).html": """<html><head><title>Tea</title></head><body><h1>Tea</h1>
        <p>Tea is a drink.</p><h2>Origin</h2><p>Tea comes from China, and the art of the tea party from England.</p>
        <h2>Don't boil it twice</h2><p>Water of 80 degrees is best. Don't boil it twice.</p></body></html>""",
    "Flat.html": "<html><head><title>Flat</title></head><body><h1>Flat</h1><p>No section, but Egypt.</p></body></html>",
}


def page(name: str, **more: object) -> dict[str, Any]:
    """An entry of EntityPages."""
    return {"DocSource": "TagMe", "Filename": name, "Title": name, **more}


def question(id: str, text: str, answers: Sequence[str], *pages: dict[str, Any] | str) -> dict[str, Any]:
    """A record of TriviaQA's form."""
    answer = {"Aliases": list(answers), "Value": answers[0], "Type": "WikipediaEntity"}
    entries = [page(one) if isinstance(one, str) else one for one in pages]
    return {"Answer": answer, "EntityPages": entries, "Question": text, "QuestionId": id, "QuestionSource": "quiz"}


QUESTIONS = [
    question("q1", "Which city lies where the Nile ends?", ["Alexandria", "Iskandariya"], "Nile.html"),
    question(
        "q2", "Through which country does the Nile flow?", ["Egypt"], "Nile.html", "Flat.html", "Tea_(drink).html"
    ),
    question("q3", "How many cataracts are there?", ["6"], "Nile.html"),
    question("q4", "What goes with tea?", ["party", "Tea party"], "Tea_(drink).html", "Nile.html"),
    question("q5", "Which continent?", ["Africa"], "Nile.html"),
]


def write_evidence(folder: Path, pages: Mapping[str, str] = PAGES) -> Path:
    """The folder with the pages in it."""
    folder.mkdir(exist_ok=True)
    for name, text in pages.items():
        (folder / name).write_text(text)
    return folder


def write_questions(path: Path, records: Sequence[object], split: str = "dev", **more: object) -> Path:
    """A file in TriviaQA's form."""
    data = {"Data": records, "Domain": "Wikipedia", "Split": split, "VerifiedEval": False, "Version": 1.0, **more}
    path.write_text(json.dumps(data))
    return path


def naive_words(text: str) -> list[str]:
    """The text by TriviaQA's rules, as words. Signs that they do not know are signs too; an ideograph is a word."""
    spaced = "".join(f" {char} " if "\u4e00" <= char <= "\u9fff" else char for char in text)
    signless = "".join(char if char.isalnum() or char.isspace() or combining(char) else " " for char in spaced)
    return normalize_triviaqa(signless).split()


def naive_matches(text: str, answers: Sequence[str]) -> bool:
    """Whether any of the answers occurs in the text."""
    words = naive_words(text)
    for answer in answers:
        wanted = naive_words(answer)
        if len(" ".join(wanted)) > 1 and any(
            words[i : i + len(wanted)] == wanted for i in range(len(words) - len(wanted) + 1)
        ):
            return True
    return False


def naive_fate(blocks: Sequence[Block], title: str, answers: Sequence[str]) -> tuple[str, int | None]:
    """What TriviaQA-NoP's rules say of a pair, and the index of the first answer node without the preface."""
    if all(len(" ".join(naive_words(answer))) <= 1 for answer in answers):
        return "single_character", None
    first = next((i for i, block in enumerate(blocks) if block.level), 0)
    preface, rest = blocks[:first], blocks[first:]
    paragraphs = [i for i, block in enumerate(rest) if not block.level and naive_matches(block.text, answers)]
    titles = [title, *(block.text for block in rest if block.level)]
    if paragraphs:
        index = paragraphs[0] + 1  # the title is node 0
        return ("late" if index > 700 else "kept"), index
    if any(naive_matches(text, answers) for text in titles):
        return "only_in_titles", None
    if any(naive_matches(block.text, answers) for block in preface):
        return "only_in_preface", None
    return "no_answer", None


class BlocksSource(NamedTuple):
    """A document given by its blocks."""

    name: str
    blocks: tuple[tuple[str, int], ...]

    def read(self) -> bytes:
        return json.dumps(self.blocks).encode()

    def parse(self, data: bytes, name: str) -> Document:
        return build_document(
            [Block(*row) for row in json.loads(data)], source=name, format="blocks", title=f"On {name}"
        )


class Blocks:
    """A format of question files as somebody else would add it: named as `tests.corpora.small:Blocks`."""

    RULES = "nop"
    NORMALIZATION = "triviaqa"

    @staticmethod
    def recognises(head: str) -> bool:
        return False

    @staticmethod
    def read(path: Path, evidence: Path | None) -> QuestionFile:
        pages, questions = json.loads(path.read_text())
        sources = {name: BlocksSource(name, tuple(map(tuple, rows))) for name, rows in pages.items()}
        records = [
            QuestionRecord(id, text, tuple(answers), "", tuple(map(PageRecord, names)))
            for id, text, answers, names in questions
        ]
        return QuestionFile("dev", records, dict(sources))
