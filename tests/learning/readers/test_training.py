"""A training that was interrupted and goes on ends exactly like one that was not."""

import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from docqn.errors import DocqnError
from docqn.learning.readers.loop import train
from docqn.learning.readers.run import Sources, begin, change, task_of
from docqn.learning.readers.settings import RasorSettings, TransformerSettings
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
