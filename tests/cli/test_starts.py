"""`docqn starts`: the paper's Figure 4."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from docqn.cli import main
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.starts import start_distribution
from tests.evaluation.corpus import make_corpus


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    make_corpus(folder)
    return folder / "corpus"


def run(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        main(["starts", *arguments])
    return caught.value.code


def test_shares_are_those_of_the_distributions(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from docqn.corpora.store import Corpus

    names = ["backward", "mixture:root=1,uniform=1"]
    flags = [part for name in names for part in ("--distribution", name)]
    assert run(str(place), "q1", *flags, "--json") == 0
    shares = json.loads(capsys.readouterr().out)
    environment = environment_of([Pair.of(Corpus(place).split("dev")[0])])
    assert list(shares) == names
    for name in names:
        assert shares[name] == pytest.approx(start_distribution(name).probabilities(environment, 0))
        assert sum(shares[name]) == pytest.approx(1)


def test_a_table_and_the_figure(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(place), "q1--Nile.html", "--figure", str(tmp_path / "starts.svg")) == 0
    out = capsys.readouterr().out
    assert out.startswith("Nile: Which city lies where the Nile ends?\n\nnode")
    assert "paragraph *" in out
    ElementTree.fromstring((tmp_path / "starts.svg").read_text())
    text = (tmp_path / "starts.svg").read_text()
    assert all(name in text for name in ("uniform", "backward", "uniform-backward", "answer"))


def test_what_is_wrong_is_one_line(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(place), "none") == 2
    assert "no pair has the id 'none'" in capsys.readouterr().err
    assert run(str(place), "q1", "--distribution", "none") == 2
    assert "'none' is not among the starts" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert run(str(place), "q1", "-q", "--figure", str(tmp_path / "file" / "x.svg")) == 2
    assert "cannot be written" in capsys.readouterr().err
