"""Text formats as text with uniform line ends."""

import re

from docqn.errors import ParseError
from docqn.parsers.decoding import decode
from docqn.text.clean import clean

MOST_LINES = 4_000_000  # of a text; each may become a node or two, and these take memory

_LINE_END = re.compile(r"\r\n?")
_OVERSTRUCK = re.compile(r"[^\n]\x08")  # as in `man` pages: _\bx is underlined, x\bx is bold
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")  # colours of a terminal


def source_text(data: bytes, source: str) -> str:
    """The text, whose lines all end in a line feed as they did in the source, without invisible characters."""
    text = decode(data, source)
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    if "\b" in text:
        text = _OVERSTRUCK.sub("", text)
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if (lines := text.count("\n")) > MOST_LINES:
        raise ParseError(source, f"holds {lines:,} lines, more than the {MOST_LINES:,} that docqn reads; split it")
    return clean(text)
