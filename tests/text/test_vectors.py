"""Word vectors from the files that there are."""

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from docqn.errors import DocqnError
from docqn.text.vectors import Words, load_vectors

GLOVE = "the 0.1 -2 3e-1\n, 1 2 3\n. . . 4 5 6\nat name@domain.com 7 8 9\nthe 9 9 9\n"


@pytest.mark.parametrize("name", ["glove.txt", "glove.txt.gz"])
@pytest.mark.parametrize("header", ["", "5 3\n"])
def test_text_with_spaces_in_words_and_perhaps_a_header(tmp_path: Path, name: str, header: str) -> None:
    data = (header + GLOVE).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = load_vectors(tmp_path / name, 100)
    assert found.words == ["the", ",", ". . .", "at name@domain.com"]
    assert found.vectors.dtype == np.float16
    assert found.vectors == pytest.approx(np.array([[0.1, -2, 0.3], [1, 2, 3], [4, 5, 6], [7, 8, 9]]), abs=1e-3)
    assert load_vectors(tmp_path / name, 2).words == ["the", ","]


def test_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_text("25001 2\n" + "".join(f"w{i} {i % 100} -1\n" for i in range(25_001)))
    found = load_vectors(path, 10**6)
    assert len(found.words) == len(found.vectors) == 25_001
    assert found.vectors[20_077].tolist() == [77, -1]


def test_words_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_bytes(b"a 1 2\n\xff\xfe 3 4\nb\x85c 5 6\n")
    assert load_vectors(path, 9).vectors.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", words=np.array(["a", "b", "a"]), vectors=np.arange(6, dtype=np.float16).reshape(3, 2))
    found = load_vectors(tmp_path / "v.npz", 9)
    assert found.words == ["a", "b"]
    assert found.vectors.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("v.txt", b"", "not word vectors"),
        ("v.txt", b"one two three\nfour five six\n", "not word vectors"),
        ("v.txt", b"a 1 2\n" * 200 + b"b 3\n", "line 201 has"),
        ("v.txt.gz", b"no gzip", "cannot be read"),
        ("v.npz", b"no zip", "has no arrays"),
        ("v.npz", b"PK\x03\x04broken", "cannot be read"),
    ],
)
def test_other_files_are_one_line(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DocqnError, match=reason) as raised:
        load_vectors(tmp_path / name, 1000)
    assert "\n" not in str(raised.value)


def test_no_file_and_wrong_arrays(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="cannot be read"):
        load_vectors(tmp_path / "none.txt", 9)
    np.savez(tmp_path / "v.npz", words=np.array(["a"]))
    with pytest.raises(DocqnError, match="no arrays"):
        load_vectors(tmp_path / "v.npz", 9)
    np.savez(tmp_path / "v.npz", words=np.array(["a"]), vectors=np.zeros((2, 2)))
    with pytest.raises(DocqnError, match="same number"):
        load_vectors(tmp_path / "v.npz", 9)
    np.savez(tmp_path / "v.npz", words=np.array([{"a": 1}], dtype=object), vectors=np.zeros((1, 2)))
    with pytest.raises(DocqnError, match="no arrays"):
        load_vectors(tmp_path / "v.npz", 9)


def test_numbers_of_words() -> None:
    words = Words(["the", "Paris"], 10)
    assert words.numbers(["the", "The", "Paris", "paris"])[:3].tolist() == [0, 0, 1]
    unknown = words.numbers(["paris", "Zyx", "zyx", "😀", "\ud800"])
    assert (unknown >= 2).all()
    assert (unknown < 12).all()
    assert unknown[1] == unknown[2]
    assert words.numbers([]).dtype == np.int32


def test_unknown_words_do_not_depend_on_the_process() -> None:
    script = "from docqn.text.vectors import Words; print(Words([], 1000).numbers(['zyx', 'é'])[:2])"
    told = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert told != {""}
