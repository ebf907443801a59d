"""Named arrays in one file."""

import json
import os
import stat
import struct
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from docqn.arrays import Array, Spec, load_arrays, open_arrays, save_arrays, stream_arrays
from docqn.errors import DocqnError

DTYPES = [np.dtype(code) for code in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "?")]
arrays = npst.arrays(st.sampled_from(DTYPES), npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))


@given(st.dictionaries(st.text(max_size=5).filter("__metadata__".__ne__), arrays, max_size=5), st.text(max_size=5))
def test_what_was_saved_is_loaded(saved: dict[str, Array], note: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a")
        save_arrays(path, saved, {"note": note})
        loaded, meta = load_arrays(path)
        assert meta == {"note": note}
        assert loaded.keys() == saved.keys()
        for name, array in saved.items():
            assert (loaded[name].dtype, loaded[name].shape) == (array.dtype, array.shape)
            assert np.array_equal(loaded[name], array, equal_nan=array.dtype.kind == "f")
            assert loaded[name].ctypes.data % array.itemsize == 0 or not array.size  # aligned


def test_other_layouts_in_memory_are_saved_by_their_items(tmp_path: Path) -> None:
    table = np.arange(12, dtype=np.int32).reshape(3, 4)
    save_arrays(tmp_path / "a", {"columns": table.T, "every other": table[:, ::2]}, {})
    loaded, _ = load_arrays(tmp_path / "a")
    assert loaded["columns"].tolist() == table.T.tolist()
    assert loaded["every other"].tolist() == table[:, ::2].tolist()


def test_loaded_arrays_are_views_of_the_map_and_cannot_be_written(tmp_path: Path) -> None:
    save_arrays(tmp_path / "a", {"x": np.arange(5), "y": np.ones((2, 3), np.float32)}, {})
    opened = open_arrays(tmp_path / "a")
    whole = np.frombuffer(opened.map, np.uint8)
    for array in opened.arrays.values():
        assert type(array) is np.ndarray
        assert np.shares_memory(array, whole)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    opened.release()
    assert opened.arrays["x"].tolist() == [0, 1, 2, 3, 4]


def test_safetensors_opens_the_file(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    saved: dict[str, Array] = {"x": np.arange(5), "y": np.ones((2, 3), np.float32), "z": np.zeros((0, 2), bool)}
    save_arrays(tmp_path / "a", saved, {"note": "é"})
    loaded = safetensors.load_file(tmp_path / "a")
    assert loaded.keys() == saved.keys()
    for name, array in saved.items():
        assert np.array_equal(loaded[name], array)
        assert loaded[name].dtype == array.dtype


def test_docqn_opens_what_safetensors_saved(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    saved: dict[str, Array] = {"x": np.arange(5), "y": np.ones((2, 3), np.float16)}
    safetensors.save_file(saved, tmp_path / "a", {"note": "é"})
    loaded, meta = load_arrays(tmp_path / "a")
    assert meta == {"note": "é"}
    assert {name: array.tolist() for name, array in loaded.items()} == {name: a.tolist() for name, a in saved.items()}


def test_arrays_can_be_streamed_in_pieces(tmp_path: Path) -> None:
    table = np.arange(20, dtype=np.int32).reshape(10, 2)
    digest = stream_arrays(
        tmp_path / "a", {"x": Spec(np.int32, (10, 2))}, lambda _: iter([table[:3], table[3:3], table[3:]]), {}
    )
    assert load_arrays(tmp_path / "a")[0]["x"].tolist() == table.tolist()
    assert digest == blake2b((tmp_path / "a").read_bytes(), digest_size=16).hexdigest()


def broken() -> Iterator[Array]:
    yield np.zeros(4, np.int32)
    raise RuntimeError("the source dried up")


@pytest.mark.parametrize(
    ("pieces", "error"),
    [
        (lambda: [np.zeros(4, np.int32)], ValueError),
        (lambda: [np.zeros(6, np.int32)], ValueError),
        (lambda: [np.zeros(5, np.int64)], TypeError),
        (broken, RuntimeError),
    ],
)
def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, pieces: object, error: type[Exception]) -> None:
    save_arrays(tmp_path / "a", {"x": np.arange(3)}, {})
    before = (tmp_path / "a").read_bytes()
    assert callable(pieces)
    with pytest.raises(error):
        stream_arrays(tmp_path / "a", {"x": Spec(np.int32, (5,))}, lambda _: pieces(), {})
    assert (tmp_path / "a").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_that_is_not_there_is_an_error_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match=r"no-folder/a: cannot be written \(No such file"):
        save_arrays(tmp_path / "no-folder" / "a", {}, {})


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_others_may_read_the_file_if_the_user_lets_them(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    save_arrays(tmp_path / "a", {}, {})
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def raw(header: object, data: bytes = bytes(16)) -> bytes:
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(encoded)) + encoded + data


def entry(dtype: object = "U8", shape: object = (16,), offsets: object = (0, 16)) -> dict[str, object]:
    return {"x": {"dtype": dtype, "shape": shape, "data_offsets": offsets}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"short",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 50) + b"{}",
        raw(b"{"),
        raw(b"\xff\xfe"),
        raw(b"[" * 100_000),
        raw([]),
        raw("text"),
        raw(None),
        raw({"__metadata__": {"note": 5}}),
        raw({"__metadata__": [1]}),
        raw({"x": None}),
        raw({"x": [1, 2]}),
        raw({"x": {}}),
        raw(entry("U128")),
        raw(entry(["U8"])),
        raw(entry(None)),
        raw(entry(shape=(17,))),
        raw(entry(shape=(-1, -1))),
        raw(entry(shape=(2**70,))),
        raw(entry(shape="16")),
        raw(entry(shape=(4.0, 4))),
        raw(entry(offsets=(0, 17))),
        raw(entry(offsets=(-1, 15))),
        raw(entry(offsets=(16, 0))),
        raw(entry(offsets=(0, 2**70))),
        raw(entry(offsets=(0.0, 16.0))),
        raw(entry(offsets=(0,))),
        raw(entry(offsets=None)),
        raw(entry("I32", (3,), (0, 15))),
    ],
)
def test_a_foreign_or_hostile_file_is_an_error_of_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(DocqnError, match=r"^[^\n]*/a: [^\n]*$"):
        load_arrays(tmp_path / "a")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(DocqnError, match="cannot be read"):
            load_arrays(path)
