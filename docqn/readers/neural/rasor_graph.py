"""The ONNX graph of RaSoR for one question and one passage, whose words come in as vectors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.onnx_layers import Layers

PASSAGE, QUESTION, SCORES = "passage", "question", "scores"


def rasor_graph(weights: Mapping[str, Array], longest: int) -> bytes:
    """The model as the bytes of an ONNX file. Spans beyond the end of the passage get scores that mean nothing."""
    builder = _Builder({name: weight.astype(np.float32) for name, weight in weights.items()})
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


class _Builder(Layers):
    """Adds parts of the network to a graph."""

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
