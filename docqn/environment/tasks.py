"""Tasks: question–document pairs as the environment needs them, with the node indices that hold the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

_FAR = np.int64(1) << 33  # half of it is more than any node index


@dataclass(frozen=True, eq=False)
class Tasks:
    """Which document each task is about, and the answer paragraphs in it (none for a task without labels)."""

    document: Ints  # [tasks]
    first_answer: Longs  # [tasks + 1]: where each task's answers begin
    answer: Ints  # nodes of answer paragraphs, ascending within a task
    answer_index: Ints  # their node indices n(u*)

    @classmethod
    def of(cls, document: Sequence[int], answers: Sequence[Sequence[int]], indices: Sequence[Sequence[int]]) -> Tasks:
        """From one list of answer nodes, and one of their node indices, a task."""
        first = np.concatenate([[0], np.cumsum([len(a) for a in answers])]).astype(np.int64)
        flat, flat_index = (np.array([n for part in parts for n in part], np.int32) for parts in (answers, indices))
        return cls(np.asarray(document, np.int32), first, flat, flat_index)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def _keys(self) -> Longs:
        """Task and node index of each answer in one number, ascending; between two tasks, and at both ends, a number
        that is far from all indices of either."""
        owner = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.first_answer))
        apart = np.arange(len(self) + 1, dtype=np.int64) * _FAR - _FAR // 2
        return np.sort(np.concatenate((owner * _FAR + self.answer_index, apart)))

    def distance(self, task: Longs, index: Ints) -> Longs:
        """|n(u) − n(u*)| to the nearest answer u* of the task; very large where the task has none."""
        keys = self._keys
        own = task * _FAR + index
        at = np.searchsorted(keys, own)
        nearest: Longs = np.minimum(own - keys.take(at - 1), keys.take(at) - own)
        return nearest
