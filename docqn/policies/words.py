"""The words of texts and documents that lexical scores count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from docqn.document import Document
from docqn.text.lexicon import NO_WORD, Lexicon, word_of
from docqn.text.tokens import token_spans, token_texts

Ints = NDArray[np.int32]


def words_of(text: str) -> list[str]:
    """The words of a text."""
    forms = map(word_of, token_texts(text, token_spans(text)))
    return [word for word in forms if word is not None]


@lru_cache(maxsize=16)
def lexicon(vocabulary: Sequence[str]) -> Lexicon:
    """The lexicon of a vocabulary; the documents of a corpus have one together."""
    return Lexicon(vocabulary)


@dataclass(frozen=True, eq=False)
class DocumentWords:
    """The words of a document, numbered from 0 without gaps."""

    known: Lexicon
    distinct: Ints  # the words' numbers there, ascending
    tokens: Ints  # the number of each token's word here

    @classmethod
    def of(cls, document: Document) -> DocumentWords:
        """Those that count."""
        known = lexicon(document.vocabulary)
        number = known.numbers(document.token)
        there = np.zeros(len(known.words) + 1, bool)  # the last place is that of NO_WORD
        there[number] = True
        distinct = np.flatnonzero(there[:-1]).astype(np.int32)
        here = np.empty(len(there), np.int32)  # the number here of each number there; the rest is never looked at
        here[distinct] = np.arange(len(distinct), dtype=np.int32)
        here[NO_WORD] = NO_WORD
        return cls(known, distinct, here[number])

    def __len__(self) -> int:
        return len(self.distinct)

    @property
    def words(self) -> list[str]:
        """The words by number."""
        return [self.known.words[i] for i in self.distinct.tolist()]

    def find(self, words: Iterable[str]) -> Ints:
        """The numbers of those that the document has."""
        wanted = np.array([number for word in words if (number := self.known.number.get(word)) is not None], np.int32)
        if not len(self):
            return wanted[:0]
        at = np.searchsorted(self.distinct, wanted).clip(max=len(self) - 1)
        found: Ints = at[self.distinct[at] == wanted].astype(np.int32)
        return found
