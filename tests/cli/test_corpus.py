"""`docqn corpus` and its commands."""

import csv
import json
import os
import re
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
    assert (code, err) == (0, "docqn: left out: dev.json: q6: no file for None.html in the folder of documents\n")
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
    assert [line.strip() for line in out.splitlines() if "Table" in line] == [
        "Table 1: questions, pairs and documents",
        "Table 2: means of a document; FAO: median first answer index",
    ]
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


def test_show_cuts_long_paragraphs_between_words(run: Run) -> None:
    before, after = "many words before it and then more words before it " * 9, "words again and " * 20
    text = f"{before}and then the jaw, after which there are {after}"
    Path("jaw.md").write_text(f"# Jaw\n\n{text}\n")
    Path("own.jsonl").write_text(json.dumps({"id": "1", "question": "Q?", "answers": ["jaw"], "document": "jaw.md"}))
    run("build", "own.jsonl", "--out", "made", "--jobs", "1")
    (line,) = (line for line in run("show", "made", "1").out.splitlines() if "[jaw]" in line)
    shown = line.removeprefix("  [1] … ").removesuffix(" …")
    assert len(line) < 400
    assert f" {shown.replace('[jaw]', 'jaw')} " in text


def test_show_in_colour_indents_what_it_wraps(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*BUILD)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    out = run("show", "made", "q1").out
    assert "\x1b[1;30;43mAlexandria\x1b[0m" in out
    assert "[Alexandria]" not in out
    lines = re.sub(r"\x1b\[[\d;]*m", "", out).splitlines()
    at = lines.index(next(line for line in lines if "[2] It rises" in line))
    assert [line.rstrip() for line in lines[at : at + 3]] == [
        "    [2] It rises at Lake Victoria. It",
        "    ends in the Mediterranean Sea near",
        "    Alexandria.",
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


@pytest.mark.parametrize(
    ("name", "damage", "said"),
    [
        ("manifest.json", lambda data: data[:50], "is damaged"),
        ("manifest.json", lambda data: data.replace(b'"corpus": 1', b'"corpus": 2'), "is a corpus of format 2, not 1"),
        ("documents.safetensors", lambda data: data[:-1], "bytes instead of"),
        ("vocabulary.safetensors", None, "No such file"),
        ("split-dev.safetensors", lambda data: b"x" * len(data), "damaged"),
    ],
)
@pytest.mark.parametrize("command", [("stats",), ("show", "q1"), ("sample", "--split", "dev", "--out", "sheet.csv")])
def test_a_damaged_corpus_is_an_error_of_one_line(
    run: Run, command: tuple[str, ...], name: str, damage: Callable[[bytes], bytes] | None, said: str
) -> None:
    run(*BUILD)
    path = Path("made", name)
    data = path.read_bytes()
    path.unlink()
    if damage:
        path.write_bytes(damage(data))
    code, out, err = run(command[0], "made", *command[1:])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("docqn: error: made")
    assert said in err


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("no JSON", (), "not a question file that docqn knows"),
        ('{"Data": [{"QuestionId": "a", ', (), "is not valid JSON"),
        ('{"Data": [] "Split": "dev"}', (), "is not valid JSON"),
        ('{"Data": {}}', ("--format", "triviaqa"), "has no list 'Data'"),
        ('{"Data": []}', (), "there are no questions in it"),
        ("[]", ("--format", "squad"), "is not valid JSON"),
        ("\xff", (), "is not UTF-8 text"),
        (None, (), "cannot be read (No such file or directory)"),
        ('{"Data": []}', ("--evidence", "none"), "none: no such folder"),
        ('{"Data": []}', ("--format", "none"), "'none' is not among the formats"),
        (json.dumps({"Data": QUESTIONS}), ("--evidence", "."), "no file for Nile.html"),
        (json.dumps({"Data": QUESTIONS}), ("--split", "extra=extra-*"), "no file is named as the split extra=extra-*"),
        (json.dumps({"Data": QUESTIONS}), ("--out", "evidence"), "is there already and is not a corpus"),
        (json.dumps({"Data": QUESTIONS}), ("--out", "."), "is there already and is not a corpus"),
        (json.dumps({"Data": QUESTIONS}), ("--out", "dev.json"), "is there already and is not a corpus"),
        (json.dumps({"Data": QUESTIONS}), ("--out", "dev.json/made"), "Not a directory"),
    ],
)
def test_bad_input_is_an_error_of_one_line(run: Run, text: str | None, more: tuple[str, ...], said: str) -> None:
    if text is not None:
        Path("a.json").write_bytes(text.encode("latin-1"))
    before = sorted(os.listdir())
    code, out, err = run("build", "a.json", "--evidence", "evidence", "--out", "made", *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("docqn: error: ")
    assert said in err
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        ("sample", "--split", "dev", "--out"),
        ("stats", "--quiet", "--figure"),
        ("export", "--split", "squad", "--out"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_an_error_of_one_line(run: Run, command: tuple[str, ...]) -> None:
    run(*BUILD)
    paragraph = {"context": "The Nile.", "qas": [{"id": "1", "question": "What?", "answers": []}]}
    Path("squad.json").write_text(json.dumps({"data": [{"title": "Nile", "paragraphs": [paragraph]}]}))
    run("build", "squad.json", "--out", "squad", "--jobs", "1")
    corpus = "squad" if command[0] == "export" else "made"
    code, out, err = run(command[0], corpus, *command[1:], "none/file.png")
    assert (code, out) == (2, "")
    assert err == "docqn: error: none/file.png: cannot be written (No such file or directory)\n"


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
