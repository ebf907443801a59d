"""A training's folder: what is refused before any work, what may change, and what a crash leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from docqn.arrays import open_arrays
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.learning.agents.run import Data, Run, begin, change
from docqn.learning.agents.settings import FREE, PRESETS, AgentSettings
from docqn.learning.settings import changed, replaced
from docqn.learning.tensors import write_tensors
from docqn.policies.neural.export import export, read_log
from tests.learning.agents.small import CPU, QUICK, after, finished, log_of, timeless

Start = Callable[..., Path]


@pytest.mark.parametrize(
    "wrong",
    [
        "encoder=gru",
        "loss=cubic",
        "updates=never",
        "start=everywhere",
        "start=mixture:root=x",
        "cursors=0",
        "sampled=0",
        "log=0",
        "evaluate=0",
        "target=0",
        "batch=0",
        "hidden=0",
        "steps=0",
        "epsilon=1.5",
        "sampling_end=-0.1",
        "discount=2",
        "dropout=1",
        "rate=nan",
        "clip=-1",
        "ema=1",
        "backup=both",
        "seed=-1",
    ],
)
def test_a_setting_that_no_training_can_go_on_with_is_refused(wrong: str) -> None:
    with pytest.raises(DocqnError, match=wrong.partition("=")[2].partition(":")[0]):
        changed(PRESETS["docqn"], [wrong])


def test_settings_of_a_file_are_of_their_types() -> None:
    found = replaced(QUICK, {"rate": 1, "loss": "squared"}, "file")
    assert (found.rate, found.loss) == (1.0, "squared")
    assert type(found.rate) is float
    for wrong in ({"batch": "8"}, {"batch": 8.0}, {"batch": True}, {"coupled": 1}, {"speed": 1}, {"rate": None}):
        with pytest.raises(DocqnError, match=f"file: {next(iter(wrong))} = "):
            replaced(QUICK, wrong, "file")


def test_what_a_training_needs_is_looked_for_before_its_folder_is_made(
    corpus: Corpus, vectors: Path, tmp_path: Path
) -> None:
    strange = tmp_path / "strange.txt"
    strange.write_text("qqq 1 2 3\nwww 4 5 6\n")
    for reason, file, data in (
        ("has no split 'none'", vectors, Data(corpus.folder, ("none",), None, "lexical")),
        ("has no split 'none'", vectors, Data(corpus.folder, ("dev",), "none", "lexical")),
        ("not among the readers", vectors, Data(corpus.folder, ("dev",), "dev", "nobody")),
        ("cannot be read", tmp_path / "no.txt", Data(corpus.folder, ("dev",), "dev", "lexical")),
        ("has no vector of a word", strange, Data(corpus.folder, ("dev",), "dev", "lexical")),
    ):
        with pytest.raises(DocqnError, match=reason):
            begin(tmp_path / "run", "dqn", QUICK, file, data)
        assert not (tmp_path / "run").exists()


def test_only_what_is_free_may_change_and_the_folder_stays_as_it_was(start: Start) -> None:
    run = start()
    Run(run, CPU).train(resume=False, stop=after(3))
    change(run, [f"{name}={getattr(QUICK, name)}" for name in FREE])
    before = (run / "settings.json").read_bytes()
    for wrong, reason in (("discount=0.9", "discount stays"), ("steps=many", "not int"), ("steps=0", "steps=0")):
        with pytest.raises(DocqnError, match=reason):
            change(run, [wrong])
        assert (run / "settings.json").read_bytes() == before
    Run(run, CPU).train(resume=True, stop=after(1))


def test_a_training_goes_on_with_nothing_else_than_it_began_with(start: Start) -> None:
    run = start()
    Run(run, CPU).train(resume=False, stop=after(3))
    said = json.loads((run / "settings.json").read_text())
    said["settings"]["discount"] = 0.9
    (run / "settings.json").write_text(json.dumps(said))
    with pytest.raises(DocqnError, match="other values of discount"):
        Run(run, CPU).train(resume=True, stop=after(1))


def test_a_training_of_before_there_were_some_settings_goes_on(start: Start) -> None:
    run = start()
    Run(run, CPU).train(resume=False, stop=after(3))
    said = json.loads((run / "settings.json").read_text())
    for name in (later := ("match", "backup", "ema")):
        del said["settings"][name]
    (run / "settings.json").write_text(json.dumps(said))
    state = open_arrays(run / "state.safetensors")
    tensors = {name: torch.from_numpy(array.copy()) for name, array in state.arrays.items()}
    meta = json.loads(state.meta["meta"])
    for name in later:
        del meta["fixed"][name]
    write_tensors(run / "state.safetensors", tensors, meta)
    training = Run(run, CPU)
    assert training.train(resume=True, stop=after(1)) > meta["step"]


def test_a_longer_training_goes_on_as_if_it_had_always_been_so_long(start: Start) -> None:
    finished(start("long", replace(QUICK, steps=1400)))
    run = start("short")
    finished(run)
    change(run, ["steps=1400"])
    finished(run, resume=True)
    long, short = (open_arrays(run.parent / name / "state.safetensors").arrays for name in ("long", "short"))
    assert all((long[name] == short[name]).all() for name in long)


def _without(said: dict[str, Any], *path: str) -> dict[str, Any]:
    inner = said
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return said


def test_damaged_settings_are_one_line(start: Start, tmp_path: Path) -> None:
    run = start()
    finished(run)
    whole = (run / "settings.json").read_text()
    for damaged in (
        whole[:-20],
        "[]",
        json.dumps(_without(json.loads(whole), "settings")),
        json.dumps(json.loads(whole) | {"settings": [1]}),
        json.dumps(json.loads(whole) | {"settings": {"batch": "x"}}),
        json.dumps(json.loads(whole) | {"data": 3}),
        json.dumps(_without(json.loads(whole), "data", "splits")),
        json.dumps(_without(json.loads(whole), "data", "reader")),
        json.dumps(json.loads(whole) | {"docqn": "training 1"}),  # a reader's
    ):
        (run / "settings.json").write_text(damaged)
        with pytest.raises(DocqnError):
            Run(run, CPU)
    (run / "settings.json").write_text(json.dumps(_without(json.loads(whole), "vectors")))
    with pytest.raises(DocqnError, match=r"settings\.json"):
        export(run, tmp_path / "agent")
    assert not (tmp_path / "agent").exists()


def test_faults_of_the_state_are_one_line(start: Start, tmp_path: Path) -> None:
    run = start()
    with pytest.raises(DocqnError, match="holds a training already"):
        start()
    with pytest.raises(DocqnError, match="no evaluation yet"):
        export(run, tmp_path / "agent")
    Run(run, CPU).train(resume=False, stop=after(2))
    with pytest.raises(DocqnError, match="holds a training already"):
        Run(run, CPU).train(resume=False, stop=after(1))
    state = run / "state.safetensors"
    state.write_bytes(state.read_bytes()[:-100])
    with pytest.raises(DocqnError, match="not the state of this training, or damaged"):
        Run(run, CPU).train(resume=True, stop=after(1))
    write_tensors(run / "best.safetensors", {"value.weight": torch.zeros(1)}, {"step": 3})
    with pytest.raises(DocqnError, match="not the weights of an agent"):
        export(run, tmp_path / "agent")


def test_one_process_at_a_time_trains_in_a_folder(start: Start) -> None:
    run = start()
    reasons = []

    def stop() -> bool:
        with pytest.raises(DocqnError) as raised:
            Run(run, CPU).train(resume=True, stop=lambda: True)
        reasons.append(str(raised.value))
        return True

    Run(run, CPU).train(resume=False, stop=stop)
    assert ["another process trains there" in reason for reason in reasons] == [True]


def test_what_was_logged_after_the_last_saved_state_is_logged_once(start: Start) -> None:
    finished(start("whole"))
    run = start("killed")
    first = Run(run, CPU)
    with pytest.raises(KeyboardInterrupt):
        first.train(resume=False, stop=_killing(first, 500))
    with (run / "log.jsonl").open("a") as log:
        log.write('{"step": 5')  # cut off
    assert not (run / "state.safetensors").exists()
    finished(run, resume=True)
    whole, killed = ([timeless(row) for row in log_of(run.parent / name)] for name in ("whole", "killed"))
    assert killed == whole
    assert read_log(run / "log.jsonl") == log_of(run)


def _killing(run: Run, step: int) -> Callable[[], bool]:
    """Ends the training as a power cut would: nothing is saved."""

    def stop() -> bool:
        if run.trainer.step >= step:
            raise KeyboardInterrupt
        return False

    return stop


def test_updates_that_are_owed_are_made_up_for(start: Start) -> None:
    run = start()
    training = Run(run, CPU)
    training.train(resume=False, stop=lambda: training.trainer.updates == 3)
    assert training.trainer.owed >= 1
    again = Run(run, CPU)
    step, owed = training.trainer.step, training.trainer.owed
    again.train(resume=True, stop=lambda: again.trainer.updates == 4)
    assert (again.trainer.step, again.trainer.owed) == (step, owed - 1)


def test_a_training_that_diverges_ends_and_leaves_its_last_state(start: Start) -> None:
    run = start()
    training = Run(run, CPU)
    training.train(resume=False, stop=lambda: training.trainer.updates == 3)
    saved = (run / "state.safetensors").read_bytes()
    again = Run(run, CPU)

    def stop() -> bool:
        with torch.no_grad():
            again.trainer.learner.online.value.weight.fill_(np.nan)
        return False

    with pytest.raises(DocqnError, match="diverged at step"):
        again.train(resume=True, stop=stop)
    assert (run / "state.safetensors").read_bytes() == saved


def test_weights_that_a_gpu_keeps_in_one_piece_are_saved_apart(tmp_path: Path) -> None:
    piece = torch.arange(10.0)
    write_tensors(tmp_path / "t.safetensors", {"a": piece[:4].view(2, 2), "b": piece[4:].view(2, 3).t()}, {"x": 1})
    found = open_arrays(tmp_path / "t.safetensors").arrays
    assert found["a"].tolist() == [[0, 1], [2, 3]]
    assert found["b"].tolist() == [[4, 7], [5, 8], [6, 9]]


def test_the_presets_at_both_sizes() -> None:
    names = ("docqn", "docqn-uniform", "docqn-backward", "dqn", "docqn-coupled", "dqn-coupled")
    assert {*PRESETS} == {*names, *(f"{name}-small" for name in names)}
    paper = PRESETS["docqn"]
    assert paper == AgentSettings()
    assert (paper.alpha, paper.beta, paper.memory, paper.initial, paper.batch) == (0.6, 0.4, 300_000, 50_000, 64)
    assert (paper.rate, paper.discount, paper.target, paper.sampled) == (1e-4, 0.996, 10_000, 5)
    assert (paper.epsilon, paper.epsilon_end, paper.sampling, paper.sampling_end) == (1.0, 0.1, 1.0, 0.5)
    assert (paper.anneal, paper.updates, paper.limit) == (1_200_000, "turn", 30)
    for name in names:
        small = PRESETS[f"{name}-small"]
        for setting in ("coupled", "start", "sampling", "sampling_end", "sampled", "limit", "discount"):
            assert getattr(small, setting) == getattr(PRESETS[name], setting)


def test_the_docs_tell_every_setting() -> None:
    text = (Path(__file__).parents[3] / "docs" / "agent.md").read_text(encoding="utf-8")
    paper, small = asdict(PRESETS["docqn"]), asdict(PRESETS["docqn-small"])
    for name, value in paper.items():
        assert f"| `{name}` | {value} | {small[name]} |" in text, name
    assert text.count("| `") > len(paper)
