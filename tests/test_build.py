"""From blocks to a document, beside the same thing done naively."""

import unicodedata
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from docqn.build import SEPARATOR, Block, build_document, sole_top_heading
from docqn.document import KINDS, NONE, PARAGRAPH, SECTION, SENTENCE, TITLE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from tests.trees import block_lists, blocks


def build(*blocks: Block, title: str | None = None, source: str = "guide.md") -> Document:
    return build_document(blocks, source=source, format="markdown", title=title)


def invisible(char: str) -> bool:
    """What nobody sees: unpaired surrogates, controls that are not white space, and four format characters."""
    control = unicodedata.category(char) in ("Cc", "Cs") and not char.isspace()
    return control or char in "\u00ad\u200b\u2060\ufeff"


def tidy(text: str) -> str:
    return "".join(char for char in text if not invisible(char)).strip()


def outline(document: Document) -> list[tuple[int, str, str]]:
    """Depth, kind and text of every node but sentences."""
    nodes = np.flatnonzero(document.kind != SENTENCE).tolist()
    return [(int(document.depth[u]), KINDS[document.kind[u]], document.text_of(u)) for u in nodes]


@given(block_lists)
def test_every_document_is_sound(given_blocks: list[Block]) -> None:
    assert violations(build(*given_blocks)) == []
    assert violations(build(*given_blocks, title="\u200b")) == []


@settings(max_examples=50)
@given(block_lists)
def test_nodes_are_the_tidied_blocks_in_order(given_blocks: list[Block]) -> None:
    document = build(*given_blocks, title="A title that no block repeats")
    kept = [block for block in given_blocks if tidy(block.text)]
    nodes = np.flatnonzero(document.kind != SENTENCE)[1:]
    assert [document.text_of(node) for node in nodes] == [tidy(block.text) for block in kept]
    assert [bool(document.kind[node] == SECTION) for node in nodes] == [block.level > 0 for block in kept]
    assert document.level[nodes].tolist() == [min(block.level, 255) for block in kept]
    assert document.text == SEPARATOR.join([document.title, *map(document.text_of, nodes.tolist())])


@settings(max_examples=50)
@given(block_lists)
def test_a_node_hangs_below_the_nearest_heading_of_a_lower_level(given_blocks: list[Block]) -> None:
    document = build(*given_blocks, title="A title that no block repeats")
    nodes = np.flatnonzero(document.kind != SENTENCE).tolist()
    for place, node in enumerate(nodes[1:], start=1):
        above = 0
        for other in nodes[1:place]:
            if document.kind[other] == SECTION and (
                document.kind[node] == PARAGRAPH or document.level[other] < document.level[node]
            ):
                above = other  # the last such one
        assert document.parent[node] == above
    assert [document.kind[document.parent[u]] for u in np.flatnonzero(document.kind == SENTENCE)] == [
        PARAGRAPH for u in range(len(document)) if document.kind[u] == SENTENCE
    ]


@settings(max_examples=50)
@given(block_lists)
def test_node_indices_count_all_but_sentences(given_blocks: list[Block]) -> None:
    document = build(*given_blocks)
    for node in range(len(document)):
        assert document.index[node] == sum(kind != SENTENCE for kind in document.kind[: node + 1].tolist()) - 1
        if document.kind[node] == SENTENCE:
            assert document.index[node] == document.index[document.parent[node]]


@settings(max_examples=50)
@given(block_lists)
def test_sentences_divide_their_paragraph(given_blocks: list[Block]) -> None:
    document = build(*given_blocks)
    for paragraph in np.flatnonzero(document.kind == PARAGRAPH).tolist():
        sentences = list(document.children(paragraph))
        assert sentences
        assert document.start[sentences[0]] == document.start[paragraph]
        assert document.end[sentences[-1]] == document.end[paragraph]
        for left, right in pairwise(sentences):
            assert not document.text[document.end[left] : document.start[right]].strip()


@settings(max_examples=50)
@given(block_lists)
def test_tokens_belong_to_the_node_that_holds_them(given_blocks: list[Block]) -> None:
    document = build(*given_blocks)
    spans = list(zip(document.token_start.tolist(), document.token_end.tolist(), strict=True))
    words = [document.text[a:b] for a, b in spans]
    assert list(document.vocabulary) == list(dict.fromkeys(words))
    for node in range(len(document)):
        start, end = document.start[node], document.end[node]
        assert document.tokens_of(node) == [document.text[a:b] for a, b in spans if start <= a < end]
        if document.kind[node] == PARAGRAPH:
            sentences = map(document.tokens_of, document.children(node))
            assert document.tokens_of(node) == list(chain.from_iterable(sentences))


@given(blocks)
def test_a_sentence_knows_the_line_and_page_of_its_first_character(block: Block) -> None:
    every = tuple((offset, offset + 1) for offset in range(len(block.text)))  # each character on a line of its own
    visible = [offset for offset, char in enumerate(block.text) if not invisible(char)]
    while visible and block.text[visible[0]].isspace():
        del visible[0]
    document = build(block._replace(level=0, line=1, page=1, lines=every, pages=every), title="t")
    shift = len(document.title) + len(SEPARATOR)
    for node in range(1, len(document)):
        expected = visible[document.start[node] - shift] + 1
        if expected != 1 or document.kind[node] == SENTENCE:
            assert document.line[node] == document.page[node] == expected


def test_marks_hold_from_their_offset_on() -> None:
    text = "One. Two. Three. Four."
    document = build(Block(text, line=3, lines=((5, 4), (10, 6)), pages=((17, 2),)), Block("Five."), title="t")
    assert document.line.tolist() == [NONE, 3, 3, 4, 6, 6, NONE, NONE]
    assert document.page.tolist() == [NONE, NONE, NONE, NONE, NONE, 2, NONE, NONE]


def test_a_line_feed_ends_a_sentence() -> None:
    document = build(Block("no full stop\nsecond line"), title="t")
    assert [document.text_of(node) for node in (2, 3)] == ["no full stop", "second line"]


HEAD, SUB, TEXT = Block("Guide", 1, line=1), Block("Install", 2, line=3), Block("Run it.", line=5)


@pytest.mark.parametrize(
    ("blocks", "title", "expected"),
    [
        ((HEAD, SUB, TEXT), None, ["Guide", "Install", "Run it."]),  # the sole heading of level 1
        ((TEXT, HEAD, SUB), None, ["Guide", "Run it.", "Install"]),  # also below a preface
        ((SUB, HEAD, TEXT), None, ["handbook", "Install", "Guide", "Run it."]),  # it does not precede all others
        ((HEAD, TEXT, HEAD), None, ["handbook", "Guide", "Run it.", "Guide"]),  # it is not alone
        ((SUB, TEXT), None, ["handbook", "Install", "Run it."]),
        ((TEXT,), None, ["handbook", "Run it."]),
        ((), None, ["handbook"]),
        ((SUB, TEXT), " Manual\u200b ", ["Manual", "Install", "Run it."]),
        ((HEAD, SUB, TEXT), "Manual", ["Manual", "Guide", "Install", "Run it."]),
        ((HEAD, SUB, TEXT), "GUIDE", ["Guide", "Install", "Run it."]),  # repeated by the first heading
        ((HEAD, TEXT, HEAD), "Guide", ["Guide", "Guide", "Run it.", "Guide"]),
        ((HEAD, SUB, TEXT), " ", ["Guide", "Install", "Run it."]),
    ],
)
def test_the_title(blocks: tuple[Block, ...], title: str | None, expected: list[str]) -> None:
    document = build(*blocks, title=title, source="docs/handbook.md")
    assert [text for _, _, text in outline(document)] == expected
    assert document.line[0] == (1 if expected[0] == "Guide" and expected.count("Guide") == 1 else NONE)
    assert document.kind.tolist().count(TITLE) == 1


@pytest.mark.parametrize(("source", "title"), [("a/b.c.html", "b.c"), (".md", ".md"), ("x/", "x"), ("", "")])
def test_the_title_of_a_document_without_one_is_the_name_of_its_source(source: str, title: str) -> None:
    assert build(TEXT, source=source).title == title


def test_the_sole_top_heading() -> None:
    assert sole_top_heading([TEXT, HEAD, SUB]) == 1
    assert sole_top_heading([SUB, HEAD]) is None
    assert sole_top_heading([HEAD, HEAD]) is None
    assert sole_top_heading([TEXT]) is None


def test_skipped_levels_and_returning_ones() -> None:
    document = build(Block("a", 2), Block("b", 5), Block("c", 3), Block("p"), Block("d", 2), Block("e", 1), title="t")
    assert outline(document) == [
        (0, "title", "t"),
        (1, "section", "a"),
        (2, "section", "b"),
        (2, "section", "c"),
        (3, "paragraph", "p"),
        (1, "section", "d"),
        (1, "section", "e"),
    ]


def test_levels_beyond_255_are_siblings() -> None:
    document = build(*(Block(str(level), level) for level in range(1, 10_001)), title="t")
    assert document.depth.max() == 255
    assert violations(document) == []


def test_the_arrays_cannot_be_written() -> None:
    document = build(HEAD, TEXT)
    arrays = [array for array in vars(document).values() if isinstance(array, np.ndarray)]
    assert len(arrays) == 24
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_more_nodes_than_memory_is_meant_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docqn.build.MOST_NODES", 6)
    assert len(build(HEAD, SUB, TEXT, TEXT)) == 6
    for many in ((HEAD, SUB, TEXT, TEXT, SUB), (SUB,) * 6, (HEAD, *(SUB,) * 6), (Block("A.\n" * 5),)):
        with pytest.raises(ParseError, match=r"guide\.md: has more than 6 headings, paragraphs and sentences"):
            build(*many)
    assert len(build(*(SUB,) * 5, *(Block(" "),) * 9)) == 6  # empty ones do not count


def test_marks_of_a_long_block_are_moved_in_linear_time() -> None:
    lines = ["word " * 8 + "\u00ad"] * 20_000  # quadratic work would take minutes
    offsets = np.cumsum([0] + [len(line) + 1 for line in lines[:-1]]).tolist()
    document = build(Block("\n".join(lines), line=1, lines=tuple(zip(offsets, range(1, 20_001), strict=True))))
    assert np.array_equal(document.line[2:], np.arange(1, 20_001))
