"""Bold, italic, monospaced: what the fonts of a PDF are."""

from __future__ import annotations

import ctypes
import re

from docqn.parsers.pdf_pages.lines import BOLD, ITALIC, MONO
from docqn.parsers.pdf_pages.pdfium import Calls

# `demi`, `medi` and the B of TeX's names: CMBX10, SFBX1095, t1xbtt, LinLibertineTB.
_BOLD_NAME = re.compile(
    rb"bold|black|heavy|demi|medi(?!a)|(cm|sf|ss|rm)bx?|bx\d|xb(tt|sl)?$|[a-z][to][bz]i?$", re.IGNORECASE
)
_ITALIC_NAME = re.compile(rb"ital|obli|slant", re.IGNORECASE)
_MONO_NAME = re.compile(
    rb"mono(?!type)|nimbusmon|courier|typewriter|(cm|sf|lm|sl|tx|bx?)tt|consol|menlo", re.IGNORECASE
)
_FIXED_FLAG, _ITALIC_FLAG, _BOLD_FLAG = 1, 1 << 6, 1 << 18  # of a font's descriptor


class Faces(dict[int | None, int]):
    """Faces by the address of the font, looked up when first asked for."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._name = ctypes.create_string_buffer(128)
        self._known: dict[tuple[bytes, int], int] = {}  # by name and flags

    def turn_page(self) -> None:
        """Forget the addresses: on another page they may be those of other fonts."""
        self.clear()

    def __missing__(self, font: int | None) -> int:
        self[font] = face = self._look_up(font) if font else 0
        return face

    def _look_up(self, font: int) -> int:
        length = self._calls.font_name(font, ctypes.addressof(self._name), len(self._name))
        name = self._name.value if 0 < length <= len(self._name) else b""
        key = name, max(self._calls.font_flags(font), 0)
        if key not in self._known:
            self._known[key] = face_of(*key)
        return self._known[key]


def face_of(name: bytes, flags: int) -> int:
    """The face by a font's name and the flags of its descriptor; few fonts tell it by these."""
    bold = flags & _BOLD_FLAG or _BOLD_NAME.search(name)
    italic = flags & _ITALIC_FLAG or _ITALIC_NAME.search(name)
    mono = flags & _FIXED_FLAG or _MONO_NAME.search(name)
    return (BOLD if bold else 0) | (ITALIC if italic else 0) | (MONO if mono else 0)
