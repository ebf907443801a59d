"""The reader that comes with docqn: found in the package, and plainly missed where it is not there."""

from pathlib import Path

import pytest

from docqn import readers
from docqn.errors import DocqnError
from docqn.readers import default
from docqn.readers.neural.export import export
from tests.readers.test_readers import PASSAGE, QUESTION, faults
from tests.readers.tiny import write_model

MOST_MEGABYTES = 40


def test_it_is_the_one_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(default, "FOLDER", tmp_path / "reader")
    with pytest.raises(DocqnError, match="is missing, so this copy of docqn has no default reader") as raised:
        readers.reader("default")
    assert "\n" not in str(raised.value)
    export(write_model(tmp_path / "model"), tmp_path / "reader", int8=True)
    ours, theirs = readers.reader("default"), readers.reader(str(tmp_path / "reader"))
    assert ours.read([QUESTION], [PASSAGE]) == theirs.read([QUESTION], [PASSAGE])
    assert ours.fingerprint == theirs.fingerprint
    (tmp_path / "reader" / "model.onnx").write_bytes(b"")
    with pytest.raises(DocqnError, match="is damaged or was exchanged"):
        readers.reader("default")
    with pytest.raises(DocqnError, match="takes no argument"):
        readers.reader("default:folder")


def test_the_one_of_this_copy() -> None:
    """It reads, is small enough, and its card tells how it was made; or it is missed in one line."""
    if not default.FOLDER.exists():
        with pytest.raises(DocqnError, match="is missing"):
            readers.reader("default")
        return
    assert sum(path.stat().st_size for path in default.FOLDER.iterdir()) < MOST_MEGABYTES * 1e6
    (reading,) = readers.reader("default").read([QUESTION], [PASSAGE])
    assert faults(reading, PASSAGE) == []
    assert reading.text == "17"
    card = (default.FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(part in card for part in ("docqn reader train", "## Calibration", "## Scores", "## Licences"))
