"""The index of a document against its nodes."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings

from docqn.document import SECTION, Document
from docqn.policies.scent import index as module
from docqn.policies.scent.index import Index, index_of
from tests.documents import document, sections
from tests.policies.scent.naive import capitals_of, digits_of, documents, paragraphs_of, sentences_of, stems_of


@settings(max_examples=60)
@given(documents)
def test_it_has_what_the_nodes_have(made: Document) -> None:
    index = index_of(made)
    nodes = paragraphs_of(made)
    headings = [node for node in range(len(made)) if made.kind[node] <= SECTION]
    assert index.paragraph.tolist() == nodes
    assert index.heading.tolist() == headings
    spelt = {number: one for one, number in index.number.items()}
    found = [
        *zip((spelt[one] for one in index.stem.tolist()), index.row.tolist(), index.sentence.tolist(), strict=True)
    ]
    expected = [(one, -1, node) for node in headings for one in stems_of(made, node)]
    for row, node in enumerate(nodes):
        expected += [(one, row, part) for part in sentences_of(made, node) for one in stems_of(made, part)]
    assert sorted(found) == sorted(expected)
    for row in range(len(nodes)):  # in order
        assert [one for one, of, _ in found if of == row] == [one for one, of, _ in expected if of == row]
    assert index.length.tolist() == [len(stems_of(made, node)) for node in nodes]
    assert index.tokens.tolist() == [len(made.tokens_of(node)) for node in nodes]
    assert index.digits.tolist() == [digits_of(made, node) for node in nodes]
    assert index.capitals.tolist() == [capitals_of(made, node) for node in nodes]
    assert [headings[at] for at in index.above] == [made.parent[node] for node in nodes]
    assert [headings[at] for at in index.parent[1:]] == [made.parent[node] for node in headings[1:]]
    assert index.parent[0] == -1
    assert index.depth.tolist() == made.depth[headings].tolist()


def test_it_is_made_once_and_goes_with_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    made, count = document(sections(3)), 0
    real = module._index

    def counted(of: Document) -> Index:
        nonlocal count
        count += 1
        return real(of)

    monkeypatch.setattr(module, "_index", counted)
    index = index_of(made)
    assert index_of(made) is index
    assert count == 1
    gone = weakref.ref(index)
    del made, index
    gc.collect()
    assert gone() is None


def test_threads_get_the_same() -> None:
    made = [document(sections(count)) for count in range(20)]
    with ThreadPoolExecutor(8) as pool:
        lengths = [index.length.tolist() for index in pool.map(index_of, made * 10)]
    assert lengths == [index_of(one).length.tolist() for one in made] * 10
