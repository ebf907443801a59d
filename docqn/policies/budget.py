"""A hard limit on the tokens of a document that a policy may consume: observed or read, each counted once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from docqn.document import Document
from docqn.policies.consumption import Ranges, observed_ranges, read_range


class Budget:
    """What may still be consumed of one document."""

    def __init__(self, document: Document, most: int | None) -> None:
        self._document = document
        self._left = most
        self._seen = np.zeros(0 if most is None else len(document.token), bool)

    def observe(self, node: int) -> bool:
        """Consume what an observation of the node shows; False, and nothing is consumed, if that is too much."""
        return self._left is None or self._take(observed_ranges(self._document, node))

    def read(self, paragraph: int) -> bool:
        """Consume a paragraph, whole or not at all."""
        return self._left is None or self._take([read_range(self._document, paragraph)])

    def allows(self, paragraph: int) -> bool:
        """Whether the paragraph could be read."""
        return self._left is None or self._cost([read_range(self._document, paragraph)]) <= self._left

    def _take(self, ranges: Ranges) -> bool:
        cost = self._cost(ranges)
        if self._left is None or cost > self._left:
            return False
        self._left -= cost
        for start, end in ranges:
            self._seen[start:end] = True
        return True

    def _cost(self, ranges: Ranges) -> int:
        return sum(end - start - int(self._seen[start:end].sum()) for start, end in ranges)


def affordable(document: Document, paragraphs: Iterable[int], count: int, most: int | None) -> list[int]:
    """The first so many of the paragraphs that can be read together, passing over those that are too long."""
    budget = Budget(document, most)
    chosen: list[int] = []
    for paragraph in paragraphs:
        if len(chosen) == count:
            break
        if budget.read(paragraph):
            chosen.append(paragraph)
    return chosen
