"""Documents as JSON."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from docqn import export
from docqn.build import Block, build_document
from docqn.document import KINDS, NONE, SECTION, Document
from docqn.export import document_json, outline_json
from docqn.tree import link
from tests.trees import block_lists

Json = dict[str, Any]


def build(*blocks: Block) -> Document:
    return build_document(blocks, source="a.md", format="markdown", title="Guide")


def loaded(document: Document) -> Json:
    parsed: Json = json.loads("".join(document_json(document)))
    return parsed


def nested(document: Document) -> Json:
    parsed: Json = json.loads("".join(outline_json(document)))
    return parsed


def test_the_fields() -> None:
    document = build(Block("One", 1, line=3), Block("Two. Three.", line=5, page=2, pages=((5, 3),)))
    nodes = [
        [0, 0, "title", None, 0, 3, 0, 5, "Guide", None, None],
        [1, 1, "section", 0, 1, 2, 7, 10, "One", None, 3],
        [2, 2, "paragraph", 1, 2, 1, 12, 23, "Two. Three.", 2, 5],
        [3, 2, "sentence", 2, 3, 0, 12, 16, "Two.", 2, 5],
        [4, 2, "sentence", 2, 3, 0, 17, 23, "Three.", 3, 5],
    ]
    fields = ["id", "index", "kind", "parent", "depth", "height", "start", "end", "text", "page", "line"]
    assert loaded(document) == {
        "title": "Guide",
        "source": "a.md",
        "format": "markdown",
        "tokens": 6,
        "text": "Guide\n\nOne\n\nTwo. Three.",
        "nodes": [dict(zip(fields, node, strict=True)) for node in nodes],
    }


@settings(max_examples=50)
@given(block_lists)
def test_offsets_lead_to_the_text(blocks: list[Block]) -> None:
    document = build(*blocks)
    parsed = loaded(document)
    assert [node["id"] for node in parsed["nodes"]] == list(range(len(document)))
    for node in parsed["nodes"]:
        assert parsed["text"][node["start"] : node["end"]] == node["text"] == document.text_of(node["id"])
        assert node["kind"] == KINDS[document.kind[node["id"]]]
        assert node["parent"] is None if node["id"] == 0 else node["parent"] < node["id"]


def test_pieces_make_one_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    document = build(*(Block(f"Paragraph {n}.") for n in range(9)))
    at_once = loaded(document)
    for size in (1, 2, 18, 19, 20):
        monkeypatch.setattr(export, "_AT_ONCE", size)
        assert loaded(document) == at_once


def test_a_source_that_is_not_unicode() -> None:
    document = build_document([], source="b\udcffd.md", format="markdown")
    assert loaded(document)["source"] == "b\udcffd.md"
    assert "".join(document_json(document)).isascii()


def naive(document: Document, node: int) -> Json:
    """By recursion, with character offsets."""
    below = list(document.children(node))
    ends = [int(document.end[node]), *(naive(document, child)["end_index"] for child in below)]
    return {
        "title": document.text_of(node),
        "node_id": str(document.index[node]).zfill(4),
        "start_index": int(document.start[node]),
        "end_index": max(ends),
        "nodes": [naive(document, child) for child in below if document.kind[child] == SECTION],
    }


@settings(max_examples=50)
@given(block_lists)
def test_the_outline_nests_as_the_sections_do(blocks: list[Block]) -> None:
    document = build(*(block._replace(page=NONE, pages=()) for block in blocks))
    assert nested(document) == naive(document, 0)


def test_the_outline_tells_pages_where_there_are_any() -> None:
    document = build(
        Block("One", 1, page=2),
        Block("Text that goes on. To the next page.", page=2, pages=((19, 3),)),
        Block("Unknown", 2),
        Block("Two", 1, page=5),
        Block("End.", page=7),
    )
    parsed = nested(document)
    one, two = parsed["nodes"]
    (unknown,) = one["nodes"]
    pages = [(entry["node_id"], entry["start_index"], entry["end_index"]) for entry in (parsed, one, unknown, two)]
    assert pages == [("0000", 2, 7), ("0001", 2, 3), ("0003", 3, 3), ("0004", 5, 7)]


def test_numbers_of_five_digits() -> None:
    document = build(*(Block("p") for _ in range(10_000)), Block("End", 1))
    assert nested(document)["nodes"][0]["node_id"] == "10001"


def test_ten_thousand_nested_sections() -> None:
    flat = build(*(Block("a", 1) for _ in range(10_000)))
    parent = np.arange(-1, 10_000, dtype=np.int32)
    links: Json = link(parent)._asdict()
    document = dataclasses.replace(flat, parent=parent, **links)
    text = "".join(outline_json(document))
    assert text.count('"nodes": [') == 10_001
    assert text.endswith('"nodes": [' + "]}" * 10_001)
