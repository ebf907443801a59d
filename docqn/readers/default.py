"""The reader that comes with docqn: the trained one in `docqn/models/reader`, whose README.md says what it is."""

from __future__ import annotations

from pathlib import Path

from docqn import readers
from docqn.errors import DocqnError
from docqn.readers import Reader

FOLDER = Path(__file__).parent.parent / "models" / "reader"


def reader(argument: str = "") -> Reader:
    """The reader in the package; it takes no argument."""
    if argument:
        raise DocqnError(f"'default:{argument}': the default reader takes no argument; name a folder by its path alone")
    if not FOLDER.is_dir():
        raise DocqnError(f"{FOLDER}: is missing, so this copy of docqn has no default reader; name another one")
    return readers.reader(str(FOLDER))
