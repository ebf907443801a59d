"""How well a reader chooses among the paragraphs of a document that are lexically closest to the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.environment.pairs import Pair
from docqn.evaluation.readers.reliability import auroc, calibration_error, reliability
from docqn.policies.counts import Floats, smooth_idf
from docqn.policies.ranking import Counted, ranked
from docqn.readers import Reader, Reading
from docqn.text.scores import exact_match

MOST = 8  # paragraphs of a document
_AT_ONCE = 32  # documents read together


Advance = Callable[[int, int], None]  # is told how many of all are done


def silent(done: int, all: int) -> None:
    """For those who do not watch."""


class Candidate(NamedTuple):
    """A paragraph and what the reader says of it."""

    reading: Reading
    holds: bool  # an answer
    supports: bool | None  # it was judged to support one; None: the document was not judged to have such a paragraph
    right: bool  # the reading is an answer


def overlap(counted: Counted) -> Floats:
    """[paragraphs]: the idf weight of the question's words that each holds."""
    counts = counted.counts
    idf = smooth_idf(len(counts.paragraph), counts.frequency)
    wanted = np.zeros(len(idf))
    wanted[counted.question] = idf[counted.question]
    return np.bincount(counts.row, wanted[counts.word], len(counts.paragraph)).astype(np.float64)


def drawn(
    split: Split, limit: int | None, seed: int, *, source: str | None = None, held_out_only: bool = False
) -> list[Pair]:
    """A random sample of the pairs with an answer, in the order of the split: of all, of the questions from one source,
    of those that trainings leave out."""
    rows = np.random.default_rng(seed).permutation(len(split))
    pairs: list[tuple[int, Pair]] = []
    for row in rows.tolist():
        if limit is not None and len(pairs) == limit:
            break
        question = split.question_at(int(split.question[row]))
        if source not in (None, question.source) or (held_out_only and not held_out(question.id)):
            continue
        pair = Pair.of(split[row])
        if pair.answers:
            pairs.append((row, pair))
    return [pair for _, pair in sorted(pairs, key=lambda item: item[0])]


def candidates(
    reader: Reader, pairs: Sequence[Pair], most: int = MOST, advance: Advance = silent
) -> Iterator[list[Candidate]]:
    """The readings of each pair's closest paragraphs, closest first."""
    for at in range(0, len(pairs), _AT_ONCE):
        part = pairs[at : at + _AT_ONCE]
        nodes = [ranked(pair, overlap)[:most] for pair in part]
        asked = [(pair, node) for pair, near in zip(part, nodes, strict=True) for node in near]
        readings = iter(
            reader.read([pair.question for pair, _ in asked], [pair.document.text_of(node) for pair, node in asked])
        )
        for pair, near in zip(part, nodes, strict=True):
            yield [_candidate(pair, node, next(readings)) for node in near]
        advance(min(at + _AT_ONCE, len(pairs)), len(pairs))


def _candidate(pair: Pair, node: int, reading: Reading) -> Candidate:
    holds = node in (pair.answers or ())
    supports = None if pair.supporting is None else node in pair.supporting
    right = holds and bool(exact_match(reading.text, pair.golds or ()))
    return Candidate(reading, holds, supports, right)


def choice_scores(chosen: Sequence[Sequence[Candidate]]) -> dict[str, Any]:
    """The curves: share of documents, in percent, in which the best of the closest k by the reader's score is right."""
    ks = range(1, max((len(near) for near in chosen), default=0) + 1)
    best = [[max(near[:k], key=lambda c: c.reading.logit) for near in chosen if near] for k in ks]
    found = {
        "pairs": len(chosen),
        "best_of_k": [_percent([one.holds for one in row]) for row in best],
        "any_of_k": [_percent([any(c.holds for c in near[:k]) for near in chosen]) for k in ks],
        "exact_match_of_k": [_percent([one.right for one in row]) for row in best],
    }
    if judged := [near for near in chosen if near and near[0].supports is not None]:
        verified = [_percent([bool(one.supports) for one in row if one.supports is not None]) for row in best]
        some = [_percent([any(c.supports for c in near[:k]) for near in judged]) for k in ks]
        found |= {"verified_pairs": len(judged), "verified_best_of_k": verified, "verified_any_of_k": some}
    every = [candidate for near in chosen for candidate in near]
    scores = np.array([candidate.reading.logit for candidate in every])
    probability = np.array([candidate.reading.probability for candidate in every])
    right = np.array([candidate.right for candidate in every], np.bool_)
    curve = reliability(probability, right)
    return found | {
        "readings": len(every),
        "auroc_answerable": round(auroc(scores, np.array([candidate.holds for candidate in every], np.bool_)), 4),
        "auroc_right": round(auroc(scores, right), 4),
        "calibration_error": round(calibration_error(curve), 4),
        "reliability": [[part.readings, round(part.probability, 4), round(part.right, 4)] for part in curve],
    }


def _percent(hits: Sequence[bool]) -> float:
    return round(100 * float(np.mean(hits)), 2) if hits else 0.0
