"""How well `ask` knows when a document does not answer: `python tools/measure_abstaining.py CORPUS --split dev`.

Each question is put to a document of its own, and to one drawn from those of other questions in which none of its right
answers occurs. An answer is given where its score reaches a threshold. For every threshold: how often it answers the
one and not the other, and how often what it answers is right. The best threshold is the one with the largest mean of
answering the right and refusing the wrong documents; `--keep` writes it down for `docqn ask`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.document import Document
from docqn.environment.pairs import Pair
from docqn.policies import Setting, policy
from docqn.policies.words import words_of
from docqn.readers.cache import Cache, CachedReader
from docqn.serving.abstaining import keep
from docqn.serving.answering import ranked_answers
from docqn.serving.defaults import reader
from docqn.text.answers import normalize_triviaqa
from docqn.text.scores import exact_match

THRESHOLDS = np.round(np.arange(0.0, 1.0001, 0.05), 2)
BATCH = 32  # pairs
ATTEMPTS = 100  # to draw a document without the answer


class Judged(NamedTuple):
    """The best answer to a question in a document."""

    score: float
    right: bool  # by exact match
    own: bool  # whether the document is one of the question's


class Row(NamedTuple):
    """What a threshold brings, in percent."""

    threshold: float
    answered: float  # of the questions to their own documents
    right: float  # of those answers
    refused: float  # of the questions to other documents
    decided: float  # mean of answered and refused


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--limit", type=int, default=300, help="questions (default 300)")
    parser.add_argument("--policy", default="default")
    parser.add_argument("--reader", default="default")
    parser.add_argument("--seed", type=int, default=0)
    near = "the other document is the one of so many that has most of the question's words (default 1: any)"
    parser.add_argument("--near", type=int, default=1, help=near)
    parser.add_argument("--held-out", action="store_true", help="only questions that trainings leave out")
    parser.add_argument("--keep", action="store_true", help="use the best threshold for this reader from now on")
    asked = parser.parse_args(arguments)
    split = Corpus(asked.corpus).split(asked.split)
    made = reader(asked.reader)
    setting = Setting(CachedReader(made, Cache()), asked.seed)
    pairs = list(drawn(split, asked.limit, asked.seed, asked.near, held_out_only=asked.held_out))
    found = judged(pairs, asked.policy, setting)
    told = f"seed {asked.seed}, nearest of {asked.near}, {asked.policy}, {asked.reader}"
    told = f"held out, {told}" if asked.held_out else told
    print(f"{len(found) // 2} questions of {asked.split}, {told}\n")
    print("| threshold | answers its own documents | of these right | refuses others | decides rightly |")
    print("|--:|--:|--:|--:|--:|")
    rows = table(found)
    best = max(rows, key=lambda row: row.decided)
    for row in rows:
        print("|", " | ".join([f"{row.threshold:.2f}", *(f"{x:.1f}" for x in row[1:])]), "|" + " best" * (row is best))
    if asked.keep:
        keep(made, best.threshold)


def drawn(
    split: Split, limit: int, seed: int, near: int = 1, *, held_out_only: bool = False
) -> Iterator[tuple[Pair, bool]]:
    """Pairs of questions with documents of their own and of others, and whether they are their own."""
    rng = np.random.default_rng(seed)
    asked: set[str] = set()
    for place in rng.permutation(len(split)).tolist():
        own = Pair.of(split[place])
        if own.question_id in asked or not own.answers or (held_out_only and not held_out(own.question_id)):
            continue
        foreign = _foreign(own, split, rng, near)
        if foreign is None:
            continue
        asked.add(own.question_id)
        yield own, True
        yield foreign, False
        if len(asked) == limit:
            return


def _foreign(own: Pair, split: Split, rng: np.random.Generator, near: int) -> Pair | None:
    """The question with a document in which none of its right answers occurs, if any is soon found: of so many the one
    that has most of the question's words."""
    golds = [normalize_triviaqa(gold) for gold in own.golds or ()]
    words = set(words_of(own.question))
    found: list[tuple[int, Document]] = []
    for _ in range(ATTEMPTS + near):
        document = Pair.of(split[int(rng.integers(len(split)))]).document
        text = f" {normalize_triviaqa(document.text)} "
        if not any(f" {gold} " in text for gold in golds if gold):
            found.append((sum(f" {word} " in text for word in words), document))
        if len(found) == near:
            break
    if not found:
        return None
    document = max(found, key=lambda one: one[0])[1]
    return Pair(own.question, document, own.question_id, document.source, own.golds)


def judged(pairs: Sequence[tuple[Pair, bool]], policy_name: str, setting: Setting) -> list[Judged]:
    """The best answer to each."""
    made = policy(policy_name)
    found = []
    for first in range(0, len(pairs), BATCH):
        batch = pairs[first : first + BATCH]
        for (pair, own), trace in zip(batch, made.traces([pair for pair, _ in batch], setting), strict=True):
            best = next(iter(ranked_answers([pair], [trace])), None)
            right = best is not None and exact_match(best.answer, pair.golds or (), normalize_triviaqa) > 0
            found.append(Judged(best.score if best else 0.0, right and own, own))
    return found


def table(found: Sequence[Judged]) -> list[Row]:
    """A row for each threshold."""
    score = np.array([one.score for one in found])
    right, own = (np.array([getattr(one, name) for one in found], bool) for name in ("right", "own"))
    rows = []
    for threshold in THRESHOLDS.tolist():
        given = score >= threshold
        answered, refused = _percent(given[own]), _percent(~given[~own])
        rows.append(Row(threshold, answered, _percent(right[given & own]), refused, (answered + refused) / 2))
    return rows


def _percent(those: np.ndarray) -> float:
    return 100 * float(those.mean()) if len(those) else 0.0


if __name__ == "__main__":
    main()
