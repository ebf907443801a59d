"""`docqn reader`: from a model and questions to a reader that knows them by heart, and what it is good for."""

import json
from pathlib import Path
from typing import Any

import pytest

from docqn.cli import main
from docqn.evaluation.readers import choice
from docqn.evaluation.readers.squad import load_squad
from docqn.readers import default
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import TEN, ranker_arrays, write_model, write_squad, write_vectors

HEART = ["rate=2e-2", "warmup=5", "steps=90", "decay_steps=40", "batch=10", "dropout=0", "negatives=0.5", "ema=0.5"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_model(folder / "model", ranker_arrays())
    write_vectors(folder / "vectors.txt", 16)
    write_squad(folder / "squad.json", TEN)
    make_corpus(folder)
    return folder


def train(data: Path, run: Path, preset: str, *more: str) -> None:
    """Train without a word."""
    start = data / ("model" if preset == "transformer" else "vectors.txt")
    options = [part for setting in more for part in ("--set", setting)]
    command = ["reader", "train", "--preset", preset, "--start", str(start), "--squad", str(data / "squad.json")]
    _run(*command, "--out", str(run), "--threads", "1", "--quiet", *options)


def said(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    """What a command prints as JSON."""
    capsys.readouterr()
    _run(*command)
    return json.loads(capsys.readouterr().out)


def _run(*command: str) -> None:
    """A command that ends well."""
    with pytest.raises(SystemExit) as raised:
        main(list(command))
    assert not raised.value.code


def refused(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """What a command complains of, in one line."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as raised:
        main(list(command))
    assert raised.value.code == 2
    return capsys.readouterr().err


@pytest.fixture(scope="module", params=["transformer", "rasor-squad"])
def reader(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader's folder, trained on ten questions until it knows them."""
    folder = tmp_path_factory.mktemp("reader")
    more = ["hidden=16", "layers=1", "feedforward=16"] if request.param == "rasor-squad" else ["head_factor=1"]
    settings = [s for s in HEART if request.param == "transformer" or not s.startswith("negatives")]
    train(data, folder / "run", request.param, *settings, *more)
    _run("reader", "export", str(folder / "run"), "--out", str(folder / "reader"), "--quiet")
    return folder / "reader"


def test_a_trained_reader_knows_its_questions(reader: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "reader", "evaluate", str(reader), str(data / "squad.json"), "--json", "--answerable")
    assert (found["exact_match"], found["f1"]) == (100.0, 100.0)
    assert found["source"] == "squad.json"


def test_its_folder_tells_how_it_was_made(reader: Path, data: Path) -> None:
    config = json.loads((reader / "config.json").read_text())
    assert config["training"]["settings"]["steps"] == 90
    assert config["data"].keys() == {"squad"}
    assert "--set steps=90" in (reader / "README.md").read_text()


def test_predictions(reader: Path, data: Path, tmp_path: Path) -> None:
    _run("reader", "predict", str(reader), str(data / "squad.json"), "--out", str(tmp_path / "p.json"), "--quiet")
    found = json.loads((tmp_path / "p.json").read_text())
    five = {"1": "17", "2": "Alice", "3": "Duke of York", "4": "Paris", "5": "Bob"}
    assert found == five | {"6": "Alice", "7": "Paris", "8": "1920", "9": "Paris", "10": "the Duke"}
    squad = tmp_path / "s.json"
    _run("reader", "predict", str(reader), str(data / "squad.json"), "--out", str(squad), "--form", "squad", "--quiet")
    assert json.loads(squad.read_text()) == json.loads((data / "squad.json").read_text())


def test_two_questions_of_one_id(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(TEN)
    (tmp_path / "same.json").write_text(text.replace('"id": "3"', '"id": "1"'))
    (tmp_path / "known.json").write_text(text)
    predict = ["reader", "predict", "lexical"]
    told = refused(capsys, *predict, str(tmp_path / "same.json"), "--out", str(tmp_path / "out.json"))
    assert "two questions have the id '1'; write them with --form squad" in told
    assert not (tmp_path / "out.json").exists()
    answers = []
    for name in ("same", "known"):
        out = tmp_path / f"{name}-out.json"
        _run(*predict, str(tmp_path / f"{name}.json"), "--out", str(out), "--form", "squad", "--quiet")
        answers.append(load_squad(out).questions)
    assert [one.answers for one in answers[0]] == [one.answers for one in answers[1]]


def test_a_corpus_calibration_and_record(reader: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = str(data / "corpus")
    first = said(capsys, "reader", "evaluate", str(reader), corpus, "--split", "dev", "--json", "--record")
    assert len(first["best_of_k"]) > 2
    assert json.loads((reader / "config.json").read_text())["scores"]["corpus dev"]["pairs"] == first["pairs"]
    assert "Scores: corpus dev" in (reader / "README.md").read_text()
    again = said(capsys, "reader", "evaluate", str(reader), corpus, "--split", "dev", "--json")
    assert again["fingerprint"] == first["fingerprint"]


def test_one_command_makes_a_reader_with_its_calibration_and_scores(
    reader: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice the same files, byte for byte."""
    monkeypatch.setattr(choice, "held_out", lambda id: id in ("1", "2", "3", "8"))
    known = tmp_path / "known"  # a corpus of the questions that it was trained on
    _run("corpus", "build", str(data / "squad.json"), "--split", "dev", "--out", str(known), "--quiet")
    command = ["reader", "export", str(reader.parent / "run"), "--corpus", str(known), "--calibrate", "dev"]
    command += ["--split", "dev", "--squad", str(data / "squad.json"), "--quiet"]
    made = [tmp_path / name for name in ("a", "b")]
    for out in made:
        _run(*command, "--licence", "cakes: CC0", "--out", str(out))
    assert [{p.name: p.read_bytes() for p in out.iterdir()} for out in made[:1]] == [
        {p.name: p.read_bytes() for p in out.iterdir()} for out in made[1:]
    ]
    config = json.loads((tmp_path / "a" / "config.json").read_text())
    assert config["scores"].keys() == {"known dev", "squad.json"}
    assert config["scores"]["squad.json"]["exact_match"] == 100.0
    calibrated = config["calibrated"]
    assert (calibrated["split"], calibrated["pairs"], calibrated["left_out"]) == ("dev", 4, True)
    card = (tmp_path / "a" / "README.md").read_text()
    for part in ("## Calibration", "- cakes: CC0", "docqn reader train --preset", "## Scores: squad.json"):
        assert part in card
    assert "had seen these questions" not in card


def test_a_reader_that_cannot_be_calibrated_is_not_made(
    reader: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["reader", "export", str(reader.parent / "run"), "--corpus", str(data / "corpus"), "--calibrate", "dev"]
    told = refused(capsys, *command, "--source", "nowhere", "--out", str(tmp_path / "reader"))
    assert "these pairs do not show right and wrong answers" in told
    assert list(tmp_path.iterdir()) == []


def test_the_default_reader_evaluates(
    reader: Path, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(default, "FOLDER", reader)
    command = ["evaluate", str(data / "corpus"), "--split", "dev", "--policy", "read-top", "--reader", "default"]
    found = said(capsys, *command, "--json", "-", "--no-cache")
    assert found["reader"] == "default"
    assert found["policies"]["read-top"]["reader_calls"] == 1


def test_any_reader_can_be_measured_and_used(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, "reader", "evaluate", "lexical", str(data / "squad.json"), "--limit", "3", "--json")
    assert found["questions"] == 3
    out = tmp_path / "none.json"
    _run("reader", "predict", "lexical", str(data / "squad.json"), "--out", str(out), "--least", "1", "--quiet")
    assert "" in json.loads(out.read_text()).values()


def test_what_is_wrong_is_one_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    squad, model = str(data / "squad.json"), str(data / "model")
    begin = ["reader", "train", "--start", model, "--squad", squad, "--out", str(tmp_path / "run")]
    for command, reason in (
        ([*begin, "--preset", "bert"], "'bert' is not a preset; choose transformer"),
        ([*begin, "--preset", "transformer", "--set", "speed=1"], "speed=1"),
        ([*begin], "name a --preset"),
        ([*begin, "--resume"], "keeps its start and data"),
        (["reader", "train", "--out", str(tmp_path / "none"), "--resume"], "cannot be read"),
        (["reader", "train", "--preset", "transformer", "--out", str(tmp_path / "r")], "--start"),
        (["reader", "train", "--preset", "transformer", "--start", model, "--out", str(tmp_path / "r")], "train on"),
        (["reader", "export", model, "--out", str(tmp_path / "r2")], "has no question-answering head"),
        (["reader", "evaluate", "lexical", str(data / "corpus")], "--split"),
        (["reader", "evaluate", "nobody", squad], "not among the readers"),
        (["reader", "evaluate", "lexical", squad, "--record"], "is not a reader's folder"),
        (["reader", "export", model, "--out", str(tmp_path / "r2"), "--split", "dev"], "name the corpus too"),
        (["reader", "calibrate", model, str(data / "corpus"), "--split", "dev"], "is not a reader's folder"),
    ):
        assert reason in refused(capsys, *command)
