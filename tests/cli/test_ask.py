"""`docqn ask` from the outside."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

import docqn
from docqn.cli import main
from docqn.policies.trace import Answer, Step
from docqn.policies.tracing import step
from tests.parsers.pdf_files import PdfFile

HANDBOOK = str(Path(docqn.__file__).parent / "examples" / "handbook.md")
QUESTION = "How many working days of leave does the other parent get?"
TEA = "# Tea\n\n## Green\n\nGreen tea comes from Uji.\n\n## Black\n\nBlack tea comes from Assam.\n"


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done: ...


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in an empty folder with caches of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCQN_CACHE", str(tmp_path / "cache"))
    Path("tea.md").write_text(TEA)

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as caught:
            main(["ask", *arguments])
        code = caught.value.code
        assert isinstance(code, int)
        return Done(code, *capsys.readouterr())

    return run


def test_an_answer_for_people(run: Run) -> None:
    code, out, err = run(HANDBOOK, QUESTION)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "45"
    assert lines[1].endswith(" %")
    assert "6.4 Parental leave › 6.4.2 The other" in out
    assert f"{HANDBOOK}, line 415".replace("\n", "") in out.replace("\n", "")
    assert "The other parent has »45« working days" in out
    assert lines[-1].startswith("read 0.9 % of 11,652 tokens in 4 steps, ")
    assert all(line == line.rstrip() for line in lines)


def test_json_is_one_line_for_programs(run: Run) -> None:
    code, out, err = run(HANDBOOK, QUESTION, "--json", "--top", "2")
    result = json.loads(out)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert (result["answer"], result["answerable"], len(result["alternatives"])) == ("45", True, 1)
    assert result["trace"][-1]["action"] == "Stop"
    assert result["steps"] == len(result["trace"])


def test_quiet_is_the_answer_alone(run: Run) -> None:
    assert run(HANDBOOK, QUESTION, "--quiet") == (0, "45\n", "")
    assert run("tea.md", "Who was Napoleon?", "--quiet") == (0, "", "")


def test_every_step_can_be_seen(run: Run) -> None:
    out = run(HANDBOOK, QUESTION, "--trace").out
    assert "  1  Answer  at paragraph " in out
    assert "  4  Stop  at paragraph 171: The other parent has 45" in out
    assert re.search(r"read: 45 \d+ %", out)


def test_alternatives_have_their_places(run: Run) -> None:
    out = run(HANDBOOK, QUESTION, "--top", "2").out
    assert re.search(r"Also possible:\n  \S.* %, \S.*handbook\.md, line \d+\n", out)


def test_what_the_document_does_not_say(run: Run) -> None:
    code, out, err = run("tea.md", "Who was Napoleon?")
    assert code == 0
    assert out.startswith("The document does not seem to answer this.\n")
    assert "The likeliest guess:" in out
    assert err.startswith("docqn: note: no word of the question")


def test_standard_input_folders_globs_and_many(run: Run) -> None:
    assert json.loads(run("-", "Where does green tea come from?", "--json", stdin=TEA.encode()).out)["documents"] == 1
    Path("more").mkdir()
    for number in range(6):
        Path(f"more/{number}.md").write_text(f"# Number {number}\n\nSome words about number {number}.\n")
    Path("more/bad.md").write_bytes(b"\0\1\2" * 99)
    code, out, err = run("tea.md", "more", "more/*.md", "Where does green tea come from?", "--json")
    result = json.loads(out)
    assert (code, result["documents"]) == (0, 7)
    guess = result["evidence"] or result["alternatives"][0]["evidence"]
    assert guess["source"] == "tea.md"
    assert err.startswith("docqn: note: left out: more/bad.md: ")


def test_tokens_are_limited(run: Run) -> None:
    for most in (1, 20, 100):
        result = json.loads(run(HANDBOOK, QUESTION, "--json", "--max-tokens", str(most)).out)
        assert result["tokens_read"] <= most


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tea.md", ""], "docqn: error: the question is empty; ask something\n"),
        (["nothing.md", "Why?"], "docqn: error: nothing.md: no such file\n"),
        (["empty.md", "Why?"], "docqn: error: empty.md: is empty\n"),
        (["tea.md", "*.epub", "Why?"], "docqn: error: *.epub: no file matches\n"),
        (["tea.md", "Where", "is", "it?"], "docqn: error: Where: no such file; the question goes in quotes\n"),
        (["tea.md", "Why?", "--policy", "none"], "docqn: error: 'none' is not among the policies"),
        (["tea.md", "Why?", "--reader", "none"], "docqn: error: 'none' is not among the readers"),
        (["scans.pdf", "Why?"], "docqn: error: scans.pdf: holds no text, only images"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str], said: str) -> None:
    Path("empty.md").write_text("")
    scans = PdfFile()
    scans.page()
    scans.drawing()
    Path("scans.pdf").write_bytes(scans.bytes())
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(said)


def test_a_question_needs_a_document(run: Run) -> None:
    code, out, err = run("tea.md")
    assert (code, out) == (2, "")
    assert "name a document and a question" in " ".join(err.split())


def test_headings_alone_are_nothing_to_read(run: Run) -> None:
    Path("headings.md").write_text("# Only\n\n## Headings\n")
    code, out, err = run("headings.md", "Which headings?")
    assert (code, out.splitlines()[0]) == (0, "The document does not seem to answer this.")
    assert err == "docqn: note: there is no text below the headings, so nothing to read\n"


def test_a_cache_that_cannot_be_written_is_told_and_done_without(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCQN_CACHE", str(Path("tea.md").absolute()))
    code, out, err = run(HANDBOOK, QUESTION)
    assert (code, out.splitlines()[0]) == (0, "45")
    assert "parsed documents cannot be kept there" in err
    assert run(HANDBOOK, QUESTION, "--no-cache").err == ""


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # no file can grow beyond: as on a disk that is full
from docqn.cli import main
main(["ask", *sys.argv[1:]])
"""


def test_a_full_disk_leaves_the_answer_and_nothing_half_written(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "DOCQN_CACHE": str(tmp_path / "cache")}
    many = [f"{number}.md" for number in range(9)]
    for name in many:
        (tmp_path / name).write_text(TEA * 60)
    for sources in ([HANDBOOK], [HANDBOOK, *many]):
        done = subprocess.run(
            [sys.executable, "-c", FULL, *sources, QUESTION],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stdout.split("\n")[0]) == (0, "45"), done.stderr
        assert "documents cannot be kept there (File too large)" in done.stderr
        assert "Traceback" not in done.stderr
    assert [path.name for path in (tmp_path / "cache" / "documents-1").iterdir()] == []


SLOW = """
import sys, time
from docqn.policies import policy
class Slow:
    name = "slow"
    def traces(self, pairs, setting):
        print("begun", flush=True)
        time.sleep(60)
"""


def test_interrupted_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "tea.md").write_text(TEA)
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-m", "docqn", "ask", "tea.md", "Why?", "--policy", "slow:Slow"]
    environment = {**os.environ, "PYTHONPATH": paths, "DOCQN_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "docqn: interrupted\n")
    assert time.monotonic() - start < 10


def test_attention_is_shown_where_there_is_some(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def attentive(document: docqn.Document, node: int, action: int) -> Step:
        made = step(document, node, action)
        made.observation_attention, made.q_values = [0.9, 0.1], [0.5] * 7
        made.answer = Answer(2, 12, 17, "Green", 1.0, 0.9, 0.0)
        return made

    monkeypatch.setattr("docqn.policies.walk.step", attentive)
    out = run("tea.md", "Which tea?", "--policy", "random-walk", "--trace", "--no-cache").out
    assert "attention: Tea 0.90" in out
    assert " +0.50  at title 0: Tea" in out
