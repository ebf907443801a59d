"""A sum-tree: weights that can be changed and drawn from in proportion, many at once, in logarithmic time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


class SumTree:
    """A complete binary tree in one array: node i has the sum of nodes 2i and 2i + 1, the leaves are the weights."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._leaves = 1 << max(size - 1, 0).bit_length()
        self._sum = np.zeros(2 * self._leaves)

    @property
    def total(self) -> float:
        return float(self._sum[1])

    @property
    def nbytes(self) -> int:
        return self._sum.nbytes

    @property
    def weights(self) -> Floats:
        """[size]: a view."""
        return self._sum[self._leaves : self._leaves + self.size]

    def __getitem__(self, place: Longs) -> Floats:
        return self._sum[self._leaves + place]

    def __setitem__(self, place: Longs, weight: Floats | float) -> None:
        """Change weights; of a place that is there twice the last one counts."""
        node = self._leaves + np.asarray(place)
        self._sum[node] = weight
        while len(node) and node[0] > 1:
            node = np.unique(node >> 1)
            self._sum[node] = self._sum[2 * node] + self._sum[2 * node + 1]

    def find(self, mass: Floats) -> Longs:
        """For each mass in [0, total) the place where the running sum of the weights first exceeds it. A place without
        weight is never found."""
        left = np.array(mass, np.float64)
        node = np.ones(len(left), np.int64)
        while node[0] < self._leaves if len(node) else False:
            node *= 2
            here = self._sum[node]
            # What rounding leaves over goes to the side that has weight.
            right = (left >= here) & (self._sum[node + 1] > 0)
            left = np.where(right, left - here, left)
            node += right
        return node - self._leaves

    def load(self, weights: Floats) -> None:
        """Set all weights at once."""
        self._sum[self._leaves : self._leaves + self.size] = weights
        for level in range(self._leaves.bit_length() - 2, -1, -1):
            begin = 1 << level
            self._sum[begin : 2 * begin] = self._sum[2 * begin : 4 * begin].reshape(-1, 2).sum(1)
