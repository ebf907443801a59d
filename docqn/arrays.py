"""Named arrays in one file, memory-mapped on reading. The layout is safetensors', so other tools open it too."""

import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqn.errors import DocqnError

Array = NDArray[Any]

_DTYPES = {"U8": "<u1", "I8": "<i1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8", "U64": "<u8"}
_DTYPES |= {"F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "|b1"}
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}
_LONGEST_HEADER = 100_000_000


def save_arrays(path: Path, arrays: Mapping[str, Array], meta: Mapping[str, str]) -> None:
    """Write the arrays to a temporary file beside `path`, then rename it."""
    header: dict[str, Any] = {"__metadata__": dict(meta)}
    offset = 0
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))  # keeps each aligned
    for name, array in ordered:
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    encoded = json.dumps(header, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 8)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(struct.pack("<Q", len(encoded)) + encoded)
            for _, array in ordered:
                file.write(np.ascontiguousarray(array).data)
        part.replace(path)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        part.unlink(missing_ok=True)


def load_arrays(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays of a file as read-only views of its memory map, and its metadata."""
    try:
        data = np.asarray(np.memmap(path, np.uint8, "r"))  # a plain array: items of a memmap are slower to reach
    except (OSError, ValueError) as error:
        raise DocqnError(f"{path}: cannot be read ({error})") from error
    try:
        (length,) = struct.unpack("<Q", data[:8].tobytes())
        if length > min(len(data) - 8, _LONGEST_HEADER):
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8 : 8 + length].tobytes())
        meta = header.pop("__metadata__", {})
        if not all(isinstance(value, str) for value in meta.values()):
            raise ValueError("the metadata are not text")
        return {name: _view(data[8 + length :], entry) for name, entry in header.items()}, meta
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, struct.error) as error:
        raise DocqnError(f"{path}: not a file of arrays, or a damaged one ({error})") from error


def _view(data: Array, entry: dict[str, Any]) -> Array:
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end <= len(data):
        raise ValueError("an array lies outside the file")
    array: Array = data[begin:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return array
