"""Whole corpora drawn at random: against TriviaQA-NoP written down plainly, and against themselves built otherwise."""

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.build import Block
from docqn.corpora import plan as planning
from docqn.corpora.build import build
from docqn.corpora.layout import MANIFEST
from docqn.corpora.nop import Fate
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.invariants import violations
from tests.corpora.small import naive_fate

FORMAT = "tests.corpora.small:Blocks"

texts = st.lists(st.sampled_from("art party tea — é x Don't stop. U.S. The".split()), min_size=1, max_size=4).map(
    " ".join
)
names = st.sampled_from(["art", "Party", "z.html", "é"])
pages = st.dictionaries(names, st.lists(st.tuples(texts, st.sampled_from([0, 0, 1, 2])), max_size=4), min_size=1)
Corpora = tuple[dict[str, list[Any]], list[tuple[str, str, list[str], list[str]]]]


@st.composite
def corpora(draw: st.DrawFn) -> Corpora:
    """Pages, and questions about some of them."""
    some = draw(pages)
    about = st.lists(st.sampled_from(sorted(some)), min_size=1, unique=True)
    rows = draw(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2), about), min_size=1, max_size=4))
    return some, [(f"q{i}", *row) for i, row in enumerate(rows)]


def built(folder: Path, corpus: Corpora, name: str = "corpus") -> Corpus:
    (folder / "questions.json").write_text(json.dumps(corpus))
    build([folder / "questions.json"], None, folder / name, format=FORMAT, jobs=1)
    return Corpus(folder / name)


@settings(max_examples=50)
@given(corpora())
def test_every_pair_has_the_fate_and_the_answers_of_the_plain_rules(drawn: Corpora) -> None:
    some, questions = drawn
    with TemporaryDirectory() as folder:
        corpus = built(Path(folder), drawn)
        split = corpus.split("dev")
        found: dict[str, tuple[str, int | None]] = {e.id: (Fate.KEPT.label, e.first_answer) for e in split}
        for place, id in enumerate(split.question_ids):
            for document, fate in split.dropped_of(place):
                found[f"{id}--{corpus.names[document]}"] = (fate.label, None)
        expected = {}
        for id, _, answers, about in questions:
            for name in about:
                label, index = naive_fate([Block(*row) for row in some[name]], f"On {name}", answers)
                expected[f"{id}--{name}"] = (label, index if label == "kept" else None)
        assert found == expected
        for number in range(len(corpus)):
            assert violations(corpus.document(number)) == []


@settings(max_examples=25)
@given(corpora(), st.integers(1, 3))
def test_shards_leave_no_trace(drawn: Corpora, size: int) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        built(Path(folder), drawn, "whole")
        patch.setattr(planning, "SHARD", size)
        built(Path(folder), drawn, "parts")
        for path in (Path(folder) / "whole").iterdir():
            if path.name != MANIFEST:  # it has a digest over the shards
                assert path.read_bytes() == (Path(folder) / "parts" / path.name).read_bytes()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = [("A preface.", 0), ("Part", 1), ("The art of tea.", 0)]
    return built(tmp_path_factory.mktemp("sound"), ({"z.html": page}, [("q", "Which?", ["tea"], ["z.html"])])).folder


@given(st.data())
def test_a_truncated_file_is_an_error(sound: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(sound.iterdir())))
    whole = path.read_bytes()
    try:
        path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 2))])
        with pytest.raises(DocqnError):
            Corpus(sound)
    finally:
        path.write_bytes(whole)


@given(st.data())
def test_a_damaged_header_or_manifest_is_noticed_or_does_no_harm(sound: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(sound.iterdir())))
    whole = path.read_bytes()
    end = len(whole) if path.name == MANIFEST else 8 + int.from_bytes(whole[:8], "little")
    damaged = bytearray(whole)
    damaged[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    try:
        path.write_bytes(damaged)
        with suppress(DocqnError):
            corpus = Corpus(sound)
            for name in corpus.splits:
                assert len(corpus.split(name)) <= 1
            assert len(corpus.vocabulary) >= 0
    finally:
        path.write_bytes(whole)
