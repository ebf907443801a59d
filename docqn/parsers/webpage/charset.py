"""From the bytes of an HTML file to its text, by what the file says of itself where that can be right."""

import codecs
import re

from docqn.parsers.decoding import check_length, decode

_DECLARED = re.compile(rb"""<(?:meta\b[^>]*?charset|\?xml\b[^>]*?encoding)\s*=\s*["']?\s*([\w.:+-]+)""", re.IGNORECASE)
_DECLARED_WITHIN = 4096  # bytes; the standard says 1024, and pages exceed it
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# What Python calls the encodings of the web. A declared Latin-1 is Windows-1252, and so on, as in browsers.
_SINGLE_BYTE = frozenset(
    """cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 iso8859-2 iso8859-3 iso8859-4
    iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u
    mac-roman mac-cyrillic""".split()
)
_MULTI_BYTE = frozenset("gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949".split())
_MEANT = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip


def decode_html(data: bytes, source: str) -> str:
    """The text, with line feeds at the ends of lines."""
    text = _decode(data, source).replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def _decode(data: bytes, source: str) -> str:
    check_length(data, source)
    declared = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    if declared and not data.startswith(_MARKS) and b"\0" not in data[:_DECLARED_WITHIN]:
        encoding = _codec(declared[1].decode("ascii", "replace"))
        if encoding in _MULTI_BYTE or (encoding in _SINGLE_BYTE and not _is_utf8(data)):
            return data.decode(encoding, "replace")
        if encoding == "utf-8":
            return data.decode("utf-8", "replace")
    return decode(data, source)


def _codec(label: str) -> str:
    """Python's name of the encoding that a page means by a label; empty for none that pages use."""
    try:
        name = codecs.lookup(
            {"x-sjis": "cp932", "windows-31j": "cp932", "windows-874": "cp874"}.get(label.lower(), label)
        ).name
    except LookupError:
        return ""
    return _MEANT.get(name, name)


def _is_utf8(data: bytes) -> bool:
    """Whether bytes beyond ASCII are UTF-8: text in a single-byte encoding hardly ever is by chance."""
    try:
        return not data.decode().isascii()
    except UnicodeDecodeError:
        return False
