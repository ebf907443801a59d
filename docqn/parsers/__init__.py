"""Parsers: one format, one module. A source becomes a Document.

A format is a module with

- `SUFFIXES`: file name endings that tell the format, such as `(".html", ".htm")`;
- `likelihood(data: bytes) -> float`: how much the content looks like it; 0 is impossible, 1 is certain;
- `parse(data: bytes, source: str) -> Document`: raises ParseError for what it cannot read.

Modules import their libraries inside `parse`, so that looking for the format costs nothing.
"""

from pathlib import Path
from typing import Protocol, cast

from docqn import plugins
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.sources import NAME_OF_STANDARD_INPUT, STANDARD_INPUT, read

_OTHERS = (  # formats whose files look like text and are not meant to be read
    (b"{\\rtf", "is RTF, which docqn does not read; save it as .docx"),
    (b"%!PS", "is PostScript, which docqn does not read; make a PDF of it (ps2pdf)"),
)


class Parser(Protocol):
    """What a format's module offers."""

    SUFFIXES: tuple[str, ...]

    def likelihood(self, data: bytes) -> float: ...

    def parse(self, data: bytes, source: str) -> Document: ...


def formats() -> tuple[str, ...]:
    """Names of the built-in formats."""
    return plugins.names(__name__, "SUFFIXES")


def parser(format: str) -> Parser:
    """The parser of a format, built in or `package.module:Name`."""
    return cast(Parser, plugins.find(__name__, format, "SUFFIXES"))


def suffixes(format: str | None = None) -> frozenset[str]:
    """File name endings of a format, or of all built-in ones."""
    return frozenset(suffix for name in ([format] if format else formats()) for suffix in parser(name).SUFFIXES)


def parse(source: str | Path, format: str | None = None) -> Document:
    """The document in a file, or on standard input if the source is `-`."""
    name = str(source)
    return parse_bytes(read(name), NAME_OF_STANDARD_INPUT if name == STANDARD_INPUT else name, format)


def parse_bytes(data: bytes, source: str, format: str | None = None) -> Document:
    """The document in `data`; `source` names it in messages, and its suffix may tell the format."""
    if not data or data.isspace():
        raise ParseError(source, "is empty")
    return parser(format or detect(data, source)).parse(data, source)


def detect(data: bytes, source: str) -> str:
    """The format, by the suffix if the content allows it, else by the content."""
    for begin, reason in _OTHERS:
        if data.startswith(begin):
            raise ParseError(source, reason)
    suffix = Path(source).suffix.lower()
    likelihoods = {name: parser(name).likelihood(data) for name in formats()}
    told = [name for name in formats() if suffix in parser(name).SUFFIXES and likelihoods[name] > 0]
    best = max(told or formats(), key=likelihoods.__getitem__)
    if likelihoods[best] <= 0:
        raise ParseError(source, f"is not a document that docqn can read; the formats are {', '.join(formats())}")
    return best
