"""The answer prediction z: what a reader says of the paragraphs that the cursors ask about, each read once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqn.document import NONE
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.readers import Reader, Reading

PREDICTION_FEATURES = 3

Floats = NDArray[np.float32]


class Readings:
    """Readings of paragraphs by task and node; those that are not known yet are read in one batch."""

    def __init__(self, reader: Reader, pairs: Sequence[Pair]) -> None:
        self._reader = reader
        self._pairs = pairs
        self._known: dict[tuple[int, int], Reading] = {}

    def of(
        self, task: Sequence[int] | NDArray[np.integer], paragraph: Sequence[int] | NDArray[np.integer]
    ) -> list[Reading]:
        """The reading of each paragraph, for the question of its task."""
        keys = list(zip(map(int, task), map(int, paragraph), strict=True))
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        questions = [self._pairs[task].question for task, _ in new]
        passages = [self._pairs[task].document.text_of(node) for task, node in new]
        self._known.update(zip(new, self._reader.read(questions, passages) if new else (), strict=True))
        return [self._known[key] for key in keys]

    def at(self, environment: Environment, states: States) -> list[Reading | None]:
        """For each state the prediction z: the reading of its paragraph if the prediction is at hand, else None."""
        paragraph = environment.trees.paragraph[environment.place(states)]
        predicted = np.flatnonzero(states.predicted & (paragraph != NONE))
        found: list[Reading | None] = [None] * len(paragraph)
        for i, reading in zip(predicted, self.of(states.task[predicted], paragraph[predicted]), strict=True):
            found[i] = reading
        return found


def prediction_features(readings: Sequence[Reading | None]) -> Floats:
    """φz, [n, 3]: logit, entropy and length of the passage in tokens; zeros where there is no prediction."""
    rows = [(0.0, 0.0, 0.0) if z is None else (z.logit, z.entropy, float(z.tokens)) for z in readings]
    return np.array(rows, np.float32).reshape(-1, PREDICTION_FEATURES)
