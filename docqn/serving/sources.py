"""Where the documents of a question come from: files, folders, globs, addresses, standard input."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import NamedTuple

from docqn.errors import ParseError, reason
from docqn.parsers import suffixes
from docqn.parsers.sources import NAME_OF_STANDARD_INPUT, STANDARD_INPUT, expand, read

_ATTEMPTS = 3
_MOST_FETCHED = 64 << 20  # bytes
_PATIENCE = 20.0  # seconds for an address to answer


class Signature(NamedTuple):
    """What a file's metadata tell of its contents."""

    size: int
    changed: int  # nanoseconds


def named(sources: Iterable[str]) -> list[str]:
    """The documents that the sources stand for, each once."""
    endings = suffixes()
    found: dict[str, None] = {}
    for source in sources:
        if is_file(source) and not glob.has_magic(source) and not os.path.lexists(source):
            raise ParseError(source, "no such file")
        found.update(dict.fromkeys([source] if is_address(source) else expand(source, endings)))
    return list(found)


def is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def is_file(source: str) -> bool:
    """Whether it may have changed when it is asked for again."""
    return source != STANDARD_INPUT and not is_address(source)


def signature(source: str) -> Signature | None:
    """Of a file that is there."""
    try:
        found = os.stat(source)
    except (OSError, ValueError):
        return None
    return Signature(found.st_size, found.st_mtime_ns)


def contents(source: str) -> bytes:
    """The bytes of a source, all of one moment."""
    if is_address(source):
        return _fetch(source)
    if source == STANDARD_INPUT:
        return read(source)
    for _ in range(_ATTEMPTS):
        before = signature(source)
        data = read(source)
        if before is None or signature(source) == before:
            return data
    raise ParseError(source, "changes while it is being read; ask again when it is at rest")


def name_of(source: str) -> str:
    """How messages and results call it."""
    return NAME_OF_STANDARD_INPUT if source == STANDARD_INPUT else source


def _fetch(address: str) -> bytes:
    """What stands at an address."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    import docqn

    try:
        request = Request(address, headers={"User-Agent": f"docqn/{docqn.__version__}", "Accept": "*/*"})
        with urlopen(request, timeout=_PATIENCE) as answer:
            data: bytes = answer.read(_MOST_FETCHED + 1)
    except HTTPError as error:
        error.close()
        raise ParseError(address, f"cannot be fetched (the server says {error.code} {error.reason})") from error
    except URLError as error:
        why = reason(error.reason) if isinstance(error.reason, OSError) else error.reason
        raise ParseError(address, f"cannot be fetched ({why})") from error
    except (OSError, HTTPException, ValueError) as error:
        raise ParseError(address, f"cannot be fetched ({reason(error)})") from error
    if len(data) > _MOST_FETCHED:
        raise ParseError(address, f"is larger than {_MOST_FETCHED >> 20} MB; save it and ask the file")
    return data
