"""Judged paragraphs found again by how another extraction had them begin."""

import numpy as np
import pytest

from docqn.build import Block, build_document
from docqn.corpora.supporting import supporting_paragraphs

PARAGRAPHS = [
    "The castle stands on a hill above the river.",
    "In May 1943 the high command decided that it should house officers only.",
    "Genus Aquila",
    "Golden Eagle, Aquila chrysaetos",
    "Genus Haliaeetus",
    "White-tailed Eagle, Haliaeetus albicilla",
    "The castle stands on a hill above the river.",
]
DOCUMENT = build_document(map(Block, PARAGRAPHS), source="s", format="f", title="t")
NODES = np.flatnonzero(DOCUMENT.kind == 2).tolist()
ANSWERS = np.array([NODES[5]], np.int32)


@pytest.mark.parametrize(
    ("beginning", "places"),
    [
        ("In May 1943 the high command decided", [1]),
        ("In May 1943[ 3 ], the high command decided that it should house officers only", [1]),  # a footnote mark
        ("in may 1943 the highcommand decided", [1]),  # other spaces and cases
        ("The castle stands on a hill", [0, 6]),  # both begin so
        ("Genus Aquila Golden Eagle, Aquila chrysaetosGenus Haliaeetus White-tailed Eagle, Hali", [5]),  # a nested list
        ("Genus Aquila Golden Eagle, Aquila", [5]),  # of a list only the beginning is known: it went on to an answer
        ("An entirely different text", []),
        ("", []),
        ("…", []),
    ],
)
def test_places(beginning: str, places: list[int]) -> None:
    found, missing = supporting_paragraphs(DOCUMENT, (beginning,), ANSWERS)
    assert found.tolist() == [NODES[place] for place in places]
    assert missing == (not places)


def test_several_beginnings_are_counted_and_a_paragraph_is_given_once() -> None:
    found, missing = supporting_paragraphs(DOCUMENT, ("In May", "In May 1943", "Elsewhere", "Genus Aq"), ANSWERS)
    assert (found.tolist(), missing) == ([NODES[1], NODES[2]], 1)


def test_a_document_without_paragraphs() -> None:
    empty = build_document([], source="s", format="f")
    assert supporting_paragraphs(empty, ("In May",), ANSWERS[:0])[1] == 1
