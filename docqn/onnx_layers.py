"""Layers of networks as ONNX graphs, from weights under the names that torch gives them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.onnx_graph import Graph

_FLOAT = 1  # TensorProto.DataType


class Layers:
    """Adds layers to a graph. Weights are stored as they are given, and computed with as float32."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.graph = Graph()
        self.weights = weights

    def constant(self, value: Array) -> str:
        """Stored weights."""
        stored = self.graph.constant(value)
        return stored if value.dtype == np.float32 else self.graph.node("Cast", stored, to=_FLOAT)

    def linear(self, x: str, name: str) -> str:
        graph = self.graph
        y = graph.node("MatMul", x, self.constant(self.weights[f"{name}.weight"].T))
        bias = self.weights.get(f"{name}.bias")
        return y if bias is None else graph.node("Add", y, self.constant(bias))

    def hidden(self, x: str, name: str) -> str:
        return self.graph.node("Relu", self.linear(x, name))

    def transposed(self, x: str) -> str:
        return self.graph.node("Transpose", x, perm=[1, 0])

    def lstm(self, x: str, name: str, length: str, hidden: str = "", cell: str = "") -> tuple[str, str, str]:
        """X [time, rows, inputs], lengths [rows] int32 of at least 1, first states [1, rows, d] → states of all times
        [time, 1, rows, d], last hidden and cell states [1, rows, d]."""
        parts = [part[None] for part in self._direction(name)]
        states, last, last_cell = self.graph.nodes(
            "LSTM", x, *map(self.constant, parts), length, hidden, cell, outputs=3, hidden_size=parts[1].shape[2]
        )
        return states, last, last_cell

    def bilstm(self, x: str, name: str) -> str:
        """[tokens, inputs] → [tokens, 2 · hidden]."""
        graph = self.graph
        layer = 0
        while f"{name}.ahead.{layer}.weight_ih_l0" in self.weights:
            both = [self._direction(f"{name}.{way}.{layer}") for way in ("ahead", "back")]
            parts = [np.stack(part) for part in zip(*both, strict=True)]
            states = graph.node(
                "LSTM",
                graph.node("Unsqueeze", x, graph.constant([1])),
                *map(self.constant, parts),
                direction="bidirectional",
                hidden_size=parts[1].shape[2],
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


def _gates(weight: Array) -> Array:
    i, f, g, o = np.split(weight, 4)
    return np.concatenate([i, o, f, g])
