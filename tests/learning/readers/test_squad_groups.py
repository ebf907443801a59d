"""Groups from SQuAD: targets where the answer stands, like paragraphs that do not hold it, steps by their number."""

from pathlib import Path

import numpy as np
import pytest

from docqn.evaluation.readers.squad import SquadFile, load_squad
from docqn.learning.readers.pairs import Pair
from docqn.learning.readers.squad_groups import SquadGroups, occurrences
from docqn.readers.neural.tokenization import load_tokenization
from tests.readers.tiny import VOCABULARY, write_squad, write_tokenizer


@pytest.fixture
def file(tmp_path: Path) -> SquadFile:
    return load_squad(write_squad(tmp_path / "squad.json"))


@pytest.fixture
def groups(tmp_path: Path, file: SquadFile) -> SquadGroups:
    write_tokenizer(tmp_path)
    return SquadGroups.of(file, load_tokenization(tmp_path))


def words(pair: Pair, first: int, last: int) -> list[str]:
    return [VOCABULARY[i] for i in pair.ids[first : last + 1]]


def test_targets_are_the_answers(groups: SquadGroups, file: SquadFile) -> None:
    found = {}
    for group in groups.step(0, 5, 1, 0.0):
        (pair,) = group.pairs
        question = " ".join(words(pair, 1, pair.passage_at - 2))
        found[question] = [words(pair, first, last) for first, last in pair.spans.tolist()]
        assert pair.ids[0] == VOCABULARY.index("[CLS]")
        assert pair.ids[pair.passage_at - 1] == pair.ids[-1] == VOCABULARY.index("[SEP]")
    assert found["how many cakes did bob eat ?"] == [["17"]]
    assert found["who ate a cake in paris ?"] == [["duke", "of", "york"]]
    assert len(found) == 5


def test_like_paragraphs_do_not_hold_the_answer(groups: SquadGroups, file: SquadFile) -> None:
    for question, like in zip(file.questions, groups.like.tolist(), strict=True):
        for context in like:
            assert context == -1 or all(gold not in file.contexts[context] for gold in question.golds)
            assert context != question.context
    assert groups.like[1].tolist() == [
        2,
        1,
        -1,
        -1,
        -1,
        -1,
    ]  # "Who went to Paris in 1920?": the short one has "who" and "went"


def test_other_paragraphs_stand_beside_a_question_as_often_as_asked(groups: SquadGroups) -> None:
    for group in groups.step(0, 5, 1, 1.0):
        assert [len(pair.spans) > 0 for pair in group.pairs] in ([True, False], [True])
    counts = [len(group.pairs) for step in range(200) for group in groups.step(step, 5, 1, 0.5)]
    assert np.mean(counts) == pytest.approx(1.5, abs=0.15)
    available = sorted(
        1 + sum(row >= 0) for row in groups.like
    )  # no paragraph is taken twice, and no more than there are
    assert sorted(len(group.pairs) for group in groups.step(0, 5, 1, 6.0)) == available
    for group in groups.step(0, 5, 1, 6.0):
        assert len({tuple(pair.ids) for pair in group.pairs}) == len(group.pairs)


def test_a_step_is_a_function_of_its_number_and_an_epoch_has_every_question(groups: SquadGroups) -> None:
    first = [pair.ids.tolist() for group in groups.step(3, 2, 1, 0.5) for pair in group.pairs]
    groups.step(4, 2, 1, 0.5)
    assert first == [pair.ids.tolist() for group in groups.step(3, 2, 1, 0.5) for pair in group.pairs]
    epoch = [group.pairs[0].ids.tolist() for step in range(5) for group in groups.step(step, 1, 1, 0.0)]
    assert len({tuple(ids) for ids in epoch}) == 5


def test_occurrences_are_words_of_their_own() -> None:
    assert occurrences("cat, concat cat cats", "cat", 0) == [0, 12]
    assert occurrences("cats", "cat", 0) == [0]
    assert occurrences("5% of 15%", "5%", 0) == [0]
    assert occurrences("x", "", 0) == [0]
