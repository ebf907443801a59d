"""Graphs are what the `onnx` package reads, and onnxruntime computes."""

from contextlib import suppress
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import numpy_helper

from docqn.arrays import Array
from docqn.onnx_graph import MICROSOFT, Graph, constants


def run(graph: Graph, **feeds: Array) -> list[Any]:
    model = graph.model({"author": "tests"})
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return list(session.run(None, feeds))


def test_a_graph_is_a_valid_model() -> None:
    graph = Graph()
    x = graph.input("x", np.float32, ("rows", 3))
    y = graph.node("MatMul", x, graph.constant(np.eye(3, dtype=np.float32)))
    graph.output(graph.node("Add", y, graph.constant(-1.5)), "y", np.float32, ("rows", 3))
    model = onnx.load_from_string(graph.model({"author": "tests"}))
    onnx.checker.check_model(model, full_check=True)
    assert [value.name for value in model.graph.input] == ["x"]
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "rows"
    assert model.graph.input[0].type.tensor_type.shape.dim[1].dim_value == 3
    assert {entry.domain for entry in model.opset_import} == {"", MICROSOFT}
    assert [(entry.key, entry.value) for entry in model.metadata_props] == [("author", "tests")]
    (found,) = run(graph, x=np.arange(6, dtype=np.float32).reshape(2, 3))
    assert np.array_equal(found, np.arange(6).reshape(2, 3) - 1.5)


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3).T,
        np.array(2, np.int64),
        np.array([-1, 5], np.int64),
        np.array([[-128, 127]], np.int8),
        np.array([0, 255], np.uint8),
        np.array([1.5, -2], np.float16),
        np.array([True, False]),
        np.array([-7], np.int32),
        np.zeros((0, 4), np.float32),
        np.array([1.0, 2.0], ">f4"),
    ],
    ids=str,
)
def test_constants_are_stored_as_they_are(value: Array) -> None:
    graph = Graph()
    graph.constant(value, "its.name")
    (read,) = constants(graph.model()).values()
    assert (read.dtype, read.tolist()) == (value.dtype.newbyteorder("="), value.tolist())
    assert read.shape == value.shape
    stored = numpy_helper.to_array(onnx.load_from_string(graph.model()).graph.initializer[0])
    assert stored.dtype == value.dtype.newbyteorder("=")
    assert stored.shape == value.shape
    assert np.array_equal(stored, value)


def test_attributes_of_every_type() -> None:
    graph = Graph()
    graph.nodes("Any", "", "x", outputs=2, a=-3, b=0.25, c="text", d=[1, -2], e=[0.5, 1.5], f=2**40)
    node = onnx.load_from_string(graph.model()).graph.node[0]
    found = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    assert found == {"a": -3, "b": 0.25, "c": b"text", "d": [1, -2], "e": [0.5, 1.5], "f": 2**40}
    assert list(node.input) == ["", "x"]
    assert len(set(node.output)) == 2


def test_constants_are_read_by_their_names() -> None:
    graph = Graph()
    x = graph.input("x", np.float32, ("rows", 3))
    y = graph.node("MatMul", x, graph.constant(np.eye(3, dtype=np.float32), "eye"), a=0.5, b=[1.5, 2.5], c=-1)
    graph.constant(np.array([7], np.int64), "layers.0.seven")
    graph.output(graph.node("Add", y, graph.constant(-1.5)), "y", np.float32, ("rows", 3))
    found = constants(graph.model({"author": "tests"}))
    assert found.keys() == {"eye", "layers.0.seven"}
    assert (found["eye"] == np.eye(3)).all()


@given(st.binary(max_size=60), st.integers(0, 400), st.integers(0, 400))
def test_other_bytes_are_a_value_error(noise: bytes, first: int, last: int) -> None:
    graph = Graph()
    graph.constant(np.eye(3, dtype=np.float32), "eye")
    model = graph.model()
    for damaged in (noise, model[:first] + noise + model[last:]):
        with suppress(ValueError):
            constants(damaged)
