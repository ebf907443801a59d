"""TriviaQA's files, in the official layout and with what the verified ones add."""

import json
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from docqn.corpora import formats
from docqn.corpora.formats import triviaqa
from docqn.corpora.records import PageRecord
from docqn.document import NONE
from docqn.errors import DocqnError
from tests.corpora.small import QUESTIONS, page, question, write_evidence, write_questions


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return write_evidence(tmp_path / "evidence")


def test_questions_answers_and_pages(tmp_path: Path, evidence: Path) -> None:
    path = write_questions(tmp_path / "wikipedia-dev.json", QUESTIONS)
    file = triviaqa.read(path, evidence)
    assert file.split == "dev"
    assert [q.id for q in file.questions] == ["q1", "q2", "q3", "q4", "q5"]
    assert file.questions[0].answers == ("Alexandria", "Iskandariya")
    assert [p.document for p in file.questions[1].pages] == ["Nile.html", "Flat.html", "Tea_(drink).html"]
    assert sorted(file.sources) == ["Flat.html", "Nile.html", "Tea_(drink).html"]
    assert file.bad == []
    assert formats.detect(path) == "triviaqa"


def test_the_canonical_answer_is_first_and_people_s_answers_count(tmp_path: Path, evidence: Path) -> None:
    record = question("q", "Which?", ["b", "a"], "Nile.html")
    record["Answer"] |= {"Value": "a", "HumanAnswers": ["c", "b"], "NormalizedAliases": ["z"]}
    (read,) = triviaqa.read(write_questions(tmp_path / "a.json", [record]), evidence).questions
    assert read.answers == ("a", "b", "c")


def test_a_test_file_has_no_answers(tmp_path: Path, evidence: Path) -> None:
    record = question("q", "Which?", ["a"], "Nile.html")
    del record["Answer"]
    file = triviaqa.read(write_questions(tmp_path / "a.json", [record], split="test"), evidence)
    assert (file.split, file.questions[0].answers) == ("test", ())


def test_a_verified_file(tmp_path: Path, evidence: Path) -> None:
    judged = {"DocVerifiedEvalAttempt": True, "DocPartOfVerifiedEval": True, "Coverage": 0.5, "Doubtful": True}
    pages = [
        page("Nile.html", **judged, SupportingParagraphs=["Cleopatra died"]),
        page("Flat.html", DocVerifiedEvalAttempt=True, DocPartOfVerifiedEval=False),
        page("Tea_(drink).html", DocVerifiedEvalAttempt=False, Coverage=None),
    ]
    path = write_questions(tmp_path / "a.json", [question("q", "Which?", ["a"], *pages)], VerifiedEval=True)
    file = triviaqa.read(path, evidence)
    first, second, third = file.questions[0].pages
    assert file.split == "verified-dev"
    assert first == PageRecord("Nile.html", 0.5, 1, True, ("Cleopatra died",))
    assert (second.verified, second.supporting) == (0, ())
    assert third.verified == NONE
    assert isnan(third.coverage)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda r: 5, "no id"),
        (lambda r: {**r, "QuestionId": None}, "no id"),
        (lambda r: {**r, "QuestionId": ""}, "no id"),
        (lambda r: {**r, "Question": " "}, "no question"),
        (lambda r: {**r, "Question": ["Which?"]}, "no question"),
        (lambda r: {**r, "EntityPages": []}, "no page"),
        (lambda r: {**r, "EntityPages": {"Filename": "Nile.html"}}, "no page"),
        (lambda r: {**r, "EntityPages": [{"Title": "Nile"}]}, "wrong page"),
        (lambda r: {**r, "EntityPages": ["Nile.html"]}, "wrong page"),
        (lambda r: {**r, "EntityPages": [page("Nile.html", Coverage="much")]}, "wrong page"),
        (lambda r: {**r, "EntityPages": [page("Nile.html", SupportingParagraphs=[5])]}, "wrong page"),
        (lambda r: {**r, "Answer": "Egypt"}, "wrong answer"),
        (lambda r: {**r, "Answer": {"Aliases": [5]}}, "wrong answer"),
        (lambda r: {**r, "Answer": {"Aliases": 5}}, "wrong answer"),
    ],
)
def test_bad_records_are_named_and_others_are_read(tmp_path: Path, evidence: Path, change: Any, kind: str) -> None:
    records = [change(question("wrong", "Which?", ["a"], "Nile.html")), QUESTIONS[0]]
    file = triviaqa.read(write_questions(tmp_path / "a.json", records), evidence)
    assert [(bad.kind, bad.file) for bad in file.bad] == [(kind, "a.json")]
    assert "record 1" in str(file.bad[0]) if kind == "no id" else "wrong" in str(file.bad[0])
    assert file.questions[-1].id == "q1"


def test_files_as_a_whole(tmp_path: Path, evidence: Path) -> None:
    path = write_questions(tmp_path / "a.json", QUESTIONS)
    with pytest.raises(DocqnError, match="name their folder"):
        triviaqa.read(path, None)
    with pytest.raises(DocqnError, match="no such folder"):
        triviaqa.read(path, tmp_path / "nowhere")
    path.write_text(json.dumps({"Data": {}}))
    with pytest.raises(DocqnError, match="no list 'Data'"):
        triviaqa.read(path, evidence)
