"""The words of a corpus: how often each occurs, which is its lower-cased form, and how it is spelt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from docqn.arrays import Array, Spec, stream_arrays
from docqn.corpora.ragged import Ragged, Strings, offsets


class Vocabulary:
    """Words by number, the most frequent first; cased and lower-cased forms are words alike."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.utf8 = arrays["utf8"]  # all words, joined by line feeds
        self.words = Strings(Ragged(self.utf8, arrays["utf8_offset"]), gap=1)
        self.count = arrays["count"]  # in documents and questions; 0 for a form that does not occur itself
        self.lower = arrays["lower"]  # number of the lower-cased form
        self.characters = Ragged(arrays["character"], arrays["character_offset"])  # code points of each word

    def __len__(self) -> int:
        return len(self.count)


NEEDED = frozenset(("utf8", "utf8_offset", "count", "lower", "character", "character_offset"))
_TOGETHER = 1 << 16  # words that are encoded at a time


def write_vocabulary(path: Path, counts: dict[str, int], meta: Mapping[str, str]) -> tuple[dict[str, int], str]:
    """Write the words and their lower-cased forms. Returns the number of each, in the dictionary that held the counts
    (there may be millions of words, so they are kept once), and the file's digest."""
    for word in list(counts):
        counts.setdefault(word.lower(), 0)
    words = sorted(counts)
    words.sort(key=counts.__getitem__, reverse=True)  # leaves the order of equals
    small: dict[str, Array] = {
        "utf8_offset": offsets(len(word.encode()) + 1 for word in words),
        "count": np.fromiter(map(counts.__getitem__, words), np.int64, len(words)),
        "character_offset": offsets(map(len, words)),
    }
    number = counts
    for i, word in enumerate(words):
        number[word] = i
    small["lower"] = np.fromiter((number.get(word.lower(), i) for i, word in enumerate(words)), np.int32, len(words))

    def pieces(name: str) -> Iterator[Array]:
        if name in small:
            yield small[name]
            return
        for begin in range(0, len(words), _TOGETHER):
            some = words[begin : begin + _TOGETHER]
            if name == "character":
                yield np.frombuffer("".join(some).encode("utf-32-le"), np.uint32)
            else:
                yield np.frombuffer(("\n" * (begin > 0) + "\n".join(some)).encode(), np.uint8)

    specs = {name: Spec(array.dtype, array.shape) for name, array in small.items()}
    specs["utf8"] = Spec(np.uint8, (max(int(small["utf8_offset"][-1]) - 1, 0),))
    specs["character"] = Spec(np.uint32, (int(small["character_offset"][-1]),))
    return number, stream_arrays(path, specs, pieces, meta)
