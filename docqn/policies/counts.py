"""How often each word occurs in each paragraph of a document, and the scores that are computed from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqn.document import PARAGRAPH, Document
from docqn.policies.words import DocumentWords

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

K1, B = 1.5, 0.75  # BM25's usual constants


@dataclass(frozen=True, eq=False)
class ParagraphCounts:
    """A sparse matrix of paragraphs by words: `count[i]` uses of `word[i]` in paragraph number `row[i]`."""

    paragraph: Ints  # [paragraphs]: their nodes
    length: Longs  # [paragraphs]: words in each
    row: Longs
    word: Longs
    count: Longs
    frequency: Longs  # [words]: how many paragraphs hold each

    @classmethod
    def of(cls, document: Document, words: DocumentWords) -> ParagraphCounts:
        """Count the words."""
        paragraph = np.flatnonzero(document.kind == PARAGRAPH).astype(np.int32)
        number, width = words.tokens, max(len(words), 1)
        # Paragraphs do not overlap and lie in order, so a token is in the last one that begins before it, if at all.
        token = np.flatnonzero(number >= 0)
        row = np.searchsorted(document.first_token[paragraph], token, side="right") - 1
        inside = row >= 0
        inside[inside] = token[inside] < document.end_token[paragraph[row[inside]]]
        row, token = row[inside], token[inside]
        keys, count = np.unique(row * width + number[token], return_counts=True)
        length = np.bincount(row, minlength=len(paragraph))
        rows, word = np.divmod(keys, width)
        return cls(paragraph, length, rows, word, count, np.bincount(word, minlength=width))


def smooth_idf(documents: int, frequency: NDArray[np.integer]) -> Floats:
    """ln((1 + n) / (1 + df)) + 1."""
    idf: Floats = np.log((1 + documents) / (1 + frequency)) + 1
    return idf


def cosine_scores(counts: ParagraphCounts, question: Ints, idf: Floats) -> Floats:
    """[paragraphs]: cosine of the tf·idf vectors of each and of the question, whose words `question` numbers."""
    paragraphs = len(counts.paragraph)
    wanted = np.bincount(question, minlength=len(idf)) * idf
    weight = counts.count * idf[counts.word]
    dot = np.bincount(counts.row, weight * wanted[counts.word], paragraphs)
    norm = np.sqrt(np.bincount(counts.row, weight * weight, paragraphs)) * np.linalg.norm(wanted)
    cosine: Floats = np.divide(dot, norm, out=np.zeros(paragraphs), where=norm > 0)
    return cosine


def bm25_scores(counts: ParagraphCounts, question: Ints) -> Floats:
    """[paragraphs]: BM25 with Lucene's idf over the document's paragraphs. A word counts as often as it is asked."""
    paragraphs, df = len(counts.paragraph), counts.frequency
    wanted = np.bincount(question, minlength=len(df)) * np.log(1 + (paragraphs - df + 0.5) / (df + 0.5))
    shared = np.flatnonzero(wanted[counts.word])
    row, count = counts.row[shared], counts.count[shared]
    saturation = K1 * (1 - B + B * counts.length[row] * paragraphs / max(counts.length.sum(), 1))
    gain = wanted[counts.word[shared]] * count / (count + saturation)
    return np.bincount(row, gain, paragraphs).astype(np.float64)
