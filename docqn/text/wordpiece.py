"""WordPiece, BERT's tokenizer, with character offsets: the same pieces as the `tokenizers` package gives.

One difference is meant: the name of a special token, such as `[SEP]`, is text like any other.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

WORD = 0  # joins with its like
SPACE = 1  # separates words
ALONE = 2  # a word by itself: punctuation, ideographs
GONE = 3  # dropped, and separates nothing: controls, and accents where they are stripped
STRIPPED_SHIFT = 2  # bits: the class with stripped accents stands above that without

UNKNOWN = "[UNK]"
CONTINUED = "##"  # begins a piece inside a word
_LONGEST_WORD = 100  # characters; a longer one is unknown
_REMEMBERED = 200_000  # words


class Pieces(NamedTuple):
    """The pieces of a text."""

    ids: Ints
    spans: Ints  # [pieces, 2]: characters of the text as it was given


_Word = tuple[list[int], list[int], list[int]]  # the pieces of a word: ids, starts, ends


@cache
def _classes() -> NDArray[np.uint8]:
    """[2, 0x110000]: class of each code point, without and with stripped accents.

    Made by tools/make_wordpiece_classes.py.
    """
    runs = np.load(Path(__file__).with_name("wordpiece_classes.npy"), allow_pickle=False)
    both = np.repeat(runs[:, 1].astype(np.uint8), runs[:, 0])
    return np.stack([both & 3, both >> STRIPPED_SHIFT])


class WordPiece:
    """The tokenizer with a vocabulary, which maps pieces to numbers."""

    def __init__(
        self, vocabulary: Mapping[str, int], lowercase: bool = True, strip_accents: bool | None = None
    ) -> None:
        self.vocabulary = dict(vocabulary)
        self.lowercase = lowercase
        self.strip_accents = lowercase if strip_accents is None else strip_accents
        self._unknown = self.vocabulary[UNKNOWN]
        self._longest = max(map(len, self.vocabulary))
        self._class = _classes()[int(self.strip_accents)]
        self._words: dict[
            str, tuple[list[int], list[int], list[int]]
        ] = {}  # pieces of the words seen: ids, starts, ends

    def encode(self, text: str) -> Pieces:
        """The pieces, in order."""
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        offsets: list[int] = []
        counts: list[int] = []
        firsts, lasts = self._word_spans(text)
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        known = self._words
        for first, end in zip(firsts.tolist(), lasts.tolist(), strict=True):
            word = text[first:end]
            pieces = known.get(word)
            if pieces is None:
                pieces = self._pieces(word)
                if len(word) <= _LONGEST_WORD:
                    known[word] = pieces
            ids += pieces[0]
            starts += pieces[1]
            ends += pieces[2]
            offsets.append(first)
            counts.append(len(pieces[0]))
        spans = np.array((starts, ends), np.int32) + np.repeat(np.array(offsets, np.int32), counts)
        return Pieces(np.array(ids, np.int32), np.ascontiguousarray(spans.T))

    def _word_spans(self, text: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Start and end of each word."""
        code = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        kind = self._class[code]
        stays = np.flatnonzero(kind != GONE)
        kind = kind[stays]
        inked = kind != SPACE
        starts, ends = inked.copy(), inked.copy()
        joined = (kind[1:] == WORD) & (kind[:-1] == WORD)
        starts[1:] &= ~joined
        ends[:-1] &= ~joined
        return stays[starts], stays[ends] + 1

    def _pieces(self, word: str) -> _Word:
        """Ids, starts and ends of the pieces of one word: from the left, always the longest that is known."""
        normal, origin = self._normalized(word)
        count = len(normal)
        if count > _LONGEST_WORD:
            return [self._unknown], [0], [origin[-1] + 1]
        ids, starts, ends = [], [], []
        at = 0
        while at < count:
            prefix = CONTINUED if at else ""
            end = min(count, at + self._longest)
            while end > at and (piece := self.vocabulary.get(prefix + normal[at:end])) is None:
                end -= 1
            if piece is None:
                return [self._unknown], [0], [origin[-1] + 1]
            ids.append(piece)
            starts.append(origin[at])
            ends.append(origin[end - 1] + 1)
            at = end
        return ids, starts, ends

    def _normalized(self, word: str) -> tuple[str, range | list[int]]:
        """The word as the vocabulary has it, and which character of the word each of its characters came from."""
        if word.isascii() and word.isprintable():
            return word.lower() if self.lowercase else word, range(len(word))
        chars: list[str] = []
        origin: list[int] = []
        for at, char in enumerate(word):
            if self._class[ord(char)] == GONE:
                continue
            if self.strip_accents:
                char = "".join(c for c in unicodedata.normalize("NFD", char) if self._class[ord(c)] != GONE)
            if self.lowercase:
                char = "".join(c.lower() for c in char)
            chars.append(char)
            origin += [at] * len(char)
        return "".join(chars), origin
