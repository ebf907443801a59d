"""Paragraphs of a document in order of a lexical score."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
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


def ranked(pair: Pair, score: Score, shortest: int = 0) -> list[int]:
    """The paragraphs, best first; of two that are as good, the earlier one. Those of fewer tokens than `shortest` come
    last."""
    counted = count(pair)
    paragraph = counted.counts.paragraph
    short = pair.document.end_token[paragraph] - pair.document.first_token[paragraph] < shortest
    return [int(node) for node in paragraph[np.lexsort((-score(counted), short))]]


def best(pair: Pair, score: Score, shortest: int = 0) -> int:
    """The best paragraph; the title where there is none."""
    return next(iter(ranked(pair, score, shortest)), 0)


def fewest_tokens(policy: str, argument: str) -> int:
    """What the argument of a policy says of paragraphs that it is to pass over: captions and entries of lists, say."""
    if argument and not argument.isdecimal():
        raise DocqnError(f"'{policy}:{argument}' does not say how many tokens a paragraph needs, as in '{policy}:15'")
    return int(argument or 0)
