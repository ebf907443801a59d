"""The documents that a server offers: those it was started with, and the example."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import docqn
from docqn.document import Document
from docqn.errors import DocqnError, ParseError
from docqn.serving.shelves import Library
from docqn.serving.sources import is_address, named

EXAMPLE = Path(docqn.__file__).with_name("examples") / "handbook.md"


class Served:
    """Documents by id. Where they lie is nobody's business: they are known by names without folders in common."""

    def __init__(self, sources: Sequence[str], *, cache: bool = True, example: bool = True) -> None:
        names = named(sources)
        self.shown = dict(zip(names, _shown(names), strict=True))  # how each source is called
        self.names = {_id(name): name for name in self.shown.values()}
        self._libraries = {id: Library([name], cache=cache) for id, name in zip(self.names, names, strict=True)}
        if example and _id(EXAMPLE.name) not in self.names:
            self.names[_id(EXAMPLE.name)] = EXAMPLE.name
            self._libraries[_id(EXAMPLE.name)] = Library([EXAMPLE], cache=cache)

    def without_folders(self, note: str) -> str:
        """A note on sources, with the names that they have here."""
        for source, name in self.shown.items():
            note = note.replace(source, name)
        return note

    def document(self, id: str) -> Document:
        """The document, read again if its file has changed."""
        name = self.names[id]
        try:
            (document,) = self._libraries[id].shelf("").documents
        except DocqnError as error:
            reason = error.reason if isinstance(error, ParseError) else "cannot be read"
            raise ParseError(name, reason) from error  # without the folders
        return replace(document, source=name)


def _id(name: str) -> str:
    """Links to documents outlive the server."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=9).hexdigest()


def _shown(names: Sequence[str]) -> list[str]:
    """Paths below the folder that all have in common; addresses as they are."""
    files = [str(Path(name).absolute()) for name in names if not is_address(name)]
    common = os.path.commonpath([os.path.dirname(file) for file in files]) if files else ""
    return [name if is_address(name) else os.path.relpath(Path(name).absolute(), common) for name in names]
