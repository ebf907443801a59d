"""Readers' folders are written whole, and damaged or foreign ones are one line."""

import json
from pathlib import Path

import pytest

from docqn.errors import DocqnError
from docqn.readers.neural.folder import CARD, Contents, kind_of, open_folder, rewrite_config, write_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files: dict[str, Contents] = {"model.onnx": b"model", "words": lambda path: path.write_bytes(b"words")}
    write_folder(tmp_path / "reader", "rasor", files, {"settings": {"window": 9}, "scores": {}})
    return tmp_path / "reader"


def test_what_was_written_is_read(folder: Path) -> None:
    found = open_folder(folder, "rasor")
    assert kind_of(folder) == "rasor"
    assert found.setting("window") == 9
    assert (found.read("model.onnx"), found.read("words")) == (b"model", b"words")
    assert "RaSoR" in (folder / CARD).read_text()
    assert {path.name for path in folder.parent.iterdir()} == {"reader"}


def test_the_fingerprint_follows_what_matters(folder: Path) -> None:
    first = open_folder(folder, "rasor").fingerprint
    rewrite_config(folder, {"scores": {"dev": {"f1": 80}}})
    assert open_folder(folder, "rasor").fingerprint == first
    assert "f1: 80" in (folder / CARD).read_text()
    rewrite_config(folder, {"calibration": {"bias": 1}})
    assert open_folder(folder, "rasor").fingerprint != first


def test_a_folder_is_not_written_over(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="is there already"):
        write_folder(folder, "rasor", {}, {})
    (tmp_path / "file").write_text("")
    with pytest.raises(DocqnError, match="is there already"):
        write_folder(tmp_path / "file", "rasor", {}, {})
    with pytest.raises(DocqnError, match="cannot be written"):
        write_folder(tmp_path / "file" / "inside", "rasor", {}, {})


def test_nothing_is_left_of_one_that_could_not_be_written(tmp_path: Path) -> None:
    def fails(path: Path) -> None:
        raise DocqnError("no")

    with pytest.raises(DocqnError, match="no"):
        write_folder(tmp_path / "reader", "rasor", {"words": fails}, {})
    assert list(tmp_path.iterdir()) == []


def test_damage_is_noticed(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"modeL")
    with pytest.raises(DocqnError, match=r"model\.onnx: is damaged or was exchanged"):
        open_folder(folder, "rasor")
    (folder / "model.onnx").unlink()
    with pytest.raises(DocqnError, match=r"model\.onnx: cannot be read"):
        open_folder(folder, "rasor")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"docqn": "reader 99"}, "has the format 'reader 99'"),
        ({"reader": "other"}, "is a folder for the reader 'other'"),
        ({"files": ["model.onnx"]}, "does not list the reader's files"),
        ({"files": {"../../etc/passwd": "0"}}, "does not list the reader's files"),
    ],
)
def test_foreign_configs(folder: Path, changes: dict[str, object], reason: str) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    with pytest.raises(DocqnError, match=reason):
        open_folder(folder, "rasor")


def test_settings_and_files_that_are_missing(folder: Path, tmp_path: Path) -> None:
    found = open_folder(folder, "rasor")
    with pytest.raises(DocqnError, match="setting 'overlap' is missing"):
        found.setting("overlap")
    with pytest.raises(DocqnError, match="does not list other"):
        found.read("other")
    assert kind_of(tmp_path) is None
