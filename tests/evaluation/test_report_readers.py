"""The report's part on readers: from files and folders to tables and figures."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from docqn.cli import main
from docqn.errors import DocqnError
from docqn.evaluation.report.readers import Measured, figures, sources, split_off, tables
from docqn.evaluation.tables import markdown
from docqn.readers.neural.folder import write_folder

SQUAD = {"seed": 0, "questions": 1234, "exact_match": 80.06, "f1": 87.1, "auroc_answerable": 0.91234}
CORPUS = {
    "pairs": 50,
    "best_of_k": [40.0, 44.0, 46.0],
    "any_of_k": [40.0, 60.0, 70.0],
    "exact_match_of_k": [10.0, 12.0, 14.0],
    "readings": 150,
    "auroc_answerable": 0.8,
    "auroc_right": 0.75,
    "calibration_error": 0.031,
    "reliability": [[100, 0.1, 0.12], [50, 0.9, 0.8]],
}
VERIFIED = {
    **CORPUS,
    "verified_pairs": 20,
    "verified_best_of_k": [50.0, 55.0, 60.0],
    "verified_any_of_k": [50.0, 75.0, 80.0],
}


def write(path: Path, scores: dict[str, Any], reader: str = "lexical", split: str | None = None) -> Path:
    """What `docqn reader evaluate --json` prints."""
    source = "schools" if split else "dev.json"
    path.write_text(json.dumps({"reader": reader, "fingerprint": "f", "source": source, "split": split, **scores}))
    return path


@pytest.fixture
def measured(tmp_path: Path) -> list[Measured]:
    folder = tmp_path / "mine"
    write_folder(folder, "transformer", {}, {"scores": {"dev.json": SQUAD, "schools dev": CORPUS}})
    files = [write(tmp_path / "a.json", {**CORPUS, "best_of_k": [41.0, 42.0]}, "lexical", "dev")]
    files += [write(tmp_path / "b.json", VERIFIED, "lexical", "verified-dev"), write(tmp_path / "c.json", SQUAD)]
    found, others = split_off([folder, *files, tmp_path / "traces.jsonl.gz"])
    assert others == [tmp_path / "traces.jsonl.gz"]
    return found


def test_readers_come_together_by_what_they_read(measured: list[Measured]) -> None:
    assert sources(measured) == ["dev.json", "schools dev", "schools verified-dev"]
    assert [Path(one.reader).name for one in measured] == ["mine", "mine", "lexical", "lexical", "lexical"]


def test_the_tables(measured: list[Measured]) -> None:
    (answers,) = tables([one for one in measured if one.source == "dev.json"])
    assert [list(row[1:]) for row in answers.rows] == [["1,234", "80.1", "87.1", "0.912", "–"]] * 2
    choices, sure = tables([one for one in measured if one.source == "schools dev"])
    assert [list(row[1:]) for row in choices.rows] == [
        ["holds an answer", "50", "40.0", "60.0", "70.0"],
        ["holds an answer", "50", "40.0", "44.0", "46.0"],
        ["holds an answer", "50", "41.0", "42.0", "–"],
        ["is read right", "50", "10.0", "12.0", "14.0"],
        ["is read right", "50", "10.0", "12.0", "14.0"],
    ]
    assert list(sure.rows[0][1:]) == ["150", "0.800", "0.750", "0.031"]
    choices, _ = tables([one for one in measured if one.source == "schools verified-dev"])
    assert list(choices.rows[-2]) == ["any of them", "was judged to support one", "20", "50.0", "75.0", "80.0"]
    assert list(choices.rows[-1]) == ["lexical", "was judged to support one", "20", "50.0", "55.0", "60.0"]
    for table in (answers, choices, sure):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert markdown(table)


def test_the_figures(measured: list[Measured]) -> None:
    assert figures([one for one in measured if one.source == "dev.json"]) == []
    some = [one for one in measured if one.source == "schools dev"]
    for one, again in zip(figures(some), figures(some), strict=True):
        assert one == again
        ElementTree.fromstring(one.svg)
        assert "lexical" in one.svg


def test_a_report_of_readers_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", VERIFIED, "lexical", "dev")
    with pytest.raises(SystemExit) as raised:
        main(["report", str(path), "--out", str(tmp_path / "out"), "--quiet"])
    assert not raised.value.code
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"report.html", "report.md", "best-of-k-1.svg", "reliability-1.svg"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Readers on schools dev" in page
    assert page.count("<svg") == 2


@pytest.mark.parametrize(
    "wrong",
    [{"best_of_k": ["a"]}, {"best_of_k": 3}, {"f1": "much"}, {"reliability": [[1, 2]]}, {"reliability": [[0, 0.5, 0]]}],
    ids=str,
)
def test_scores_that_are_none_are_one_line(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(DocqnError, match="its scores cannot be understood"):
        split_off([write(tmp_path / "a.json", CORPUS | wrong, split="dev")])


def test_other_folders_and_files(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="is no reader's folder"):
        split_off([tmp_path])
    write_folder(tmp_path / "new", "transformer", {}, {})
    with pytest.raises(DocqnError, match="has no scores yet"):
        split_off([tmp_path / "new"])
    for content in ("{", "[]", '{"reader": "lexical"}'):
        (tmp_path / "x.json").write_text(content)
        assert split_off([tmp_path / "x.json"]) == ([], [tmp_path / "x.json"])
