"""The reader that is used where none is named: the trained one that comes with the package, where one does; else the
lexical one."""

from __future__ import annotations

from pathlib import Path

from docqn.errors import DocqnError
from docqn.readers import Reader
from docqn.readers import reader as reader_named

FOLDER = Path(__file__).parents[1] / "models" / "reader"
WITHOUT = "lexical"


def reader(argument: str = "") -> Reader:
    """The default; it takes no argument."""
    if argument:
        raise DocqnError("the default reader takes no argument")
    return reader_named(str(FOLDER) if FOLDER.is_dir() else WITHOUT)
