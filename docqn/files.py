"""Files that are written whole or not at all, and files that one process at a time writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from docqn.errors import DocqnError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, to be written and then renamed. What goes wrong is the user's to see. What is no
    file, such as /dev/stdout, is written to as it is."""
    special = path.exists() and not path.is_file()
    whole = path.resolve()  # where a link leads
    part = path if special else whole.with_name(f"{whole.name}.{os.getpid()}.part")
    try:
        yield part
        if not special:
            part.replace(whole)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        if not special:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def check_writable(path: Path, folder: bool = False) -> None:
    """Raise if a file, or a folder of files, cannot be written there: before the work that it is for, not after."""
    if path.is_dir() and not folder:
        raise DocqnError(f"{path}: cannot be written (Is a directory)")
    if path.exists() and not (folder or path.is_file()):
        return  # such as /dev/stdout
    whole = path.resolve()
    above = next(one for one in (whole, *whole.parents)[0 if folder else 1 :] if one.exists())
    if not above.is_dir():
        raise DocqnError(f"{path}: cannot be written (Not a directory)")
    if not os.access(above, os.W_OK | os.X_OK):
        raise DocqnError(f"{path}: cannot be written (Permission denied)")


def write_text(path: Path, text: str) -> None:
    """Write a whole file; folders on the way are made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error
    with replacing(path) as part:
        part.write_bytes(text.encode("utf-8", "backslashreplace"))  # as JSON spells a lone surrogate


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
