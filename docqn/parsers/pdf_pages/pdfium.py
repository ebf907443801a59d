"""PDFium as the PDF parser needs it: the document, its pages, and calls cheap enough to make for each line."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from docqn.errors import ParseError

LONGEST_TEXT = 1 << 20  # bytes of a title
MOST_PIECES = 30_000  # text objects of a page; a glyph each is some thousands

_ONE_AT_A_TIME = Lock()  # PDFium is not made for threads
_PASSWORD, _SECURITY = 4, 5  # FPDF_ERR_… of PDFium


class Calls(NamedTuple):
    """PDFium's functions with plain integers for handles and addresses.

    These keep Python's lock, which makes a call three times as cheap as pypdfium2's own.
    """

    count: Callable[..., int]  # characters of a text page
    text: Callable[..., int]
    offset: Callable[..., int]  # from an offset in the text to the number of a character
    origin: Callable[..., int]
    box: Callable[..., int]
    matrix: Callable[..., int]
    size: Callable[..., float]
    piece: Callable[..., int | None]  # the text object of a character
    font: Callable[..., int | None]
    font_name: Callable[..., int]
    font_flags: Callable[..., int]


@cache
def calls() -> Calls:
    """The functions, bound once."""
    import pypdfium2.raw as raw

    address, number, size = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t

    def bound(function: Any, result: Any, *arguments: Any) -> Any:
        return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, address).value or 0)

    return Calls(
        count=bound(raw.FPDFText_CountChars, number, address),
        text=bound(raw.FPDFText_GetText, number, address, number, number, address),
        offset=bound(raw.FPDFText_GetCharIndexFromTextIndex, number, address, number),
        origin=bound(raw.FPDFText_GetCharOrigin, number, address, number, address, address),
        box=bound(raw.FPDFText_GetLooseCharBox, number, address, number, address),
        matrix=bound(raw.FPDFText_GetMatrix, number, address, number, address),
        size=bound(raw.FPDFText_GetFontSize, ctypes.c_double, address, number),
        piece=bound(raw.FPDFText_GetTextObject, address, address, number),
        font=bound(raw.FPDFTextObj_GetFont, address, address),
        font_name=bound(raw.FPDFFont_GetBaseFontName, size, address, address, size),
        font_flags=bound(raw.FPDFFont_GetFlags, number, address),
    )


@contextmanager
def opened(data: bytes, source: str) -> Iterator[Any]:
    """The pypdfium2 document in `data`; others wait until it is closed."""
    import pypdfium2

    with _ONE_AT_A_TIME:
        try:
            pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise ParseError(source, _problem(error.err_code)) from None
        try:
            yield pdf
        finally:
            pdf.close()


@contextmanager
def loaded_page(pdf: Any, number: int) -> Iterator[Any]:
    """The text page of a page, or None if it is damaged or absurd. It is closed afterwards: memory stays bounded."""
    import pypdfium2.raw as raw

    page = raw.FPDF_LoadPage(pdf.raw, number)
    text_page = raw.FPDFText_LoadPage(page) if page and not _overfull(raw, page) else None
    try:
        yield text_page or None
    finally:
        if text_page:
            raw.FPDFText_ClosePage(text_page)
        if page:
            raw.FPDF_ClosePage(page)


def _overfull(raw: Any, page: Any) -> bool:
    """Whether the page is in more pieces of text than any page of text is: PDFium's time grows with their square."""
    count = raw.FPDFPage_CountObjects(page)
    if count <= MOST_PIECES:
        return False
    objects = (raw.FPDFPage_GetObject(page, i) for i in range(count))
    kinds = Counter(map(raw.FPDFPageObj_GetType, objects))
    return kinds[raw.FPDF_PAGEOBJ_TEXT] > MOST_PIECES


def _problem(code: int | None) -> str:
    if code == _PASSWORD:
        return "is encrypted and asks for a password; save it without one first (for example qpdf --decrypt)"
    if code == _SECURITY:
        return "is encrypted in a way that cannot be read; save it without encryption first"
    return "is a damaged PDF, or one without pages; try to repair it (for example qpdf IN OUT)"


def wide_text(function: Callable[..., int], *arguments: Any) -> str:
    """What a function of PDFium writes into a buffer of UTF-16, as far as it is sound."""
    length = function(*arguments, None, 0)
    if not 2 < length <= LONGEST_TEXT:
        return ""
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "ignore")


def handle(thing: Any) -> int:
    """The address behind a handle of pypdfium2."""
    return ctypes.cast(thing, ctypes.c_void_p).value or 0
