"""Each thing that can be wrong with a document is noticed and named."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.arrays import Array
from docqn.build import Block, build_document
from docqn.document import ARRAYS, NONE, PARAGRAPH, SECTION, SENTENCE, TITLE, Document
from docqn.invariants import violations
from docqn.tree import Links, link, trace_moves

# Title 0 [Section 1 [Paragraph 2 [Sentences 3, 4], Section 5], Section 6 [Paragraph 7 [Sentence 8]]]
BLOCKS = [Block("Install", 1), Block("Fetch it. Run it."), Block("Deep", 2), Block("Use", 1), Block("Enjoy.")]


@pytest.fixture(scope="module")
def sound() -> Document:
    document = build_document(BLOCKS, source="a.md", format="markdown", title="Title")
    kinds = (TITLE, SECTION, PARAGRAPH, SENTENCE, SENTENCE, SECTION, SECTION, PARAGRAPH, SENTENCE)
    assert tuple(document.kind.tolist()) == kinds
    assert document.text == "Title\n\nInstall\n\nFetch it. Run it.\n\nDeep\n\nUse\n\nEnjoy."
    assert violations(document) == []
    return document


def replaced(document: Document, name: str, array: Array) -> Document:
    changes: dict[str, Any] = {name: array}
    return dataclasses.replace(document, **changes)


def changed(document: Document, name: str, at: int | tuple[int, int], value: int) -> Document:
    array: Array = np.array(getattr(document, name))
    array[at] = value
    return replaced(document, name, array)


def with_parent(document: Document, parent: list[int]) -> Document:
    """With all that follows from the parents."""
    ints = np.array(parent, np.int32)
    links = link(ints)
    return dataclasses.replace(document, parent=ints, moves=trace_moves(ints, links), **links._asdict())


def test_no_nodes(sound: Document) -> None:
    empty: dict[str, Any] = {name: getattr(sound, name)[:0] for name in ARRAYS}
    assert violations(dataclasses.replace(sound, **empty)) == ["there is no title"]


@pytest.mark.parametrize("name", [name for name in ARRAYS if name not in ("kind", "utf8", "vocabulary_utf8", "token")])
def test_an_array_that_is_too_short(sound: Document, name: str) -> None:
    broken = replaced(sound, name, getattr(sound, name)[:-1])
    assert violations(broken) == [f"{name} is of the wrong shape"]


@pytest.mark.parametrize("name", ["kind", "utf8", "vocabulary_utf8", "token"])
def test_an_array_of_two_dimensions(sound: Document, name: str) -> None:
    broken = replaced(sound, name, getattr(sound, name)[:, None])
    assert violations(broken) == [f"{name} is of the wrong shape"]


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.int8, bool])
def test_an_array_of_another_type(sound: Document, name: str, dtype: type) -> None:
    broken = replaced(sound, name, getattr(sound, name).astype(dtype))
    assert violations(broken) == [f"{name} is of the wrong type"]


@pytest.mark.parametrize("name", ["utf8", "vocabulary_utf8"])
def test_text_that_is_not_utf8(sound: Document, name: str) -> None:
    assert violations(changed(sound, name, 0, 0xFF)) == ["the text or the vocabulary is not UTF-8"]


@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("parent", 0, 0, "node 0 is not the title"),
        ("kind", 0, SECTION, "node 0 is not the title"),
        ("parent", 5, NONE, "a parent does not precede its child"),
        ("parent", 5, 5, "a parent does not precede its child"),
        ("parent", 5, 99, "a parent does not precede its child"),
        ("kind", 5, TITLE, "a node is of a wrong kind"),
        ("kind", 5, 4, "a node is of a wrong kind"),
        ("kind", 5, SENTENCE, "sentences stand only in paragraphs, and paragraphs hold only sentences"),
        ("kind", 4, PARAGRAPH, "sentences stand only in paragraphs, and paragraphs hold only sentences"),
        ("level", 5, 1, "a section's level is not below its parent's"),
        ("level", 6, 0, "a section's level is not below its parent's"),
        ("level", 0, 1, "a node that is not a section has a level"),
        ("level", 7, 3, "a node that is not a section has a level"),
        *((name, 5, 77, f"{name} disagrees with the parents") for name in Links._fields),
        *(("moves", (6, move), 5, "moves disagree with the parents") for move in range(5)),
        ("index", 4, 3, "node indices are not the pre-order numbers of non-sentences"),
        ("start", 0, 1, "a span lies outside the text"),
        ("start", 1, -1, "spans are not in the order of the nodes"),
        ("end", 8, 10_000, "a span lies outside the text"),
        ("end", 1, 6, "a span lies outside the text"),
        ("start", 7, 40, "spans are not in the order of the nodes"),
        ("start", 3, 15, "a sentence reaches beyond its paragraph"),
        ("end", 4, 40, "a sentence reaches beyond its paragraph"),
        ("end", 5, 42, "the texts of two nodes overlap"),
        ("end", 3, 27, "two sentences overlap"),
        ("end", 5, 35, "a node has no text"),
        ("line", 5, 0, "a line is below 1"),
        ("page", 5, -2, "a page is below 1"),
        ("token_start", 0, -1, "tokens overlap, are empty, or lie outside the text"),
        ("token_end", 0, 0, "tokens overlap, are empty, or lie outside the text"),
        ("token_end", 0, 8, "tokens overlap, are empty, or lie outside the text"),
        ("token_end", -1, 10_000, "tokens overlap, are empty, or lie outside the text"),
        ("token", 0, -1, "a token is not in the vocabulary"),
        ("token", 0, 999, "a token is not in the vocabulary"),
        ("first_token", 5, 0, "a node's tokens are not those in its span"),
        ("end_token", 5, 999, "a node's tokens are not those in its span"),
        ("token_end", 0, 6, "a token reaches beyond its node"),
    ],
)
def test_a_wrong_entry(sound: Document, name: str, at: int | tuple[int, int], value: int, message: str) -> None:
    assert message in violations(changed(sound, name, at, value))


def test_nodes_out_of_order(sound: Document) -> None:
    broken = with_parent(sound, [NONE, 0, 1, 2, 2, 1, 0, 1, 7])  # back into a section that was left
    assert violations(broken) == ["nodes are not in pre-order"]


def test_a_sentence_below_a_sentence(sound: Document) -> None:
    broken = with_parent(sound, [NONE, 0, 1, 2, 3, 1, 0, 6, 7])
    assert violations(broken) == ["sentences stand only in paragraphs, and paragraphs hold only sentences"]


values = st.integers(-2, 60) | st.integers(-(2**31), 2**31 - 1)
entries = st.tuples(st.sampled_from(ARRAYS), st.integers(0, 200), values)


@given(st.lists(entries, min_size=1, max_size=4))
def test_whatever_is_wrong_raises_nothing(changes: list[tuple[str, int, int]]) -> None:
    document = build_document(BLOCKS, source="a.md", format="markdown", title="Title")
    for name, at, value in changes:
        array: Array = np.array(getattr(document, name))
        array.flat[at % array.size] = value % 256 if array.dtype == np.uint8 else value
        document = replaced(document, name, array)
    assert all(isinstance(line, str) for line in violations(document))
