"""Readings made ahead are those that the exported reader would make."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.evaluation.readers import choice
from docqn.readers import reader
from docqn.readers.neural.export import export
from docqn.readers.neural.findings import Finding
from docqn.readers.neural.span_model import load_span_model
from docqn.readers.transformer import TransformerReader
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import bert_arrays, ranker_arrays, write_model
from tools import read_ahead
from tools.read_ahead import Found, main, paragraphs, torch_reader

CPU = torch.device("cpu")
LONG = "Alice went to Paris in 1920 . " * 30


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, a model with both heads, and the readings of a split."""
    folder = tmp_path_factory.mktemp("ahead")
    make_corpus(folder)
    write_model(folder / "model", bert_arrays() | ranker_arrays())
    run(folder, folder / "readings")
    return folder


def run(made: Path, out: Path, model: str = "model", split: str = "dev") -> None:
    told = ["--split", split, "--out", str(out), "--processes", "1", "--device", "cpu"]
    main(["read", str(made / model), str(made / "corpus"), *told])


@pytest.fixture
def readings(made: Path, tmp_path: Path) -> Path:
    """A copy to change."""
    return shutil.copytree(made / "readings", tmp_path / "readings")


def exported(made: Path, out: Path) -> TransformerReader:
    """The same weights by onnxruntime."""
    export(made / "model", out, int8=False)
    return TransformerReader(load_span_model(out, 1))


def asked(made: Path, split: str = "dev") -> Iterator[tuple[str, str]]:
    for example in Corpus(made / "corpus").split(split):
        for node in paragraphs(example.document):
            yield example.question.text, example.document.text_of(node)


def same(one: Finding | None, other: Finding | None, tolerance: float) -> bool:
    if one is None or other is None:
        return one is other
    ours, theirs = ((*found.features, found.span.entropy) for found in (one, other))
    return (one.start, one.end) == (other.start, other.end) and np.allclose(ours, theirs, tolerance, tolerance)


@pytest.mark.parametrize("budget", [1, 100, 32_000])
def test_torch_says_what_onnxruntime_says(
    made: Path, tmp_path: Path, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_ahead, "_BUDGET", budget)
    pairs = [*asked(made), ("Who went to Paris?", LONG), ("Who went?", ""), ("", "Bob.")]
    questions, passages = zip(*pairs, strict=True)
    ahead = torch_reader(made / "model", CPU).find(questions, passages)
    known = exported(made, tmp_path / "reader").find(questions, passages)
    assert sum(found is not None for found in known) > len(known) / 2
    assert all(same(one, other, 1e-4) for one, other in zip(ahead, known, strict=True))


def test_what_was_read_is_found(made: Path, tmp_path: Path) -> None:
    questions, passages = zip(*asked(made), strict=True)
    found = reader(f"tools.read_ahead:Found:{made / 'readings'}")
    ours, theirs = found.read(questions, passages), exported(made, tmp_path / "reader").read(questions, passages)
    for one, other in zip(ours, theirs, strict=True):
        assert (one.start, one.end, one.text, one.tokens) == (other.start, other.end, other.text, other.tokens)
        assert np.allclose(one[3:6], other[3:6], rtol=2e-3, atol=2e-3)  # kept in float16


def test_what_nobody_read_is_one_line(made: Path) -> None:
    question, passage = next(asked(made))
    for pair in (("Who?", passage), (question, "Another passage.")):
        with pytest.raises(DocqnError, match=r"^nobody read .* ahead$"):
            Found(str(made / "readings")).read(*([part] for part in pair))


def test_it_says_of_which_training_and_corpus(made: Path) -> None:
    said = json.loads((made / "readings" / "findings.json").read_text())
    assert said["corpus"] == str(made / "corpus")
    assert said["data"] == Corpus(made / "corpus").manifest.fingerprint
    assert said["training"] == "model"
    assert len(said["weights"]) == 32


def test_readings_of_two_trainings_do_not_mix(made: Path, readings: Path) -> None:
    write_model(made / "other", bert_arrays(1) | ranker_arrays(1))
    before = {path.name: path.read_bytes() for path in readings.iterdir()}
    with pytest.raises(DocqnError, match="holds readings of another training or corpus; name another folder"):
        run(made, readings, "other", "verified-dev")
    assert {path.name: path.read_bytes() for path in readings.iterdir()} == before


def calibrated(readings: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(choice, "held_out", lambda id: True)
    found = Found(str(readings))
    question, passage = next(iter(asked_of(readings)))
    text = found.read([question], [passage])[0].text
    monkeypatch.setattr(choice, "exact_match", lambda given, golds: given == text)
    main(["calibrate", str(readings), "--split", "dev"])
    said: dict[str, Any] = json.loads((readings / "findings.json").read_text())
    return said


def asked_of(readings: Path) -> Iterator[tuple[str, str]]:
    """A question with a paragraph that holds an answer."""
    for example in Corpus(json.loads((readings / "findings.json").read_text())["corpus"]).split("dev"):
        for node in example.answer_paragraphs.tolist():
            yield example.question.text, example.document.text_of(node)


def test_calibration(readings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Found(str(readings))
    said = calibrated(readings, monkeypatch)
    weights = said["calibration"]
    assert set(weights) == {"bias", "answerable", "best", "mass"}
    assert 0 < said["calibrated"]["right"] < said["calibrated"]["readings"]
    after = Found(str(readings))
    assert after.fingerprint != before.fingerprint
    question, passage = next(asked_of(readings))
    (finding,), (reading,) = after.find([question], [passage]), after.read([question], [passage])
    assert finding is not None
    features = finding.features
    score = weights["bias"] + sum(weights[name] * value for name, value in features._asdict().items())
    assert reading.logit == pytest.approx(score)


def test_another_split_keeps_the_calibration(made: Path, readings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = calibrated(readings, monkeypatch)
    run(made, readings, split="verified-dev")
    assert json.loads((readings / "findings.json").read_text()) == said
    question, passage = next(asked(made, "verified-dev"))
    assert Found(str(readings)).read([question], [passage])


def test_a_stop_leaves_nothing_half_written(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(read_ahead, "save_arrays", stopped)
        with pytest.raises(KeyboardInterrupt):
            run(made, out)
    assert [path.name for path in out.iterdir()] == ["findings.json"]
    with pytest.raises(DocqnError, match="holds no readings"):
        Found(str(out))


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def forget(path: Path) -> None:
    path.with_name("findings.json").write_text("{}")


def exchange(path: Path) -> None:
    path.rename(path.with_name("verified-dev.safetensors"))


def another(path: Path) -> None:
    said = path.with_name("findings.json")
    said.write_text(json.dumps(json.loads(said.read_text()) | {"data": "other"}))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (damage, "dev.safetensors"),
        (forget, "does not name the corpus"),
        (exchange, "is damaged, or of another corpus"),
        (another, "is another corpus than was read"),
    ],
)
def test_other_folders_are_one_line(readings: Path, change: Callable[[Path], None], told: str) -> None:
    change(readings / "dev.safetensors")
    with pytest.raises(DocqnError, match=told) as raised:
        Found(str(readings))
    assert "\n" not in str(raised.value)
