"""Files are there whole, or what was there before still is."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docqn.errors import DocqnError
from docqn.files import check_writable, lock, replacing, write_text


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


def test_folders_are_made_and_nothing_is_left_over(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.txt"
    for text in ("Öl\n", "second"):
        write_text(path, text)
        assert path.read_bytes() == text.encode()
        assert [file.name for file in path.parent.iterdir()] == ["file.txt"]


def test_a_lone_surrogate_is_spelt_as_json_does(tmp_path: Path) -> None:
    write_text(tmp_path / "x.json", json.dumps({"a": "\ud800 é"}, ensure_ascii=False))
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8")) == {"a": "\ud800 é"}


def test_what_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.txt"
    write_text(path, "before")

    def fail(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(DocqnError, match=r"file\.txt: cannot be written \(No space left on device\)"):
        write_text(path, "after")
    assert [file.name for file in tmp_path.iterdir()] == ["file.txt"]
    assert path.read_text() == "before"


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("before")
    (tmp_path / "link").symlink_to("target")
    write_text(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "after"


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text)
        write_text(pipe, "text")
        assert read.result(10) == "text"
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


def test_one_at_a_time_holds_a_lock(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as first, (tmp_path / "file").open("w") as second:
        lock(first, "")
        with pytest.raises(DocqnError, match="it is taken"):
            lock(second, "it is taken")
        first.close()
        lock(second, "it is taken")


def test_what_cannot_be_written_is_known_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "new" / "x", tmp_path / "file", Path("/dev/null")):
        check_writable(path)
        write_text(path, "")
    for path in (tmp_path, tmp_path / "new" / "y"):
        check_writable(path, folder=True)
    for path, folder in ((tmp_path, False), (tmp_path / "file" / "x", False), (tmp_path / "file", True)):
        with pytest.raises(DocqnError, match="cannot be written"):
            check_writable(path, folder)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "new"}


def test_a_file_where_a_folder_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DocqnError, match="cannot be written"):
        write_text(tmp_path / "file" / "x", "text")
    (tmp_path / "folder").mkdir()
    with pytest.raises(DocqnError, match="cannot be written"):
        write_text(tmp_path / "folder", "text")
