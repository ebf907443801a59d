"""One numbering of words for several documents and questions, each of which has its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE, Document
from docqn.text.tokens import token_spans, token_texts

Ints = NDArray[np.int32]


class Vocabulary:
    """Words by number, in the order in which they were met; there are no others."""

    def __init__(self, documents: Iterable[Document], texts: Iterable[str]) -> None:
        self._number: dict[str, int] = {}
        self.of_documents = [self._of(document) for document in documents]  # [their own number], where they use it
        for text in texts:
            self._extended(token_texts(text, token_spans(text)))

    def __len__(self) -> int:
        return len(self._number)

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def numbers(self, text: str, length: int) -> Ints:
        """[length]: the numbers of the text's first words, NONE after them and for a word that is not known."""
        words = token_texts(text, token_spans(text))[:length]
        return np.array([*(self._number.get(word, NONE) for word in words), *[NONE] * (length - len(words))], np.int32)

    def _of(self, document: Document) -> Ints:
        """Only its own words: its vocabulary may be that of a whole corpus."""
        used = np.unique(document.token)
        number = np.full(used.max(initial=-1) + 1, NONE, np.int32)
        number[used] = self._extended(document.vocabulary[i] for i in used.tolist())
        return number

    def _extended(self, words: Iterable[str]) -> Ints:
        number = self._number
        return np.array([number.setdefault(word, len(number)) for word in words], np.int32)
