"""RaSoR's examples: words by number, answers by token, batches of like length."""

from pathlib import Path

import numpy as np
import pytest
import torch

from docqn.evaluation.readers.squad import load_squad
from docqn.learning.readers.rasor import padded
from docqn.learning.readers.rasor_data import Batches, RasorExample, from_corpus, from_squad, further_words
from docqn.learning.readers.settings import RasorSettings
from docqn.text.vectors import Words
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import write_squad


def test_answers_of_squad(tmp_path: Path) -> None:
    words = Words(["17", "duke", "of", "york"], 7)
    file = load_squad(write_squad(tmp_path / "squad.json"))
    examples = from_squad(file, words, RasorSettings())
    assert len(examples) == 5
    for example, expected in ((examples[0], [0]), (examples[2], [1, 2, 3])):
        ((first, last),) = example.spans.tolist()
        assert example.passage[first : last + 1].tolist() == expected
    assert len(from_squad(file, words, RasorSettings(longest=5))) == 3  # the answers that stand further on are left out


def test_frequent_words_without_a_vector_get_one(tmp_path: Path) -> None:
    file = load_squad(write_squad(tmp_path / "squad.json"))
    split = make_corpus(tmp_path).split("dev")
    words = Words(["the", "to", ".", "?", "he", "a", "who", "in", ","], 1)
    assert further_words(file, [], words, RasorSettings(own_words=2)) == ["went", "Paris"]
    assert "Nile" in further_words(None, [split], words, RasorSettings(own_words=10))
    assert further_words(file, [split], words, RasorSettings(own_words=0)) == []


def test_the_first_tokens_of_documents(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    words = Words(["Alexandria"], 5)
    examples = from_corpus([split], words, RasorSettings(first_tokens=400))
    assert 0 < len(examples) <= len(split)
    found = [example for example in examples if (example.passage[example.spans[:, 0]] == 0).all()]
    assert found
    every = from_corpus([split], words, RasorSettings(first_tokens=400), all=True)
    assert len(every) > len(examples)  # a question is held out
    short = from_corpus([split], words, RasorSettings(first_tokens=12))
    assert all(len(example.passage) <= 12 and example.spans.max() < 12 for example in short)
    assert len(short) < len(examples)


def test_batches_are_of_like_length_and_an_epoch_has_every_example() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 300, 1000)
    examples = [
        RasorExample(np.zeros(3, np.int32), np.full(length, number, np.int32), np.array([[0, 0]]))
        for number, length in enumerate(lengths)
    ]
    batches = Batches(examples, 10, 1)
    epoch = [batches.of(step) for step in range(batches.count)]
    assert sorted(int(example.passage[0]) for batch in epoch for example in batch) == list(range(1000))
    assert np.mean([max(len(e.passage) for e in b) - min(len(e.passage) for e in b) for b in epoch]) < 30
    again = Batches(examples, 10, 1)
    assert [int(e.passage[0]) for e in again.of(137)] == [int(e.passage[0]) for e in batches.of(137)]
    assert [int(e.passage[0]) for e in batches.of(37)] != [int(e.passage[0]) for e in batches.of(137)]


def test_padding() -> None:
    examples = [
        RasorExample(np.array([5, 6], np.int32), np.array([1, 2, 3], np.int32), np.array([[0, 1], [2, 2]])),
        RasorExample(np.array([7], np.int32), np.array([4], np.int32), np.array([[0, 0]])),
    ]
    batch, gold = padded(examples, 2)
    assert batch.passage.tolist() == [[1, 2, 3], [4, 0, 0]]
    assert batch.question.tolist() == [[5, 6], [7, 0]]
    assert (batch.length.tolist(), batch.question_length.tolist()) == ([3, 1], [2, 1])
    assert torch.nonzero(gold).tolist() == [[0, 0, 1], [0, 2, 0], [1, 0, 0]]
    with pytest.raises(IndexError):
        padded(examples, 1)
