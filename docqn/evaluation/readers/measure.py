"""A reader's scores on questions in SQuAD's form or on a corpus, and the record of them in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.evaluation.readers.choice import MOST, Advance, candidates, choice_scores, drawn, silent
from docqn.evaluation.readers.on_squad import answer_scores, answerable_scores, readings
from docqn.evaluation.readers.on_squad import drawn as drawn_questions
from docqn.evaluation.readers.squad import load_squad
from docqn.readers import Reader
from docqn.readers.neural.files import read_json
from docqn.readers.neural.folder import CONFIG, kind_of, rewrite_config

Scores = dict[str, Any]


def on_squad(
    reader: Reader, source: Path, limit: int | None, seed: int, *, answerable: bool, advance: Advance = silent
) -> Scores:
    """Its answers; and, if asked for, whether its scores tell a question's paragraph from the likest other."""
    file = load_squad(source)
    rows = drawn_questions(file, limit, seed)
    read = readings(reader, file, rows, advance)
    found = {"seed": seed, **answer_scores(file, rows, read)}
    return found | (answerable_scores(reader, file, rows, read) if answerable else {})


def on_corpus(
    reader: Reader, source: Path, split: str, limit: int | None, seed: int, most: int = MOST, advance: Advance = silent
) -> Scores:
    """Its choice among the lexically closest paragraphs of each document, and what its scores and chances tell."""
    pairs = drawn(Corpus(source).split(split), limit, seed)
    if not pairs:
        raise DocqnError(f"{source}: no pair of the split {split!r} has an answer")
    return {"seed": seed, **choice_scores(list(candidates(reader, pairs, most, advance)))}


def record_scores(folder: Path, name: str, found: Scores) -> None:
    """Write scores into a reader's folder and its model card, in place of those with this name."""
    if kind_of(folder) is None:
        raise DocqnError(f"{folder}: is not a reader's folder that `docqn reader export` wrote")
    rewrite_config(folder, {"scores": {**read_json(folder / CONFIG).get("scores", {}), name: found}})


def name_of(source: Path, split: str | None) -> str:
    """What the scores on a file or a split are called."""
    return f"{source.resolve().name} {split}" if split else source.name
