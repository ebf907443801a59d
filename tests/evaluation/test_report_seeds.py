"""A report of agents that were trained with several seeds: rows, claims, and limits of tokens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from docqn.errors import DocqnError
from docqn.evaluation.bootstrap import Interval
from docqn.evaluation.report import claims
from docqn.evaluation.report.claims import CLAIMS, FAILS, HOLDS, OPEN, TOP, UNKNOWN, verdict
from docqn.evaluation.report.families import Family, families
from docqn.evaluation.report.figures import figures
from docqn.evaluation.report.load import Evaluation, load
from docqn.evaluation.report.page import write_report
from docqn.evaluation.report.reading import lines
from docqn.evaluation.report.tables import tables
from docqn.evaluation.tables import Table
from docqn.policies.trace import Trace
from tests.evaluation.traces import made, walk, write_traces


def facts(preset: str, seed: int, **changes: Any) -> dict[str, Any]:
    return {"preset": preset, "seed": seed, "step": 10 * seed, "reader": "lexical", "corpus": "c", **changes}


def agents(preset: str, right: dict[int, int], **changes: Any) -> dict[str, list[Trace]]:
    """An agent a seed, right so often."""
    return {f"agent:a/{preset}-{seed}": made(f"agent:a/{preset}-{seed}", n, **changes) for seed, n in right.items()}


def told(policies: dict[str, list[Trace]]) -> dict[str, dict[str, Any]]:
    """What agents so named tell."""
    parts = {name: name.removeprefix("agent:a/").rpartition("-") for name in policies if name.startswith("agent:")}
    return {name: facts(preset, int(seed)) for name, (preset, _, seed) in parts.items()}


def evaluation(path: Path, policies: dict[str, list[Trace]], /, **header: Any) -> Evaluation:
    (found,) = load([write_traces(path / "t", *policies.values(), **{"trained": told(policies), **header})])
    return found


def rows(table: Table) -> dict[str, list[str]]:
    return {row[0]: list(row[1:]) for row in table.rows}


def test_seeds_are_one_family_and_other_settings_another() -> None:
    trained = {
        "agent:a": facts("docqn", 1),
        "agent:b": facts("docqn", 2, step=99, log=5),
        "agent:c": facts("docqn", 1, coverage=0.3),
        "agent:d": facts("dqn", 1),
    }
    names = [*trained, "agent:e", "bm25", "ensemble:agent:a,bm25,5", "ensemble:agent:b,bm25", "ensemble:agent:b,bm25,7"]
    found = families(names, trained, tuned={"ensemble:agent:b,bm25,7"})
    assert found == {
        "agent:a": Family("docqn", (1,)),
        "agent:b": Family("docqn", (2,)),
        "agent:c": Family("docqn, coverage=0.3", (1,)),
        "agent:d": Family("dqn", (1,)),
        "agent:e": Family("agent:e"),
        "bm25": Family("bm25"),
        "ensemble:agent:a,bm25,5": Family("ensemble:docqn,bm25,5", (1,)),
        "ensemble:agent:b,bm25": Family("ensemble:docqn,bm25", (2,)),
        "ensemble:agent:b,bm25,7": Family("ensemble:docqn,bm25,tuned", (2,)),
    }


def test_a_family_is_a_row_with_mean_and_students_interval(tmp_path: Path) -> None:
    policies = agents("docqn-small", {1: 30, 2: 36, 3: 33}, steps=walk(4)) | {"bm25": made("bm25", 40)}
    policies["agent:a/dqn-small-1"] = made("agent:a/dqn-small-1", 20, stop_kind="section")
    found = evaluation(tmp_path, policies)
    accuracy, answers, navigation, stops, *_ = tables(found)
    shares = np.array([50.0, 60.0, 55.0])
    low, high = stats.t.interval(0.95, 2, shares.mean(), stats.sem(shares))
    assert rows(accuracy)["docqn-small (3 seeds)"][:2] == ["DocQN", f"55.0 ({low:.1f}–{high:.1f})"]
    assert "Student's t" in accuracy.note
    bootstrap = found.policies["agent:a/dqn-small-1"].figures()["accuracy"].interval
    single = f"33.3 ({bootstrap.low:.1f}–{bootstrap.high:.1f})"
    assert rows(accuracy)["agent:a/dqn-small-1"][:2] == ["DQN", single]
    assert rows(answers)["docqn-small (3 seeds)"][1] == "100.0 (100.0–100.0)"
    assert rows(navigation)["docqn-small (3 seeds)"][1:5] == [
        "4.0 (4.0–4.0)",
        "4–4",
        "1.0 (1.0–1.0)",
        "15.0 % (15.0–15.0)",
    ]
    medians = np.array([np.median([one.stop_index for one in policies[f"agent:a/docqn-small-{i}"]]) for i in (1, 2, 3)])
    low, high = stats.t.interval(0.95, 2, medians.mean(), stats.sem(medians))
    assert rows(stops)["docqn-small (3 seeds)"][0] == f"{medians.mean():.1f} ({max(low, 0):.1f}–{high:.1f})"
    assert rows(stops)["agent:a/dqn-small-1"][2] == "100.0"
    assert [row[1] for row in accuracy.rows].count("DocQN") == 1


def test_no_interval_leaves_what_is_possible(tmp_path: Path) -> None:
    found = evaluation(tmp_path, agents("dqn", {1: 2, 2: 50}))
    (accuracy, *_) = tables(found)
    assert rows(accuracy)["dqn (2 seeds)"][1] == "43.3 (0.0–100.0)"


def test_agents_of_one_seed_are_not_averaged(tmp_path: Path) -> None:
    policies = {name: made(name, 30) for name in ("agent:a/docqn-1", "agent:b/docqn-1", "agent:c/docqn-2")}
    trained = {name: facts("docqn", int(name[-1])) for name in policies}
    found = evaluation(tmp_path, policies, trained=trained)
    assert [row.name for row in found.rows] == ["docqn (2 seeds)", "agent:b/docqn-1"]


def test_thresholds_that_were_found_are_one_row_and_those_that_were_asked_for_are_not(tmp_path: Path) -> None:
    first, second = (f"ensemble:agent:a/docqn-{seed},bm25" for seed in (1, 2))
    asked = [f"{first},3", f"{first},tuned", f"{second},tuned", f"{second},4"]
    policies = {name: made(name, 30) for name in (f"{first},3", f"{first},6", f"{second},4")}
    found = evaluation(tmp_path, policies, policies=asked, trained=told(agents("docqn", {1: 0, 2: 0})))
    assert [row.name for row in found.rows] == [f"{first},3", "ensemble:docqn,bm25,tuned (2 seeds)"]


def test_without_facts_every_policy_is_a_row(tmp_path: Path) -> None:
    found = evaluation(tmp_path, agents("docqn", {1: 30, 2: 31}), trained={})
    assert [row.name for row in found.rows] == ["agent:a/docqn-1", "agent:a/docqn-2"]
    assert "Student" not in next(iter(tables(found))).note


@pytest.mark.parametrize("wrong", [[], {"agent:a": 3}, {"agent:a": {"preset": "docqn"}}, {"agent:a": {"seed": "1"}}])
def test_facts_that_are_none_are_an_error(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(DocqnError, match="evaluate again"):
        evaluation(tmp_path, {"bm25": made("bm25", 3)}, trained=wrong)


def stopping(name: str, right: int, at: int) -> list[Trace]:
    """Stops always at the same place, which is so often right; reads a twentieth."""
    return [
        replace(one, stop_index=at, stop_node=at, answer_indices=[at if i < right else 50], read=[(0, 5)])
        for i, one in enumerate(made(name, 0))
    ]


def paper(seeds: int = 3, size: str = "") -> dict[str, list[Trace]]:
    """Everything that the claims are about, and they hold: by much, with little between the seeds."""
    policies = {"doc-tfidf": stopping("doc-tfidf", 40, 12)}
    for preset, right, at in (("docqn", 42, 9), ("dqn", 20, 2), ("docqn-coupled", 30, 9), ("dqn-coupled", 19, 2)):
        for seed in range(1, seeds + 1):
            name = f"agent:a/{preset}{size}-{seed}"
            policies[name] = stopping(name, right + seed % 2, at)
    for seed in range(1, seeds + 1):
        name = f"ensemble:agent:a/docqn{size}-{seed},doc-tfidf,{seed + 3}"
        policies[name] = stopping(name, 52 + seed % 2, 9)
    return policies


def header(size: str = "") -> dict[str, Any]:
    """What an evaluation of all these says."""
    tuned = [f"ensemble:agent:a/docqn{size}-{seed},doc-tfidf,tuned" for seed in (1, 2, 3)]
    return {"policies": tuned, "trained": told(paper(size=size))}


def claimed(found: Evaluation) -> list[list[str]]:
    (table,) = claims.tables(found)
    return [list(row) for row in table.rows]


def test_claims_that_hold(tmp_path: Path) -> None:
    found = claimed(evaluation(tmp_path, paper(), **header()))
    assert [row[-1] for row in found] == [HOLDS] * len(CLAIMS)
    above, answer, with_, without, top, down, reads = found
    docqn, dqn = np.array([43, 42, 43]) / 0.6, np.array([21, 20, 21]) / 0.6
    welch = stats.ttest_ind(docqn, dqn, equal_var=False).confidence_interval()
    difference = f"{docqn.mean():.1f} − {dqn.mean():.1f} = +{docqn.mean() - dqn.mean():.1f}"
    assert above[1] == "docqn (3 seeds) − dqn (3 seeds)"
    assert above[2] == f"{difference} (+{welch.low:.1f} … +{welch.high:.1f})"
    assert above[3] == "30.4 − 27.2 = +3.2"
    assert answer[3] == "(30.4 − 28.1) − (27.2 − 26.8) = +1.9"
    assert with_[1] == "ensemble:docqn,doc-tfidf,tuned (3 seeds) − docqn (3 seeds)"
    assert with_[2].endswith("= +16.7 (+16.7 … +16.7)")  # seed by seed, ten pairs more each
    assert with_[3] == "35.0 − 30.4 = +4.6"
    ensemble = np.array([53, 52, 53]) / 0.6
    one = stats.ttest_1samp(ensemble - 40 / 0.6, 0).confidence_interval()
    assert without[2].endswith(f"(+{one.low:.1f} … +{one.high:.1f})")
    assert top[2:4] == ["2.0 (2.0 … 2.0)", "–"]
    assert down[2] == "9.0 − 2.0 = +7.0 (+7.0 … +7.0)"
    assert reads[2:4] == ["5.0 (5.0 … 5.0)", "6.2"]


def test_claims_that_do_not_hold(tmp_path: Path) -> None:
    policies = paper()
    for seed in (1, 2, 3):
        docqn, dqn = (f"agent:a/{preset}-{seed}" for preset in ("docqn", "dqn"))
        ensemble = f"ensemble:{docqn},doc-tfidf,{seed + 3}"
        policies[docqn] = [replace(one, read=[(0, 8)]) for one in stopping(docqn, 15, 2)]
        policies[dqn] = stopping(dqn, 30, 7)
        policies[ensemble] = stopping(ensemble, 14, 2)
    assert {row[-1] for row in claimed(evaluation(tmp_path, policies, **header()))} == {FAILS}


def test_seeds_far_apart_leave_it_open(tmp_path: Path) -> None:
    policies = paper()
    for seed in (1, 2, 3):
        name = f"agent:a/docqn-{seed}"
        policies[name] = stopping(name, 20 * seed - 10, 2 * seed)
    above, *_, down, reads = claimed(evaluation(tmp_path, policies, **header()))
    assert (above[-1], down[-1], reads[-1]) == (OPEN, OPEN, HOLDS)


def test_of_single_seeds_questions_are_resampled(tmp_path: Path) -> None:
    found = evaluation(tmp_path, paper(1), **header())
    above, *_, top, down, reads = claimed(found)
    one, other = (found.policies[f"agent:a/{preset}-1"] for preset in ("docqn", "dqn"))
    expected = one.ahead_of(other)["accuracy"].interval
    assert above[2].endswith(f"= +36.7 (+{expected.low:.1f} … +{expected.high:.1f})")
    assert top[2] == "2.0 (2.0 … 2.0)"
    assert reads[2] == "5.0 (5.0 … 5.0)"
    assert down[-1] == HOLDS


def test_what_is_not_there_is_not_measured(tmp_path: Path) -> None:
    policies = agents("docqn", {1: 30, 2: 31}) | {"doc-tfidf": made("doc-tfidf", 20)}
    found = claimed(evaluation(tmp_path, policies))
    assert [row[-1] for row in found[:6]] == [UNKNOWN] * 6
    assert found[0][1:3] == ["DocQN − DQN", "–"]
    assert found[6][-1] == FAILS  # fifteen of a hundred tokens
    assert list(claims.tables(evaluation(tmp_path, {"bm25": made("bm25", 20)}))) == []


def test_small_and_large_agents_are_not_mixed(tmp_path: Path) -> None:
    large = evaluation(
        tmp_path, paper() | paper(2, "-small"), **header() | {"trained": told(paper() | paper(2, "-small"))}
    )
    first, second = claims.tables(large)
    assert (first.title, second.title) == ("Claims of the paper", "Claims of the paper, presets -small")
    assert first.rows[0][1] == "docqn (3 seeds) − dqn (3 seeds)"
    assert second.rows[0][1] == "docqn-small (2 seeds) − dqn-small (2 seeds)"
    assert second.rows[3][1].endswith("− doc-tfidf")


@pytest.mark.parametrize(
    ("low", "high", "above", "below"),
    [
        (6, 7, HOLDS, FAILS),
        (3, 4, FAILS, HOLDS),
        (4, 6, OPEN, OPEN),
        (3, 5, FAILS, HOLDS),
        (5 + 1e-14, 5 + 1e-14, FAILS, HOLDS),
        (np.nan, 1, UNKNOWN, UNKNOWN),
    ],
)
def test_verdicts(low: float, high: float, above: str, below: str) -> None:
    claim = CLAIMS[0]._replace(bound=TOP)
    assert verdict(claim, Interval(low, high)) == above
    assert verdict(claim._replace(above=False), Interval(low, high)) == below


def limited(path: Path, name: str, said: object, *policies: list[Trace]) -> Path:
    return write_traces(path / name, *policies, max_tokens=said)


def reads(name: str, right: int, tokens: int) -> list[Trace]:
    return [replace(one, read=[(0, tokens)]) for one in made(name, right)]


def test_limits_of_tokens_are_points_of_a_line_and_rows_of_a_table(tmp_path: Path) -> None:
    paths = [
        limited(tmp_path, "ten", "10%", reads("bm25", 20, 10), reads("mine:x", 9, 9)),
        limited(tmp_path, "all", None, reads("bm25", 40, 60), reads("read-best", 30, 50), reads("read-best:3", 25, 20)),
        limited(tmp_path, "few", 1500, reads("bm25", 25, 15), reads("oracle", 60, 1)),
    ]
    (found,) = load(paths)
    assert list(found.policies) == ["bm25", "read-best", "read-best:3"]
    points = {
        name: [(round(point.tokens), round(point.accuracy, 1), point.note) for point in points]
        for name, points in lines(found).items()
    }
    assert points == {
        "bm25": [(10, 33.3, "10%"), (15, 41.7, "1,500 tokens"), (60, 66.7, "")],
        "read-best:…": [(20, 41.7, "3"), (50, 50.0, "")],
        "mine:x": [(9, 15.0, "10%")],
    }
    table = next(table for table in tables(found) if table.title == "Limits of tokens")
    assert [row[:3] for row in table.rows if row[0] == "bm25"] == [
        ["bm25", "–", "60.0"],
        ["bm25", "10% of the tokens", "10.0"],
        ["bm25", "1,500 tokens", "15.0"],
    ]
    assert {row[0] for row in table.rows} == {"bm25", "mine:x", "oracle"}
    (alone,) = load(paths[:1])
    assert "at most 10% of the tokens to read" in alone.about
    assert "Limits of tokens" not in {table.title for table in tables(alone)}
    with pytest.raises(DocqnError, match="in more than one evaluation"):
        load([*paths, limited(tmp_path, "again", "10%", reads("bm25", 20, 10))])


def test_prices_with_decimals_are_points_of_a_line_too(tmp_path: Path) -> None:
    (found,) = load([limited(tmp_path, "all", None, reads("forage", 30, 20), reads("forage:0.5", 40, 60))])
    assert [point.note for point in lines(found)["forage:…"]] == ["", "0.5"]


def test_figures_and_pages_of_seeds(tmp_path: Path) -> None:
    found = evaluation(tmp_path, paper(), **header())
    for one in figures(found):
        assert one.svg.count("docqn (3 seeds)") == 1
        assert "agent:a/docqn-1" not in one.svg
    write_report(tmp_path / "out", [found])
    assert "Claims of the paper" in (tmp_path / "out" / "report.html").read_text()
