import pytest

from docqn.errors import ParseError
from docqn.parsers import source_text as module
from docqn.parsers.source_text import source_text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\rc\nd\r\r\n", "a\nb\nc\nd\n\n"),
        (b"N\x08NA\x08A _\x08c\n\x08d", "NA c\nd"),
        (b"\x1b[1;31mred\x1b[0m", "red"),
        ("\ufeffsoft\u00adhyphen\u200b".encode(), "softhyphen"),
        ("Größe".encode("cp1252"), "Größe"),
        ("Größe\n".encode("utf-16"), "Größe\n"),
    ],
)
def test_lines_end_alike_and_what_nobody_sees_is_gone(data: bytes, text: str) -> None:
    assert source_text(data, "x") == text


def test_too_many_lines_and_binary_data_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LINES", 2)
    assert source_text(b"a\nb\n", "x") == "a\nb\n"
    with pytest.raises(ParseError, match=r"^x: holds 3 lines, more than the 2 that docqn reads; split it$"):
        source_text(b"a\nb\nc\n", "x")
    with pytest.raises(ParseError, match="binary"):
        source_text(bytes(range(256)), "x")
