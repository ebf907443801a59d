"""Formats of question files: one format, one module.

A format is a module, or an object of that form named as `package.module:Name`, with

- `RULES`: what is done to its documents and pairs unless asked otherwise, `nop` or `original`;
- `NORMALIZATION`: how answers are compared when they are judged, `triviaqa` or `squad`;
- `recognises(head: str) -> bool`: whether a file that begins like this is one;
- `read(path: Path, evidence: Path | None) -> QuestionFile`: what it says, and where its documents come from.
"""

from pathlib import Path
from typing import Protocol, cast

from docqn import plugins
from docqn.corpora.records import QuestionFile
from docqn.corpora.streaming import open_text
from docqn.errors import DocqnError

_HEAD = 1 << 16


class Format(Protocol):
    """What a format's module offers."""

    RULES: str
    NORMALIZATION: str

    def recognises(self, head: str) -> bool: ...

    def read(self, path: Path, evidence: Path | None) -> QuestionFile: ...


def names() -> tuple[str, ...]:
    """The built-in formats."""
    return plugins.names(__name__, "recognises")


def format_named(name: str) -> Format:
    """The format, built in or `package.module:Name`."""
    return cast(Format, plugins.find(__name__, name, "recognises"))


def detect(path: Path) -> str:
    """The format of a file, by how it begins."""
    with open_text(path) as file:
        head = file.read(_HEAD)
    for name in names():
        if format_named(name).recognises(head):
            return name
    raise DocqnError(f"{path}: not a question file that docqn knows; the formats are {', '.join(names())}")
