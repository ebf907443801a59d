"""Paragraphs of a document in order of a lexical score."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from docqn.environment.pairs import Pair
from docqn.policies.counts import Floats, Ints, ParagraphCounts
from docqn.policies.words import DocumentWords, words_of


class Counted(NamedTuple):
    """A document and a question as numbers of words."""

    words: DocumentWords
    counts: ParagraphCounts
    question: Ints  # of the words that the document has, as often as they are asked for


Score = Callable[[Counted], Floats]  # one number a paragraph


def count(pair: Pair) -> Counted:
    """The words of a pair."""
    words = DocumentWords.of(pair.document)
    return Counted(words, ParagraphCounts.of(pair.document, words), words.find(words_of(pair.question)))


def ranked(pair: Pair, score: Score) -> list[int]:
    """The paragraphs, best first; of two that are as good, the earlier one."""
    counted = count(pair)
    order = np.argsort(-score(counted), kind="stable")
    return [int(node) for node in counted.counts.paragraph[order]]


def best(pair: Pair, score: Score) -> int:
    """The best paragraph; the title where there is none."""
    return next(iter(ranked(pair, score)), 0)
