"""Rows of different lengths in two arrays, and strings kept that way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from docqn.arrays import Array

Offsets = NDArray[np.int64]
Ints = NDArray[np.integer]

_TOGETHER = 1 << 12  # rows that are taken at a time: the places of their values need several times their memory


def offsets(sizes: Iterable[int] | Ints) -> Offsets:
    """Where rows of these sizes begin, and where the last one ends."""
    sizes = np.fromiter(sizes, np.int64) if not isinstance(sizes, np.ndarray) else sizes
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Row i is `values[offset[i] : offset[i + 1]]`."""

    values: Array
    offset: Offsets

    @classmethod
    def of(cls, rows: Sequence[Sequence[int] | Array], dtype: DTypeLike = np.int32) -> Ragged:
        """From rows of numbers."""
        return cls(np.fromiter(chain.from_iterable(rows), dtype), offsets(map(len, rows)))

    @classmethod
    def of_strings(cls, strings: Sequence[str]) -> Ragged:
        """From strings: rows of UTF-8 bytes."""
        encoded = [string.encode() for string in strings]
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets(map(len, encoded)))

    @classmethod
    def join(cls, parts: Sequence[Ragged]) -> Ragged:
        """The rows of all parts, one after the other."""
        sizes = [np.diff(part.offset) for part in parts]
        return cls(np.concatenate([part.values for part in parts]), offsets(np.concatenate(sizes)))

    def __len__(self) -> int:
        return len(self.offset) - 1

    def __getitem__(self, row: int) -> Array:
        return self.values[self.offset[row] : self.offset[row + 1]]

    def take(self, rows: Ints) -> Ragged:
        """These rows, in this order."""
        sizes = np.diff(self.offset)[rows]
        offset = offsets(sizes)
        values = np.empty(offset[-1], self.values.dtype)
        for some in range(0, len(rows), _TOGETHER):
            part = slice(some, some + _TOGETHER)
            begin, end = offset[some], offset[min(some + _TOGETHER, len(rows))]
            shift = np.repeat(self.offset[:-1][rows[part]] - offset[:-1][part], sizes[part])
            values[begin:end] = self.values[np.arange(begin, end) + shift]
        return Ragged(values, offset)


class Strings(Sequence[str]):
    """Strings in one UTF-8 text, decoded when asked for. `gap` bytes separate them."""

    def __init__(self, rows: Ragged, gap: int = 0) -> None:
        self.rows = rows
        self.gap = gap

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        row = range(len(self))[at]  # counts negative numbers from the end, and ends iteration
        begin, end = self.rows.offset[row : row + 2].tolist()
        return self.rows.values[begin : end - self.gap].tobytes().decode()
