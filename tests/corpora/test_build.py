"""Building: the same folder however it was built, and what happens when it goes wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from inspect import CO_GENERATOR
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docqn.cli.corpus.build import interrupt
from docqn.corpora import plan as planning
from docqn.corpora import shards
from docqn.corpora.build import Built, build
from docqn.corpora.records import Bad
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from tests.corpora.small import PAGES, QUESTIONS, question, write_evidence, write_questions

MANY = {
    f"Page_{i}.html": f"<h1>Page {i}</h1><p>Before.</p><h2>Part</h2><p>Number {i} of Egypt: {'word ' * i}</p>"
    for i in range(9)
}
ASKED = [question(f"m{i}", f"Which of {i}?", ["Egypt", f"Number {i}"], f"Page_{i}.html", "Nile.html") for i in range(9)]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SHARD", 3)


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return write_evidence(tmp_path / "evidence", PAGES | MANY)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    train = write_questions(tmp_path / "train.json", ASKED, split="train")
    return [train, write_questions(tmp_path / "dev.json", QUESTIONS)]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_one_process_or_two_a_second_time_or_resumed_give_the_same_bytes(
    tmp_path: Path, evidence: Path, files: list[Path]
) -> None:
    first = build(files, evidence, tmp_path / "first", jobs=1)
    second = build(files, evidence, tmp_path / "second", jobs=2)
    assert not (tmp_path / "first.partial").exists()

    def stop(what: str, done: int, all: int) -> None:
        if what == "documents" and done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(files, evidence, tmp_path / "third", jobs=1, progress=stop)
    assert not (tmp_path / "third").exists()
    third = build(files, evidence, tmp_path / "third", jobs=1)
    assert [built.reused for built in (first, second, third)] == [0, 0, 2]
    assert contents(tmp_path / "first") == contents(tmp_path / "second") == contents(tmp_path / "third")


def test_a_merge_that_was_interrupted_is_done_again(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    def stop(what: str, done: int, all: int) -> None:
        if what == "merging":
            (tmp_path / "a.partial" / "corpus").mkdir()
            (tmp_path / "a.partial" / "corpus" / "documents.safetensors").write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(files, evidence, tmp_path / "a", jobs=1, progress=stop)
    assert build(files, evidence, tmp_path / "a", jobs=1).reused == 4
    build(files, evidence, tmp_path / "b", jobs=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


class Moments:
    """Interrupts what runs at the given call of a function of docqn.corpora, or only counts the calls."""

    def __init__(self, moment: int | None = None) -> None:
        self.moment, self.calls = moment, 0

    def trace(self, frame: FrameType, event: str, _: object) -> None:
        generator = frame.f_code.co_flags & CO_GENERATOR  # may be called to be closed, where nothing can be raised
        if frame.f_globals["__name__"].startswith("docqn.corpora") and not generator:
            self.calls += 1
            if self.calls == self.moment:
                raise KeyboardInterrupt

    def __enter__(self) -> Moments:
        self._before = sys.gettrace()
        sys.settrace(self.trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)


def test_a_build_interrupted_at_any_moment_leaves_nothing_half_written_and_goes_on(
    tmp_path: Path, evidence: Path, files: list[Path]
) -> None:
    with Moments() as all:
        build(files, evidence, tmp_path / "whole", jobs=1)
    whole = contents(tmp_path / "whole")

    @settings(max_examples=15)
    @given(st.integers(1, all.calls))
    @example(all.calls)
    def interrupt_and_go_on(moment: int) -> None:
        with TemporaryDirectory() as name:
            out = Path(name, "a")
            with Moments(moment), suppress(KeyboardInterrupt):
                build(files, evidence, out, jobs=1)
            assert not out.exists() or contents(out) == whole
            build(files, evidence, out, jobs=1)
            assert contents(out) == whole
            assert list(Path(name).iterdir()) == [out]

    interrupt_and_go_on()


def test_what_an_interruption_left_beside_a_whole_corpus_is_taken_away(
    tmp_path: Path, evidence: Path, files: list[Path]
) -> None:
    build(files, evidence, tmp_path / "a", jobs=1)
    (tmp_path / "a.partial").mkdir()
    assert build(files, evidence, tmp_path / "a", jobs=1).untouched
    assert not (tmp_path / "a.partial").exists()


def interrupted(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    """Leave all shards behind."""

    def stop(what: str, done: int, all: int) -> None:
        if what == "merging":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(files, evidence, tmp_path / "a", jobs=1, progress=stop)


def test_shards_of_other_documents_questions_rules_or_code_are_not_reused(
    tmp_path: Path, evidence: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reused(**more: Any) -> int:
        interrupted(tmp_path, evidence, files)  # makes whole again what was not
        return build(files, evidence, tmp_path / "a", jobs=1, **more).reused

    def again() -> None:
        for path in (tmp_path / "a").iterdir():
            path.unlink()
        (tmp_path / "a").rmdir()

    assert reused() == 4
    again()
    assert reused(rules="original") == 0
    again()
    interrupted(tmp_path, evidence, files)
    (evidence / "Page_0.html").write_text("<h1>Page 0</h1><h2>Part</h2><p>Other.</p>")
    assert build(files, evidence, tmp_path / "a", jobs=1).reused == 3
    again()
    interrupted(tmp_path, evidence, files)
    write_questions(files[1], [*QUESTIONS[:4], question("q5", "Which?", ["China"], "Tea_(drink).html")])
    assert build(files, evidence, tmp_path / "a", jobs=1).reused == 2
    again()
    interrupted(tmp_path, evidence, files)
    monkeypatch.setattr(shards, "_code_digest", lambda: "other")
    assert build(files, evidence, tmp_path / "a", jobs=1).reused == 0


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data[:8] + b"x" + data[9:]])
def test_a_damaged_shard_is_made_again(tmp_path: Path, evidence: Path, files: list[Path], damage: Any) -> None:
    interrupted(tmp_path, evidence, files)
    shard = tmp_path / "a.partial" / "shard-000001.safetensors"
    shard.write_bytes(damage(shard.read_bytes()))
    assert build(files, evidence, tmp_path / "a", jobs=1).reused == 3
    build(files, evidence, tmp_path / "b", jobs=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_what_is_there_already_stays_if_it_is_the_same(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    built = build(files, evidence, tmp_path / "a", jobs=1)
    before = contents(tmp_path / "a")
    again = build(files, evidence, tmp_path / "a", jobs=1)
    assert (again.untouched, built.untouched) == (True, False)
    assert again.manifest == Corpus(tmp_path / "a").manifest
    for change in ({"rules": "original"}, {"splits": ["all"]}):
        with pytest.raises(DocqnError, match="was built from other files or settings"):
            build(files, evidence, tmp_path / "a", jobs=1, **change)
    (evidence / "Nile.html").write_text("<h1>Nile</h1>")
    with pytest.raises(DocqnError, match="was built from other files or settings"):
        build(files, evidence, tmp_path / "a", jobs=1)
    assert contents(tmp_path / "a") == before
    (tmp_path / "b").mkdir()
    with pytest.raises(DocqnError, match="is not a corpus"):
        build(files, evidence, tmp_path / "b", jobs=1)


def test_where_the_files_are_does_not_matter(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    build(files, evidence, tmp_path / "a", jobs=1)
    other = tmp_path / "other"
    (other / "evidence").mkdir(parents=True)
    moved = [path.rename(other / path.name) for path in files]
    evidence.rename(other / "evidence" / "wikipedia")
    build(moved, other / "evidence", tmp_path / "b", jobs=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def built_with(folder: Path, pages: Mapping[str, str], records: list[Any], **more: Any) -> tuple[Built, list[Bad]]:
    reported: list[Bad] = []
    evidence = write_evidence(folder / "evidence", pages)
    path = write_questions(folder / "a.json", records)
    return build([path], evidence, folder / "corpus", jobs=1, report=reported.append, **more), reported


def test_bad_records_and_documents_are_reported_counted_and_left_out(tmp_path: Path) -> None:
    records = [*QUESTIONS, {"QuestionId": "q6"}, question("q7", "Which?", ["a"], "None.html", "Empty.html")]
    built, reported = built_with(tmp_path, PAGES | {"Empty.html": ""}, records)
    assert [str(bad) for bad in reported] == [
        "a.json: q6: has no text in Question",
        "a.json: q7: no file for None.html in the folder of documents",
        "Empty.html: is empty",
    ]
    assert built.manifest.bad["counts"] == {"no question": 1, "missing document": 1, "unreadable document": 1}
    assert [tuple(bad) for bad in built.manifest.bad["records"]] == [tuple(bad) for bad in reported]
    corpus = Corpus(tmp_path / "corpus")
    assert list(corpus.names) == ["Flat.html", "Nile.html", "Tea_(drink).html"]
    split = corpus.split("dev")
    place, pairs = split.find("q7") or (0, range(0))
    assert not pairs
    assert [(document, fate.label) for document, fate in split.dropped_of(place)] == [(-1, "no_document")] * 2


def test_what_a_parser_did_not_foresee_is_reported_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError("list index\nout of range")

    monkeypatch.setattr("docqn.parsers.html.parse", fail)
    with pytest.raises(
        DocqnError, match=r"none of the documents can be read; the last: .*IndexError: list index out of"
    ):
        built_with(tmp_path, PAGES, QUESTIONS)


def test_too_many_bad_ones_stop_the_build(tmp_path: Path) -> None:
    empty = {f"Empty_{i}.html": "" for i in range(11)}
    records = [*QUESTIONS, *(question(f"e{i}", "Which?", ["a"], f"Empty_{i}.html") for i in range(11))]
    with pytest.raises(
        DocqnError, match=r"more than 10 of 30 questions and documents are bad .*: Empty_\d+\.html: is empty"
    ):
        built_with(tmp_path, PAGES | empty, records)
    assert not (tmp_path / "corpus").exists()
    built, reported = built_with(tmp_path, PAGES | empty, records, max_bad=0.5)
    assert built.reused > 0
    assert len(reported) == 11


def test_none_may_be_bad_if_none_are_allowed(tmp_path: Path) -> None:
    records = [*QUESTIONS, {"QuestionId": "q6"}]
    with pytest.raises(DocqnError, match=r"some of 9 questions and documents are bad .*: q6: has no text"):
        built_with(tmp_path, PAGES, records, max_bad=0)
    assert not (tmp_path / "corpus").exists()
    built_with(tmp_path, PAGES, QUESTIONS, max_bad=0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locks")
def test_two_builds_of_one_corpus_do_not_meet(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    """The second one, begun in the middle of the first, ends without touching what the first one makes."""
    second: list[str] = []

    def begin_another(what: str, done: int, all: int) -> None:
        if what == "merging" and not second:
            with pytest.raises(DocqnError) as caught:
                build(files, evidence, tmp_path / "a", jobs=1)
            second.append(str(caught.value))

    build(files, evidence, tmp_path / "a", jobs=1, progress=begin_another)
    assert second == [f"{tmp_path / 'a'}: another build is making it; let it end, or choose another place (--out)"]
    assert not (tmp_path / "a.partial").exists()
    build(files, evidence, tmp_path / "b", jobs=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_place_that_cannot_be_written_to_is_an_error_of_one_line(tmp_path: Path, evidence: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    path = write_questions(tmp_path / "a.json", QUESTIONS)
    with pytest.raises(DocqnError, match=r"^[^\n]*file[^\n]*$"):
        build([path], evidence, tmp_path / "file" / "corpus", jobs=1)


def test_rules_and_counts_are_in_the_manifest(tmp_path: Path, evidence: Path, files: list[Path]) -> None:
    build(files, evidence, tmp_path / "a", jobs=1)
    values = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert (values["corpus"], values["rules"], values["documents"]) == (1, "nop", 12)
    assert [(one["file"], one["format"], one["split"]) for one in values["sources"]] == [
        ("train.json", "triviaqa", "train"),
        ("dev.json", "triviaqa", "dev"),
    ]
    assert values["splits"]["dev"]["original_pairs"] == 8


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_an_interrupted_command_leaves_shards_that_the_next_one_takes_up(
    tmp_path: Path, evidence: Path, files: list[Path]
) -> None:
    """As a person does it: Ctrl-C goes to all processes; then the same command again."""
    script = (
        "import sys; from docqn.corpora import plan; plan.SHARD = 1\n"
        "if __name__ == '__main__':\n    from docqn.cli import main; main(sys.argv[1:])"
    )
    (tmp_path / "run.py").write_text(script)
    arguments = ["corpus", "build", *map(str, files), "--evidence", str(evidence), "--out", str(tmp_path / "a")]
    command = [sys.executable, str(tmp_path / "run.py"), *arguments, "--jobs", "2", "--json"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
    running: subprocess.Popen[str] = subprocess.Popen(command, start_new_session=True, **piped)  # type: ignore[call-overload]
    while not list((tmp_path / "a.partial").glob("shard-*.safetensors")) and running.poll() is None:
        time.sleep(0.002)
    os.killpg(running.pid, signal.SIGINT)
    printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (130, "")
    assert said == f"docqn: interrupted; the same command goes on from {tmp_path / 'a'}.partial\n"
    assert not (tmp_path / "a").exists()
    done = subprocess.run(command, check=True, **piped)  # type: ignore[call-overload]
    assert json.loads(done.stdout)["reused"] > 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
@pytest.mark.parametrize(("limit", "file"), [(4000, "shard-"), (9000, "documents.")])
def test_a_full_disk_is_an_error_of_one_line(tmp_path: Path, evidence: Path, limit: int, file: str) -> None:
    """A limit to the size of files fails as a full disk does; then there is room and the same command goes on."""
    script = "import resource, sys; from docqn.corpora import plan; plan.SHARD = 3\n"
    script += "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
    script += "from docqn.cli import main; main(sys.argv[2:])"
    many = write_questions(tmp_path / "many.json", [*QUESTIONS, *ASKED])
    arguments = ["corpus", "build", str(many), "--evidence", str(evidence), "--out", str(tmp_path / "a")]
    command = [sys.executable, "-c", script, str(limit), *arguments, "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"docqn: error: {tmp_path / 'a'}.partial")
    assert done.stderr.endswith(": cannot be written (File too large)\n")
    assert f"/{file}" in done.stderr
    assert not (tmp_path / "a").exists()
    assert not list((tmp_path / "a.partial").rglob("*.part"))
    build([many], evidence, tmp_path / "a", jobs=1)


def test_kill_is_an_interruption_too() -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt(signal.SIGTERM, None)
