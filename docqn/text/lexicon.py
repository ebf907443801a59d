"""The words that tokens stand for: lower-cased, without accents, and without those that say little."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from docqn.text.stop_words import STOP_WORDS

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


class Lexicon:
    """The words of a vocabulary, numbered as they are met: no token is looked at twice, and most never."""

    def __init__(self, vocabulary: Sequence[str], form: Callable[[str], str | None] = word_of) -> None:
        self.vocabulary = vocabulary
        self.form = form  # the word of a token
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
                word = self.form(self.vocabulary[token])
                self._of_token[token] = NO_WORD if word is None else self._numbered(word)
        return self._of_token[tokens]

    def _numbered(self, word: str) -> int:
        if word not in self.number:
            self.number[word] = len(self.words)
            self.words.append(word)
        return self.number[word]
