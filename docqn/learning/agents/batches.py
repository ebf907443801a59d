"""From inputs of states to tensors."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from docqn.environment.inputs import Inputs, Sequences
from docqn.network.qnetwork import Batch
from docqn.readers.neural.words import WordTable
from docqn.text.characters import characters


class Lookup:
    """What is told of each word of a wording: its given vector or its bucket, and its characters. All of it lies on the
    device, where it is needed."""

    def __init__(self, table: WordTable, words: Sequence[str], device: torch.device) -> None:
        self._table = table
        self._device = device
        self._known = F.pad(torch.tensor(table.known, device=device), (0, 0, 0, 1))  # the last one is no word's
        self._set(words)

    def over(self, words: Sequence[str]) -> Lookup:
        """Of other words; the vectors are shared."""
        other = copy.copy(self)
        other._set(words)
        return other

    def _set(self, words: Sequence[str]) -> None:
        spelt = list(words)
        self._number = torch.from_numpy(self._table.words.numbers(spelt).astype(np.int64)).to(self._device)
        self._characters = torch.from_numpy(characters(spelt)).to(self._device)

    def of(self, words: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Vectors [w, d], buckets [w], −1 for known words, and characters [w, 16]."""
        row = torch.from_numpy(words).to(self._device)
        number = self._number.index_select(0, row)
        none = len(self._known) - 1
        given = self._known.index_select(0, number.clamp(max=none)).float()
        return given, (number - none).clamp(min=-1), self._characters.index_select(0, row).long()


def batch_of(inputs: Inputs, lookup: Lookup, device: torch.device) -> Batch:
    """The inputs as tensors on a device."""

    def tensor(array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(device)

    def sequences(rows: Sequences) -> tuple[torch.Tensor, torch.Tensor]:
        longest = max(1, int(rows.length.max(initial=0)))
        return tensor(np.maximum(rows.word[:, :longest], 0)), tensor(rows.length)

    ends = zip(inputs.levels[:-1], inputs.levels[1:], strict=True)
    return Batch(
        *lookup.of(inputs.words),
        sequences(inputs.nodes),
        tensor(inputs.above),
        inputs.levels,
        tuple(max(1, int(inputs.nodes.length[begin:end].max())) for begin, end in ends),
        sequences(inputs.questions),
        sequences(inputs.answers),
        tensor(inputs.node),
        tensor(inputs.question),
        tensor(inputs.prediction),
        tensor(inputs.features),
    )
