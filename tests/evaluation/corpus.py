"""A small corpus to evaluate on."""

from __future__ import annotations

from pathlib import Path

from docqn.corpora.build import build
from docqn.corpora.store import Corpus
from tests.corpora.small import QUESTIONS, page, question, write_evidence, write_questions

JUDGED = page("Nile.html", DocPartOfVerifiedEval=True, SupportingParagraphs=["It rises at Lake Victoria."])


def make_corpus(folder: Path) -> Corpus:
    """Splits `dev` and `verified-dev` over three pages."""
    evidence = write_evidence(folder / "evidence")
    dev = write_questions(folder / "dev.json", QUESTIONS)
    judged = question("v1", "Which city lies where the Nile ends?", ["Alexandria"], JUDGED)
    verified = write_questions(folder / "verified.json", [judged], VerifiedEval=True)
    build([dev, verified], evidence, folder / "corpus", jobs=1, max_bad=1)
    return Corpus(folder / "corpus")
