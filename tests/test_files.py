"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from docqn.errors import DocqnError
from docqn.files import replacing


def test_the_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    with replacing(path) as part:
        part.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def break_off(path: Path, error: type[BaseException]) -> None:
    with replacing(path) as part:
        part.write_text("half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError])
def test_nothing_is_left_of_what_went_wrong(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    with pytest.raises(DocqnError if error is OSError else error):
        break_off(path, error)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("where", ["none/a.txt", "file/a.txt", "folder"])
def test_a_place_that_cannot_be_written_to_is_an_error_of_one_line(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    message = rf"^[^\n]*{where}: cannot be written \([^\n]+\)$"
    with pytest.raises(DocqnError, match=message), replacing(tmp_path / where) as part:
        part.write_text("a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_what_is_no_file_is_written_to_and_stays() -> None:
    null = Path(os.devnull)
    with replacing(null) as part:
        part.write_text("a")
    assert not null.is_file()
