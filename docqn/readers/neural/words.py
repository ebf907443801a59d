"""The words that a reader knows, with their vectors, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array, open_arrays, save_arrays
from docqn.errors import DocqnError
from docqn.text.vectors import Words

WORDS = "words.safetensors"
_META = {"docqn": "words 1"}


@dataclass(frozen=True)
class WordTable:
    """Vectors that were given, and those that were learnt: of further words, and of buckets that all others share."""

    words: Words
    known: Array  # [words from the vector file, dimensions]
    learnt: Array  # [further words and buckets, dimensions]

    def vectors(self, numbers: NDArray[np.int32]) -> NDArray[np.float32]:
        """[numbers, dimensions]."""
        outside = numbers >= len(self.known)
        found = self.known[np.where(outside, 0, numbers)].astype(np.float32)
        found[outside] = self.learnt[numbers[outside] - len(self.known)]
        return found


def save_words(path: Path, words: Sequence[str], known: Array, learnt: Array) -> None:
    """Write the table; the first of the words are the known ones."""
    utf8 = np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)
    save_arrays(path, {"utf8": utf8, "vectors": known, "learnt": learnt.astype(np.float16)}, _META)


def load_words(path: Path) -> WordTable:
    """Open the table; its vectors are views of the memory-mapped file."""
    opened = open_arrays(path)
    try:
        words = opened.arrays["utf8"].tobytes().decode("utf-8", "surrogatepass").split("\n")
        known, learnt = opened.arrays["vectors"], opened.arrays["learnt"]
        buckets = len(learnt) - (len(words) - len(known))
        if opened.meta.get("docqn") != _META["docqn"] or buckets < 1 or known.shape[1] != learnt.shape[1]:
            raise ValueError("its parts do not fit together")
    except (KeyError, ValueError, IndexError) as error:
        raise DocqnError(f"{path}: not the words of a reader, or damaged ({error})") from error
    return WordTable(Words(words, buckets), known, learnt)
