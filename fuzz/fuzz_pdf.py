"""Fuzz the PDF parser. Should PDFium, which is C++, take the process down, the input is left in a file."""

import faulthandler
import tempfile
from pathlib import Path
from random import Random

from docqn.document import Document
from docqn.parsers.pdf import parse
from fuzz import fuzz, mutated
from tests.parsers.pdf_files import Bookmark, PdfFile
from tests.parsers.pdf_typesetter import article, fill, manual

WORDS = (
    *b"0 1 -1 9 99999999 1e9 -1e9 null true << >> [ ] ( ) % R obj endobj stream endstream xref trailer".split(),
    *b"/Type /Page /Pages /Kids /Count /Parent /Contents /Resources /Font /Dest /First /Last /Next /Prev".split(),
    *b"/Title /MediaBox /CropBox /Rotate /Filter /FlateDecode /LZWDecode /ASCIIHexDecode /Length".split(),
    *b"/Encrypt /Root /XObject".split(),
    *b"BT ET Tf Tm Td TD T* Tj TJ ' Tc Tw Tz TL Tr Ts q Q cm Do BI ID EI re f S W n BMC EMC".split(),
    b"\0",
    b"\xff",
    b"\n",
)
LAST = Path(tempfile.gettempdir()) / "fuzz-pdf-last"


def seeds() -> list[bytes]:
    """Small files that are not compressed, so that changes reach what is inside."""
    columns, outlined = (fill(page, 0, pages=2).file for page in (article(), manual()))
    odd = PdfFile("Odd", rotate=90)
    odd.page()
    odd.text(72, 72, "Efﬁcient ofﬂine work (in brackets)", 12, "Helvetica")
    odd.text(300, 500, "Turned about", 12, turn=True)
    odd.page()
    odd.drawing()
    odd.bookmarks = [Bookmark("Nowhere", 1, -1, None), Bookmark("Below", 2, 0, 70.0), Bookmark("Again", 1, 1, None)]
    for file in (columns, outlined, odd):
        file.packed = False
    return [columns.bytes(), outlined.bytes(), odd.bytes(), fill(article(), 0, pages=1).file.bytes()]


def mutate(data: bytes, random: Random) -> bytes:
    """Changes that know the words of the format."""
    return mutated(data, random, WORDS)


def kept(data: bytes, source: str) -> Document:
    """Parse, with the input in a file for the case that nothing else is left of the run."""
    LAST.write_bytes(data)
    return parse(data, source)


if __name__ == "__main__":
    faulthandler.enable()
    print(f"each input is first written to {LAST}")
    fuzz(kept, seeds(), mutate)
