"""Fitting a reader's calibration to pairs of a corpus that it was not trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from docqn import readers
from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.evaluation.readers.choice import MOST, Advance, candidates, drawn, silent
from docqn.readers import Reading
from docqn.readers.neural.calibration import Calibration, fit
from docqn.readers.neural.files import read_json
from docqn.readers.neural.findings import Finder, Finding, reading_of
from docqn.readers.neural.folder import CONFIG, kind_of, rewrite_config


class Sampled(NamedTuple):
    """The pairs that a calibration is fitted to."""

    split: str
    held_out: bool  # only those that trainings leave out
    source: str | None  # only those of questions from there
    seed: int


class Fitted(NamedTuple):
    """A calibration and what it was fitted to."""

    calibration: Calibration
    readings: int
    right: int


class _Uncalibrated:
    """A reader that remembers what it found."""

    def __init__(self, finder: Finder) -> None:
        self.fingerprint = finder.fingerprint
        self.finder = finder
        self.found: list[Finding | None] = []

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        found = self.finder.find(questions, passages)
        self.found += found
        return [reading_of(finding, passage, 0, None) for finding, passage in zip(found, passages, strict=True)]


def fitted(finder: Finder, pairs: Sequence[Pair], most: int, advance: Advance = silent) -> Fitted:
    """How likely a reading of one of the closest paragraphs is an answer."""
    reader = _Uncalibrated(finder)
    told = [(number, one) for number, near in enumerate(candidates(reader, pairs, most, advance)) for one in near]
    rows = [
        (found.features, number, one.holds, one.right)
        for found, (number, one) in zip(reader.found, told, strict=True)
        if found is not None
    ]
    right = np.array([row[3] for row in rows], np.bool_)
    if not right.any() or right.all():
        raise DocqnError("these pairs do not show right and wrong answers of the reader; take more or others")
    features = np.array([row[0] for row in rows], np.float64)
    document, holds = np.array([row[1] for row in rows]), np.array([row[2] for row in rows], np.bool_)
    return Fitted(fit(features, holds, right, document), len(rows), int(right.sum()))


def finder_in(folder: Path) -> Finder:
    """The reader in a folder that this program wrote."""
    if kind_of(folder) is None:
        raise DocqnError(f"{folder}: is not a reader's folder that `docqn reader export` wrote")
    finder: Finder = readers.reader(str(folder))  # type: ignore[assignment]
    return finder


def write_calibration(folder: Path, found: Fitted, on: Mapping[str, Any]) -> None:
    """Put it into the folder's config, with what is to be known of the data that it was fitted to."""
    config = read_json(folder / CONFIG)
    trainings = [one.get("training", {}) for one in [*config.get("history", []), config]]
    left_out = all("corpus" not in told or told.get("left_out") for told in trainings)
    told = {**on, "readings": found.readings, "right": found.right, "left_out": left_out}
    weights = {name: round(value, 6) for name, value in vars(found.calibration).items()}
    rewrite_config(folder, {"calibration": weights, "calibrated": told})


def calibrate(
    folder: Path, corpus: Path, on: Sampled, limit: int | None = None, most: int = MOST, advance: Advance = silent
) -> Fitted:
    """Fit the reader in a folder to pairs of a corpus, and keep the fit there."""
    finder = finder_in(folder)
    split = Corpus(corpus).split(on.split)
    pairs = drawn(split, limit, on.seed, source=on.source, held_out_only=on.held_out)
    found = fitted(finder, pairs, most, advance)
    write_calibration(folder, found, {"corpus": corpus.resolve().name, **on._asdict(), "pairs": len(pairs)})
    return found
