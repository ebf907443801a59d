"""Cleaning of extracted text."""

import sys
import unicodedata

import pytest
from hypothesis import given

from docqn.text.clean import clean, collapse
from tests.trees import texts


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("", ""),
        ("plain text", "plain text"),
        ("hy\u00adphen\u200bated\ufeff", "hyphenated"),
        ("a\x00b\x07c\x1bd\x7fe\x9ff", "abcdef"),
        ("kept:\t\n\r\x0b\x0c\x85\u2028\u00a0", "kept:\t\n\r\x0b\x0c\x85\u2028\u00a0"),
        ("half \ud83d a pair", "half  a pair"),
        ("joined 👩\u200d👧, \u200fright to left", "joined 👩\u200d👧, \u200fright to left"),
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_what_goes_of_all_of_unicode() -> None:
    """Controls that are not space, unpaired surrogates, and four format characters."""
    gone = {code for code in range(sys.maxunicode + 1) if not clean(chr(code))}
    controls = {code for code in range(0xE000) if unicodedata.category(chr(code)) in ("Cc", "Cs")}
    assert gone == {code for code in controls if not chr(code).isspace()} | {0xAD, 0x200B, 0x2060, 0xFEFF}


@given(texts)
def test_clean_text_can_be_encoded_and_stays_as_it_is(text: str) -> None:
    once = clean(text)
    once.encode()
    assert clean(once) == once


@given(texts)
def test_collapsed_text_is_one_line_without_double_spaces(text: str) -> None:
    line = collapse(text)
    assert line.split() == line.split(" ") if line else True
    assert line.split() == clean(text).split()
