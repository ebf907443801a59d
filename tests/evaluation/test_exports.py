"""Predictions and paragraphs for other programs."""

import json
from pathlib import Path

import pytest

from docqn.corpora.formats import squad as squad_format
from docqn.errors import DocqnError
from docqn.evaluation.exports import file_name, write_predictions, write_squad
from docqn.evaluation.run import run
from docqn.policies import Setting
from docqn.readers.lexical import LexicalReader
from tests.evaluation.corpus import make_corpus


def test_predictions_are_answers_by_question(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    outcomes = run(["bm25"], split, len(split), Setting(LexicalReader()))["bm25"]
    path = write_predictions(tmp_path / "out", outcomes)
    assert path == tmp_path / "out" / "bm25.json"
    written = json.loads(path.read_text())
    assert written == outcomes.answers()
    assert {*written} <= {split.question_at(place).id for place in range(len(split.question_ids))}


def test_the_paragraphs_that_were_found_are_squad(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    outcomes = run(["oracle", "random-para"], split, len(split), Setting(LexicalReader(), seed=1))
    path = write_squad(tmp_path, outcomes["oracle"], split)
    written = json.loads(path.read_text())
    asked = [
        (article["title"], paragraph["context"], qa)
        for article in written["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]
    assert sorted(qa["id"] for *_, qa in asked) == sorted(example.id for example in split)
    for _, context, qa in asked:
        assert qa["answers"]
        assert not qa["is_impossible"]
        for answer in qa["answers"]:
            start = answer["answer_start"]
            assert context[start : start + len(answer["text"])] == answer["text"]
    read = squad_format.read(path, None)  # our own reading of SQuAD's form finds nothing amiss
    assert not read.bad
    assert len(read.questions) == len(asked)
    drawn = json.loads(write_squad(tmp_path, outcomes["random-para"], split).read_text())
    qas = [qa for article in drawn["data"] for paragraph in article["paragraphs"] for qa in paragraph["qas"]]
    assert all(qa["is_impossible"] == (not qa["answers"]) for qa in qas)
    assert any(qa["is_impossible"] for qa in qas)


@pytest.mark.parametrize(
    ("policy", "name"),
    [("bm25", "bm25"), ("agent:runs/a", "agent_runs_a"), ("ensemble:a,b,5", "ensemble_a_b_5"), ("../x", ".._x")],
)
def test_file_names(policy: str, name: str) -> None:
    assert file_name(policy) == name


def test_a_folder_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    split = make_corpus(tmp_path).split("dev")
    outcomes = run(["bm25"], split, 1, Setting(LexicalReader()))["bm25"]
    (tmp_path / "file").write_text("")
    with pytest.raises(DocqnError, match="cannot be written"):
        write_predictions(tmp_path / "file", outcomes)
