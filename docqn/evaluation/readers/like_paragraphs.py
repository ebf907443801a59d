"""For a question of SQuAD, paragraphs of its article that are much like its own but do not hold the answer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from docqn.evaluation.readers.squad import SquadFile
from docqn.text.answers import normalize_squad

Ints = NDArray[np.int32]

LIKE = 6  # paragraphs a question
_SATURATION, _LENGTH = 1.2, 0.75  # BM25's k1 and b


def like_paragraphs(file: SquadFile, questions: list[Ints], contexts: list[Ints]) -> NDArray[np.int64]:
    """[questions, LIKE]: for each question the paragraphs of its article without its answer that BM25 finds closest."""
    idf = _idf(contexts)
    folded = [f" {normalize_squad(context)} " for context in file.contexts]
    found = np.full((len(questions), LIKE), -1, dtype=np.int64)
    for asked, told in _articles(file):
        weights, vocabulary = _bm25([contexts[i] for i in told], idf)
        for row in asked:
            question = file.questions[row]
            keys = [f" {normalize_squad(gold) or gold.lower()} " for gold in question.golds]
            terms = np.intersect1d(questions[row], vocabulary)
            score = weights[:, np.searchsorted(vocabulary, terms)].sum(1)
            score[[i == question.context or any(key in folded[i] for key in keys) for i in told]] = -1
            order = np.argsort(-score, kind="stable")[:LIKE]
            found[row, : len(order)] = np.where(score[order] > 0, order + told[0], -1)
    return found


def _articles(file: SquadFile) -> Iterable[tuple[list[int], list[int]]]:
    """Questions and paragraphs of each article."""
    asked: list[list[int]] = [[] for _ in file.titles]
    told: list[list[int]] = [[] for _ in file.titles]
    for context, article in enumerate(file.article):
        told[article].append(context)
    for row, question in enumerate(file.questions):
        asked[file.article[question.context]].append(row)
    return zip(asked, told, strict=True)


def _idf(contexts: list[Ints]) -> NDArray[np.float64]:
    """Of each token, over all paragraphs."""
    seen = np.zeros(1 + max(int(ids.max(initial=0)) for ids in contexts))
    for ids in contexts:
        seen[np.unique(ids)] += 1
    return np.log1p((len(contexts) - seen + 0.5) / (seen + 0.5))


def _bm25(contexts: list[Ints], idf: NDArray[np.float64]) -> tuple[NDArray[np.float64], Ints]:
    """[paragraphs, vocabulary]: what a token of a question adds to a paragraph's score; and that vocabulary."""
    vocabulary = np.unique(np.concatenate(contexts))
    counts = np.zeros((len(contexts), len(vocabulary)))
    for row, ids in enumerate(contexts):
        np.add.at(counts[row], np.searchsorted(vocabulary, ids), 1)
    lengths = counts.sum(1, keepdims=True)
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * lengths / lengths.mean())
    return counts * (_SATURATION + 1) / (counts + norm) * idf[vocabulary], vocabulary
