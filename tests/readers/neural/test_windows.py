"""Windows show everything, overlap, and share the tokens out."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.readers.neural.windows import windows


@given(st.integers(0, 900), st.integers(2, 60), st.data())
def test_every_token_is_owned_once_and_seen_by_its_owner(tokens: int, room: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, room - 1))
    found = windows(tokens, room, overlap)
    assert [token for window in found for token in range(window.own_first, window.own_end)] == list(range(tokens))
    for window in found:
        assert window.first <= window.own_first <= window.own_end <= window.end <= window.first + room
    for before, after in pairwise(found):
        assert before.end - after.first == overlap
        assert before.end - before.own_end >= overlap // 2  # a span may go on behind what is owned
        assert after.own_first - after.first >= overlap // 2


def test_a_short_passage_is_one_window() -> None:
    assert windows(5, 10, 3) == [(0, 5, 0, 5)]
    assert windows(0, 10, 3) == [(0, 0, 0, 0)]


def test_windows_that_get_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot overlap"):
        windows(100, 10, 10)
