"""Groups from a corpus: paragraphs with an answer string and close ones without, of one document."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Example, Split
from docqn.learning.readers.corpus_groups import CorpusGroups, support
from docqn.learning.readers.settings import TransformerSettings
from docqn.readers.neural.tokenization import load_tokenization
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import write_tokenizer

SETTINGS = TransformerSettings(golds=1, others=2, coverage=0.0)


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Split:
    return make_corpus(tmp_path_factory.mktemp("corpus")).split("dev")


@pytest.fixture
def groups(split: Split, tmp_path: Path) -> CorpusGroups:
    write_tokenizer(tmp_path)
    return CorpusGroups.of([split], load_tokenization(tmp_path), SETTINGS)


def test_only_paragraphs_with_an_answer_have_targets(groups: CorpusGroups, split: Split) -> None:
    for example in split:
        group = groups.group(example, np.random.default_rng(0))
        holding = [len(pair.spans) > 0 for pair in group.pairs]
        assert holding[0]
        assert sum(holding) == 1
        assert len(group.pairs) <= 3
        question = groups.tokenization.encode(example.question.text).ids
        assert all(pair.ids[1 : len(question) + 1].tolist() == question.tolist() for pair in group.pairs)


def test_targets_are_the_answers(groups: CorpusGroups, split: Split) -> None:
    (example,) = (one for one in split if one.question.id == "q1")
    document = example.document
    node = int(example.answer_paragraphs[0])
    told = groups.tokenization.encode(document.text_of(node))
    pair = groups.group(example, np.random.default_rng(0)).pairs[0]
    answers = {
        document.text_of(node)[told.spans[i - pair.passage_at, 0] : told.spans[j - pair.passage_at, 1]]
        for i, j in pair.spans
    }
    assert answers == {"Alexandria"}


def test_steps_are_functions_of_their_number(groups: CorpusGroups) -> None:
    def ids(step: int) -> list[list[int]]:
        return [pair.ids.tolist() for group in groups.step(step, 2) for pair in group.pairs]

    assert ids(1) == ids(1)
    assert any(ids(0) != ids(step) for step in range(1, 4))


def test_pairs_are_chosen_by_coverage(groups: CorpusGroups, split: Split) -> None:
    assert len(groups) == sum(len(example.answer_paragraphs) > 0 for example in split if not out(example))
    known = {"coverage": np.where(np.arange(len(split)) % 2, 0.2, 0.9).astype(np.float32)}
    original = dict(split.arrays)
    split.arrays.update(known)
    try:
        found = CorpusGroups.of([split], groups.tokenization, replace(SETTINGS, coverage=0.5), all=True)
        assert found.pairs[:, 1].tolist() == [row for row in range(len(split)) if row % 2 == 0]
        group = found.group(split[0], np.random.default_rng(0))
        assert group.support == pytest.approx(support(0.9))
    finally:
        split.arrays.update(original)


def test_some_questions_are_held_out(split: Split, groups: CorpusGroups) -> None:
    """One of the small corpus's happens to be."""
    every = CorpusGroups.of([split], groups.tokenization, SETTINGS, all=True)
    left = {split[int(row)].question.id for row in every.pairs[:, 1]} - {
        split[int(row)].question.id for row in groups.pairs[:, 1]
    }
    assert left == {example.question.id for example in split if out(example)} != set()


def out(example: Example) -> bool:
    return held_out(example.question.id)


def test_support_grows_with_coverage() -> None:
    assert 0 < support(0) < support(0.5) < support(1) < 1
