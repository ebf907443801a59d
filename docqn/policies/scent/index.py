"""The index of a document: where which stem stands. It is made once, whatever is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.policies.words import DocumentWords
from docqn.text.stems import stem

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Index:
    """Of the tokens that count, in order: their stems and places."""

    number: dict[str, int]  # of each stem
    stem: Ints  # [tokens]
    row: Ints  # [tokens]: the paragraph's number; -1 in headings
    sentence: Ints  # [tokens]: node of the sentence, or of the paragraph or heading that has none
    paragraph: Ints  # [paragraphs]: their nodes
    length: Floats  # [paragraphs]: tokens that count
    tokens: Ints  # [paragraphs]: all tokens
    digits: Floats  # [paragraphs]: tokens that begin with a digit …
    capitals: Floats  # … and those with a capital that do not begin a sentence
    above: Ints  # [paragraphs]: which heading they stand under, by its place among the headings
    heading: Ints  # nodes of title and sections, in order
    parent: Ints  # [headings]: place of the heading above; -1 of the title
    depth: Ints  # [headings]


_made: WeakKeyDictionary[Document, Index] = WeakKeyDictionary()


def index_of(document: Document) -> Index:
    """The index of a document, kept while the document is."""
    if (found := _made.get(document)) is None:
        found = _made[document] = _index(document)
    return found


def _index(document: Document) -> Index:
    words = DocumentWords.of(document)
    stems = [stem(word) for word in words.words]
    number = {one: at for at, one in enumerate(dict.fromkeys(stems))}
    of_word = np.array([number[one] for one in stems], np.int32)

    leaf = np.flatnonzero(document.kind == SENTENCE).astype(np.int32)
    paragraph = np.flatnonzero(document.kind == PARAGRAPH).astype(np.int32)
    heading = np.flatnonzero(document.kind <= SECTION).astype(np.int32)
    row = _holder(document, paragraph)
    sentence = _holder(document, leaf)
    sentence = np.where(sentence >= 0, leaf[sentence] if len(leaf) else -1, -1)
    sentence = np.where((sentence < 0) & (row >= 0), paragraph[row] if len(paragraph) else -1, sentence)
    sentence = np.where(sentence < 0, heading[_holder(document, heading)], sentence)

    counts = words.tokens >= 0
    place = np.full(len(document), -1, np.int32)
    place[heading] = np.arange(len(heading))
    digit, capital = _marks(document)
    starts = np.zeros(len(document.token), np.bool_)
    begins = document.first_token[np.concatenate([leaf, paragraph])]
    starts[begins[begins < len(starts)]] = True
    inside = row >= 0
    count = len(paragraph)
    return Index(
        number,
        of_word[words.tokens[counts]],
        row[counts],
        sentence[counts].astype(np.int32),
        paragraph,
        np.bincount(row[counts & inside], minlength=count).astype(np.float64),
        (document.end_token[paragraph] - document.first_token[paragraph]).astype(np.int32),
        np.bincount(row[inside & digit], minlength=count).astype(np.float64),
        np.bincount(row[inside & capital & ~starts], minlength=count).astype(np.float64),
        place[document.parent[paragraph]],
        heading,
        np.where(document.parent[heading] >= 0, place[document.parent[heading]], -1).astype(np.int32),
        document.depth[heading].astype(np.int32),
    )


def _holder(document: Document, nodes: Ints) -> Ints:
    """[tokens]: which of these nodes each token is in, by its place among them; -1 for none."""
    token = np.arange(len(document.token))
    if not len(nodes):
        return np.full(len(token), -1, np.int32)
    at = np.searchsorted(document.first_token[nodes], token, side="right") - 1
    inside = (at >= 0) & (token < document.end_token[nodes[at]])
    return np.where(inside, at, -1).astype(np.int32)


def _marks(document: Document) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """[tokens]: whether each begins with a digit, with a capital letter."""
    known = np.unique(document.token)
    firsts = [_first_kind(document.vocabulary[token]) for token in known.tolist()]
    kind = np.array(firsts, np.int8)[np.searchsorted(known, document.token)]
    return kind == 1, kind == 2


@lru_cache(maxsize=1 << 17)
def _first_kind(token: str) -> int:
    """1: a digit, 2: a capital letter, 0: anything else."""
    return 1 if token[:1].isdigit() else 2 if token[:1].isupper() else 0
