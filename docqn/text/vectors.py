"""Word vectors from files: GloVe's and word2vec's text form, or arrays `words` and `vectors` in an .npz file."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.errors import DocqnError

_HEAD = 100  # lines from which the number of dimensions is told
_CHUNK = 10_000  # lines parsed before they are packed


class WordVectors(NamedTuple):
    """Words and their vectors."""

    words: list[str]
    vectors: NDArray[np.float16]  # [words, dimensions]


class Words:
    """Numbers of words, and from their count on of the buckets that all others share."""

    def __init__(self, words: Sequence[str], buckets: int) -> None:
        self.words = words
        self.buckets = buckets
        self._number = {word: number for number, word in enumerate(words)}

    def __len__(self) -> int:
        return len(self._number)

    def knows(self, word: str) -> bool:
        """Whether the word has a number of its own."""
        return word in self._number or word.lower() in self._number

    def numbers(self, words: Iterable[str]) -> NDArray[np.int32]:
        """A word as it is written, in lower case, or as an unknown one."""
        return np.array([self._find(word) for word in words], np.int32)

    def _find(self, word: str) -> int:
        number = self._number.get(word)
        if number is None:
            number = self._number.get(word.lower())
        if number is None:
            code = zlib.crc32(word.lower().encode("utf-8", "surrogatepass"))  # the same in every process
            number = len(self._number) + code % self.buckets
        return number


def load_vectors(path: Path, most: int) -> WordVectors:
    """The first `most` words of a file, which are the frequent ones; of two that are the same the first counts."""
    try:
        found = _from_npz(path, most) if path.suffix == ".npz" else _from_text(path, most)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise DocqnError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    if not found.words:
        raise DocqnError(f"{path}: holds no word vectors")
    return found


def _from_npz(path: Path, most: int) -> WordVectors:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            words, vectors = arrays["words"][:most], arrays["vectors"][:most]
    except (KeyError, ValueError, IndexError) as error:
        raise DocqnError(f"{path}: has no arrays `words` and `vectors` ({error})") from error
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise DocqnError(f"{path}: its words and vectors are not of the same number")
    first = np.sort(np.unique(words, return_index=True)[1])
    return WordVectors([str(words[row]) for row in first], vectors[first].astype(np.float16))


def _from_text(path: Path, most: int) -> WordVectors:
    """One word a line, then its numbers. A first line of two whole numbers, as word2vec writes, is passed over."""
    rows: dict[str, int] = {}
    packed: list[NDArray[np.float16]] = []
    numbers: list[str] = []
    with _lines(path) as lines:
        head = [line for _, line in zip(range(_HEAD), lines, strict=False)]
        skipped = int(bool(head) and len(head[0].split()) == 2 and all(map(str.isdigit, head[0].split())))
        width = min((len(line.rstrip().split(" ")) - 1 for line in head[skipped:]), default=0)
        if width < 1:
            raise DocqnError(f"{path}: not word vectors: its lines are not a word and numbers")
        for count, line in enumerate(_chained(head[skipped:], lines), start=skipped + 1):
            word, *values = line.rstrip().rsplit(" ", width)
            if len(rows) == most:
                break
            if len(values) != width:
                raise DocqnError(f"{path}: line {count} has {len(values)} numbers, not {width}")
            if word not in rows:
                rows[word] = len(rows)
                numbers.append(" ".join(values))
            if len(numbers) == _CHUNK:
                packed.append(_pack(numbers, width, path))
                numbers = []
    packed.append(_pack(numbers, width, path))
    return WordVectors(list(rows), np.concatenate(packed))


def _pack(lines: list[str], width: int, path: Path) -> NDArray[np.float16]:
    try:
        values = np.array(" ".join(lines).split(), np.float32)
    except ValueError as error:
        raise DocqnError(f"{path}: not word vectors ({error})") from error
    return values.reshape(-1, width).astype(np.float16)


@contextmanager
def _lines(path: Path) -> Iterator[IO[str]]:
    """Lines of text, compressed or not. Some files hold words that are not UTF-8."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
        yield file


def _chained(head: list[str], rest: Iterable[str]) -> Iterator[str]:
    yield from head
    yield from rest
