"""A reader on SQuAD: its answers, and whether its scores tell paragraphs with the answer from others like them."""

from __future__ import annotations

from typing import Any

import numpy as np

from docqn.evaluation.readers.choice import Advance, silent
from docqn.evaluation.readers.like_paragraphs import like_paragraphs
from docqn.evaluation.readers.reliability import auroc
from docqn.evaluation.readers.squad import SquadFile, squad_scores
from docqn.readers import Reader, Reading
from docqn.text.tokens import token_spans, token_texts
from docqn.text.vectors import Words

_AT_ONCE = 256  # questions read together


def drawn(file: SquadFile, limit: int | None, seed: int) -> list[int]:
    """Numbers of the questions of a random sample, in their order."""
    order = np.random.default_rng(seed).permutation(len(file.questions))
    return sorted(order[:limit].tolist())


def readings(reader: Reader, file: SquadFile, rows: list[int], advance: Advance = silent) -> list[Reading]:
    """What the reader says of these questions' paragraphs."""
    found: list[Reading] = []
    for at in range(0, len(rows), _AT_ONCE):
        asked = [file.questions[row] for row in rows[at : at + _AT_ONCE]]
        found += reader.read([one.text for one in asked], [file.contexts[one.context] for one in asked])
        advance(len(found), len(rows))
    return found


def answer_scores(file: SquadFile, rows: list[int], found: list[Reading]) -> dict[str, Any]:
    """Exact match and F1, in percent."""
    scores = [squad_scores(reading.text, file.questions[row].golds) for row, reading in zip(rows, found, strict=True)]
    match, f1 = (100 * np.array(scores).mean(0)).tolist()
    return {"questions": len(rows), "exact_match": round(match, 2), "f1": round(f1, 2)}


def answerable_scores(reader: Reader, file: SquadFile, rows: list[int], found: list[Reading]) -> dict[str, Any]:
    """How the scores of the questions' own paragraphs compare with those of the likest others of their articles."""
    like = _likest(file)
    both = [(row, reading) for row, reading in zip(rows, found, strict=True) if like[row] >= 0]
    others = reader.read([file.questions[row].text for row, _ in both], [file.contexts[like[row]] for row, _ in both])
    own, other = (np.array([reading.logit for reading in part]) for part in ([r for _, r in both], others))
    right = np.repeat([True, False], len(both))
    return {
        "like_pairs": len(both),
        "auroc_answerable": round(auroc(np.concatenate([own, other]), right), 4),
        "own_above_other": round(float((own > other).mean()), 4) if both else None,
    }


def _likest(file: SquadFile) -> list[int]:
    """The paragraph most like each question's own; -1 where there is none."""
    texts = [*file.contexts, *(question.text for question in file.questions)]
    tokens = [[token.lower() for token in token_texts(text, token_spans(text))] for text in texts]
    words = Words(sorted({token for row in tokens for token in row}), 1)
    numbers = [words.numbers(row) for row in tokens]
    count = len(file.contexts)
    likest: list[int] = like_paragraphs(file, numbers[count:], numbers[:count])[:, 0].tolist()
    return likest
