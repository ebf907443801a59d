"""SQuAD's files and scores."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from docqn.errors import DocqnError
from docqn.evaluation.readers.like_paragraphs import like_paragraphs
from docqn.evaluation.readers.on_squad import answer_scores, answerable_scores, drawn, readings
from docqn.evaluation.readers.squad import load_squad, squad_scores, with_predictions
from docqn.readers.lexical import LexicalReader
from tests.readers.tiny import SQUAD, write_squad


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    found = load_squad(write_squad(tmp_path / "a.json"))
    (tmp_path / "a.json.gz").write_bytes(gzip.compress((tmp_path / "a.json").read_bytes()))
    packed = load_squad(tmp_path / "a.json.gz")
    assert (packed.questions, packed.contexts) == (found.questions, found.contexts)
    assert [question.id for question in found.questions] == list("12345")
    assert [question.context for question in found.questions] == [0, 0, 1, 1, 2]
    assert found.questions[2].golds == ("Duke of York",)
    for question in found.questions:
        for text, start in question.answers:
            assert found.contexts[question.context][start:].startswith(text)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "not JSON"),
        (b"\x1f\x8bbroken", "not JSON, or damaged|cannot be read"),
        (b"[]", "SQuAD's form"),
        (b'{"data": [{"paragraphs": [{"context": 3, "qas": []}]}]}', "SQuAD's form"),
        (b'{"data": [{"paragraphs": [{"context": "", "qas": [{"id": 1}]}]}]}', "SQuAD's form"),
        (b'{"data": []}', "has no questions"),
    ],
)
def test_other_files_are_one_line(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(DocqnError, match=reason):
        load_squad(tmp_path / "a.json")
    with pytest.raises(DocqnError, match="cannot be read"):
        load_squad(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("prediction", "golds", "scores"),
    [
        ("The Duke!", ["duke", "York"], (1, 1)),
        ("duke of york", ["york"], (0, 0.5)),
        ("nothing", ["york"], (0, 0)),
        ("", [], (1, 1)),
        ("york", [], (0, 0)),
        ("", ["york"], (0, 0)),
    ],
)
def test_scores(prediction: str, golds: list[str], scores: tuple[float, float]) -> None:
    assert squad_scores(prediction, golds) == pytest.approx(scores)


def test_predictions_take_the_answers_place(tmp_path: Path) -> None:
    file = load_squad(write_squad(tmp_path / "a.json"))
    same = [question.answers[0] for question in file.questions]
    assert with_predictions(file, same) == SQUAD
    (tmp_path / "b.json").write_text(json.dumps(with_predictions(file, [*same[:2], ("", 0), *same[3:]])))
    found = load_squad(tmp_path / "b.json")
    assert found.questions[2].answers == ()
    assert json.loads((tmp_path / "b.json").read_text())["version"] == "2.0"


def test_a_reader_is_measured(tmp_path: Path) -> None:
    file = load_squad(write_squad(tmp_path / "a.json"))
    reader = LexicalReader()
    rows = drawn(file, None, 0)
    assert rows == [0, 1, 2, 3, 4]
    assert len(drawn(file, 3, 0)) == 3 == len(drawn(file, 3, 1))
    found = readings(reader, file, rows)
    hits = [reading.text in question.golds for reading, question in zip(found, file.questions, strict=True)]
    scores = answer_scores(file, rows, found)
    assert scores["exact_match"] == pytest.approx(100 * np.mean(hits))
    assert scores["f1"] >= scores["exact_match"]
    assert answerable_scores(reader, file, rows, found) == {
        "like_pairs": 4,
        "auroc_answerable": pytest.approx(1, abs=0.5),
        "own_above_other": pytest.approx(1, abs=0.5),
    }


def test_like_paragraphs_share_words_but_not_the_answer(tmp_path: Path) -> None:
    file = load_squad(write_squad(tmp_path / "a.json"))
    contexts = [np.array(ids, np.int32) for ids in ([1, 2, 3, 9], [2, 3, 4], [5, 5, 2])]
    questions = [np.array(ids, np.int32) for ids in ([3, 4], [5], [1, 9], [7], [5, 2])]
    found = like_paragraphs(file, questions, contexts)
    assert found[:, 0].tolist() == [1, 2, 0, -1, 1]
    assert (found[:, 1:] == -1).all()
