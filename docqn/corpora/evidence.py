"""Documents that question files name: files below an evidence folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from os.path import isfile, join
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import quote, unquote

from docqn.document import Document
from docqn.parsers import formats, parse_bytes, parser
from docqn.parsers.sources import read

_ENDINGS = (".html", ".htm", ".txt")  # which of them an evidence page has is not always what the question file says


class EvidenceFile(NamedTuple):
    """A file of any format that docqn parses."""

    path: str

    def read(self) -> bytes:
        """Its bytes."""
        return read(self.path)

    def parse(self, data: bytes, name: str) -> Document:
        """The document; the file's ending tells the format if it can."""
        return parse_bytes(data, name, _by_ending().get(Path(self.path).suffix.lower()))


@cache
def _by_ending() -> dict[str, str]:
    """The format that alone has an ending; for these nothing needs to be guessed."""
    found: dict[str, list[str]] = {}
    for name in formats():
        for suffix in parser(name).SUFFIXES:
            found.setdefault(suffix, []).append(name)
    return {suffix: names[0] for suffix, names in found.items() if len(names) == 1}


def find_evidence(folder: Path, name: str) -> EvidenceFile | None:
    """The file with this name: as it stands, with `%28` and the like undone or done, or with another ending; in the
    folder or in its `wikipedia`, where the official set has them."""
    for spelling in _spellings(name):
        if PurePosixPath(spelling).is_absolute() or ".." in PurePosixPath(spelling).parts:
            continue
        for place in (folder, folder / "wikipedia"):
            if isfile(path := join(place, spelling)):  # False also for names that no file can have
                return EvidenceFile(path)
    return None


def _spellings(name: str) -> Iterator[str]:
    for ended in (name, *(str(PurePosixPath(name).with_suffix(ending)) for ending in _ENDINGS if _ends(name))):
        yield ended
        yield unquote(ended)
        yield quote(unquote(ended), safe="", errors="replace")
        yield quote(unquote(ended), safe="!'(),*/:;@&=+$", errors="replace")


def _ends(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _ENDINGS
