"""What a build has to do, from the question files alone."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docqn.corpora import plan as planning
from docqn.corpora.plan import Plan, make_plan
from docqn.document import NONE
from docqn.errors import DocqnError
from tests.corpora.small import QUESTIONS, page, question, write_evidence, write_questions


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return write_evidence(tmp_path / "evidence")


def names(plan: Plan) -> list[str]:
    return [plan.names[number] for number in plan.order]


def test_documents_are_those_that_are_asked_about_in_the_order_of_their_names(tmp_path: Path, evidence: Path) -> None:
    plan = make_plan([write_questions(tmp_path / "a.json", QUESTIONS)], evidence)
    assert names(plan) == ["Flat.html", "Nile.html", "Tea_(drink).html"]
    assert [(split, question, plan.names[document]) for split, question, document, _ in plan.pairs()] == [
        ("dev", 0, "Nile.html"),
        ("dev", 1, "Nile.html"),
        ("dev", 1, "Flat.html"),
        ("dev", 1, "Tea_(drink).html"),
        ("dev", 2, "Nile.html"),
        ("dev", 3, "Tea_(drink).html"),
        ("dev", 3, "Nile.html"),
        ("dev", 4, "Nile.html"),
    ]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_shards_hold_all_pairs_once_with_their_answers(
    tmp_path: Path, evidence: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(planning, "SHARD", size)
    plan = make_plan([write_questions(tmp_path / "a.json", QUESTIONS)], evidence)
    tasks = list(plan.tasks())
    assert [task.number for task in tasks] == list(range(plan.shards()))
    assert [document.name for task in tasks for document in task.documents] == names(plan)
    found = {
        pair.pair: (document.name, task.answers[pair.question])
        for task in tasks
        for document in task.documents
        for pair in document.pairs
    }
    assert sorted(found) == list(range(8))
    assert found[5] == ("Tea_(drink).html", ("party", "Tea party"))
    assert sum(len(task.answers) for task in tasks) >= 5


def split_questions(plan: Plan) -> dict[str, list[str]]:
    return {name: list(split.questions) for name, split in plan.splits.items()}


def test_splits_are_the_files_own_or_as_said(tmp_path: Path, evidence: Path) -> None:
    first = write_questions(tmp_path / "wikipedia-train.json", QUESTIONS[:2], split="train")
    second = write_questions(tmp_path / "extra-train.json", QUESTIONS[2:], split="train")
    verified = write_questions(tmp_path / "verified.json", QUESTIONS[:1], VerifiedEval=True)

    def planned(splits: Sequence[str] = ()) -> dict[str, list[str]]:
        return split_questions(make_plan([first, second, verified], evidence, splits=splits))

    assert planned() == {"train": ["q1", "q2", "q3", "q4", "q5"], "verified-dev": ["q1"]}
    assert planned(["all"]) == {"all": ["q1", "q2", "q3", "q4", "q5"]}
    assert planned(["extra=extra-*", "rest=wiki*"]) == {
        "rest": ["q1", "q2"],
        "extra": ["q3", "q4", "q5"],
        "verified-dev": ["q1"],
    }
    with pytest.raises(DocqnError, match=r"no file is named as the split extra=extr-\* says"):
        planned(["all", "extra=extr-*"])
    for wrong in ("a/b", "..", " "):
        with pytest.raises(DocqnError, match="cannot name a split"):
            planned([wrong])


def test_a_question_may_come_twice_but_not_in_two_forms(tmp_path: Path, evidence: Path) -> None:
    other = question("q1", "Which city?", ["Alexandria"], "Nile.html")
    first = write_questions(tmp_path / "a.json", [*QUESTIONS, QUESTIONS[0]])
    second = write_questions(tmp_path / "b.json", [other])
    plan = make_plan([first, second], evidence)
    assert split_questions(plan) == {"dev": ["q1", "q2", "q3", "q4", "q5"]}
    assert [str(bad) for bad in plan.bad] == ["b.json: q1: another one in the split dev has it"]


def test_names_for_the_same_file_are_one_document(tmp_path: Path, evidence: Path) -> None:
    record = question("q", "Which?", ["China"], "Tea_%28drink%29.html", "Tea_(drink).html", "Tea_(drink).txt")
    plan = make_plan([write_questions(tmp_path / "a.json", [record])], evidence)
    assert names(plan) == ["Tea_%28drink%29.html"]
    assert len(list(plan.pairs())) == 1


def test_files_with_the_same_name_are_two_documents(tmp_path: Path) -> None:
    files = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "manual.md").write_text(f"# {folder}")
        files.append(tmp_path / folder / f"{folder}.jsonl")
        files[-1].write_text(json.dumps({"id": "1", "question": "Q", "document": "manual.md"}))
    plan = make_plan(files, None)
    assert names(plan) == ["manual.md", "manual.md (2)"]
    assert split_questions(plan) == {"a": ["1"], "b": ["1"]}
    assert plan.rules == "original"


def test_missing_documents_are_named_once_a_file(tmp_path: Path, evidence: Path) -> None:
    records = [question(f"q{i}", "Which?", ["a"], "None.html", "Nile.html") for i in range(3)]
    plan = make_plan([write_questions(tmp_path / "a.json", records)], evidence)
    assert [str(bad) for bad in plan.bad] == ["a.json: q0: no file for None.html in the folder of documents"]
    assert [document for _, _, document, _ in plan.pairs()] == [NONE, 0] * 3


def test_characters_that_cannot_be_written_are_left_out(tmp_path: Path, evidence: Path) -> None:
    record = question("q\ud800", "Which\x00?", ["\ud800", "Nile\u200b"], page("Nile.html"), page("\ud800.html"))
    plan = make_plan([write_questions(tmp_path / "a.json", [record])], evidence)
    (read,) = plan.splits["dev"].questions.values()
    assert (read.id, read.text, read.answers) == ("q", "Which?", ("Nile",))


def test_rules_are_those_of_the_files_or_as_said(tmp_path: Path, evidence: Path) -> None:
    trivia = write_questions(tmp_path / "a.json", QUESTIONS)
    own = tmp_path / "own.jsonl"
    own.write_text(json.dumps({"id": "1", "question": "Q", "document": "Nile.html"}))
    assert make_plan([trivia], evidence).rules == "nop"
    assert make_plan([own], evidence).rules == "original"
    assert make_plan([trivia, own], evidence, rules="nop").rules == "nop"
    with pytest.raises(DocqnError, match="choose --nop or --keep-preface"):
        make_plan([trivia, own], evidence)


def test_a_split_is_judged_by_one_normalisation(tmp_path: Path, evidence: Path) -> None:
    trivia = write_questions(tmp_path / "a.json", QUESTIONS)
    squad = tmp_path / "b.json"
    squad.write_text(json.dumps({"data": [{"title": "A", "paragraphs": [{"context": "x", "qas": []}]}]}))
    with pytest.raises(DocqnError, match="judged by other rules"):
        make_plan([trivia, squad], evidence, splits=["all"])


def test_files_without_anything_to_build(tmp_path: Path, evidence: Path) -> None:
    with pytest.raises(DocqnError, match=r"a\.json: there are no questions"):
        make_plan([write_questions(tmp_path / "a.json", [])], evidence)
    with pytest.raises(DocqnError, match=r"no file for None\.html"):
        make_plan([write_questions(tmp_path / "a.json", [question("q", "Q", ["a"], "None.html")])], evidence)
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(DocqnError, match="the formats are jsonl, squad, triviaqa"):
        make_plan([tmp_path / "b.json"], evidence)
    with pytest.raises(DocqnError, match="choose jsonl, squad, triviaqa, or name your own"):
        make_plan([tmp_path / "b.json"], evidence, format="csv")
