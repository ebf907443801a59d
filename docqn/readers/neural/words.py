"""The words that a reader knows, with their vectors, in one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array, open_arrays, save_arrays
from docqn.errors import DocqnError
from docqn.text.vectors import Words, WordVectors

WORDS = "words.safetensors"
_META = {"docqn": "words 1"}


@dataclass(frozen=True)
class WordTable:
    """Vectors of known words, and of the buckets that unknown ones share."""

    words: Words
    known: Array  # [words, dimensions]
    unknown: Array  # [buckets, dimensions]

    def vectors(self, numbers: NDArray[np.int32]) -> NDArray[np.float32]:
        """[numbers, dimensions]."""
        outside = numbers >= len(self.known)
        found = self.known[np.where(outside, 0, numbers)].astype(np.float32)
        found[outside] = self.unknown[numbers[outside] - len(self.known)]
        return found


def save_words(path: Path, known: WordVectors, unknown: Array) -> None:
    """Write the table."""
    utf8 = np.frombuffer("\n".join(known.words).encode("utf-8", "surrogatepass"), np.uint8)
    save_arrays(path, {"utf8": utf8, "vectors": known.vectors, "unknown": unknown.astype(np.float16)}, _META)


def load_words(path: Path) -> WordTable:
    """Open the table; its vectors are views of the memory-mapped file."""
    known, unknown = _opened(path)
    return WordTable(Words(known.words, len(unknown)), known.vectors, unknown)


def known_words(path: Path) -> WordVectors:
    """The known words alone."""
    return _opened(path)[0]


def _opened(path: Path) -> tuple[WordVectors, Array]:
    opened = open_arrays(path)
    try:
        words = opened.arrays["utf8"].tobytes().decode("utf-8", "surrogatepass").split("\n")
        known, unknown = opened.arrays["vectors"], opened.arrays["unknown"]
        if opened.meta.get("docqn") != _META["docqn"] or len(words) != len(known) or known.shape[1] != unknown.shape[1]:
            raise ValueError("its parts do not fit together")
    except (KeyError, ValueError, IndexError) as error:
        raise DocqnError(f"{path}: not the words of a reader, or damaged ({error})") from error
    return WordVectors(words, known), unknown
