"""The report: from traces to tables, figures and pages."""

import builtins
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docqn.errors import DocqnError
from docqn.evaluation.report.examples import walks
from docqn.evaluation.report.figures import EDGES, accuracies, counts, figures, label
from docqn.evaluation.report.load import Evaluation, load
from docqn.evaluation.report.page import write_report
from docqn.evaluation.report.paper import BY_ANSWER, BY_THRESHOLD, PAPER, row_of
from docqn.evaluation.report.tables import tables
from docqn.evaluation.results import traces_of
from docqn.evaluation.tables import plain
from docqn.policies.trace import Trace
from tests.evaluation.traces import answer, made, walk, write_traces


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write traces to a file."""

    def write(name: str, *policies: list[Trace], **header: Any) -> Path:
        return write_traces(tmp_path / name, *policies, **header)

    return write


@pytest.fixture
def evaluation(write: Callable[..., Path]) -> Evaluation:
    path = write(
        "traces.jsonl.gz",
        made("agent:runs/docqn", 30, steps=walk(5), supporting_indices=[3]),
        made("doc-tfidf", 40, uses_index=True),
        made("oracle", 60),
        made("mine", 20, answer=answer("Coffee")),
    )
    (found,) = load([path])
    return found


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        ("random-walk", "RandomWalk"),
        ("doc-tfidf", "Doc-TF-IDF"),
        ("tfidf", "TF-IDF"),
        ("bm25", None),
        ("agent:runs/docqn", "DocQN"),
        ("agent:runs/DQN-coupled", "DQN-Coupled"),
        ("agent:docqn/runs/docqn-coupled-3", "DocQN-Coupled"),
        ("agent:runs/mydqnet", None),
        ("ensemble:agent:runs/docqn,doc-tfidf,5", BY_THRESHOLD),
        ("ensemble:agent:runs/docqn,doc-tfidf", BY_ANSWER),
        ("ensemble:agent:runs/dqn,doc-tfidf,5", None),
        ("ensemble:bm25,doc-tfidf,5", None),
    ],
)
def test_policies_stand_for_the_papers_rows(policy: str, name: str | None) -> None:
    assert row_of(policy) == name
    assert name is None or name in PAPER


def test_our_figures_are_beside_the_papers(evaluation: Evaluation) -> None:
    accuracy, end_to_end, navigation, stops, verified, claims, differences = tables(evaluation)
    rows = {row[0]: row for row in accuracy.rows}
    assert rows["agent:runs/docqn"][1] == "DocQN"
    assert rows["agent:runs/docqn"][2].startswith("50.0 (")
    assert rows["agent:runs/docqn"][4:] == ["30.4", "43.6"]
    assert rows["mine"][1] == "–"
    assert ["–", "RandomWalk", "–", "–", "1.8", "3.1"] in [list(row) for row in accuracy.rows]
    assert [row[1] for row in end_to_end.rows].count("DocQN") == 1
    assert {"ReadTop", "RaSoR, on plain TriviaQA"} <= {row[1] for row in end_to_end.rows}
    assert "Oracles know the labels" in accuracy.note
    steps = {row[0]: row for row in navigation.rows}["agent:runs/docqn"]
    assert steps[2:9] == ["5.0", "5–5", "1.0", "15.0 %", "15.2", "4.1", "6.2"]
    assert list(stops.rows[0]) == ["agent:runs/docqn", "0.5", "0.0", "0.0", "100.0", "0.0", "86.7"]
    assert claims.title == "Claims of the paper"
    assert verified.rows[0][1].startswith("1.7 (")
    assert verified.note.startswith("Of the 60 pairs in which people found support.")
    assert differences.title == "Difference to agent:runs/docqn"  # by verified accuracy, which only it has here
    assert list(differences.columns[1::2]) == ["verified accuracy", "accuracy", "F1"]
    assert {row[0] for row in differences.rows} == {"doc-tfidf", "oracle", "mine"}
    assert all(len(row) == len(table.columns) for table in tables(evaluation) for row in table.rows)


def test_figures_are_drawings_and_the_same_each_time(evaluation: Evaluation) -> None:
    for one, again in zip(figures(evaluation), figures(evaluation), strict=True):
        assert one == again
        ElementTree.fromstring(one.svg)
        assert "agent:runs/docqn" in one.svg
        assert "oracle" not in one.svg


def test_bins_count_each_index_once() -> None:
    index = np.arange(1.0, 701)
    assert counts(index).sum() == 700
    assert counts(index).tolist() == [high - low for low, high in pairwise(EDGES)]
    assert counts(np.array([np.nan, 0, 701])).sum() == 0


def test_accuracies_by_first_answer() -> None:
    index = np.repeat([1.0, 4.0, 30.0], [20, 40, 19])
    correct = np.concatenate([np.ones(20), np.ones(10), np.zeros(30), np.ones(19)])
    found = accuracies(index, correct)
    assert found[[0, 1]].tolist() == [100, 25]
    assert np.isnan(found[2:]).all()  # of few pairs nothing is said


def test_labels() -> None:
    assert [label(0, 1), label(1, 3), label(161, None)] == ["0", "1–2", "161+"]


def test_walks_are_shown(evaluation: Evaluation) -> None:
    shown = list(walks(evaluation))
    assert [table.title.partition(":")[0] for table in shown] == ["agent"] * 3
    kinds = [table.title.partition(",")[2].partition(":")[0].strip() for table in shown]
    assert sorted(kinds) == ["out of time", "right", "wrong"]
    first = shown[0]
    assert first.rows[1] == ["1", "section\N{NO-BREAK SPACE}1", "Heading 1", "Down", "−0.02", *["1.00"] * 7]
    assert "Ends at Title › Heading" in first.note


def test_where_people_judged_only_support_counts_in_figures_and_walks(write: Callable[..., Path]) -> None:
    """Thirty pairs with support, which is never where the first answer stands; the policy stops at either."""
    traces = [
        replace(one, steps=walk(4), stopped=True, stop_index=7 if i % 3 else 1, answer_indices=[1, 7])
        for i, one in enumerate(made("bm25", 60))
    ]
    traces = [replace(one, supporting_indices=[7]) if i >= 30 else one for i, one in enumerate(traces)]
    (judged,) = load([write("judged", traces)])
    (weak,) = load([write("weak", [replace(one, supporting_indices=None) for one in traces])])

    by_support, stops, _ = figures(judged)
    assert by_support.title == "Figure 7: verified accuracy by first supporting paragraph"
    assert "first supporting paragraph (median 7)" in stops.svg
    by_answer, stops, _ = figures(weak)
    assert by_answer.title == "Figure 7: accuracy by first answer"
    assert "first answer (median 1)" in stops.svg

    def shown(evaluation: Evaluation) -> dict[str, str]:
        tables = (table.title.partition(", ")[2].partition(": ") for table in walks(evaluation))
        return {kind: question for kind, _, question in tables}

    assert shown(judged) == {"wrong": "q15?", "right": "q15?"}
    assert shown(weak) == {"right": "q0?"}
    assert all("First right paragraph: 7." in table.note for table in walks(judged))


def test_what_it_was_made_of_stands_beside_it(evaluation: Evaluation) -> None:
    about = "60 pairs, reader lexical, at most 100 steps, only legal actions, seed 0, data f"
    assert evaluation.about == about


def test_the_pages_are_whole_and_stand_alone(evaluation: Evaluation, tmp_path: Path) -> None:
    files = write_report(tmp_path / "out", [evaluation])
    assert sorted(path.name for path in files) == [
        "first-answer-1.svg",
        "reading-1.svg",
        "report.html",
        "report.md",
        "stops-1.svg",
    ]
    page = (tmp_path / "out" / "report.html").read_text()
    HTMLParser().feed(page)
    assert not re.search(r"""(src|href)=["']?https?:""", page.replace("http://www.w3.org/1999/xlink", ""))
    assert "<script" not in page
    assert page.count("<svg") == 3
    assert "<odd>" not in page
    text = (tmp_path / "out" / "report.md").read_text()
    for table in tables(evaluation):
        assert table.title in page
        assert table.title in text
    for name in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (tmp_path / "out" / name).exists()


def test_evaluations_of_the_same_pairs_come_together(write: Callable[..., Path]) -> None:
    paths = [write("a", made("bm25", 9)), write("b", made("tfidf", 8)), write("c", made("bm25", 7), split="test")]
    found = load(paths)
    assert [(one.name, list(one.policies)) for one in found] == [
        ("schools, dev", ["bm25", "tfidf"]),
        ("schools, test", ["bm25"]),
    ]
    with pytest.raises(DocqnError, match="bm25 on schools, dev is in more than one"):
        load([*paths, write("d", made("bm25", 9))])


def test_differences_are_to_the_best_that_is_no_oracle(write: Callable[..., Path]) -> None:
    (found,) = load([write("a", made("bm25", 20), made("tfidf", 30), made("oracle", 60))])
    *_, differences = tables(found)
    assert differences.title == "Difference to tfidf"
    assert list(differences.columns) == ["policy", "accuracy", "p", "aggregated", "p", "F1", "p"]
    assert [row[0] for row in differences.rows] == ["bm25", "oracle"]


def test_a_long_name_leaves_room_for_the_figure(write: Callable[..., Path]) -> None:
    name = f"ensemble:agent:{'runs/' * 40}docqn,doc-tfidf:15,5"
    (found,) = load([write("a", made(name, 20), made("bm25", 20))])
    for one in figures(found):
        assert f"{name[:22]}…{name[-22:]}" in one.svg


def test_policies_run_with_different_seeds_are_resampled_alike(write: Callable[..., Path]) -> None:
    paths = [write("a", made("bm25", 40)), write("b", made("random-walk", 30), seed=7)]
    (found,) = load(paths)
    (again,) = load([paths[0], write("c", made("random-walk", 30))])
    *_, differences = tables(found)
    *_, same = tables(again)
    assert differences == same


def test_results_name_their_traces(write: Callable[..., Path], tmp_path: Path) -> None:
    traces = write("traces", made("bm25", 9))
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"traces": "traces"}))
    assert traces_of(results) == traces
    assert traces_of(traces) == traces
    for content in ('{"traces": null}', "{}", "[]", "nothing"):
        results.write_text(content)
        with pytest.raises(DocqnError, match=r"results\.json: names no traces"):
            traces_of(results)
    with pytest.raises(DocqnError, match="cannot be read"):
        traces_of(tmp_path / "none.json")


def test_traces_without_settings_or_without_traces_are_errors(write: Callable[..., Path]) -> None:
    damage: list[dict[str, Any]] = [{"seed": None}, {"seed": -1}, {"pairs": "many"}, {"corpus": []}, {"mask": {}}]
    for number, wrong in enumerate(damage):
        with pytest.raises(DocqnError, match="lacks settings"):
            load([write(f"a{number}", made("bm25", 9), **wrong)])
    with pytest.raises(DocqnError, match="holds no traces"):
        load([write("b")])


def test_without_matplotlib_the_error_says_what_to_install(
    evaluation: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(DocqnError, match="extra `report`"):
        figures(evaluation)


def test_policies_without_labels_can_be_reported(write: Callable[..., Path], tmp_path: Path) -> None:
    blind = made("bm25", 9, answer_indices=None, golds=None, answer=None)
    evaluations = load([write("a", blind, made("tfidf", 9, answer_indices=None, golds=None, answer=None))])
    write_report(tmp_path / "out", evaluations)
    (accuracy, *_) = tables(evaluations[0])
    assert accuracy.rows[0][2] == "–"
    assert plain(accuracy)
