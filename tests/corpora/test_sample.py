"""The sheet that people judge, and what comes of it."""

import csv
from pathlib import Path

import pytest

from docqn.corpora.build import build
from docqn.corpora.sample import Share, read_sheet, write_sheet
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from tests.corpora.small import QUESTIONS, write_evidence, write_questions


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    evidence = write_evidence(tmp_path / "evidence")
    build([write_questions(tmp_path / "dev.json", QUESTIONS)], evidence, tmp_path / "corpus", jobs=1)
    return Corpus(tmp_path / "corpus")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def judge(path: Path, verdicts: list[str]) -> None:
    judged = rows(path)
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        sheet = csv.DictWriter(file, judged[0].keys())
        sheet.writeheader()
        sheet.writerows({**row, "answerable": verdict} for row, verdict in zip(judged, verdicts, strict=True))


def test_the_sheet_says_all_that_is_needed_to_judge(tmp_path: Path, corpus: Corpus) -> None:
    assert write_sheet(corpus.split("dev"), 100, 0, tmp_path / "sheet.csv") == 3
    by_id = {row["id"]: row for row in rows(tmp_path / "sheet.csv")}
    first = by_id["q1--Nile.html"]
    assert first["question"] == "Which city lies where the Nile ends?"
    assert first["answers"] == "Alexandria; Iskandariya"
    assert (
        first["answer paragraphs"].split("\n\n")[1]
        == "[Nile > History of Egypt]\nCleopatra died in Alexandria in 30 BC."
    )
    assert (first["answerable"], first["split"]) == ("", "dev")


def test_the_seed_decides_which_pairs_are_drawn(tmp_path: Path, corpus: Corpus) -> None:
    drawn = []
    for seed in (0, 0, 1, 2, 3, 4):
        write_sheet(corpus.split("dev"), 1, seed, tmp_path / "sheet.csv")
        drawn.append(rows(tmp_path / "sheet.csv")[0]["id"])
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_the_judged_sheet_is_read_back(tmp_path: Path, corpus: Corpus) -> None:
    write_sheet(corpus.split("dev"), 3, 0, tmp_path / "sheet.csv")
    judge(tmp_path / "sheet.csv", ["Yes", " n ", ""])
    assert read_sheet(corpus, tmp_path / "sheet.csv") == [Share("dev", sampled=3, judged=2, answerable=1)]


def test_a_sheet_with_judgements_is_not_written_over(tmp_path: Path, corpus: Corpus) -> None:
    for _ in range(2):  # an empty one is
        write_sheet(corpus.split("dev"), 3, 0, tmp_path / "sheet.csv")
    judge(tmp_path / "sheet.csv", ["", "no", ""])
    before = (tmp_path / "sheet.csv").read_bytes()
    with pytest.raises(DocqnError, match=r"sheet\.csv: holds judgements"):
        write_sheet(corpus.split("dev"), 3, 0, tmp_path / "sheet.csv")
    assert (tmp_path / "sheet.csv").read_bytes() == before
    (tmp_path / "other").write_bytes(b"\xff")
    write_sheet(corpus.split("dev"), 3, 0, tmp_path / "other")


def test_the_interval_is_wilsons() -> None:
    low, high = Share("dev", 100, 100, 70).interval  # 0.604 to 0.781 in the tables
    assert (round(low, 3), round(high, 3)) == (0.604, 0.781)
    assert Share("dev", 5, 0, 0).interval == (0, 1)
    assert Share("dev", 5, 5, 5).interval[1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has to name answerable, split, id"),
        ("", "has to name answerable, split, id"),
        ("answerable,split,id\nmaybe,dev,q1--Nile.html\n", "line 2: 'maybe' is neither yes nor no"),
        ("answerable,split,id\nyes,dev,q9--Nile.html\n", "line 2: q9--Nile.html is not in the split dev"),
        ("answerable,split,id\nyes,test,q1--Nile.html\n", "has no split 'test'"),
        ("answerable,split,id\nyes\n", "has no split"),
    ],
)
def test_a_wrong_sheet(tmp_path: Path, corpus: Corpus, text: str, message: str) -> None:
    (tmp_path / "sheet.csv").write_text(text)
    with pytest.raises(DocqnError, match=rf"^[^\n]*{message}[^\n]*$"):
        read_sheet(corpus, tmp_path / "sheet.csv")


def test_a_missing_sheet_and_one_of_bytes(tmp_path: Path, corpus: Corpus) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    for name in ("missing.csv", "bytes.csv"):
        with pytest.raises(DocqnError, match="cannot be read"):
            read_sheet(corpus, tmp_path / name)
