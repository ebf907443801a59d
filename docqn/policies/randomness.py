"""Chance that depends on the pair and the seed alone, so that results are the same in any order and in any batches."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from docqn.environment.pairs import Pair

Seeds = NDArray[np.uint64]


def seeds(pairs: Sequence[Pair], seed: int) -> Seeds:
    """A number for each pair."""
    texts = ("\0".join((str(seed), pair.question_id, pair.name, pair.question)) for pair in pairs)
    digests = (blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(b"".join(digests), np.uint64)


def uniform(seeds: Seeds, turn: int | NDArray[np.integer]) -> NDArray[np.float64]:
    """A number in [0, 1) for each seed, another at each turn: SplitMix64."""
    z = seeds + (np.atleast_1d(turn).astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    fraction: NDArray[np.float64] = (z >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return fraction
