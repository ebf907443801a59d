"""The paper's Table 3: how many pairs of a random sample can be answered from their documents, as a person judges."""

from __future__ import annotations

import csv
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from docqn.corpora.split import Example, Split
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.files import replacing

NEEDED = ("answerable", "split", "id")
COLUMNS = (*NEEDED, "question", "answers", "answer paragraphs")
YES = frozenset(("yes", "y", "1", "true"))
NO = frozenset(("no", "n", "0", "false"))


class Share(NamedTuple):
    """What was judged of the sample of a split."""

    split: str
    sampled: int
    judged: int
    answerable: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of answerable pairs."""
        if not self.judged:
            return 0.0, 1.0
        z, n, p = 1.959964, self.judged, self.answerable / self.judged
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def write_sheet(split: Split, number: int, seed: int, path: Path) -> int:
    """Write that many pairs, chosen at random, to a sheet whose first column is to be filled in. Returns how many. A
    sheet in which a person has judged is not written over."""
    if path.is_file() and _judged(path):
        raise DocqnError(f"{path}: holds judgements; choose another place (--out), or delete it")
    number = min(number, len(split))
    pairs = np.random.default_rng(seed).choice(len(split), number, replace=False)
    # The mark tells spreadsheets that it is UTF-8.
    with replacing(path) as part, part.open("w", newline="", encoding="utf-8-sig") as file:
        sheet = csv.writer(file)
        sheet.writerow(COLUMNS)
        for pair in pairs.tolist():
            example = split[pair]
            answers = "; ".join(example.question.answers)
            sheet.writerow(["", split.name, example.id, example.question.text, answers, _paragraphs(example)])
    return number


def _judged(path: Path) -> bool:
    """Whether the file is a sheet with a judgement in it."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return any((row.get("answerable") or "").strip() for row in csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        return False


def _paragraphs(example: Example) -> str:
    """The answer paragraphs below their headings."""
    document = example.document
    shown = []
    for node in example.answer_paragraphs.tolist():
        heading = " > ".join(document.text_of(above) for above in document.path(node)[:-1])
        shown.append(f"[{heading}]\n{document.text_of(node)}")
    return "\n\n".join(shown)


def read_sheet(corpus: Corpus, path: Path) -> list[Share]:
    """The judged sheet as one row a split. An empty first column is a pair that was not judged."""
    counts: dict[str, list[int]] = {}
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            sheet = csv.DictReader(file)
            if not set(NEEDED) <= set(sheet.fieldnames or ()):
                raise DocqnError(f"{path}: is not a sheet of pairs; its first line has to name {', '.join(NEEDED)}")
            for row in sheet:
                verdict = (row["answerable"] or "").strip().lower()
                if verdict not in YES | NO | {""}:
                    raise DocqnError(f"{path}: line {sheet.line_num}: {verdict!r} is neither yes nor no nor empty")
                if corpus.split(row["split"]).find(row["id"]) is None:
                    raise DocqnError(f"{path}: line {sheet.line_num}: {row['id']} is not in the split {row['split']}")
                count = counts.setdefault(row["split"], [0, 0, 0])
                count[0] += 1
                count[1] += verdict != ""
                count[2] += verdict in YES
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DocqnError(f"{path}: cannot be read ({error})") from error
    return [Share(split, *count) for split, count in counts.items()]
