"""Files that are written whole or not at all, and files that one process at a time writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from docqn.errors import DocqnError


def write_text(path: Path, text: str) -> None:
    """Write the text to a temporary file beside `path`, then rename it; folders on the way are made.

    What is no file, such as /dev/stdout, is written to as it is.
    """
    data = text.encode("utf-8", "backslashreplace")  # as JSON spells a lone surrogate
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error


def lock(file: IO[Any], taken: str) -> None:
    """Until the file is closed nobody else can lock it, where the system can tell; `taken` says that somebody has."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DocqnError(taken) from None


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
