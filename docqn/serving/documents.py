"""Parsed documents kept on disk, by what they were parsed from: a document is parsed once, whoever asks.

Each is one file, named by its key and its own digest, written whole and renamed. Any process may use the folder and
anybody may delete it; a damaged file is parsed anew. One that cannot be written is done without.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePath
from time import time

import docqn
from docqn.document import FORMAT_VERSION, Document
from docqn.errors import DocqnError, reason
from docqn.parsers import parse_bytes
from docqn.readers.cache import folder
from docqn.readers.neural.folder import file_digest

FOLDER = "documents-1"  # the number changes with the layout
MOST_BYTES = 512 << 20
_FULL = 0.8  # what is left of a cache that had to forget
_ABANDONED = 3600.0  # seconds after which a half-written file is nobody's
_ENDING = ".docqn"


class DocumentCache:
    """Parses, or remembers. Of a full cache what was used least recently goes first."""

    def __init__(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.path = path or folder() / FOLDER
        self.most_bytes = most_bytes
        self.trouble = ""  # why nothing is kept, if so

    def parse(self, data: bytes, source: str, format: str | None = None) -> Document:
        """The document in `data`, as `parse_bytes` would make it."""
        key = _key(data, source, format)
        found = self._find(key)
        if found is not None:
            return found if found.source == source else replace(found, source=source)
        document = parse_bytes(data, source, format)
        self._keep(key, document)
        return document

    def _find(self, key: str) -> Document | None:
        for path in self.path.glob(f"{key}-*{_ENDING}"):
            with suppress(DocqnError, OSError):  # damaged, or gone by now
                if file_digest(path) == path.name.removesuffix(_ENDING).rpartition("-")[2]:
                    os.utime(path)
                    return Document.load(path)
            with suppress(OSError):
                path.unlink(missing_ok=True)
        return None

    def _keep(self, key: str, document: Document) -> None:
        part = self.path / f"{key}.{os.getpid()}.{threading.get_ident()}.new"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            document.save(part)
            if part.stat().st_size <= self.most_bytes // 2:  # a larger one would drive out all others
                part.replace(self.path / f"{key}-{file_digest(part)}{_ENDING}")
            self._forget()
        except (DocqnError, OSError) as error:
            self.trouble = f"{self.path}: parsed documents cannot be kept there ({reason(_cause(error))})"
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def _forget(self) -> None:
        """Remove what is left of broken-off writing, and the documents used longest ago if there is no more room."""
        files = sorted(self._files())
        for used, _, path in files:
            if path.suffix != _ENDING and time() - used > _ABANDONED:
                path.unlink(missing_ok=True)
        left = sum(size for _, size, _ in files)
        room = self.most_bytes if left <= self.most_bytes else self.most_bytes * _FULL
        for _, size, path in files:
            if left > room and path.suffix == _ENDING:
                path.unlink(missing_ok=True)
                left -= size

    def _files(self) -> Iterator[tuple[float, int, Path]]:
        """When each was last used, its size, and the file."""
        with os.scandir(self.path) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process was faster
                    found = entry.stat()
                    yield found.st_mtime, found.st_size, Path(entry.path)


def _cause(error: Exception) -> BaseException:
    return error.__cause__ if isinstance(error.__cause__, OSError) else error


def _key(data: bytes, source: str, format: str | None) -> str:
    """The name is part of it: its ending may tell the format, and it may become the title."""
    told = "\0".join((parsers_version(), format or "", PurePath(source).name))
    return blake2b(blake2b(data).digest() + told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def parsers_version() -> str:
    """Changes whenever documents may be parsed otherwise than before."""
    package = Path(docqn.__file__).parent
    rooms = [*package.glob("*.py"), *package.glob("parsers/**/*.py"), *package.glob("text/*")]
    told = sorted((str(path), found.st_size, found.st_mtime_ns) for path in rooms if (found := path.stat()))
    return f"{docqn.__version__} {FORMAT_VERSION} {blake2b(repr(told).encode(), digest_size=8).hexdigest()}"
