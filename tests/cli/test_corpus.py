"""`docqn corpus` and its commands."""

import csv
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from docqn.cli import main
from tests.corpora.small import QUESTIONS, page, question, write_evidence, write_questions


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in a folder with question files and evidence."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    write_evidence(tmp_path / "evidence")
    write_questions(tmp_path / "dev.json", QUESTIONS)

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as caught:
            main(["corpus", *arguments])
        assert isinstance(caught.value.code, int)
        return Done(caught.value.code, *capsys.readouterr())

    return run


BUILD = ("build", "dev.json", "--evidence", "evidence", "--out", "made", "--jobs", "1")


def test_build(run: Run) -> None:
    code, out, err = run(*BUILD)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "dev: 3 of 5 questions, 3 of 8 pairs"
    assert out.splitlines()[1].startswith("3 documents, ")
    assert sorted(os.listdir("made")) == [
        "documents.safetensors",
        "manifest.json",
        "split-dev.safetensors",
        "vocabulary.safetensors",
    ]
    again = run(*BUILD, "--json")
    built = json.loads(again.out)
    assert (built["corpus"], built["documents"], built["untouched"], built["rules"]) == ("made", 3, True, "nop")
    assert built["splits"]["dev"]["pairs"] == 3
    other = run(*BUILD, "--keep-preface")
    assert (other.code, other.out) == (2, "")
    assert other.err.startswith("docqn: error: made: was built from other files or settings")


def test_build_with_the_preface(run: Run) -> None:
    code, out, _ = run(*BUILD, "--keep-preface", "--split", "all")
    assert (code, out.splitlines()[0]) == (0, "all: 5 of 5 questions, 8 of 8 pairs")


def test_build_reports_what_is_left_out(run: Run) -> None:
    write_questions(Path("dev.json"), [*QUESTIONS, question("q6", "Which?", ["a"], "None.html")])
    code, out, err = run(*BUILD)
    assert (code, err) == (0, "docqn: left out: dev.json: q6: no file for None.html\n")
    assert out.splitlines()[-1] == "left out, missing document: 1"


def test_one_s_own_questions(run: Run) -> None:
    Path("own.jsonl").write_text(
        json.dumps(
            {"id": "1", "question": "Where does the Nile end?", "answers": ["Alexandria"], "document": "Nile.html"}
        )
    )
    assert run("build", "own.jsonl", "--evidence", "evidence", "--out", "made", "--jobs", "1").code == 0
    assert "Alexandria" in run("show", "made", "1").out


def test_stats(run: Run) -> None:
    run(*BUILD)
    code, out, err = run("stats", "made")
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert ["dev,", "as", "read", "5", "8", "3"] in rows
    assert ["dev,", "kept", "3", "3", "3"] in rows
    assert ["dev,", "single", "character", "1", "1"] in rows
    figures = json.loads(run("stats", "made", "--json").out)
    wanted = {"questions", "pairs", "documents", "dropped", "fao_median", "tokens_mean", "nodes_mean", "sections_mean"}
    assert wanted <= figures["dev"].keys()
    assert figures["dev"]["dropped"]["single_character"] == 1
    assert run("stats", "made", "--quiet") == (0, "", "")


def test_stats_draws_a_figure(run: Run) -> None:
    pytest.importorskip("matplotlib")
    run(*BUILD)
    assert run("stats", "made", "--quiet", "--figure", "figure.png").code == 0
    assert Path("figure.png").read_bytes()[:4] == b"\x89PNG"


SHOWN = """\
Which city lies where the Nile ends?
Alexandria | Iskandariya

q1--Nile.html (dev)
Nile
  Course
    [2] It rises at Lake Victoria. It ends in the Mediterranean Sea near [Alexandria].
    Cataracts
  History of Egypt
    [7] Cleopatra died in [Alexandria] in 30 BC.
"""


def test_show_a_pair(run: Run) -> None:
    run(*BUILD)
    for id in ("q1", "q1--Nile.html"):
        assert run("show", "made", id) == (0, SHOWN, "")
    assert run("show", "made", "q2", "--quiet").out == "q2--Flat.html\n"


def test_show_says_why_pairs_were_dropped(run: Run) -> None:
    run(*BUILD)
    out = run("show", "made", "q2").out
    assert "Nile.html: dropped, only in titles" in out
    assert "Tea_(drink).html: dropped, no answer" in out
    assert "No section, but [Egypt]." in out


def test_show_as_json(run: Run) -> None:
    judged = page("Nile.html", DocPartOfVerifiedEval=True, SupportingParagraphs=["Cleopatra died"])
    write_questions(Path("verified.json"), [QUESTIONS[0] | {"EntityPages": [judged]}], VerifiedEval=True)
    run(*BUILD[:2], "verified.json", *BUILD[2:])
    shown = json.loads(run("show", "made", "q1", "--split", "verified-dev", "--json").out)
    assert (shown["split"], shown["answers"]) == ("verified-dev", ["Alexandria", "Iskandariya"])
    (pair,) = shown["pairs"]
    assert [(p["index"], p["path"], p["supports"]) for p in pair["paragraphs"]] == [
        (2, ["Nile", "Course"], False),
        (7, ["Nile", "History of Egypt"], True),
    ]
    assert "supports Cleopatra" in run("show", "made", "q1", "--split", "verified-dev").out
    assert json.loads(run("show", "made", "q2", "--json").out)["dropped"] == [
        {"document": "Nile.html", "reason": "only_in_titles"},
        {"document": "Tea_(drink).html", "reason": "no_answer"},
    ]


def test_show_suggests_ids_that_are_near(run: Run) -> None:
    run(*BUILD)
    code, out, err = run("show", "made", "nile.html")
    assert (code, out) == (2, "")
    assert err == "docqn: error: made: no question or pair has the id 'nile.html'; did you mean q1--Nile.html?\n"
    assert run("show", "made", "Q11").err.endswith("no question or pair has the id 'Q11'; did you mean q1?\n")
    assert run("show", "made", "zzz").err.endswith("has the id 'zzz'\n")


def test_sample_and_judge(run: Run) -> None:
    run(*BUILD)
    code, out, _ = run("sample", "made", "--split", "dev", "--number", "2", "--seed", "1", "--out", "sheet.csv")
    assert (code, out) == (0, "2 pairs in sheet.csv; write yes or no in the first column.\n")
    with open("sheet.csv", encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file))
    with open("sheet.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *(["yes", *row[1:]] for row in rows)])
    assert run("sample", "made", "--judged", "sheet.csv").out.startswith(
        "dev: 100.0% answerable (95 %: 34.2% to 100.0%); 2 of 2"
    )
    (row,) = json.loads(run("sample", "made", "--judged", "sheet.csv", "--json").out)
    assert (row["split"], row["sampled"], row["judged"], row["answerable"]) == ("dev", 2, 2, 2)


@pytest.mark.parametrize("arguments", [(), ("--split", "dev"), ("--out", "a"), ("--judged", "a", "--out", "b")])
def test_sample_needs_to_know_what_to_do(run: Run, arguments: tuple[str, ...]) -> None:
    run(*BUILD)
    assert run("sample", "made", *arguments).code == 2


def test_export(run: Run) -> None:
    paragraph = {
        "context": "The Nile.",
        "qas": [{"id": "1", "question": "What?", "answers": [{"text": "Nile", "answer_start": 4}]}],
    }
    data = {"version": "1.1", "data": [{"title": "Nile", "paragraphs": [paragraph]}]}
    Path("squad.json").write_text(json.dumps(data))
    run("build", "squad.json", "--out", "made", "--jobs", "1")
    assert run("export", "made", "--split", "squad", "--out", "again.json") == (0, "1 questions in again.json\n", "")
    assert json.loads(Path("again.json").read_text()) == data


@pytest.mark.parametrize("command", [("stats",), ("show", "q1"), ("sample",), ("export", "--split", "a", "--out", "b")])
def test_what_is_not_a_corpus_is_an_error_of_one_line(run: Run, command: tuple[str, ...]) -> None:
    code, out, err = run(command[0], "evidence", *command[1:])
    assert (code, out) == (2, "")
    assert err == "docqn: error: evidence: is not a corpus, it has no manifest.json (No such file or directory)\n"


@pytest.mark.parametrize("command", ["build", "stats", "show", "sample", "export"])
def test_every_command_has_an_example(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"\n    docqn corpus {command} " in out
    assert "--quiet" in out


def test_a_bar_is_shown_to_those_who_watch(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert "documents" in run(*BUILD).err
