"""`docqn train` and `docqn export`: from a corpus to an agent that `docqn evaluate` walks with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from docqn.arrays import open_arrays
from docqn.cli import main
from docqn.evaluation.trace_file import read_traces
from tests.evaluation.corpus import make_corpus

SMALL = {
    "hidden": 16, "attention": 8, "filters": 8, "character": 4, "joint": 32, "branch": 16, "words": 50, "buckets": 20,
    "memory": 2000, "initial": 100, "steps": 400, "decay_steps": 0, "anneal": 300, "target": 100, "evaluate": 200,
    "log": 50, "cursors": 4, "batch": 8,
}  # fmt: skip
BEGIN = ("train", "corpus", "--split", "dev", "--vectors", "vectors.txt", "--config", "small.json", "--device", "cpu")


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    make_corpus(folder)
    return folder


@pytest.fixture
def run(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in a folder with a corpus, vectors and small settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCQN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "corpus").symlink_to(place / "corpus")
    (tmp_path / "vectors.txt").write_text("the 0.1 0.2 0.3\nnile 0.3 -0.2 0.5\ncity -1 0.5 0.25\n")
    (tmp_path / "small.json").write_text(json.dumps(SMALL))

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        code = caught.value.code
        assert isinstance(code, int)
        return Done(code, *capsys.readouterr())

    return run


def test_from_a_corpus_to_an_agent_that_walks(run: Run, tmp_path: Path) -> None:
    done = run(*BEGIN, "--out", "run", "--preset", "docqn-small", "--set", "seed=3", "--tensorboard")
    assert done.code == 0
    assert "docqn export run --out FOLDER makes an agent of it" in done.out
    assert "accuracy" in done.err
    assert list((tmp_path / "run" / "tensorboard").iterdir())

    done = run("export", "run", "--out", "agent", "--licence", "word vectors: public domain")
    assert done.code == 0
    assert "name it with --policy agent:agent" in done.out
    assert "--preset docqn-small --set seed=3 --reader lexical" in (tmp_path / "agent" / "README.md").read_text()

    assert "- word vectors: public domain" in (tmp_path / "agent" / "README.md").read_text()
    done = run(
        "evaluate", "corpus", "--split", "dev", "--policy", "agent:agent", "--traces", "t.jsonl", "--json", "e.json"
    )
    assert done.code == 0
    traces = list(read_traces(tmp_path / "t.jsonl"))
    assert traces
    assert all(trace.steps[0].q_values and trace.steps[0].question_attention for trace in traces)
    assert "agent:agent" in json.loads((tmp_path / "e.json").read_text())["policies"]
    done = run("evaluate", "corpus", "--split", "dev", "--policy", "ensemble:agent:agent,bm25,2", "--quiet")
    assert done.code == 0


def test_settings_come_from_preset_file_and_options(run: Run, tmp_path: Path) -> None:
    (tmp_path / "more.toml").write_text("".join(f"{name} = {value}\n" for name, value in {**SMALL, "rate": 1}.items()))
    begin = [*BEGIN, "--config", "more.toml", "--preset", "dqn-coupled", "--out", "run", "--quiet"]
    done = run(*begin, "--set", "gamma=1")
    assert (done.code, done.out) == (2, "")
    done = run(*begin, "--set", "rate=0.002", "--set", "encoder=mlp", "--dev", "")
    assert done == (0, "", "")
    settings = json.loads((tmp_path / "run" / "settings.json").read_text())["settings"]
    assert (settings["rate"], settings["encoder"], settings["hidden"]) == (0.002, "mlp", 16)
    assert (settings["coupled"], settings["start"], settings["sampling"]) == (True, "root", 0.0)
    assert (tmp_path / "run" / "best.safetensors").exists()  # the last ones: nothing was evaluated


def test_what_is_wrong_is_one_line_and_nothing_is_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text('{"batch": "large"}')
    (tmp_path / "broken.toml").write_text("batch =")
    for more, reason in (
        (["--preset", "dqn2"], "'dqn2' is not a preset; choose docqn,"),
        (["--set", "encoder=gru"], "encoder=gru: is not one of lstm, mlp"),
        (["--set", "loss=cubic"], "loss=cubic"),
        (["--set", "updates=often"], "updates=often"),
        (["--set", "start=nowhere"], "'nowhere' is not among the starts"),
        (["--set", "cursors=0"], "cursors=0: is not 1 or more"),
        (["--set", "epsilon=2"], "epsilon=2.0: is not from 0 to 1"),
        (["--config", "odd.json"], "odd.json: batch = 'large'"),
        (["--config", "broken.toml"], "broken.toml: cannot be read"),
        (["--vectors", "none.txt"], "none.txt: cannot be read"),
        (["--dev", "test"], "has no split 'test'; choose dev, verified-dev"),
        (["--split", "train"], "has no split 'train'"),
        (["--reader", "nobody"], "'nobody' is not among the readers"),
        (["--device", "tpu9"], "cannot compute on 'tpu9'"),
    ):
        code, out, err = run(*BEGIN, "--out", "run", *more)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert err.startswith("docqn: error: ")
        assert reason in err
        assert not (tmp_path / "run").exists()
    for command, reason in (
        (["train", "--out", "run"], "name a CORPUS"),
        (["train", "corpus", "--out", "run"], "--vectors"),
        (["train", "corpus", "--out", "run", "--resume"], "name a CORPUS to begin"),
        (["train", "--out", "none", "--resume"], "cannot be read"),
        (["train", "--out", "run", "--resume", "--reader", "rasor"], "keeps its reader"),
        (["export", "corpus", "--out", "agent"], "cannot be read"),
        (["evaluate", "corpus", "--split", "dev", "--policy", "agent"], "agent:FOLDER"),
        (["evaluate", "corpus", "--split", "dev", "--policy", "agent:corpus"], "cannot be read"),
    ):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert reason in err
    assert not (tmp_path / "agent").exists()


def test_a_finished_training_may_be_made_longer(run: Run, tmp_path: Path) -> None:
    assert run(*BEGIN, "--out", "run", "--quiet").code == 0
    code, _, err = run(*BEGIN, "--out", "run")
    assert code == 2
    assert "holds a training already" in err
    code, _, err = run("train", "--out", "run", "--resume", "--set", "discount=0.5")
    assert code == 2
    assert "discount stays as it began; of a training only steps" in err
    done = run("train", "--out", "run", "--resume", "--set", "steps=500", "--quiet", "--device", "cpu")
    assert done == (0, "", "")
    steps = [json.loads(line)["step"] for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert steps == sorted(steps)
    assert steps[-1] >= 500
    assert run("export", "run", "--out", "agent", "--quiet") == (0, "", "")
    code, _, err = run("export", "run", "--out", "agent")
    assert code == 2
    assert "is there already" in err


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")
def test_ctrl_c_saves_and_resuming_gives_the_same_in_the_end(run: Run, tmp_path: Path) -> None:
    assert run(*BEGIN, "--out", "whole", "--quiet", "--threads", "1").code == 0

    command = [sys.executable, "-m", "docqn", *BEGIN, "--out", "parts", "--quiet", "--threads", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    log = tmp_path / "parts" / "log.jsonl"
    while process.poll() is None and not (log.exists() and log.read_text()):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130, err
    assert err.startswith("docqn: stopped after ")
    assert "go on with --out parts --resume" in err

    more = [sys.executable, "-m", "docqn", "train", "--out", "parts", "--resume", "--quiet", "--threads", "1"]
    subprocess.run([*more, "--device", "cpu"], cwd=tmp_path, check=True)
    whole, parts = (open_arrays(tmp_path / name / "state.safetensors") for name in ("whole", "parts"))
    assert whole.arrays.keys() == parts.arrays.keys()
    assert [name for name, array in whole.arrays.items() if not (array == parts.arrays[name]).all()] == []
    assert json.loads(whole.meta["meta"]) == json.loads(parts.meta["meta"])
