"""ONNX models written without the `onnx` package: a graph of named values, and its protobuf bytes; and their constants
read again.

Only what the graphs of this project need: standard operators, those of onnxruntime, and constants as arrays.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from docqn.arrays import Array

IR_VERSION = 10
OPSET = 20
MICROSOFT = "com.microsoft"  # onnxruntime's own operators

_TYPES = {"f4": 1, "u1": 2, "i1": 3, "i4": 6, "i8": 7, "b1": 9, "f2": 10}  # TensorProto.DataType
_FLOAT, _INT, _STRING, _FLOATS, _INTS = 1, 2, 3, 6, 7  # AttributeProto.AttributeType
_VARINT, _BYTES, _FIXED32 = 0, 2, 5  # protobuf wire types

_UNNAMED = "constant"

Attribute = int | float | str | Sequence[int] | Sequence[float]
Shape = Sequence[int | str]  # a name is a dimension that differs from run to run


class Graph:
    """A graph under construction. Values are known by their names, which the methods return."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._count = 0

    def input(self, name: str, dtype: DTypeLike, shape: Shape) -> str:
        self._inputs.append(_value_info(name, dtype, shape))
        return name

    def constant(self, value: Array | float | Sequence[int], name: str = "") -> str:
        """A stored array, under a name of its own if it is to be found again; plain numbers are float32, lists of
        integers int64, as shapes and axes are."""
        if isinstance(value, float):
            value = np.array(value, np.float32)
        name = name or self._name(_UNNAMED)
        array = np.ascontiguousarray(value).reshape(np.shape(value))  # the former makes numbers into lists
        code = _TYPES[array.dtype.newbyteorder("=").str[1:]]
        dims = b"".join(_integer(1, size) for size in np.shape(array))
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        self._constants.append(dims + _integer(2, code) + _text(8, name) + _bytes(9, data))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """Add an operation; returns its (first) result. An empty name is an input left out."""
        return self.nodes(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def nodes(
        self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: Attribute
    ) -> tuple[str, ...]:
        """The same for one with several results."""
        results = tuple(self._name(operator) for _ in range(outputs))
        parts = [_text(1, value) for value in inputs] + [_text(2, value) for value in results]
        parts += [_text(3, results[0]), _text(4, operator)]
        parts += [_bytes(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join(parts) + (_text(7, domain) if domain else b""))
        return results

    def output(self, value: str, name: str, dtype: DTypeLike, shape: Shape) -> None:
        """Give a value out under a name."""
        self._nodes.append(_text(1, value) + _text(2, name) + _text(3, name) + _text(4, "Identity"))
        self._outputs.append(_value_info(name, dtype, shape))

    def model(self, metadata: Mapping[str, str] | None = None) -> bytes:
        """The whole model, as a file would hold it."""
        parts = [_bytes(1, node) for node in self._nodes] + [_text(2, "docqn")]
        parts += [_bytes(5, constant) for constant in self._constants]
        parts += [_bytes(11, value) for value in self._inputs] + [_bytes(12, value) for value in self._outputs]
        opsets = [_integer(2, OPSET), _text(1, MICROSOFT) + _integer(2, 1)]
        model = [_integer(1, IR_VERSION), _text(2, "docqn"), _bytes(7, b"".join(parts))]
        model += [_bytes(8, opset) for opset in opsets]
        model += [_bytes(14, _text(1, key) + _text(2, value)) for key, value in (metadata or {}).items()]
        return b"".join(model)

    def _name(self, stem: str) -> str:
        self._count += 1
        return f"{stem}_{self._count}"


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _integer(20, _STRING)
    if isinstance(value, int):
        return _text(1, name) + _integer(3, value) + _integer(20, _INT)
    if isinstance(value, float):
        return _text(1, name) + _number(2, value) + _integer(20, _FLOAT)
    if all(isinstance(item, int) for item in value):
        return _text(1, name) + b"".join(_integer(8, int(item)) for item in value) + _integer(20, _INTS)
    return _text(1, name) + b"".join(_number(7, item) for item in value) + _integer(20, _FLOATS)


def _value_info(name: str, dtype: DTypeLike, shape: Shape) -> bytes:
    dims = [_text(2, size) if isinstance(size, str) else _integer(1, size) for size in shape]
    tensor = _integer(1, _TYPES[np.dtype(dtype).str[1:]]) + _bytes(2, b"".join(_bytes(1, dim) for dim in dims))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers as two's complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _integer(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _number(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FIXED32) + struct.pack("<f", value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def constants(model: bytes) -> dict[str, Array]:
    """The named constants of a model that was written here; a ValueError for bytes that are none."""
    try:
        graph = next(_contents(memoryview(model), 7))
        stored = [_stored(constant) for constant in _contents(graph, 5)]
    except (StopIteration, IndexError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"not a model that was written here ({type(error).__name__})") from error
    return {name: array for name, array in stored if not name.startswith(f"{_UNNAMED}_")}


def _stored(constant: memoryview) -> tuple[str, Array]:
    """Name and contents of a TensorProto."""
    shape = [number for field, number in _fields(constant) if field == 1]
    code = next(number for field, number in _fields(constant) if field == 2)
    dtype = next(np.dtype(f"<{kind}") for kind, number in _TYPES.items() if number == code)
    name = bytes(next(_contents(constant, 8))).decode()
    return name, np.frombuffer(next(_contents(constant, 9)), dtype).reshape(shape)


def _contents(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """What a message holds in a field of bytes."""
    return (value for field, value in _fields(message) if field == wanted and isinstance(value, memoryview))


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Number and value of each field; a part of the message where it is neither number nor float."""
    at = 0
    while at < len(message):
        key, at = _read_varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _read_varint(message, at)
            yield key >> 3, value
            continue
        if kind not in (_BYTES, _FIXED32):
            raise ValueError(f"a field of kind {kind}")
        size, at = _read_varint(message, at) if kind == _BYTES else (4, at)
        if at + size > len(message):
            raise ValueError("the model ends too early")
        yield key >> 3, message[at : at + size]
        at += size


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number and where the next field begins."""
    value = shift = 0
    while message[at] > 0x7F:
        value |= (message[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    return value | message[at] << shift, at + 1
