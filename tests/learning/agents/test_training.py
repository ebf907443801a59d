"""The agent's training as a whole: on a small corpus it learns, stops, goes on, and becomes an agent without torch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from docqn.arrays import open_arrays, save_arrays
from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.learning.agents.evaluation import alarms, summary, walks
from docqn.learning.agents.run import Run
from docqn.learning.agents.settings import PRESETS
from docqn.policies import Setting, policy
from docqn.policies.neural.export import export
from docqn.readers import reader
from tests.learning.agents.small import CPU, QUICK, after, finished, log_of, timeless


@pytest.mark.parametrize("changes", [{}, {"match": True}, {"backup": "every", "ema": 0.9}])
def test_interrupted_and_resumed_is_as_uninterrupted(changes: dict[str, Any], start: Callable[..., Path]) -> None:
    settings = replace(QUICK, **changes)
    finished(start("whole", settings))
    parts = start("parts", settings)
    for turns in (3, 40, 25, 1):
        Run(parts, CPU).train(resume=(parts / "state.safetensors").exists(), stop=after(turns))
    finished(parts, resume=True)
    whole, resumed = (open_arrays(parts.parent / name / "state.safetensors") for name in ("whole", "parts"))
    assert whole.arrays.keys() == resumed.arrays.keys()
    for name, array in whole.arrays.items():
        assert (array == resumed.arrays[name]).all(), name
    assert json.loads(whole.meta["meta"]) == json.loads(resumed.meta["meta"])
    logs = [[timeless(row) for row in log_of(parts.parent / name)] for name in ("whole", "parts")]
    assert logs[0] == logs[1]


def test_a_training_from_before_some_settings_goes_on(start: Callable[..., Path]) -> None:
    whole, run = start("whole"), start()
    finished(whole)
    Run(run, CPU).train(resume=False, stop=after(25))
    state, settings = run / "state.safetensors", run / "settings.json"
    arrays = {name: np.array(array) for name, array in open_arrays(state).arrays.items()}
    told, said = json.loads(open_arrays(state).meta["meta"]), json.loads(settings.read_text())
    for name in ("match", "backup", "ema", "every"):
        del told["fixed"][name], said["settings"][name]
    save_arrays(state, arrays, {"meta": json.dumps(told)})
    settings.write_text(json.dumps(said))
    finished(run, resume=True)
    expected, found = (open_arrays(folder / "state.safetensors").arrays for folder in (whole, run))
    assert all((array == found[name]).all() for name, array in expected.items())


@pytest.mark.parametrize(("encoder", "match"), [("lstm", False), ("mlp", False), ("mlp", True)])
def test_a_small_corpus_is_learnt_by_heart_and_the_exported_agent_does_the_same(
    encoder: str, match: bool, start: Callable[..., Path], corpus: Corpus, tmp_path: Path
) -> None:
    heart = replace(QUICK, encoder=encoder, updates="step", steps=1500, anneal=1000, target=100, epsilon_end=0.2)
    run = start(settings=replace(heart, match=match, rate=2e-3, dropout=0.0, evaluate=500))
    training = finished(run)
    pairs = [pair for pair in map(Pair.of, corpus.split("dev")) if pair.answers]
    assert training.trainer.best == 1.0

    export(run, tmp_path / "agent", half=False)
    best = dict(open_arrays(run / "best.safetensors").arrays)
    best["words.learnt.weight"] = best["words.learnt.weight"].astype(np.float16).astype(np.float32)  # as the folder has
    training.trainer.learner.online.load_state_dict({name: torch.from_numpy(a.copy()) for name, a in best.items()})
    expected = walks(training._values_of, training.settings, pairs, reader("lexical"))
    assert summary(expected, pairs)["accuracy"] == 1.0
    found = policy(f"agent:{tmp_path / 'agent'}").traces(pairs, Setting(reader("lexical")))
    for ours, theirs in zip(found, expected, strict=True):
        assert [step.action for step in ours.steps] == [step.action for step in theirs.steps]
        for one, other in zip(ours.steps, theirs.steps, strict=True):
            assert one.q_values == pytest.approx(other.q_values, abs=1e-4)
            assert one.question_attention is not None
            assert one.observation_attention is not None
            assert sum(one.question_attention) == pytest.approx(1, abs=0.01)
            assert sum(one.observation_attention) == pytest.approx(1, abs=0.01)


def test_the_log_tells_of_training_and_evaluations(start: Callable[..., Path]) -> None:
    run = start()
    finished(run)
    rows = log_of(run)
    lines = [row for row in rows if "updates" in row]
    evaluations = [row for row in rows if "evaluation" in row]
    assert len(lines) == 10
    assert len(evaluations) == 3  # at 400, 800 and the end
    assert lines[-1]["epsilon"] < lines[0]["epsilon"]
    assert {"loss", "q", "norm", "return", "length", "acting_s", "learning_s"} <= lines[-1].keys()
    assert max(row["evaluation"]["accuracy"] for row in evaluations) == evaluations[-1]["best"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_trains(name: str, start: Callable[..., Path]) -> None:
    quick = {
        key: value
        for key, value in asdict(QUICK).items()
        if key not in ("coupled", "start", "sampling", "sampling_end")
    }
    finished(start(settings=replace(PRESETS[name], **{**quick, "steps": 300, "evaluate": 300})))


def test_collapse_is_noticed() -> None:
    fine = {"at_first": 0.2, "at_title": 0.0, "stopped": 0.9, "median_stop": 14.0, "length": 12.0}
    assert alarms(fine) == []
    for name, value, word in (
        ("at_first", 0.8, "first"),
        ("at_title", 0.5, "title"),
        ("stopped", 0.1, "time"),
        ("median_stop", 2.0, "index 2 or before"),
        ("length", 3.0, "3.0 steps"),
    ):
        (said,) = alarms({**fine, name: value})
        assert word in said
