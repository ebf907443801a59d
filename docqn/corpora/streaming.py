"""Question files as text: compressed or not, and JSON one record at a time, so that no file is whole in memory."""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from docqn.errors import DocqnError

CHUNK = 1 << 20
_AFTER_VALUE = " \t\r\n,:]}"
_CUT = 16  # an error closer than this to the end of what was read may be a value cut in two


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """The file as UTF-8 text; gzip is told by its first bytes. What goes wrong in reading is the user's to see."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8-sig") if packed else path.open(encoding="utf-8-sig") as text:
            yield cast(TextIO, text)
    except UnicodeDecodeError as error:
        raise DocqnError(f"{path}: is not UTF-8 text ({error.reason} at byte {error.start})") from None
    except (OSError, EOFError, zlib.error) as error:
        raise DocqnError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from error


def elements(path: Path, key: str, rest: dict[str, Any]) -> Iterator[Any]:
    """The elements of the list that the file's object holds under `key`. Its other entries go to `rest`; they may
    stand after the list."""
    with open_text(path) as file:
        stream = _Stream(file, path)
        found = False
        for _ in stream.items("{", "}"):
            name = stream.value()
            stream.take(":")
            if name == key and stream.peek() == "[":
                found = True
                for _ in stream.items("[", "]"):
                    yield stream.value()
            else:
                rest[str(name)] = stream.value()
        if not found:
            raise DocqnError(f"{path}: has no list {key!r}")


class _Stream:
    """JSON values and signs from a file, of which only the unread part of the last chunks is kept."""

    def __init__(self, file: TextIO, path: Path) -> None:
        self._file, self._path = file, path
        self._text, self._at, self._before = "", 0, 0
        self._decode = json.JSONDecoder().raw_decode

    def peek(self) -> str:
        """The next character that is not space; empty at the end."""
        while True:
            while self._text[self._at : self._at + 1].isspace():
                self._at += 1
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self, sign: str) -> None:
        """Pass the sign, which has to come next."""
        if self.peek() != sign:
            raise self._error(f"expected {sign!r}", self._at)
        self._at += 1

    def items(self, opening: str, closing: str) -> Iterator[None]:
        """Pass the signs around and between the items of a list or an object; the caller passes the items."""
        self.take(opening)
        if self.peek() != closing:
            yield
            while self.peek() == ",":
                self.take(",")
                yield
        self.take(closing)

    def value(self) -> Any:
        """Pass a value and return it."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self._text, self._at)
                following = self._text[end : end + 1]
                if (following and following in _AFTER_VALUE) or not self._more():  # a number might go on
                    self._at = end
                    return value
            except json.JSONDecodeError as error:
                cut = error.pos > len(self._text) - _CUT or error.msg.startswith("Unterminated string")
                if not cut or not self._more():
                    raise self._error(error.msg, error.pos) from None
            except RecursionError:
                raise self._error("nested too deeply", self._at) from None

    def _more(self) -> bool:
        """Read on, twice as far each time that a value is not complete; False at the end of the file."""
        rest = self._text[self._at :]
        text = self._file.read(max(CHUNK, len(rest)))
        if not text:
            return False
        self._before += self._at
        self._text, self._at = rest + text, 0
        return True

    def _error(self, reason: str, at: int) -> DocqnError:
        reason = reason.removesuffix(" at")  # of a string that does not end
        return DocqnError(f"{self._path}: is not valid JSON ({reason} at character {self._before + at})")
