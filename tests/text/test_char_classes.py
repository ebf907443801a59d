"""The committed table of character classes, beside what its tool computes here."""

import sys
import unicodedata

import numpy as np
import pytest

from docqn.text.char_classes import DIGIT, LETTER, MARK, RUN, SINGLE, SPACE, char_classes
from tools.make_char_classes import run_lengths


def test_the_committed_table_is_what_the_tool_makes() -> None:
    lengths, classes = run_lengths().T
    here = np.repeat(classes.astype(np.uint8), lengths)
    committed = char_classes()
    assert len(here) == len(committed) == sys.maxunicode + 1
    # Another version of Unicode has more characters; what is not assigned yet is SINGLE.
    differing = np.flatnonzero(here != committed).tolist()
    assert [code for code in differing if unicodedata.category(chr(code)) != "Cn" and committed[code] != SINGLE] == []
    assert len(differing) < 0.02 * len(here)


@pytest.mark.parametrize(
    ("chars", "expected"),
    [
        (" \n\t\u00a0\u2028\u3000\u200b\ufeff\x85", SPACE),
        ("aZßéЖאسฃक한ﬁ𝒳".replace("ฃ", ""), LETTER),
        ("09٣½²Ⅳ①", DIGIT),
        (".,-_'$+©。大ぁกກក😀", SINGLE),
        ("アーッ", RUN),
        ("\u0301\u200d\ufe0f\u0e31\u093f\u200f", MARK),
    ],
)
def test_classes(chars: str, expected: int) -> None:
    assert [int(char_classes()[ord(char)]) for char in chars] == [expected] * len(chars)


def test_all_that_python_strips_is_space() -> None:
    spaces = [code for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert (char_classes()[spaces] == SPACE).all()


def test_the_table_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        char_classes()[0] = LETTER
