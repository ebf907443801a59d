"""What the index tells of each paragraph of a document for a question."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from docqn.policies.counts import K1, B
from docqn.policies.scent.index import Index
from docqn.policies.words import words_of
from docqn.text.stems import stem

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Rarity = Callable[[str], float]

FEATURES = (
    "bm25", "covered_here", "covered", "heading", "with_heading", "sentence", "bigrams", "before", "after",
    "bm25_to_best", "covered_to_best", "with_heading_to_best", "sentence_to_best", "is_best_bm25", "is_best_covered",
    "length", "short", "position", "order", "digits", "capitals", "digits_asked", "capitals_asked",
)  # fmt: skip
SHORT = 15  # tokens: captions and entries of lists, mostly

_NUMBER = re.compile(r"\b(how (many|much|long|old|far|tall|high|often)|when|year|date|century|number|percent)\b", re.I)
_NAME = re.compile(r"\b(who|whose|whom|name[ds]?|which|where|called)\b", re.I)


def features(index: Index, question: str, rarity: Rarity) -> Floats:
    """[paragraphs, features]. `rarity` tells of a stem wherever it is met; idf is of the document."""
    count = len(index.paragraph)
    asked = [stem(word) for word in words_of(question)]
    distinct = [one for one in dict.fromkeys(asked) if one in index.number]
    of_stem = np.full(len(index.number) + 1, -1, np.int32)
    of_stem[[index.number[one] for one in distinct]] = np.arange(len(distinct))
    found = np.flatnonzero(of_stem[index.stem] >= 0)
    which, row = of_stem[index.stem[found]].astype(np.int64), index.row[found]
    inside = row >= 0

    weight = np.array([rarity(one) for one in distinct])
    total = weight.sum() + 1e-9
    # What a paragraph holds is kept sparse, as a question may be a page long: `uses` of stem `of` in paragraph `at`.
    cell, uses = _counted(row[inside], which[inside], len(distinct))
    at, of = cell // max(len(distinct), 1), cell % max(len(distinct), 1)

    def summed(values: Floats) -> Floats:
        return np.bincount(at, values, count).astype(np.float64)

    frequency = np.bincount(of, minlength=len(distinct))
    idf = np.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
    saturation = K1 * (1 - B + B * index.length / max(float(index.length.mean()) if count else 1.0, 1e-9))
    bm25 = summed(idf[of] * uses / (uses + saturation[at])) / (idf.sum() + 1e-9)
    covered = summed(weight[of]) / total

    above = _headings(index, which[~inside], index.sentence[found[~inside]], len(distinct))
    heading = (above @ weight)[index.above] / total
    with_heading = heading + summed(weight[of] * ~above[index.above[at], of]) / total
    sentence = _best_sentence(index.sentence[found[inside]], row[inside], which[inside], weight, count) / total
    bigrams = _bigrams(index, found, which, row, asked, distinct)

    number, name = float(bool(_NUMBER.search(question))), float(bool(_NAME.search(question)))
    digits, capitals = np.log1p(index.digits), np.log1p(index.capitals)
    place = np.arange(count)
    columns = [
        bm25,
        summed(idf[of]) / (idf.sum() + 1e-9),
        covered,
        heading,
        with_heading,
        sentence,
        np.log1p(bigrams),
        np.concatenate([[0.0], covered[:-1]])[:count],
        np.concatenate([covered[1:], [0.0]])[:count],
        *(one - one.max(initial=0.0) for one in (bm25, covered, with_heading, sentence)),
        bm25 >= bm25.max(initial=0.0) - 1e-9,
        covered >= covered.max(initial=0.0) - 1e-9,
        np.log1p(index.tokens),
        index.tokens < SHORT,
        place / max(count, 1),
        np.log1p(place),
        digits,
        capitals,
        number * digits,
        name * capitals,
    ]
    return np.stack(columns, 1).astype(np.float64)


def _counted(row: NDArray[np.integer], column: Longs, width: int) -> tuple[Longs, Longs]:
    """The cells `row * width + column` that occur, ascending, and how often each does."""
    return np.unique(row.astype(np.int64) * width + column, return_counts=True)


def _headings(index: Index, which: Longs, node: NDArray[np.int32], asked: int) -> NDArray[np.bool_]:
    """[headings, asked]: which stems stand in each heading or one above it."""
    seen = np.zeros((len(index.heading), asked), np.bool_)
    seen[np.searchsorted(index.heading, node), which] = True
    for depth in range(1, int(index.depth.max(initial=0)) + 1):
        level = np.flatnonzero(index.depth == depth)
        seen[level] |= seen[index.parent[level]]
    return seen


def _best_sentence(
    sentence: NDArray[np.int32], row: NDArray[np.int32], which: Longs, weight: Floats, count: int
) -> Floats:
    """[paragraphs]: the most that one sentence of each holds."""
    best = np.zeros(count)
    if len(sentence):
        begins = np.diff(sentence, prepend=-1) != 0  # tokens are in order, so those of a sentence stand together …
        cell, _ = _counted(np.cumsum(begins) - 1, which, len(weight))
        held, row = np.bincount(cell // len(weight), weight[cell % len(weight)]), row[begins]
        first = np.flatnonzero(np.diff(row, prepend=-1))  # … and so do the sentences of a paragraph
        best[row[first]] = np.maximum.reduceat(held, first)
    return best


def _bigrams(
    index: Index, found: Longs, which: Longs, row: NDArray[np.int32], asked: list[str], distinct: list[str]
) -> Floats:
    """[paragraphs]: how often two stems that follow each other in the question do so there."""
    number = {one: at for at, one in enumerate(distinct)}
    wanted = {
        number[a] * len(distinct) + number[b] for a, b in itertools.pairwise(asked) if a in number and b in number
    }
    near = (np.diff(found) == 1) & (row[:-1] == row[1:]) & (row[:-1] >= 0)
    near &= index.sentence[found[:-1]] == index.sentence[found[1:]]
    pair = which[:-1][near] * len(distinct) + which[1:][near]
    hits = row[:-1][near][np.isin(pair, list(wanted))]
    return np.bincount(hits, minlength=len(index.paragraph)).astype(np.float64)
