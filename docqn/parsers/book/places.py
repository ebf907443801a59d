"""Places in the documents of an EPUB book that its table of contents and list of pages refer to.

They are marked, with characters that no text holds, before the HTML parser reads a document, and found in its blocks.
"""

import re
from collections.abc import Iterable, Sequence
from html import unescape

from docqn.build import Block

Place = tuple[int, int]  # number of a block, and offset in its text

# Unicode will never assign these characters: sixteen digits, and what stands around a number.
_DIGITS = "".join(map(chr, range(0xFDD0, 0xFDE0)))
_BEGIN, _END = "\ufde0", "\ufde1"
_MARK = re.compile(f"{_BEGIN}([{_DIGITS}]+){_END}")
_RESERVED = re.compile("[\ufdd0-\ufdef]")

_TAG = re.compile(r"""<([A-Za-z][^\s/<>"']*+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*+)>""")
_IDENTITY = re.compile(r"""\s(?:xml:)?(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# HTML does not know that `<a/>` is empty, but for these.
_CONTAINERS = frozenset("article aside blockquote body div figure header main ol section table ul".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


def as_html(xhtml: str, places: Sequence[str]) -> str:
    """XHTML as HTML, with marks in the elements that have one of the places as their identity."""
    number = {place: i for i, place in enumerate(places)}

    def rewrite(tag: re.Match[str]) -> str:
        name, attributes = tag[1], tag[2]
        identities = (
            (unescape(found[1] or found[2] or "") for found in _IDENTITY.finditer(attributes)) if number else ()
        )
        mark = next((_mark(number[identity]) for identity in identities if identity in number), "")
        if attributes.endswith("/") and name.lower() not in _VOID:
            return f"<{name}{attributes[:-1]}></{name}>{mark}"
        return mark + tag[0] if name.lower() in _CONTAINERS else tag[0] + mark

    return _TAG.sub(rewrite, _RESERVED.sub("", xhtml))


def _mark(number: int) -> str:
    return _BEGIN + "".join(_DIGITS[int(digit, 16)] for digit in f"{number:x}") + _END


def find(blocks: Iterable[Block], places: Sequence[str]) -> tuple[list[Block], dict[str, Place]]:
    """The blocks without the marks, and where these stood."""
    found: dict[str, Place] = {}
    kept: list[Block] = []
    for block in blocks:
        text = ""
        for i, part in enumerate(_MARK.split(block.text)):
            if i % 2:
                number = int("".join(f"{_DIGITS.index(digit):x}" for digit in part), 16)
                found.setdefault(places[number], (len(kept), len(text)))
            else:
                text += part[1:] if text.endswith(" ") and part.startswith(" ") else part
        if text.strip():
            kept.append(Block(text, block.level))
    return kept, found
