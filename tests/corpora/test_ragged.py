"""Rows of different lengths, against lists."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.corpora import ragged
from docqn.corpora.ragged import Ragged, Strings, offsets

rows = st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=6)


def as_lists(ragged: Ragged) -> list[list[int]]:
    return [ragged[i].tolist() for i in range(len(ragged))]


@given(rows, rows)
def test_rows_come_back_and_parts_are_joined(first: list[list[int]], second: list[list[int]]) -> None:
    assert as_lists(Ragged.of(first)) == first
    assert as_lists(Ragged.join([Ragged.of(first), Ragged.of(second)])) == first + second


@given(rows.filter(len), st.data(), st.integers(1, 3))
def test_rows_are_taken_in_any_order_and_more_than_once(
    some: list[list[int]], data: st.DataObject, together: int
) -> None:
    order = data.draw(st.lists(st.integers(0, len(some) - 1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ragged, "_TOGETHER", together)
        assert as_lists(Ragged.of(some).take(np.array(order, np.int64))) == [some[i] for i in order]


def test_taking_many_rows_needs_little_more_memory_than_they_have() -> None:
    many = Ragged(np.ones(5_000_000, np.int32), offsets(np.full(50_000, 100)))
    tracemalloc.start()
    try:
        taken = many.take(np.arange(len(many)))
        assert tracemalloc.get_traced_memory()[1] < 2 * taken.values.nbytes
    finally:
        tracemalloc.stop()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_strings_come_back(some: list[str]) -> None:
    strings = Strings(Ragged.of_strings(some))
    assert list(strings) == some
    assert strings[1:] == some[1:]
    joined = np.frombuffer("\n".join(some).encode(), np.uint8)
    assert list(Strings(Ragged(joined, offsets(len(s.encode()) + 1 for s in some)), gap=1)) == some


def test_indices_are_those_of_a_sequence() -> None:
    strings = Strings(Ragged.of_strings(["a", "bé"]))
    assert strings[-1] == "bé"
    with pytest.raises(IndexError):
        strings[2]
