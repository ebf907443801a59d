"""A training that was interrupted and goes on ends exactly like one that was not."""

import json
import multiprocessing
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from docqn.errors import DocqnError
from docqn.learning.readers.loop import train
from docqn.learning.readers.run import CPU, Sources, begin, change, task_of
from docqn.learning.readers.settings import RasorSettings, TransformerSettings
from docqn.learning.readers.transformer import TransformerTask
from docqn.readers.neural.export import export
from docqn.readers.neural.folder import rewrite_config
from docqn.readers.neural.training_run import load_weights
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import ranker_arrays, write_model, write_squad, write_vectors

TRANSFORMER = TransformerSettings(
    rate=1e-2, warmup=2, steps=6, decay_steps=3, batch=3, budget=40, golds=1, coverage=0.0
)
RASOR = RasorSettings(
    warmup=2, steps=6, decay_steps=3, hidden=4, layers=1, feedforward=4, batch=2, own_words=5, buckets=3
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, word vectors, SQuAD questions and a corpus."""
    folder = tmp_path_factory.mktemp("data")
    write_model(folder / "model", ranker_arrays())
    write_vectors(folder / "vectors.txt")
    write_squad(folder / "squad.json")
    make_corpus(folder)
    return folder


def begun(data: Path, run: Path, kind: str) -> Path:
    sources = {
        "transformer": Sources(data / "squad.json"),
        "mixed": Sources(data / "squad.json", data / "corpus", ("dev",)),
        "corpus": Sources(None, data / "corpus", ("dev", "verified-dev")),
        "rasor": Sources(data / "squad.json"),
        "rasor-documents": Sources(None, data / "corpus", ("dev",)),
    }[kind]
    if kind.startswith("rasor"):
        begin(run, RASOR, data / "vectors.txt", sources)
    else:
        begin(run, TRANSFORMER, data / "model", sources)
    return run


def interrupted_at(step: int) -> Any:
    def report(done: int, row: Mapping[str, Any]) -> None:
        if done == step:
            os.kill(os.getpid(), signal.SIGINT)

    return report


@pytest.mark.parametrize("kind", ["transformer", "mixed", "corpus", "rasor", "rasor-documents"])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(data: Path, tmp_path: Path, kind: str) -> None:
    whole, broken = (begun(data, tmp_path / name, kind) for name in ("whole", "broken"))
    assert train(task_of(whole), whole, resume=False) == 6
    assert train(task_of(broken), broken, resume=False, report=interrupted_at(2)) == 2
    assert train(task_of(broken), broken, resume=True, report=interrupted_at(5)) == 5
    assert train(task_of(broken), broken, resume=True) == 6
    assert (broken / "state.safetensors").read_bytes() == (whole / "state.safetensors").read_bytes()
    rows = [[json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()] for run in (whole, broken)]
    losses = [[[row[name] for name in row if "loss" in name] for row in one if "step" in row] for one in rows]
    assert losses[0] == losses[1]
    assert [row["saved"] for row in rows[1] if "saved" in row] == [2, 5, 6]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no process can be forked")
@pytest.mark.parametrize("stop_at", [2, 6])
def test_processes_that_prepare_data_change_nothing_and_end(data: Path, tmp_path: Path, stop_at: int) -> None:
    alone, beside = (begun(data, tmp_path / name, "mixed") for name in ("alone", "beside"))
    assert train(task_of(alone), alone, resume=False, report=interrupted_at(stop_at)) == stop_at
    assert train(task_of(beside, CPU, 2), beside, resume=False, report=interrupted_at(stop_at)) == stop_at
    assert not multiprocessing.active_children()
    assert (beside / "state.safetensors").read_bytes() == (alone / "state.safetensors").read_bytes()


def test_a_training_can_be_made_longer(data: Path, tmp_path: Path) -> None:
    short, long = (begun(data, tmp_path / name, "transformer") for name in ("short", "long"))
    change(short, ["steps=2", "decay_steps=0"])
    assert train(task_of(short), short, resume=False) == 2
    change(short, ["steps=6", "decay_steps=3"])
    train(task_of(short), short, resume=True)
    train(task_of(long), long, resume=False)
    assert (short / "state.safetensors").read_bytes() == (long / "state.safetensors").read_bytes()


def test_weights_change_but_for_the_embeddings(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "transformer")
    train(task_of(run), run, resume=False)
    before, after = load_weights(run, trained=False), load_weights(run)
    same = {name for name in before if (before[name] == after[name]).all()}
    assert same == {name for name in before if name.startswith("embeddings.")}
    state = load_file(run / "state.safetensors")
    assert set(state) == {
        f"{part}/{name}"
        for part in ("weights", "ema", "adam.step", "adam.exp_avg", "adam.exp_avg_sq")
        for name in before.keys() - same
    }


def test_a_training_begins_from_another(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "transformer")
    train(task_of(run), run, resume=False)
    begin(tmp_path / "next", TRANSFORMER, run, Sources(None, data / "corpus", ("dev",)))
    expected, found = load_weights(run), load_weights(tmp_path / "next", trained=False)
    assert all((found[name] == expected[name]).all() for name in expected)
    assert train(task_of(tmp_path / "next"), tmp_path / "next", resume=False) == 6


@pytest.mark.parametrize("int8", [False, True])
def test_a_training_begins_from_an_exported_reader(data: Path, tmp_path: Path, int8: bool) -> None:
    run, reader = begun(data, tmp_path / "run", "mixed"), tmp_path / "reader"
    train(task_of(run), run, resume=False)
    export(run, reader, int8=int8, licences=["words: CC0", "model: MIT"])
    begin(tmp_path / "next", TRANSFORMER, reader, Sources(data / "squad.json"))
    before, found = load_weights(run), load_weights(tmp_path / "next", trained=False)
    assert found.keys() == before.keys()
    for name, weight in before.items():
        matrix = int8 and weight.ndim == 2 and (name.startswith("layers.") or name == "embeddings.word.weight")
        step = np.abs(weight).max(1, keepdims=True) / 127 if matrix else 0
        assert (np.abs(found[name] - weight) <= step / 2 + 1e-7).all()
    assert train(task_of(tmp_path / "next"), tmp_path / "next", resume=False) == 6
    export(tmp_path / "next", tmp_path / "reader-2", int8=int8, licences=["more: MIT", "words: CC0"])
    config = json.loads((tmp_path / "reader-2" / "config.json").read_text())
    assert config["licences"] == ["words: CC0", "model: MIT", "more: MIT"]
    assert [one["training"]["from"] for one in [*config["history"], config]] == ["model", "reader"]
    assert [sorted(one["data"]) for one in [*config["history"], config]] == [["corpus", "squad"], ["squad"]]


def test_readers_that_no_training_begins_from(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "rasor")
    train(task_of(run), run, resume=False)
    export(run, tmp_path / "rasor", int8=True)
    with pytest.raises(DocqnError, match="is a folder for the reader 'rasor'"):
        begin(tmp_path / "a", TRANSFORMER, tmp_path / "rasor", Sources(data / "squad.json"))
    with pytest.raises(DocqnError, match="is a reader's folder already"):
        export(tmp_path / "rasor", tmp_path / "again", int8=True)
    export(begun_and_trained(data, tmp_path / "run-2"), tmp_path / "reader", int8=True)
    whole = (tmp_path / "reader" / "model.onnx").read_bytes()
    (tmp_path / "reader" / "model.onnx").write_bytes(whole[:-9])
    with pytest.raises(DocqnError, match="is damaged or was exchanged"):
        begin(tmp_path / "b", TRANSFORMER, tmp_path / "reader", Sources(data / "squad.json"))
    (tmp_path / "reader" / "model.onnx").write_bytes(whole)
    rewrite_config(tmp_path / "reader", {"sizes": {}})
    with pytest.raises(DocqnError, match="does not hold weights to train further"):
        begin(tmp_path / "c", TRANSFORMER, tmp_path / "reader", Sources(data / "squad.json"))


def begun_and_trained(data: Path, run: Path) -> Path:
    train(task_of(begun(data, run, "transformer")), run, resume=False)
    return run


def test_held_out_questions_stay_out_from_the_beginning_or_never_do(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "corpus")

    def pairs() -> int:
        task = task_of(run)
        assert isinstance(task, TransformerTask)
        return len(task.corpus or ())

    fewer = pairs()
    said = json.loads((run / "settings.json").read_text())
    (run / "settings.json").write_text(json.dumps(said | {"held_out": None}))  # as a training of before has it
    assert pairs() > fewer


def test_a_damaged_training_is_one_line(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "transformer")
    said = json.loads((run / "settings.json").read_text())
    (run / "settings.json").write_text(json.dumps(said | {"sizes": None}))
    with pytest.raises(DocqnError, match="does not tell the training's sizes"):
        task_of(run)


def test_what_does_not_fit_is_one_line(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "transformer")
    change(run, ["steps=1", "decay_steps=0"])
    train(task_of(run), run, resume=False)
    with pytest.raises(DocqnError, match="holds a training already"):
        train(task_of(run), run, resume=False)
    with pytest.raises(DocqnError, match="holds a training already"):
        begun(data, run, "transformer")
    change(run, ["dropout=0.5"])
    with pytest.raises(DocqnError, match="other values of dropout;"):
        train(task_of(run), run, resume=True)
    change(run, ["dropout=0.1"])
    (run / "state.safetensors").write_bytes(b"damaged")
    with pytest.raises(DocqnError, match="not the state of this training, or damaged"):
        train(task_of(run), run, resume=True)
    rasor = begun(data, tmp_path / "rasor", "rasor")
    with pytest.raises(DocqnError, match="holds a training of the reader 'rasor'"):
        begin(tmp_path / "other", TRANSFORMER, rasor, Sources(data / "squad.json"))


def test_two_trainings_do_not_share_a_folder(data: Path, tmp_path: Path) -> None:
    run = begun(data, tmp_path / "run", "rasor")
    refused = []

    def report(done: int, row: Mapping[str, Any]) -> None:
        if done == 1:
            with pytest.raises(DocqnError, match="another process trains there"):
                train(task_of(run), run, resume=True)
            refused.append(done)

    train(task_of(run), run, resume=False, report=report)
    assert refused == [1]
