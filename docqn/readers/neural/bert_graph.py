"""The ONNX graph of a BERT span reader, in float32 or with int8 matrices.

It has Hugging Face's names for its inputs and for `start_logits` and `end_logits`, so that other programs can run it;
with an answerability head it also gives `answerable`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.onnx_graph import MICROSOFT, Graph
from docqn.readers.neural.bert import BertConfig

IDS, MASK, SEGMENTS = "input_ids", "attention_mask", "token_type_ids"
START, END, ANSWERABLE = "start_logits", "end_logits", "answerable"

_FLOAT, _INT32 = 1, 6  # ONNX's numbers of types
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
        table = graph.constant(self._weight("embeddings.position.weight")[first:])
        x = graph.node("Add", self._words(ids), graph.node("Slice", table, graph.constant([0]), length))
        if segments:
            table = graph.constant(self._weight("embeddings.segment.weight"))
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
        weight, bias = self._pair(name, transposed=True)
        return self.graph.node("Add", self.graph.node("MatMul", x, weight), bias)

    def _linear(self, x: str, name: str) -> str:
        """A linear layer. int8: one scale a column of weights, one for each input as it comes."""
        if not self.int8:
            return self.plain(x, name)
        graph = self.graph
        weight, scale = quantised(self._weight(f"{name}.weight").T, axis=0)
        bias = graph.constant(self._weight(f"{name}.bias"))
        inputs = (x, graph.constant(weight), graph.constant(scale), "", bias)
        return graph.node("DynamicQuantizeMatMul", *inputs, domain=MICROSOFT)

    def _words(self, ids: str) -> str:
        """The words' vectors. int8: one scale a word."""
        graph, table = self.graph, self._weight("embeddings.word.weight")
        if not self.int8:
            return graph.node("Gather", graph.constant(table), ids)
        weight, scale = quantised(table, axis=1)
        vectors = graph.node("Cast", graph.node("Gather", graph.constant(weight), ids), to=_FLOAT)
        return graph.node("Mul", vectors, graph.node("Gather", graph.constant(scale[:, None]), ids))

    def _add_and_normalise(self, x: str, added: str, name: str) -> str:
        scale, bias = self._pair(name)
        return self.graph.node(
            "SkipLayerNormalization", x, added, scale, bias, domain=MICROSOFT, epsilon=self.config.epsilon
        )

    def _pair(self, name: str, transposed: bool = False) -> tuple[str, str]:
        weight = self._weight(f"{name}.weight")
        return self.graph.constant(weight.T if transposed else weight), self.graph.constant(
            self._weight(f"{name}.bias")
        )

    def _weight(self, name: str) -> Array:
        return self.weights[name].astype(np.float32, copy=False)


def quantised(matrix: Array, axis: int) -> tuple[Array, Array]:
    """int8 and one float32 scale for each line along the axis."""
    scale = np.maximum(np.abs(matrix).max(axis), 1e-12) / _MOST
    whole = np.round(matrix / np.expand_dims(scale, axis)).astype(np.int8)
    return whole, scale.astype(np.float32)
