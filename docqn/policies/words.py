"""The words that lexical scores count: lower-cased, without accents, and without those that say little."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from docqn.document import Document
from docqn.text.stop_words import STOP_WORDS
from docqn.text.tokens import token_spans, token_texts

Ints = NDArray[np.int32]

SHORTEST = 2  # characters of a word
NO_WORD = -1  # the number of a token that does not count
_UNSEEN = -2


def word_of(token: str) -> str | None:
    """The word that a token is a form of; None if it does not count."""
    word = token.lower()
    if not word.isascii():
        word = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    if word in STOP_WORDS or len(word) < SHORTEST or not any(map(str.isalnum, word)):
        return None
    return word


def words_of(text: str) -> list[str]:
    """The words of a text."""
    forms = map(word_of, token_texts(text, token_spans(text)))
    return [word for word in forms if word is not None]


class Lexicon:
    """The words of a vocabulary, numbered as they are met: no token is looked at twice, and most never."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = vocabulary
        self.number: dict[str, int] = {}
        self.words: list[str] = []  # by number
        self._of_token = np.full(len(vocabulary), _UNSEEN, np.int32)
        self._lock = Lock()  # documents are shared by the threads of a server

    def numbers(self, tokens: Ints) -> Ints:
        """The numbers of these tokens' words."""
        numbers = self._of_token[tokens]
        if not (numbers == _UNSEEN).any():
            return numbers
        with self._lock:
            for token in np.unique(tokens[self._of_token[tokens] == _UNSEEN]).tolist():
                word = word_of(self.vocabulary[token])
                self._of_token[token] = NO_WORD if word is None else self._numbered(word)
        return self._of_token[tokens]

    def _numbered(self, word: str) -> int:
        if word not in self.number:
            self.number[word] = len(self.words)
            self.words.append(word)
        return self.number[word]


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
