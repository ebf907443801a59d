"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from docqn.errors import DocqnError


def write_text(path: Path, text: str) -> None:
    """Write the text to a temporary file beside `path`, then rename it; folders on the way are made."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(text, encoding="utf-8", errors="backslashreplace")  # as JSON spells a lone surrogate
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error
