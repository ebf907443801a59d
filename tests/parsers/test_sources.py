"""Where documents come from."""

import io
import os
import sys
from pathlib import Path

import pytest

from docqn.errors import ParseError
from docqn.parsers import sources
from docqn.parsers.sources import expand, read

SUFFIXES = frozenset((".md", ".html"))


def with_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("b.md", "a.HTML", "notes.bin", ".hidden.md", "deep/er/c.md", "deep/.git/d.md", "x[1].md", "x1.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "folder.md").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_reading_a_file_and_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_stdin(monkeypatch, b"from a pipe")
    assert read("b.md") == b"b.md"
    assert read("-") == b"from a pipe"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("missing.md", "no such file"),
        ("deep", "is a folder, not a document"),
        ("b.md/inside", r"cannot be read \(Not a directory\)"),
        ("x" * 5_000, r"cannot be read \(File name too long\)"),
        ("nul\0byte", "no such file"),
        ("", "no such file"),
        ("https://example.org/a.html", "no such file; docqn opens no addresses, so fetch it: .*"),
    ],
)
def test_what_cannot_be_read(folder: Path, source: str, problem: str) -> None:
    with pytest.raises(ParseError, match=f": {problem}$"):
        read(source)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a Linux file that opens but cannot be read")
def test_a_file_that_fails_while_being_read() -> None:
    with pytest.raises(ParseError, match=r"/proc/self/mem: cannot be read \(Input/output error\)"):
        read("/proc/self/mem")


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ParseError, match="standard input: is closed"):
        read("-")


def test_more_than_docqn_reads(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 1 << 20)
    (folder / "most.md").write_bytes(bytes(1 << 20))
    (folder / "large.md").write_bytes(bytes((1 << 20) + 1))
    with_stdin(monkeypatch, bytes((1 << 20) + 1))
    assert len(read("most.md")) == 1 << 20
    for source, name in (("large.md", "large.md"), ("-", "standard input")):
        with pytest.raises(ParseError, match=f"{name}: is larger than 1 MB; split it"):
            read(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (".", ["./a.HTML", "./b.md", "./deep/er/c.md", "./x1.md", "./x[1].md"]),
        ("deep/", ["deep/er/c.md"]),
        ("*.md", ["b.md", "x1.md", "x[1].md"]),
        ("**/*.md", ["b.md", "deep/er/c.md", "x1.md", "x[1].md"]),
        ("./**/er/*", ["./deep/er/c.md"]),
        ("d*/**", ["deep/er/c.md"]),
        ("**/e?/**/*.md", ["deep/er/c.md"]),
        ("**.md", ["b.md", "x1.md", "x[1].md"]),
        ("notes.*", ["notes.bin"]),
        ("x[1].md", ["x[1].md"]),  # a file of this name, not a pattern
        ("[x]1.md", ["x1.md"]),
        ("notes.bin", ["notes.bin"]),
        (".hidden.md", [".hidden.md"]),
        ("-", ["-"]),
        ("missing.md", ["missing.md"]),  # `read` says what is wrong
        ("x" * 5_000, ["x" * 5_000]),
        ("nul\0byte", ["nul\0byte"]),
    ],
)
def test_what_a_source_stands_for(folder: Path, source: str, expected: list[str]) -> None:
    assert expand(source, SUFFIXES) == expected


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("deep/.git/empty", r"no documents in this folder \(looked for .html .md\)"),
        ("*.pdf", "no file matches"),
        ("folder.m?", "no file matches"),
    ],
)
def test_sources_without_documents(folder: Path, source: str, problem: str) -> None:
    (folder / "deep/.git/empty").mkdir()
    with pytest.raises(ParseError, match=problem):
        expand(source, SUFFIXES)


def test_folders_that_contain_themselves(folder: Path) -> None:
    (folder / "deep/loop").symlink_to(folder)
    (folder / "deep/another").symlink_to(folder)
    (folder / "broken.md").symlink_to(folder / "nowhere")
    assert expand("deep", SUFFIXES) == ["deep/er/c.md"]
    assert expand(".", SUFFIXES) == ["./a.HTML", "./b.md", "./deep/er/c.md", "./x1.md", "./x[1].md"]
    assert expand("deep/**/*.md", SUFFIXES) == ["deep/er/c.md"]
    assert expand("**/c.md", SUFFIXES) == ["deep/er/c.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_named_pipe_is_no_document_of_a_folder_but_can_be_read(folder: Path) -> None:
    os.mkfifo(folder / "deep/pipe.md")
    assert expand("deep", SUFFIXES) == ["deep/er/c.md"]
    assert expand("deep/pipe.md", SUFFIXES) == ["deep/pipe.md"]
