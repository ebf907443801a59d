"""From bytes to text."""

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.errors import ParseError
from docqn.parsers import decoding
from docqn.parsers.decoding import decode, guess_encoding

TEXT = "Größe: 3 km, “naïve” – déjà vu.\nSecond line.\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_encodings(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "a.txt") == TEXT


@pytest.mark.parametrize(("bom", "encoding"), [(codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_BE, "utf-32-be")])
def test_marks_of_the_other_byte_order(bom: bytes, encoding: str) -> None:
    assert decode(bom + TEXT.encode(encoding), "a.txt") == TEXT


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_what_was_encoded_as_utf8_is_decoded(text: str) -> None:
    assert decode(text.encode(), "a.txt") == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xe9 and na\xefve", "café and naïve"),  # Windows-1252 in Western text
        (b"\x93quoted\x94 \x80 5", "“quoted” € 5"),
        (b"a\x81b", "a\ufffdb"),  # means nothing there
        ("Größe, naïve, café".encode() + b" \xff.", "Größe, naïve, café \ufffd."),  # one bad byte among good ones
        ("déjà vu, naïveté".encode()[:-1], "déjà vu, naïvet\ufffd"),  # cut within a character
        ("é".encode() + b" \xff", "Ã© ÿ"),  # no more that is sound than is not
        (codecs.BOM_UTF8 + b"a\xffb", "a\ufffdb"),
        (b"", ""),
        (b"\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"),
    ],
)
def test_damaged_and_western_texts(data: bytes, text: str) -> None:
    assert decode(data, "a.txt") == text


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 10,
        b"\0" * 1000,
        b"text with a zero \0 in it",
        b"\x7fELF\x02\x01\x01" + bytes(range(64)),
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\x01\x02\x03 text",
    ],
)
def test_binary_data(data: bytes) -> None:
    assert guess_encoding(data) is None
    with pytest.raises(ParseError, match=r"a.txt: is binary data, not text"):
        decode(data, "a.txt")


@pytest.mark.parametrize("data", [codecs.BOM_UTF16_LE + b"\x00\xd8a", codecs.BOM_UTF32_LE + b"\xff" * 4, b"a\0b\0c"])
def test_damaged_utf16_and_utf32(data: bytes) -> None:
    with pytest.raises(ParseError, match=r"a.txt: is not valid utf-(16|32)-\w+ at byte \d"):
        decode(data, "a.txt")


def test_more_text_than_docqn_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MOST_TEXT", 2 << 20)
    assert len(decode(b"a" * (2 << 20), "a.txt")) == 2 << 20
    with pytest.raises(ParseError, match=r"a\.txt: holds 2 MB of text, more than the 2 MB that docqn reads; split it"):
        decode(b"a" * ((2 << 20) + 1), "a.txt")


@given(st.binary(max_size=60) | st.binary(max_size=20).map(lambda data: codecs.BOM_UTF16_LE + data))
def test_any_bytes_are_text_or_an_error(data: bytes) -> None:
    with suppress(ParseError):
        assert isinstance(decode(data, "a.txt"), str)
