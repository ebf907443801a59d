"""BERT by its equations, a sequence at a time, from weights under Hugging Face's names."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import Array

Floats = NDArray[np.float64]
erf = np.vectorize(math.erf)


def naive_states(arrays: Mapping[str, Array], ids: list[int], segments: list[int], heads: int) -> Floats:
    """[tokens, hidden]: the states of the last layer."""
    weights = {name.removeprefix("bert."): array.astype(np.float64) for name, array in arrays.items()}
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + weights["embeddings.token_type_embeddings.weight"][segments]
    x = _norm(weights, "embeddings.LayerNorm", x)
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in weights:
        name = f"encoder.layer.{layer}"
        query, key, value = (_linear(weights, f"{name}.attention.self.{part}", x) for part in ("query", "key", "value"))
        size = x.shape[1] // heads
        mixed = np.zeros_like(x)
        for head in range(heads):
            part = slice(head * size, (head + 1) * size)
            scores = query[:, part] @ key[:, part].T / math.sqrt(size)
            shares = np.exp(scores - scores.max(1, keepdims=True))
            mixed[:, part] = shares / shares.sum(1, keepdims=True) @ value[:, part]
        out = _linear(weights, f"{name}.attention.output.dense", mixed)
        x = _norm(weights, f"{name}.attention.output.LayerNorm", x + out)
        inner = _linear(weights, f"{name}.intermediate.dense", x)
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = _norm(weights, f"{name}.output.LayerNorm", x + _linear(weights, f"{name}.output.dense", inner))
        layer += 1
    return x


def naive_scores(arrays: Mapping[str, Array], ids: list[int], segments: list[int], heads: int) -> Floats:
    """[tokens, 2]: start and end logits."""
    states = naive_states(arrays, ids, segments, heads)
    return states @ arrays["qa_outputs.weight"].T + arrays["qa_outputs.bias"]


def _linear(weights: Mapping[str, Floats], name: str, x: Floats) -> Floats:
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _norm(weights: Mapping[str, Floats], name: str, x: Floats) -> Floats:
    y: Floats = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-12)
    return y * weights[f"{name}.weight"] + weights[f"{name}.bias"]
