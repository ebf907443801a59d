"""The figures of a split, against counting by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docqn.corpora.build import build
from docqn.corpora.statistics import BIN, BINS, statistics, write_figure
from docqn.corpora.store import Corpus
from docqn.document import SECTION, SENTENCE
from docqn.errors import DocqnError
from docqn.parsers import parse
from tests.corpora.small import QUESTIONS, question, write_evidence, write_questions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("statistics")
    missing = question("q6", "Which?", ["a"], "None.html")
    write_evidence(folder / "evidence")
    files = [write_questions(folder / "dev.json", [*QUESTIONS, missing])]
    build(files, folder / "evidence", folder / "corpus", jobs=1)
    return folder


@pytest.fixture(scope="module")
def numbers(folder: Path) -> dict[str, Any]:
    return statistics(Corpus(folder / "corpus").split("dev"))


def test_questions_pairs_and_documents_before_and_after(numbers: dict[str, Any]) -> None:
    counts = ("questions", "pairs", "documents")
    assert [numbers[name] for name in counts] == [3, 3, 3]
    assert [numbers["original"][name] for name in counts] == [6, 9, 3]


def test_every_pair_and_question_that_is_gone_has_one_reason(numbers: dict[str, Any]) -> None:
    assert numbers["dropped"] == {
        "no_document": 1,
        "single_character": 1,
        "no_answer": 2,
        "only_in_preface": 1,
        "only_in_titles": 1,
        "late": 0,
    }
    assert numbers["dropped_questions"] == {
        "no_document": 1,
        "single_character": 1,
        "no_answer": 0,
        "only_in_preface": 1,
        "only_in_titles": 0,
        "late": 0,
    }
    assert sum(numbers["dropped"].values()) == numbers["original"]["pairs"] - numbers["pairs"]
    assert sum(numbers["dropped_questions"].values()) == numbers["original"]["questions"] - numbers["questions"]


def test_sizes_are_means_of_the_documents(folder: Path, numbers: dict[str, Any]) -> None:
    pages = [parse(path) for path in sorted((folder / "evidence").iterdir())]
    original = numbers["original"]
    assert original["tokens_mean"] == np.mean([len(d.token) for d in pages])
    assert original["words_mean"] == np.mean([len(d.text.split()) for d in pages])
    assert original["nodes_mean"] == np.mean([(d.kind != SENTENCE).sum() for d in pages])
    assert original["all_nodes_mean"] == np.mean([len(d) for d in pages])
    assert original["sections_mean"] == np.mean([((d.kind == SECTION) & (d.depth == 1)).sum() for d in pages])
    documents = [Corpus(folder / "corpus").document(i) for i in range(3)]
    assert numbers["tokens_mean"] == np.mean([len(d.token) for d in documents])
    assert numbers["nodes_mean"] == np.mean([(d.kind != SENTENCE).sum() for d in documents])
    assert numbers["tokens_mean"] < original["tokens_mean"]


def test_first_answers(numbers: dict[str, Any]) -> None:
    # Without prefaces: q1 in Nile at 2, q2 in Flat at 1, q4 in Tea at 2. With them, Nile and Tea have one node more,
    # and q2 and q5 are in Nile's preface.
    assert numbers["fao_median"] == 2
    assert numbers["original"]["fao_median"] == np.median([3, 1, 1, 3, 1])
    assert (numbers["fao_histogram"][0], sum(numbers["fao_histogram"])) == (3, 3)
    assert (numbers["original"]["fao_histogram"][0], len(numbers["fao_histogram"])) == (5, BINS)
    assert BIN > 3


def test_a_split_of_which_nothing_is_left(tmp_path: Path) -> None:
    evidence = write_evidence(tmp_path / "evidence")
    build([write_questions(tmp_path / "dev.json", QUESTIONS[2:3])], evidence, tmp_path / "corpus", jobs=1)
    numbers = statistics(Corpus(tmp_path / "corpus").split("dev"))
    assert (numbers["pairs"], numbers["fao_median"], numbers["tokens_mean"]) == (0, None, None)
    pytest.importorskip("matplotlib")
    write_figure(tmp_path / "figure.svg", {"dev": numbers})


def test_the_figure_is_drawn(tmp_path: Path, numbers: dict[str, Any]) -> None:
    pytest.importorskip("matplotlib")
    write_figure(tmp_path / "figure.svg", {"dev": numbers, "again": numbers})
    first = (tmp_path / "figure.svg").read_bytes()
    assert b"<svg" in first
    write_figure(tmp_path / "figure.svg", {"dev": numbers, "again": numbers})
    assert (tmp_path / "figure.svg").read_bytes() == first
    with pytest.raises(DocqnError, match=r"figure\.nope: "):
        write_figure(tmp_path / "figure.nope", {"dev": numbers})
    assert [path.name for path in tmp_path.iterdir()] == ["figure.svg"]


def test_without_matplotlib_it_is_said_what_to_install(
    tmp_path: Path, numbers: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(DocqnError, match=r"docqn\[report\]"):
        write_figure(tmp_path / "figure.svg", {"dev": numbers})
