"""A report of agents that were trained with several seeds: rows, claims, and limits of tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from docqn.errors import DocqnError
from docqn.evaluation.report.families import Family, families
from docqn.evaluation.report.load import Evaluation, load
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


def evaluation(path: Path, policies: dict[str, list[Trace]], **header: Any) -> Evaluation:
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
    found = families(names, trained, tuned={"ensemble:agent:b,bm25"})
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
    assert len(accuracy.rows) == 3 + 10  # ours, and the paper's others


def test_no_interval_leaves_what_is_possible(tmp_path: Path) -> None:
    found = evaluation(tmp_path, agents("dqn", {1: 2, 2: 50}))
    (accuracy, *_) = tables(found)
    assert rows(accuracy)["dqn (2 seeds)"][1] == "43.3 (0.0–100.0)"


def test_agents_of_one_seed_are_not_averaged(tmp_path: Path) -> None:
    policies = {name: made(name, 30) for name in ("agent:a/docqn-1", "agent:b/docqn-1", "agent:c/docqn-2")}
    trained = {name: facts("docqn", int(name[-1])) for name in policies}
    found = evaluation(tmp_path, policies, trained=trained)
    assert [row.name for row in found.rows] == ["docqn (2 seeds)", "agent:b/docqn-1"]


def test_without_facts_every_policy_is_a_row(tmp_path: Path) -> None:
    found = evaluation(tmp_path, agents("docqn", {1: 30, 2: 31}), trained={})
    assert [row.name for row in found.rows] == ["agent:a/docqn-1", "agent:a/docqn-2"]
    assert "Student" not in next(iter(tables(found))).note


@pytest.mark.parametrize("wrong", [[], {"agent:a": 3}, {"agent:a": {"preset": "docqn"}}, {"agent:a": {"seed": "1"}}])
def test_facts_that_are_none_are_an_error(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(DocqnError, match="evaluate again"):
        evaluation(tmp_path, {"bm25": made("bm25", 3)}, trained=wrong)


def paper(seeds: int = 3) -> dict[str, list[Trace]]:
    """Everything that the claims are about, and they hold: by much, with little between the seeds."""
    numbers = range(1, seeds + 1)
    policies = {"doc-tfidf": made("doc-tfidf", 40)}
    for preset, right in {"docqn": 42, "dqn": 20, "docqn-coupled": 30, "dqn-coupled": 19}.items():
        top = {"stop_index": 2} if preset == "dqn" else {"stop_index": 9}
        policies |= agents(f"{preset}-small", {seed: right + seed % 2 for seed in numbers})
        for name in [name for name in policies if f"/{preset}-small" in name]:
            right_there = [one.answer_indices for one in policies[name]]
            policies[name] = [
                made(name, 0, answer_indices=[top["stop_index"]] if one.stop_index else [50], read=[(0, 5)], **top)[i]
                for i, one in enumerate(policies[name])
            ]
            assert len(right_there) == 60
    for seed in numbers:
        name = f"ensemble:agent:a/docqn-small-{seed},doc-tfidf,{seed + 3}"
        policies[name] = made(name, 52 + seed % 2)
    return policies


TUNED = {"policies": [f"ensemble:agent:a/docqn-small-{seed},doc-tfidf,tuned" for seed in (1, 2, 3)]}
