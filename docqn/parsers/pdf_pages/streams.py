"""Decompression bombs: streams of a PDF that are small in the file and fill the memory when they are opened."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

from docqn.errors import ParseError

LARGEST = 32 << 20  # bytes of what a page draws; PDFium takes up to eighty times as much memory for it
HIGHEST_RATIO = 1032  # of deflate
MOST_FILTERS = 4  # one after the other; there is no use for more than one
CHUNK = 1 << 20

_STREAM = re.compile(rb"stream\r?\n")
_FILTERS = re.compile(rb"/Fl(?:ateDecode)?\b")
_DATA = re.compile(
    rb"/(Image|EmbeddedFile|Length1|Length2|Length3)\b"
)  # pictures, attached files and fonts: opened apart
_DICTIONARY = 1024  # bytes before a stream in which its dictionary stands


def check_streams(data: bytes, source: str) -> None:
    """Refuse a file that holds a stream which would become too large."""
    for match in _STREAM.finditer(data):
        before, start = match.start(), match.end()
        if data[before - 3 : before] == b"end":  # looking back for it in the pattern costs a hundred times as much
            continue
        farthest = max(before - _DICTIONARY, 0)
        head = data[max(data.rfind(b"obj", farthest, before), farthest) : before]
        filters = min(len(_FILTERS.findall(head)), MOST_FILTERS)
        end = data.find(b"endstream", start)
        length = (end if end >= 0 else len(data)) - start
        if not filters or (filters == 1 and length * HIGHEST_RATIO <= LARGEST) or _DATA.search(head):
            continue
        chunks: Iterable[bytes] = (data[i : i + CHUNK] for i in range(start, start + length, CHUNK))
        for _ in range(filters):
            chunks = _inflated(chunks)
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > LARGEST:
                problem = f"draws a page with more than {LARGEST >> 20} MB of instructions; print it to a new PDF first"
                raise ParseError(source, problem)


def _inflated(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """What deflated data become, in pieces; as far as they are sound."""
    inflater = zlib.decompressobj()
    for chunk in chunks:
        while chunk and not inflater.eof:
            try:
                piece = inflater.decompress(chunk, CHUNK)
            except zlib.error:
                return
            yield piece
            chunk = inflater.unconsumed_tail
