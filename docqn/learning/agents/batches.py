"""From inputs of states to tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from docqn.environment.inputs import Inputs, Sequences
from docqn.network.qnetwork import Batch
from docqn.readers.neural.words import WordTable
from docqn.text.characters import characters


class Lookup:
    """What is told of each word of a wording: its given vector or its bucket, and its characters."""

    def __init__(self, table: WordTable, words: Sequence[str], device: torch.device) -> None:
        spelt = list(words)
        self._number = table.words.numbers(spelt)
        self._characters = characters(spelt)
        self._known = table.known
        self._device = device

    def of(self, words: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Vectors [w, d], buckets [w], −1 for known words, and characters [w, 16]."""
        number = self._number[words]
        known = number < len(self._known)
        given = np.zeros((len(words), self._known.shape[1]), np.float32)
        given[known] = self._known[number[known]]
        bucket = np.where(known, -1, number - len(self._known)).astype(np.int64)
        parts = given, bucket, self._characters[words].astype(np.int64)
        return tuple(torch.from_numpy(part).to(self._device) for part in parts)  # type: ignore[return-value]


def batch_of(inputs: Inputs, lookup: Lookup, device: torch.device) -> Batch:
    """The inputs as tensors on a device."""

    def tensor(array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(device)

    def sequences(rows: Sequences) -> tuple[torch.Tensor, torch.Tensor]:
        longest = max(1, int(rows.length.max(initial=0)))
        return tensor(np.maximum(rows.word[:, :longest], 0)), tensor(rows.length)

    return Batch(
        *lookup.of(inputs.words),
        sequences(inputs.nodes),
        tensor(inputs.above),
        inputs.levels,
        sequences(inputs.questions),
        sequences(inputs.answers),
        tensor(inputs.node),
        tensor(inputs.question),
        tensor(inputs.prediction),
        tensor(inputs.features),
    )
