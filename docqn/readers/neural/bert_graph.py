"""The ONNX graph of a BERT span reader, in float32 or with int8 matrices.

It has Hugging Face's names for its inputs and for `start_logits` and `end_logits`, so that other programs can run it;
with an answerability head it also gives `answerable`. Its weights have their names, so that they can be read again.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.onnx_graph import MICROSOFT, Graph, constants
from docqn.readers.neural.bert import BertConfig, Weights

IDS, MASK, SEGMENTS = "input_ids", "attention_mask", "token_type_ids"
START, END, ANSWERABLE = "start_logits", "end_logits", "answerable"

_FLOAT, _INT32 = 1, 6  # ONNX's numbers of types
_TRANSPOSED, _SCALE = ".T", ".scale"  # endings of the names of weights
_MOST = 127  # the largest int8 used; -128 is not, so that the range is symmetric


def bert_graph(config: BertConfig, weights: Mapping[str, Array], *, int8: bool) -> bytes:
    """The model as the bytes of an ONNX file."""
    builder = _Builder(config, weights, int8)
    graph = builder.graph
    shape = ("batch", "length")
    ids, mask = graph.input(IDS, np.int64, shape), graph.input(MASK, np.int64, shape)
    segments = graph.input(SEGMENTS, np.int64, shape) if config.segments else ""
    x = builder.embed(ids, segments)
    keys = graph.node("Cast", mask, to=_INT32)
    for layer in range(config.layers):
        x = builder.layer(x, keys, f"layers.{layer}")
    start, end = graph.nodes("Split", builder.plain(x, "span"), outputs=2, axis=2, num_outputs=2)
    for value, name in ((start, START), (end, END)):
        graph.output(graph.node("Squeeze", value, graph.constant([2])), name, np.float32, shape)
    if "classifier.weight" in weights:
        first = graph.node("Gather", x, graph.constant(np.array(0)), axis=1)
        logit = builder.plain(graph.node("Tanh", builder.plain(first, "pooler")), "classifier")
        graph.output(graph.node("Squeeze", logit, graph.constant([1])), ANSWERABLE, np.float32, ("batch",))
    return graph.model()


class _Builder:
    """Adds parts of the network to a graph."""

    def __init__(self, config: BertConfig, weights: Mapping[str, Array], int8: bool) -> None:
        self.graph = Graph()
        self.config = config
        self.weights = weights
        self.int8 = int8

    def embed(self, ids: str, segments: str) -> str:
        """[batch, length, hidden]: the sum of the words', positions' and segments' vectors, normalised."""
        graph, config = self.graph, self.config
        length = graph.node("Shape", ids, start=1, end=2)
        first = config.first_position
        table = graph.constant(self._weight("embeddings.position.weight")[first:], "embeddings.position.weight")
        x = graph.node("Add", self._words(ids), graph.node("Slice", table, graph.constant([0]), length))
        if segments:
            table = self._constant("embeddings.segment.weight")
            x = graph.node("Add", x, graph.node("Gather", table, segments))
        scale, bias = self._pair("embeddings.norm")
        return graph.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=config.epsilon)

    def layer(self, x: str, keys: str, name: str) -> str:
        """One layer, normalised after each sum."""
        graph, config = self.graph, self.config
        query, key, value = graph.nodes("Split", self._linear(x, f"{name}.qkv"), outputs=3, axis=2, num_outputs=3)
        mixed = graph.node("MultiHeadAttention", query, key, value, "", keys, domain=MICROSOFT, num_heads=config.heads)
        x = self._add_and_normalise(x, self._linear(mixed, f"{name}.out"), f"{name}.norm1")
        inner = graph.node("Gelu", self._linear(x, f"{name}.up"))
        return self._add_and_normalise(x, self._linear(inner, f"{name}.down"), f"{name}.norm2")

    def plain(self, x: str, name: str) -> str:
        """A linear layer in float32, whatever the rest is."""
        weight = self._weight(f"{name}.weight").T
        product = self.graph.node("MatMul", x, self.graph.constant(weight, f"{name}.weight{_TRANSPOSED}"))
        return self.graph.node("Add", product, self._constant(f"{name}.bias"))

    def _linear(self, x: str, name: str) -> str:
        """A linear layer. int8: one scale a column of weights, one for each input as it comes."""
        if not self.int8:
            return self.plain(x, name)
        stored = f"{name}.weight{_TRANSPOSED}"
        weight, scale = quantised(self._weight(f"{name}.weight").T, axis=0)
        both = self.graph.constant(weight, stored), self.graph.constant(scale, stored + _SCALE)
        bias = self._constant(f"{name}.bias")
        return self.graph.node("DynamicQuantizeMatMul", x, *both, "", bias, domain=MICROSOFT)

    def _words(self, ids: str) -> str:
        """The words' vectors. int8: one scale a word."""
        graph, name = self.graph, "embeddings.word.weight"
        if not self.int8:
            return graph.node("Gather", self._constant(name), ids)
        weight, scale = quantised(self._weight(name), axis=1)
        vectors = graph.node("Cast", graph.node("Gather", graph.constant(weight, name), ids), to=_FLOAT)
        return graph.node("Mul", vectors, graph.node("Gather", graph.constant(scale[:, None], name + _SCALE), ids))

    def _add_and_normalise(self, x: str, added: str, name: str) -> str:
        scale, bias = self._pair(name)
        return self.graph.node(
            "SkipLayerNormalization", x, added, scale, bias, domain=MICROSOFT, epsilon=self.config.epsilon
        )

    def _pair(self, name: str) -> tuple[str, str]:
        return self._constant(f"{name}.weight"), self._constant(f"{name}.bias")

    def _constant(self, name: str) -> str:
        return self.graph.constant(self._weight(name), name)

    def _weight(self, name: str) -> Array:
        return self.weights[name].astype(np.float32, copy=False)


def bert_weights(model: bytes) -> Weights:
    """The weights of a graph that `bert_graph` made, float32; int8 ones as exact as they were stored."""
    stored = constants(model)
    weights: Weights = {}
    for name, array in stored.items():
        if not name.endswith(_SCALE):
            weight = array.astype(np.float32) * stored.get(name + _SCALE, np.float32(1))
            weights[name.removesuffix(_TRANSPOSED)] = weight.T if name.endswith(_TRANSPOSED) else weight
    return weights


def quantised(matrix: Array, axis: int) -> tuple[Array, Array]:
    """int8 and one float32 scale for each line along the axis."""
    scale = np.maximum(np.abs(matrix).max(axis), 1e-12) / _MOST
    whole = np.round(matrix / np.expand_dims(scale, axis)).astype(np.int8)
    return whole, scale.astype(np.float32)
