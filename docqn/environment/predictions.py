"""Answer predictions z as arrays: what a network is told of readings, and where in the document their words are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.mdp import Environment, States
from docqn.environment.observation import WORDS
from docqn.environment.pairs import Pair
from docqn.environment.readings import PREDICTION_FEATURES, Readings, prediction_features
from docqn.readers import Reading

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]

_FIRST_ROWS = 1024


class Told(NamedTuple):
    """What is told of the predictions at some states, one row a state; nothing where there is none."""

    features: Floats  # [n, 3]: φz
    words: Ints  # [n, 20]: the answer's, padded with NONE
    length: Ints  # [n]


class Predictions:
    """Every paragraph is read once. Row 0 stands for no prediction."""

    def __init__(self, readings: Readings, pairs: Sequence[Pair]) -> None:
        self._readings = readings
        self._pairs = pairs
        self._row: dict[int, int] = {}  # by task and node in one number
        self._features = np.zeros((_FIRST_ROWS, PREDICTION_FEATURES), np.float32)
        self._first_token = np.zeros(_FIRST_ROWS, np.int64)  # in the document
        self._length = np.zeros(_FIRST_ROWS, np.int32)

    def __len__(self) -> int:
        """Paragraphs that were read."""
        return len(self._row)

    def at(self, environment: Environment, states: States) -> Told:
        """For each state the prediction, if it is at hand."""
        trees = environment.trees
        paragraph = trees.paragraph[environment.place(states)]
        there = np.flatnonzero(states.predicted & (paragraph != NONE))
        row = np.zeros(len(paragraph), np.int64)
        row[there] = self._rows(states.task[there], paragraph[there])
        length = self._length[row]
        column = np.arange(WORDS)
        filled = column < length[:, None]
        first = trees.first_word[environment.tasks.document[states.task]] + self._first_token[row]
        words = np.full(filled.shape, NONE, np.int32)
        words[filled] = trees.token[(first[:, None] + column)[filled]]
        return Told(self._features[row], words, length)

    def _rows(self, task: Longs, paragraph: Ints) -> list[int]:
        keys = (task << 32 | paragraph).tolist()
        new = [key for key in dict.fromkeys(keys) if key not in self._row]
        if new:
            tasks, nodes = [key >> 32 for key in new], [key & 0xFFFFFFFF for key in new]
            self._add(new, tasks, nodes, self._readings.of(tasks, nodes))
        return [self._row[key] for key in keys]

    def _add(self, keys: Sequence[int], tasks: Sequence[int], nodes: Sequence[int], found: Sequence[Reading]) -> None:
        first = len(self._row) + 1
        rows = slice(first, first + len(keys))
        while rows.stop > len(self._length):
            self._features = np.concatenate((self._features, np.zeros_like(self._features)))
            self._first_token = np.concatenate((self._first_token, np.zeros_like(self._first_token)))
            self._length = np.concatenate((self._length, np.zeros_like(self._length)))
        self._features[rows] = prediction_features(found)
        for row, task, node, reading in zip(range(rows.start, rows.stop), tasks, nodes, found, strict=True):
            self._first_token[row], self._length[row] = _words(self._pairs[task], node, reading)
        self._row.update(zip(keys, range(rows.start, rows.stop), strict=True))


def _words(pair: Pair, paragraph: int, reading: Reading) -> tuple[int, int]:
    """The tokens of the document that the answer consists of: the first, and how many, at most 20."""
    document = pair.document
    if reading.end <= reading.start:
        return 0, 0
    begin = int(document.start[paragraph])
    first = int(np.searchsorted(document.token_end, begin + reading.start, side="right"))
    last = int(np.searchsorted(document.token_start, begin + reading.end, side="left"))
    return first, max(0, min(last - first, WORDS))
