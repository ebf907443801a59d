"""Where documents come from: files, folders, globs, standard input."""

import glob
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath

from docqn.errors import ParseError

STANDARD_INPUT = "-"
NAME_OF_STANDARD_INPUT = "standard input"
MOST_BYTES = 512 << 20  # of a file; formats that hold their text as it is allow less (`decoding.MOST_TEXT`)

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_ANY_DEPTH = re.compile(r"(?<![^/\\])\*\*(?:[/\\]+|$)")  # in a glob


def read(source: str) -> bytes:
    """The bytes of a file, or of standard input."""
    if not source:
        raise ParseError("''", "no such file")
    if source == STANDARD_INPUT:
        if sys.stdin is None:
            raise ParseError(NAME_OF_STANDARD_INPUT, "is closed")
        return _bounded(sys.stdin.buffer.read(MOST_BYTES + 1), NAME_OF_STANDARD_INPUT)
    try:
        with Path(source).open("rb") as file:
            return _bounded(file.read(MOST_BYTES + 1), source)
    except (FileNotFoundError, ValueError):  # a name with a zero byte is no name
        hint = "; docqn opens no addresses, so fetch it: curl -s URL | docqn parse -" if _ADDRESS.match(source) else ""
        raise ParseError(source, f"no such file{hint}") from None
    except IsADirectoryError:
        raise ParseError(source, "is a folder, not a document") from None
    except OSError as error:
        raise ParseError(source, f"cannot be read ({error.strerror})") from error


def _bounded(data: bytes, source: str) -> bytes:
    if len(data) > MOST_BYTES:
        raise ParseError(source, f"is larger than {MOST_BYTES >> 20} MB; split it")
    return data


def expand(source: str, suffixes: frozenset[str]) -> list[str]:
    """The documents that a source names: a folder stands for all files below it with one of the suffixes, except hidden
    ones; a glob for the files it matches. Any other name stands for itself, and `read` tells whether it can be read."""
    if os.path.isdir(source):
        found = [file for file in _files(source) if PurePath(file).suffix.lower() in suffixes]
        if not found:
            raise ParseError(source, f"no documents in this folder (looked for {' '.join(sorted(suffixes))})")
    elif glob.has_magic(source) and not os.path.lexists(source):
        found = [file for file in _matches(source) if os.path.isfile(file)]
        if not found:
            raise ParseError(source, "no file matches")
    else:
        found = [source]
    return sorted(found)


def _files(folder: str) -> Iterator[str]:
    """Files below a folder, except hidden ones."""
    for place, _, files in _walk(folder):
        paths = (os.path.join(place, name) for name in files if not name.startswith("."))
        yield from filter(os.path.isfile, paths)


def _matches(pattern: str) -> Iterator[str]:
    """What a glob matches; `**` is folders at any depth."""
    deep = _ANY_DEPTH.search(pattern)
    if not deep:
        yield from glob.iglob(pattern)
        return
    above, below = pattern[: deep.start()], pattern[deep.end() :] or "*"
    for folder in glob.iglob(above) if above else [""]:
        for place, _, _ in _walk(folder or os.curdir):
            inside = place if folder else os.path.relpath(place).removeprefix(os.curdir)
            yield from _matches(os.path.join(glob.escape(inside), below))


def _walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Folders, except hidden ones. Links to folders are not followed, since they may lead in circles."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield place, folders, files
