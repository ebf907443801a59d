"""Named arrays in one file, memory-mapped on reading. The layout is safetensors', so other tools open it too."""

import json
import mmap
import struct
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from docqn.errors import DocqnError
from docqn.files import replacing

Array = NDArray[Any]

_DTYPES = {"U8": "<u1", "I8": "<i1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8", "U64": "<u8"}
_DTYPES |= {"F16": "<f2", "F32": "<f4", "F64": "<f8", "BOOL": "|b1"}
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}
_LONGEST_HEADER = 100_000_000


class Spec(NamedTuple):
    """What an array will be, before its contents are there."""

    dtype: DTypeLike
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


class ArrayFile(NamedTuple):
    """An open file: its arrays are read-only views of the memory map."""

    arrays: dict[str, Array]
    meta: dict[str, str]
    map: mmap.mmap

    def release(self) -> None:
        """Give the pages that were read back to the system; the views stay valid and read them again if need be."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED)


def save_arrays(path: Path, arrays: Mapping[str, Array], meta: Mapping[str, str]) -> str:
    """Write the arrays to a temporary file beside `path`, then rename it. Returns a digest of the file."""
    specs = {name: Spec(array.dtype, array.shape) for name, array in arrays.items()}
    return stream_arrays(path, specs, lambda name: [arrays[name]], meta)


def stream_arrays(
    path: Path, specs: Mapping[str, Spec], pieces: Callable[[str], Iterable[Array]], meta: Mapping[str, str]
) -> str:
    """The same for arrays that are never whole in memory: `pieces(name)` gives the parts of one, in order."""
    ordered = sorted(specs.items(), key=lambda item: (-np.dtype(item[1].dtype).itemsize, item[0]))  # keeps each aligned
    digest = blake2b(digest_size=16)
    with replacing(path) as part, part.open("wb") as file:

        def write(data: bytes | memoryview) -> None:
            digest.update(data)
            file.write(data)

        write(_header(ordered, meta))
        for name, spec in ordered:
            left = spec.bytes
            for piece in pieces(name):
                if piece.dtype != spec.dtype:
                    raise TypeError(f"{name} is {piece.dtype}, not {np.dtype(spec.dtype)}")
                if piece.size:
                    write(np.ascontiguousarray(piece).data.cast("B"))
                left -= piece.nbytes
            if left:
                raise ValueError(f"{name} is {-left} bytes longer than was said")
    return digest.hexdigest()


def _header(ordered: Iterable[tuple[str, Spec]], meta: Mapping[str, str]) -> bytes:
    header: dict[str, Any] = {"__metadata__": dict(meta)}
    offset = 0
    for name, spec in ordered:
        header[name] = {
            "dtype": _NAMES[np.dtype(spec.dtype)],
            "shape": list(spec.shape),
            "data_offsets": [offset, offset + spec.bytes],
        }
        offset += spec.bytes
    encoded = json.dumps(header, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 8)
    return struct.pack("<Q", len(encoded)) + encoded


def load_arrays(path: Path) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays of a file as read-only views of its memory map, and its metadata."""
    opened = open_arrays(path)
    return opened.arrays, opened.meta


def open_arrays(path: Path) -> ArrayFile:
    """The same with the map, so that its pages can be released."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise DocqnError(f"{path}: cannot be read ({error})") from error
    try:
        data = np.frombuffer(mapped, np.uint8)
        (length,) = struct.unpack("<Q", data[:8].tobytes())
        if length > min(len(data) - 8, _LONGEST_HEADER):
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8 : 8 + length].tobytes())
        meta = header.pop("__metadata__", {})
        if not all(isinstance(value, str) for value in meta.values()):
            raise ValueError("the metadata are not text")
        return ArrayFile({name: _view(data[8 + length :], entry) for name, entry in header.items()}, meta, mapped)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, struct.error) as error:
        raise DocqnError(f"{path}: not a file of arrays, or a damaged one ({error})") from error


def _view(data: Array, entry: dict[str, Any]) -> Array:
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end <= len(data):
        raise ValueError("an array lies outside the file")
    array: Array = data[begin:end].view(_DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return array
