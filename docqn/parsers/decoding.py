"""From bytes to text, for formats that are text."""

import codecs

from docqn.errors import ParseError

MOST_TEXT = 64 << 20  # bytes of text in one document; longer ones would take gigabytes as a tree

_BOMS = (  # longest first: the UTF-32 mark begins with the UTF-16 one
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_TEXT_CONTROLS = b"\b\t\n\x0b\x0c\r\x1b"
_CONTROLS = bytes(b for b in range(32) if b not in _TEXT_CONTROLS) + b"\x7f"
_MOST_CONTROLS = 0.02  # share of control characters above which bytes are not text


def decode(data: bytes, source: str) -> str:
    """The text: by its byte order mark, as UTF-8, as UTF-16 if every other byte is zero, else as Windows-1252.

    Bytes that do not belong become U+FFFD; in UTF-16 and UTF-32 they show that the encoding is another.
    """
    check_length(data, source)
    encoding = guess_encoding(data)
    if encoding is None:
        raise ParseError(source, "is binary data, not text")
    try:
        return data.decode(encoding, "strict" if encoding.startswith(("utf-16", "utf-32")) else "replace")
    except UnicodeDecodeError as error:
        raise ParseError(source, f"is not valid {error.encoding} at byte {error.start}") from None


def check_length(data: bytes, source: str) -> None:
    """Refuse more text than memory is meant for."""
    if len(data) > MOST_TEXT:
        size, most = len(data) >> 20, MOST_TEXT >> 20
        raise ParseError(source, f"holds {size} MB of text, more than the {most} MB that docqn reads; split it")


def guess_encoding(data: bytes) -> str | None:
    """Name of the encoding, or None for binary data."""
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name
    sample = data[:_SAMPLE]
    if b"\0" in sample:
        return _utf16(sample)
    if len(sample.translate(None, _CONTROLS)) < (1 - _MOST_CONTROLS) * len(sample):
        return None
    try:
        data.decode()
    except UnicodeDecodeError:
        return "utf-8" if _damaged_utf8(data) else "cp1252"
    return "utf-8"


def _damaged_utf8(data: bytes) -> bool:
    """Whether more characters beyond ASCII are sound UTF-8 than not; in other encodings hardly any are."""
    text = data.decode("utf-8", "replace")
    unsound = text.count("\ufffd")
    return unsound < len(text) - len(text.encode("ascii", "ignore")) - unsound


def _utf16(sample: bytes) -> str | None:
    """UTF-16 without a mark: nearly all high bytes of Western text are zero, hardly any low bytes."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * len(sample[1::2]) and even < 0.05 * len(sample):
        return "utf-16-le"
    if even > 0.7 * len(sample[::2]) and odd < 0.05 * len(sample):
        return "utf-16-be"
    return None
