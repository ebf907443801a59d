"""Small files of a reader's folder; what is wrong with them is one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docqn.errors import DocqnError


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DocqnError(f"{path}: cannot be read ({error.strerror})") from error


def read_text(path: Path) -> str:
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise DocqnError(f"{path}: is not UTF-8 text; is the file damaged?") from error


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object."""
    try:
        value = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise DocqnError(f"{path}: not JSON, or damaged ({error})") from error
    if not isinstance(value, dict):
        raise DocqnError(f"{path}: holds no JSON object")
    return value
