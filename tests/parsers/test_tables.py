import pytest

from docqn.parsers.tables import row_text


@pytest.mark.parametrize(
    ("heads", "cells", "text"),
    [
        (["A", "B"], ["1", "2"], "A: 1 | B: 2"),
        (["A", "B"], ["", "2", "3"], "B: 2 | 3"),
        (["A:", ""], ["1", "2"], "A: 1 | 2"),
        (["A"], ["A"], "A"),
        ([], [], ""),
    ],
)
def test_a_row_keeps_its_heads(heads: list[str], cells: list[str], text: str) -> None:
    assert row_text(heads, cells) == text
