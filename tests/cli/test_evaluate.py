"""`docqn evaluate` and `docqn report`, from a corpus to a page."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from docqn.cli import main
from docqn.corpora.build import build
from docqn.evaluation.trace_file import read_header, read_traces
from tests.corpora.small import page, question, write_evidence, write_questions
from tests.evaluation.corpus import make_corpus
from tests.policies.tiny_agent import write_agent

BASE = ("evaluate", "corpus", "--split", "dev", "--policy", "bm25")


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
    """The command line in this process, in an empty folder with a corpus."""
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


def test_a_table_is_printed(run: Run) -> None:
    code, out, err = run(*BASE, "--policy", "first-paragraph")
    assert (code, err) == (0, "")
    title, _, heads, bm25, first, *_ = out.splitlines()
    assert title.startswith("corpus, dev: ")
    assert "lexical, seed 0" in title
    assert heads.split()[:2] == ["policy", "accuracy"]
    assert (bm25.split()[0], first.split()[0]) == ("bm25", "first-paragraph")


def test_results_are_those_of_the_contract(run: Run) -> None:
    code, out, _ = run(*BASE, "--policy", "random-walk", "--json", "out/dev.json", "--seed", "3", "--quiet")
    assert (code, out) == (0, "")
    found = json.loads(Path("out/dev.json").read_text())
    assert (found["corpus"], found["split"], found["seed"], found["reader"]) == ("corpus", "dev", 3, "lexical")
    assert len(found["fingerprint"]) == 32
    for name in ("bm25", "random-walk"):
        metrics = found["policies"][name]
        for figure in ("accuracy", "aggregated", "exact_match", "f1"):
            low, high = metrics[f"{figure}_interval"]
            assert 0 <= low <= metrics[figure] <= high <= 100
        assert 0 <= metrics["tokens_read"] <= 1
        assert {*metrics["stop_kinds"]} == {"title", "section", "paragraph", "sentence"}
        assert metrics["seconds_per_pair"] > 0
    assert {row["metric"] for row in found["comparisons"]} == {"accuracy", "aggregated", "exact_match", "f1"}
    assert found["traces"] == "dev.traces.jsonl.gz"
    assert len(list(read_traces(Path("out/dev.traces.jsonl.gz")))) == 2 * found["pairs"]


def test_results_to_standard_output(run: Run) -> None:
    code, out, _ = run(*BASE, "--json", "-")
    assert code == 0
    assert json.loads(out)["policies"]["bm25"]["pairs"] > 0
    assert not Path("-").exists()


def test_verified_accuracy_on_a_verified_split(run: Run) -> None:
    _, out, _ = run("evaluate", "corpus", "--split", "verified-dev", "--policy", "oracle", "--json", "-")
    assert json.loads(out)["policies"]["oracle"]["verified_accuracy"] == 100
    _, out, _ = run(*BASE, "--json", "-")
    assert "verified_accuracy" not in json.loads(out)["policies"]["bm25"]


def test_traces_predictions_and_paragraphs(run: Run) -> None:
    code, *_ = run(
        *BASE, "--traces", "t.jsonl", "--predictions", "p", "--squad", "s", "--limit", "2", "--no-mask", "-q"
    )
    assert code == 0
    header = read_header(Path("t.jsonl"))
    assert (header["pairs"], header["mask"], header["max_steps"]) == (2, False, 100)
    assert len(list(read_traces(Path("t.jsonl")))) == 2
    assert {*json.loads(Path("p/bm25.json").read_text())} <= {"q1", "q2"}
    assert json.loads(Path("s/bm25-squad.json").read_text())["data"]


def test_readings_are_cached_unless_not_wanted(run: Run) -> None:
    run(*BASE, "--no-cache")
    assert not Path("cache").exists()
    first = run(*BASE)
    assert next(path.name for path in Path("cache").iterdir()).startswith("readings")
    again = run(*BASE)
    assert again.out == first.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("evaluate", "none", "--split", "dev", "--policy", "bm25"), "none: is not a corpus"),
        (("evaluate", "corpus", "--split", "none", "--policy", "bm25"), "has no split 'none'"),
        (("evaluate", "corpus", "--split", "dev", "--policy", "none"), "'none' is not among the policies"),
        ((*BASE, "--max-tokens", "some"), "--max-tokens some: is neither a number of tokens"),
        ((*BASE, "--reader", "none"), "'none' is not among the readers"),
        ((*BASE, "--json", "corpus/manifest.json/x.json"), "cannot be written"),
        (("report", "corpus/manifest.json", "--out", "r"), "names no traces"),
        (("report", "none", "--out", "r"), "none: cannot be read"),
    ],
)
def test_what_is_wrong_is_one_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("docqn: error: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "where"),
    [
        ("--json", "."),
        ("--json", "file/x"),
        ("--traces", "corpus"),
        ("--traces", "file/below/x"),
        ("--predictions", "file"),
        ("--squad", "file/x"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_evaluated(
    run: Run, tmp_path: Path, option: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("mine")
    monkeypatch.setattr("docqn.evaluation.run.run", lambda *_: pytest.fail("it was run"))
    code, out, err = run(*BASE, option, where)
    assert (code, out) == (2, "")
    assert err.startswith(f"docqn: error: {where}: cannot be written (")
    assert (tmp_path / "file").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "file"}


def test_a_split_without_pairs_is_one_line(run: Run, tmp_path: Path) -> None:
    evidence = write_evidence(tmp_path / "evidence")
    unanswered = question("q1", "Which city?", ["Zork"], page("Nile.html"))
    build([write_questions(tmp_path / "dev.json", [unanswered])], evidence, tmp_path / "empty", jobs=1, max_bad=1)
    for policy in ("bm25", "ensemble:read-top,bm25,tuned"):
        code, out, err = run("evaluate", "empty", "--split", "dev", "--policy", policy)
        assert (code, out, err) == (2, "", "docqn: error: empty: the split 'dev' has no pairs\n")


def test_an_interrupted_evaluation_goes_on(place: Path, tmp_path: Path) -> None:
    """In a process of its own, whose reader interrupts it as Ctrl-C would."""
    (tmp_path / "slow.py").write_text(
        "import os, signal\n"
        "from docqn.readers.lexical import LexicalReader\n"
        "class Slow(LexicalReader):\n"
        "    fingerprint = 'slow'\n"
        "    def read(self, questions, passages):\n"
        "        if os.environ.get('STOP') and len(passages) > 1:\n"
        "            os.kill(os.getpid(), getattr(signal, os.environ['STOP']))\n"
        "        return super().read(questions, passages)\n"
    )
    command = [
        *(sys.executable, "-m", "docqn", "evaluate", str(place / "corpus"), "--split", "dev", "--policy", "read-top"),
        *("--policy", "bm25", "--reader", "slow:Slow", "--no-cache", "--json", "dev.json", "--quiet"),
    ]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.getcwd()}"}
    for name in ("SIGINT", "SIGTERM"):
        done = subprocess.run(
            command, cwd=tmp_path, env={**environment, "STOP": name}, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 130, done.stderr
        assert done.stderr == "docqn: interrupted; the same command goes on from dev.traces.jsonl.gz.part\n"
        assert not (tmp_path / "dev.json").exists()
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert {*json.loads((tmp_path / "dev.json").read_text())["policies"]} == {"read-top", "bm25"}


def test_a_report_of_results(run: Run) -> None:
    run(*BASE, "--policy", "random-walk", "--policy", "ensemble:first-paragraph,bm25,tuned", "--json", "dev.json", "-q")
    run("evaluate", "corpus", "--split", "verified-dev", "--policy", "bm25", "--traces", "v.jsonl", "-q")
    code, out, err = run("report", "dev.json", "v.jsonl", "--out", "report")
    assert (code, out, err) == (0, "report/report.html\n", "")
    page = Path("report/report.html").read_text()
    for title in ("Table 5", "Table 6", "Table 7", "Figure 7", "Figure 8", "corpus, verified-dev"):
        assert title in page


def test_tokens_may_be_limited(run: Run) -> None:
    for number, said in enumerate(("10%", "10.0 %", "7")):
        code, out, _ = run(*BASE, "--policy", "read-top", "--max-tokens", said, "--json", f"{number}.json")
        assert code == 0
        found = json.loads(Path(f"{number}.json").read_text())
        assert found["max_tokens"] == (7 if said == "7" else "10%")
        assert f", at most {'7 tokens' if said == '7' else '10% of the tokens'}\n" in out
        for trace in read_traces(Path(f"{number}.traces.jsonl.gz")):
            assert trace.tokens_read <= (7 if said == "7" else trace.tokens_total // 10)
    run(*BASE, "--json", "all.json", "-q")
    assert json.loads(Path("all.json").read_text())["max_tokens"] is None
    assert run("report", "0.json", "2.json", "all.json", "--out", "report", "-q").code == 0
    assert "Limits of tokens" in Path("report/report.md").read_text()


def test_what_agents_tell_of_their_trainings_is_in_the_results(run: Run, tmp_path: Path) -> None:
    agent = f"agent:{write_agent(tmp_path)}"
    code, *_ = run(*BASE, "--policy", f"ensemble:{agent},bm25,tuned", "--limit", "2", "--json", "a.json", "-q")
    assert code == 0
    found = json.loads(Path("a.json").read_text())["trained"]
    assert found == read_header(Path("a.traces.jsonl.gz"))["trained"]
    assert {name: (facts["preset"], facts["seed"]) for name, facts in found.items()} == {agent: ("docqn-small", 1)}


def test_help_has_an_example(run: Run) -> None:
    for command in ("evaluate", "report"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert f"docqn {command} " in out.partition("Examples:")[2]
