"""The ONNX graph of RaSoR for one question and one passage, whose words come in as vectors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.onnx_graph import Graph

PASSAGE, QUESTION, SCORES = "passage", "question", "scores"


def rasor_graph(weights: Mapping[str, Array], longest: int) -> bytes:
    """The model as the bytes of an ONNX file. Spans beyond the end of the passage get scores that mean nothing."""
    builder = _Builder(weights)
    graph = builder.graph
    width = weights["align.weight"].shape[1]
    passage = graph.input(PASSAGE, np.float32, ("tokens", width))
    question = graph.input(QUESTION, np.float32, ("words", width))
    likeness = graph.node(
        "MatMul", builder.hidden(passage, "align"), builder.transposed(builder.hidden(question, "align"))
    )
    aligned = graph.node("MatMul", graph.node("Softmax", likeness, axis=1), question)
    asked = builder.bilstm(question, "question")
    attention = graph.node("Softmax", builder.linear(builder.hidden(asked, "attend"), "attention"), axis=0)
    whole = graph.node("MatMul", builder.transposed(attention), asked)
    tokens = graph.node("Shape", passage, start=0, end=1)
    shape = graph.node("Concat", tokens, graph.constant([1]), axis=0)
    told = graph.node("Concat", passage, aligned, graph.node("Tile", whole, shape), axis=1)
    states = builder.bilstm(told, "passage")
    graph.output(builder.spans(states, tokens, longest), SCORES, np.float32, ("tokens", longest))
    return graph.model()


class _Builder:
    """Adds parts of the network to a graph."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.graph = Graph()
        self.weights = {name: weight.astype(np.float32) for name, weight in weights.items()}

    def linear(self, x: str, name: str) -> str:
        graph = self.graph
        y = graph.node("MatMul", x, graph.constant(self.weights[f"{name}.weight"].T))
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else graph.node("Add", y, graph.constant(bias))

    def hidden(self, x: str, name: str) -> str:
        return self.graph.node("Relu", self.linear(x, name))

    def transposed(self, x: str) -> str:
        return self.graph.node("Transpose", x, perm=[1, 0])

    def bilstm(self, x: str, name: str) -> str:
        """[tokens, inputs] → [tokens, 2 · hidden]."""
        graph = self.graph
        layer = 0
        while f"{name}.ahead.{layer}.weight_ih_l0" in self.weights:
            parts = [self._direction(f"{name}.{way}.{layer}") for way in ("ahead", "back")]
            inputs, recurrent, bias = (np.stack(part) for part in zip(*parts, strict=True))
            states = graph.node(
                "LSTM",
                graph.node("Unsqueeze", x, graph.constant([1])),
                *(graph.constant(array) for array in (inputs, recurrent, bias)),
                direction="bidirectional",
                hidden_size=recurrent.shape[2],
            )  # [tokens, 2, 1, hidden]
            x = graph.node("Reshape", states, graph.constant([0, -1]))
            layer += 1
        return x

    def _direction(self, name: str) -> tuple[Array, Array, Array]:
        """The weights of one direction. Torch has the gates i, f, g, o, ONNX has i, o, f, g."""
        inputs, recurrent, b1, b2 = (
            _gates(self.weights[f"{name}.{part}_l0"]) for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        return inputs, recurrent, np.concatenate([b1, b2])

    def spans(self, states: str, tokens: str, longest: int) -> str:
        """[tokens, longest]: the hidden layer's start and end parts, added for each span."""
        graph = self.graph
        start = graph.node("Unsqueeze", self.linear(states, "start"), graph.constant([1]))
        padding = graph.constant(np.zeros((longest - 1, self.weights["end.weight"].shape[0]), np.float32))
        ends = graph.node("Concat", self.linear(states, "end"), padding, axis=0)
        scalar = graph.node("Squeeze", tokens)
        rows = graph.node("Range", graph.constant(np.array(0)), scalar, graph.constant(np.array(1)))
        place = graph.node(
            "Add", graph.node("Unsqueeze", rows, graph.constant([1])), graph.constant(np.arange(longest)[None])
        )
        hidden = graph.node("Relu", graph.node("Add", start, graph.node("Gather", ends, place)))
        return graph.node("Squeeze", self.linear(hidden, "score"), graph.constant([2]))


def _gates(weight: Array) -> Array:
    i, f, g, o = np.split(weight, 4)
    return np.concatenate([i, o, f, g])
