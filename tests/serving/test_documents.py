"""The cache of parsed documents: right, bounded, shared, and never in the way."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest

from docqn.document import ARRAYS, Document
from docqn.errors import ParseError
from docqn.parsers import parse_bytes
from docqn.serving import documents
from docqn.serving.documents import DocumentCache

MANUAL = b"# Tea\n\nGreen tea is green.\n\n## Black tea\n\nIt is black.\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were parsed."""
    found: list[str] = []

    def parse(data: bytes, source: str, format: str | None = None) -> Document:
        found.append(source)
        return parse_bytes(data, source, format)

    monkeypatch.setattr(documents, "parse_bytes", parse)
    return found


def same(one: Document, other: Document) -> bool:
    return all((getattr(one, name) == getattr(other, name)).all() for name in ARRAYS)


def test_a_document_is_parsed_once(tmp_path: Path, parsed: list[str]) -> None:
    found = [DocumentCache(tmp_path).parse(MANUAL, source) for source in ("a/tea.md", "b/tea.md", "a/tea.md")]
    assert parsed == ["a/tea.md"]
    assert [document.source for document in found] == ["a/tea.md", "b/tea.md", "a/tea.md"]
    assert all(same(document, parse_bytes(MANUAL, "tea.md")) for document in found)


def test_other_contents_names_and_formats_are_other_documents(tmp_path: Path, parsed: list[str]) -> None:
    cache = DocumentCache(tmp_path)
    formats = [cache.parse(MANUAL, *how).format for how in (("tea.md",), ("tea.md", "text"), ("tea.txt",))]
    cache.parse(MANUAL + b"More.", "tea.md")
    assert formats == ["markdown", "text", "text"]
    assert len(parsed) == 4


def test_other_parsers_parse_anew(tmp_path: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    DocumentCache(tmp_path).parse(MANUAL, "tea.md")
    monkeypatch.setattr(documents, "parsers_version", lambda: "another")
    DocumentCache(tmp_path).parse(MANUAL, "tea.md")
    assert len(parsed) == 2


@pytest.mark.parametrize("damage", ["empty", "cut", "a byte", "garbage"])
def test_a_damaged_file_is_parsed_anew(tmp_path: Path, parsed: list[str], damage: str) -> None:
    DocumentCache(tmp_path).parse(MANUAL, "tea.md")
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    damaged: dict[str, bytes | bytearray] = {
        "empty": b"",
        "cut": data[:-9],
        "a byte": data,
        "garbage": os.urandom(999),
    }
    file.write_bytes(damaged[damage])
    for _ in range(2):
        assert same(DocumentCache(tmp_path).parse(MANUAL, "tea.md"), parse_bytes(MANUAL, "tea.md"))
    assert len(parsed) == 2


def test_of_a_full_cache_what_was_used_least_recently_goes(tmp_path: Path, parsed: list[str]) -> None:
    cache = DocumentCache(tmp_path)
    cache.parse(MANUAL, "0.md")
    (size,) = [file.stat().st_size for file in tmp_path.iterdir()]
    cache.most_bytes = 5 * size + 100
    for number in range(1, 12):
        for file in tmp_path.iterdir():  # time passes
            times = file.stat()
            os.utime(file, (times.st_atime - 10, times.st_mtime - 10))
        cache.parse(MANUAL, f"{number}.md")
        cache.parse(MANUAL, "0.md")  # is used all the time
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= cache.most_bytes
    assert parsed.count("0.md") == 1
    cache.parse(MANUAL, "11.md")
    assert parsed.count("11.md") == 1
    cache.parse(MANUAL, "1.md")
    assert parsed.count("1.md") == 2


def test_a_document_larger_than_half_the_cache_is_not_kept(tmp_path: Path) -> None:
    cache = DocumentCache(tmp_path, most_bytes=1000)
    assert cache.parse(MANUAL, "tea.md").title == "Tea"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Document, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Document, "save", full)
    cache = DocumentCache(tmp_path)
    assert cache.parse(MANUAL, "tea.md").title == "Tea"
    assert "No space left on device" in cache.trouble
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = DocumentCache(tmp_path / "file" / "cache")
    assert cache.parse(MANUAL, "tea.md").title == "Tea"
    assert "cannot be kept" in cache.trouble


def test_what_broken_off_writing_left_is_removed_in_time(tmp_path: Path) -> None:
    old, new = tmp_path / "a.1.2.new", tmp_path / "b.1.2.new.7.part"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (0, 0))
    DocumentCache(tmp_path).parse(MANUAL, "tea.md")
    assert not old.exists()
    assert new.exists()


def test_what_cannot_be_parsed_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ParseError):
        DocumentCache(tmp_path).parse(b"\0\1\2\3" * 99, "tea.md")
    assert list(tmp_path.iterdir()) == []


def work(folder: Path, results: Any) -> None:
    cache = DocumentCache(folder, most_bytes=40_000)
    titles = []
    for number in range(60):
        title = f"Tea {number % 7}"
        titles.append(cache.parse(MANUAL.replace(b"Tea", title.encode()), "tea.md").title == title)
    results.put((all(titles), cache.trouble))


def test_several_processes_share_a_small_cache(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=work, args=(tmp_path, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    assert [results.get(timeout=60) for _ in workers] == [(True, "")] * 3
    for worker in workers:
        worker.join()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 40_000
    results.close()
    results.join_thread()
