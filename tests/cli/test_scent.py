"""`docqn scent`: from a corpus to what forage goes by."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from docqn.cli import main
from docqn.errors import DocqnError
from docqn.policies.scent.model import FILE, load
from tests.evaluation.corpus import make_corpus


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]
BEGIN = ("scent", "corpus", "--split", "dev", "--set", "epochs=2", "--set", "coverage=0", "--quiet")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    make_corpus(folder)
    return folder


@pytest.fixture
def run(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in a folder with a corpus."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCQN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "corpus").symlink_to(place / "corpus")

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        code = caught.value.code
        assert isinstance(code, int)
        return Done(code, *capsys.readouterr())

    return run


def test_from_a_corpus_to_a_policy(run: Run, tmp_path: Path) -> None:
    done = run(*BEGIN[:-1], "--out", "mine", "--licence", "the questions: CC0")
    assert done.code == 0
    assert "name it with --policy forage:mine" in done.out
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {FILE, "README.md"}
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "mine"}
    done = run("evaluate", "corpus", "--split", "dev", "--policy", "forage:mine,0.5")
    assert done.code == 0
    assert "forage:mine,0.5" in done.out


def test_the_command_on_the_card_learns_the_same(run: Run, tmp_path: Path) -> None:
    assert run(*BEGIN, "--out", "mine", "--licence", "the questions: CC0") == (0, "", "")
    card = (tmp_path / "mine" / "README.md").read_text()
    assert "- the questions: CC0" in card
    (command,) = (line for line in card.splitlines() if "docqn scent" in line)
    again = [{"SCENT": "again"}.get(word, word) for word in shlex.split(command)[1:]]
    assert run(*again, "--licence", "the questions: CC0", "--quiet").code == 0
    for name in (FILE, "README.md"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "mine" / name).read_bytes()


def test_the_folder_is_whole_or_not_there(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        raise DocqnError(f"{path}: cannot be written (No space left on device)")

    with monkeypatch.context() as patch:
        patch.setattr("docqn.policies.scent.model.write_text", full)
        done = run(*BEGIN, "--out", "mine")
    assert done.code == 2
    assert "No space left on device" in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"corpus"}
    assert run(*BEGIN, "--out", "mine").code == 0
    load(tmp_path / "mine")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "corpus"), "corpus: is there already"),
        (("--out", "corpus/manifest.json/x"), "cannot be written"),
        (("--out", "mine", "--set", "sides=2"), "'sides=2' is not key=value with one of the settings"),
        (("--out", "mine", "--set", "hidden=0"), "hidden=0: is not 1 or more"),
        (("--out", "mine", "--split", "no-such"), "no-such"),
        (("--out", "mine", "--set", "coverage=2"), "there is nothing to learn from"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*BEGIN, *arguments)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"corpus"}
