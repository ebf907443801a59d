"""Who reads where nobody is named: the reader that comes with the package, in a copy that has none the lexical one."""

from __future__ import annotations

from docqn import readers
from docqn.readers import Reader, default

DEFAULT = "default"
WITHOUT = "lexical"


def reader(name: str) -> Reader:
    """The reader with this name."""
    return readers.reader(WITHOUT if name == DEFAULT and not default.FOLDER.is_dir() else name)
