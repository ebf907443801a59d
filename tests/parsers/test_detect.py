"""Which format a document has, and the way from a source to a document."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import docqn
from docqn import parsers
from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import DocqnError, ParseError


@dataclass
class Stub:
    """A parser that takes what begins as it says."""

    name: str
    SUFFIXES: tuple[str, ...]
    likelihood: Callable[[bytes], float]

    def parse(self, data: bytes, source: str) -> Document:
        return build_document([Block(data.decode())], source=source, format=self.name)


STUBS = {
    "page": Stub("page", (".html", ".htm"), lambda data: 0.9 if data.startswith(b"<") else 0.0),
    "marked": Stub("marked", (".md",), lambda data: 0.6 if data.startswith(b"#") else 0.1),
    "plain": Stub("plain", (".txt", ".md"), lambda data: 0.2 if data.isascii() else 0.0),
}


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "formats", lambda: tuple(STUBS))
    monkeypatch.setattr(parsers, "parser", STUBS.__getitem__)


@pytest.mark.usefixtures("stubs")
@pytest.mark.parametrize(
    ("source", "data", "format"),
    [
        ("a.html", b"<p>", "page"),
        ("a.HTM", b"<p>", "page"),
        ("a.txt", b"<p>", "plain"),  # the suffix tells, and the content allows it
        ("a.md", b"<p>", "plain"),  # of those with the suffix, the likeliest
        ("a.md", b"# a", "marked"),
        ("a.html", b"# a", "marked"),  # no page begins so
        ("a", b"<p>", "page"),  # no suffix
        ("a.b.c", b"# a", "marked"),
        ("standard input", b"some text", "plain"),
        ("a.html", b"some text", "plain"),
        ("a.txt", b"\xff", "marked"),
        (".md", b"<p>", "page"),  # a hidden file, not a suffix
    ],
)
def test_the_suffix_tells_if_the_content_allows_it(source: str, data: bytes, format: str) -> None:
    assert parsers.detect(data, source) == format


def test_what_no_parser_takes(monkeypatch: pytest.MonkeyPatch, stubs: None) -> None:
    monkeypatch.setitem(STUBS, "marked", Stub("marked", (".md",), lambda data: 0.0))
    with pytest.raises(
        ParseError, match=r"^a\.md: is not a document that docqn can read; the formats are page, marked"
    ):
        parsers.detect(b"\xff", "a.md")


@pytest.mark.parametrize(
    ("data", "problem"), [(rb"{\rtf1\ansi Tea.}", "is RTF"), (b"%!PS-Adobe\nshow", "is PostScript")]
)
def test_what_only_looks_like_text(data: bytes, problem: str) -> None:
    for source in ("tea.txt", "tea.rtf", "standard input"):
        with pytest.raises(ParseError, match=f"^{source}: {problem}, which docqn does not read; "):
            parsers.parse_bytes(data, source)
    assert parsers.parse_bytes(data, "tea.rtf", "text").format == "text"  # who asks for its source gets it


@pytest.mark.usefixtures("stubs")
def test_the_suffixes() -> None:
    assert parsers.suffixes() == {".html", ".htm", ".md", ".txt"}
    assert parsers.suffixes("plain") == {".md", ".txt"}


@pytest.mark.usefixtures("stubs")
def test_from_a_file_to_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    for source in (tmp_path / "a.html", str(tmp_path / "a.html")):
        document = docqn.parse(source)
        assert (document.format, document.source, document.text) == ("page", str(source), "a\n\n<p>")
    assert docqn.parse(tmp_path / "a.html", "plain").format == "plain"


@pytest.mark.usefixtures("stubs")
def test_from_standard_input_to_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>")))
    document = docqn.parse("-")
    assert (document.format, document.source, document.title) == ("page", "standard input", "standard input")


@pytest.mark.usefixtures("stubs")
@pytest.mark.parametrize("data", [b"", b" \r\n\t\x0b\x0c "])
@pytest.mark.parametrize("format", [None, "plain"])
def test_an_empty_document(data: bytes, format: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParseError, match=r"^a\.md: is empty$"):
        parsers.parse_bytes(data, "a.md", format)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with pytest.raises(ParseError, match=r"^standard input: is empty$"):
        parsers.parse("-", format)


def test_an_unknown_format_is_an_error_that_lists_them() -> None:
    with pytest.raises(DocqnError, match=r"'latex' is not among the parsers; choose .*markdown"):
        parsers.parse_bytes(b"text", "a.tex", "latex")


@pytest.mark.parametrize("name", parsers.formats())
def test_every_format_keeps_the_contract(name: str) -> None:
    module = parsers.parser(name)
    assert module.SUFFIXES
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in module.SUFFIXES)
    for data in (b"x", b"\0\xff" * 50, b"<", b"PK\x03\x04", b"%PDF-", b"# a", "é".encode(), b"\xff\xfea\0"):
        assert 0 <= module.likelihood(data) <= 1
