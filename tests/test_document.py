"""The document: what it says of its nodes, and the way to a file and back."""

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.arrays import load_arrays, save_arrays
from docqn.build import Block, build_document
from docqn.document import ARRAYS, DOWN, LEFT, NONE, RIGHT, UP_LEFT, UP_RIGHT, Document
from docqn.errors import DocqnError
from docqn.invariants import violations
from tests.trees import block_lists

BLOCKS = [
    Block("Guide", 1, line=1),
    Block("All of it.", line=3),
    Block("Install", 2, line=5),
    Block("Fetch it. Run it.", line=7, lines=((10, 8),)),
    Block("Use", 2, line=10),
    Block("Naïve use", 3, line=12),
]


@pytest.fixture(scope="module")
def guide() -> Document:
    """Guide 0 [All of it. 1 [2], Install 3 [4 [Fetch it. 5, Run it. 6]], Use 7 [Naïve use 8]]."""
    return build_document(BLOCKS, source="guide.md", format="markdown")


@pytest.fixture
def saved(guide: Document, tmp_path: Path) -> Path:
    guide.save(tmp_path / "guide.docqn")
    return tmp_path / "guide.docqn"


def assert_equal(left: Document, right: Document) -> None:
    assert (left.source, left.format) == (right.source, right.format)
    for name in ARRAYS:
        assert np.array_equal(getattr(left, name), getattr(right, name)), name
    assert left.text == right.text
    assert left.vocabulary == right.vocabulary


def test_what_a_document_says(guide: Document) -> None:
    assert len(guide) == 9
    assert guide.title == "Guide"
    assert [guide.text_of(node) for node in (1, 2, 6, 8)] == ["All of it.", "All of it.", "Run it.", "Naïve use"]
    assert guide.tokens_of(4) == ["Fetch", "it", ".", "Run", "it", "."]
    assert guide.tokens_of(8) == ["Naïve", "use"]
    assert list(guide.children(0)) == [1, 3, 7]
    assert list(guide.children(2)) == []
    assert guide.path(6) == [0, 3, 4, 6]
    assert guide.path(0) == [0]
    assert guide.line.tolist() == [1, 3, 3, 5, 7, 7, 8, 10, 12]
    assert set(guide.page.tolist()) == {NONE}


def test_the_moves(guide: Document) -> None:
    assert guide.moves[6, [UP_LEFT, UP_RIGHT, DOWN, LEFT, RIGHT]].tolist() == [4, 4, 6, 5, 6]
    assert guide.moves[4, [UP_LEFT, UP_RIGHT, DOWN, LEFT, RIGHT]].tolist() == [1, 7, 5, 4, 4]
    assert guide.moves[3, [UP_LEFT, UP_RIGHT, DOWN, LEFT, RIGHT]].tolist() == [0, 0, 4, 1, 7]
    assert guide.moves[0, [UP_LEFT, UP_RIGHT, DOWN, LEFT, RIGHT]].tolist() == [0, 0, 1, 0, 0]


def test_fields_cannot_be_set(guide: Document) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        guide.source = "other.md"  # type: ignore[misc]


@settings(max_examples=50)
@given(block_lists)
def test_what_was_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, blocks: list[Block]) -> None:
    document = build_document(blocks, source="ü.md", format="markdown")
    path = tmp_path_factory.mktemp("round-trip") / "d"
    document.save(path)
    assert_equal(Document.load(path), document)


def test_loaded_arrays_are_views_of_the_file_and_cannot_be_written(saved: Path) -> None:
    document = Document.load(saved)
    for name in ARRAYS:
        array = getattr(document, name)
        base = array
        while isinstance(base.base, np.ndarray):
            base = base.base
        assert isinstance(base.base, memoryview)  # of the memory map
        assert not array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[:1] = 1


def test_a_document_accepts_memory_mapped_arrays_as_they_are(saved: Path) -> None:
    arrays, _ = load_arrays(saved)
    document = Document("guide.md", "markdown", **{name: arrays[name] for name in ARRAYS})
    assert all(np.shares_memory(getattr(document, name), arrays[name]) for name in ARRAYS)
    assert document.tokens_of(8) == ["Naïve", "use"]
    assert violations(document) == []


def test_a_document_goes_to_another_process(guide: Document, saved: Path) -> None:
    assert_equal(pickle.loads(pickle.dumps(guide)), guide)
    assert_equal(pickle.loads(pickle.dumps(Document.load(saved))), guide)


def test_documents_of_another_version_or_another_kind_are_refused(saved: Path, guide: Document) -> None:
    arrays, meta = load_arrays(saved)
    for label in ("document 999", "corpus 1", ""):
        save_arrays(saved.with_name("other"), arrays, meta | {"docqn": label})
        with pytest.raises(DocqnError, match="not a docqn document"):
            Document.load(saved.with_name("other"))


@pytest.mark.parametrize("name", ["source", "format", *ARRAYS])
def test_a_document_with_something_missing_is_refused(saved: Path, name: str) -> None:
    arrays, meta = load_arrays(saved)
    save_arrays(
        saved.with_name("other"),
        {key: array for key, array in arrays.items() if key != name},
        {key: value for key, value in meta.items() if key != name},
    )
    with pytest.raises(DocqnError, match=f"damaged document, {name} is missing; parse the source again"):
        Document.load(saved.with_name("other"))


def test_a_document_that_is_wrong_is_refused(saved: Path) -> None:
    arrays, meta = load_arrays(saved)
    save_arrays(saved.with_name("other"), arrays | {"height": arrays["height"] + 1}, meta)
    with pytest.raises(DocqnError, match="damaged document, height disagrees with the parents; parse the source again"):
        Document.load(saved.with_name("other"))


flips = st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 255)), max_size=3)


@settings(max_examples=200)
@given(flips, st.integers(0, 10_000) | st.none(), st.booleans())
def test_a_damaged_file_is_an_error_or_a_sound_document(
    tmp_path_factory: pytest.TempPathFactory, flips: list[tuple[int, int]], length: int | None, in_header: bool
) -> None:
    folder = tmp_path_factory.getbasetemp() / "documents"
    folder.mkdir(exist_ok=True)
    if not (folder / "sound").exists():
        build_document(BLOCKS, source="guide.md", format="markdown").save(folder / "sound")
    data = bytearray((folder / "sound").read_bytes())
    end = 8 + int.from_bytes(data[:8], "little") if in_header else len(data)
    for at, change in flips:
        data[at % end] ^= change
    (folder / "damaged").write_bytes(data[:length])
    try:
        document = Document.load(folder / "damaged")
    except DocqnError:
        return
    assert violations(document) == []
