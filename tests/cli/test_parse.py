"""`docqn parse`, and what every command does with bad input."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from typer.core import TyperGroup
from typer.main import get_command

import docqn
from docqn.cli import app, main
from docqn.errors import DocqnError
from docqn.parsers import formats

HANDBOOK = Path(docqn.__file__).parent / "examples" / "handbook.md"
GUIDE = "# Guide\n\nAll of it.\n\n## Install\n\nFetch it. Run it.\n\n## Use\n"


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        code = caught.value.code
        assert isinstance(code, int)
        return Done(code, *capsys.readouterr())

    return run


def test_the_outline(run: Run) -> None:
    Path("guide.md").write_text(GUIDE)
    outline = "Guide (13 tokens)\n  All of it.\n  Install (7)\n    Fetch it. Run it.\n  Use (1)\n"
    assert run("parse", "guide.md") == (0, outline, "")
    assert run("parse", "-", "--format", "markdown", stdin=GUIDE.encode()) == (0, outline, "")


def test_json_of_one_document(run: Run) -> None:
    Path("guide.md").write_text(GUIDE)
    code, out, err = run("parse", "guide.md", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    parsed = json.loads(out)
    assert list(parsed) == ["title", "source", "format", "tokens", "text", "nodes"]
    assert (parsed["title"], parsed["source"], parsed["format"], parsed["tokens"]) == (
        "Guide",
        "guide.md",
        "markdown",
        13,
    )
    assert [node["line"] for node in parsed["nodes"]] == [1, 3, 3, 5, 7, 7, 7, 9]


def test_the_nested_outline_of_one_document(run: Run) -> None:
    Path("guide.md").write_text(GUIDE)
    code, out, err = run("parse", "guide.md", "--outline")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "title": "Guide",
        "node_id": "0000",
        "start_index": 0,
        "end_index": 50,
        "nodes": [
            {"title": "Install", "node_id": "0002", "start_index": 19, "end_index": 45, "nodes": []},
            {"title": "Use", "node_id": "0004", "start_index": 47, "end_index": 50, "nodes": []},
        ],
    }


def test_help_names_all_formats(run: Run) -> None:
    words = set(re.findall(r"\w+", run("parse", "--help").out.partition("--format")[2]))
    assert set(formats()) <= words


def test_standard_input_has_a_name(run: Run) -> None:
    parsed = json.loads(run("parse", "-", "--json", stdin=b"Just text, no heading.").out)
    assert parsed["source"] == parsed["title"] == "standard input"


def test_several_documents(run: Run) -> None:
    for name in ("docs/a.md", "docs/deep/b.md", "docs/.hidden/c.md", "d.md"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(f"# Title of {name}\n")
    for arguments in (("docs", "d.md"), ("docs/", "d.md", "docs/a.md", "d.md"), ("**/*.md",)):
        code, out, _ = run("parse", *arguments, "--json", "--quiet")
        assert code == 0
        assert {json.loads(line)["source"] for line in out.splitlines()} == {"docs/a.md", "docs/deep/b.md", "d.md"}
        assert out.count("\n") == 3
    assert [json.loads(line)["node_id"] for line in run("parse", "docs", "--outline").out.splitlines()] == ["0000"] * 2
    assert run("parse", "docs").out == "Title of docs/a.md (5 tokens)\n\nTitle of docs/deep/b.md (7 tokens)\n\n"


def test_the_others_are_parsed_when_one_fails(run: Run) -> None:
    Path("a.md").write_text(GUIDE)
    Path("empty.md").write_text("")
    Path("folder").mkdir()
    code, out, err = run("parse", "missing.md", "folder", "*.pdf", "empty.md", "a.md", "--json")
    assert code == 2
    assert [json.loads(line)["source"] for line in out.splitlines()] == ["a.md"]
    assert sorted(line.partition(" (")[0] for line in err.splitlines()) == [
        "docqn: error: *.pdf: no file matches",
        "docqn: error: empty.md: is empty",
        "docqn: error: folder: no documents in this folder",
        "docqn: error: missing.md: no such file",
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n\t ", "is empty"),
        (bytes(range(256)) * 40, "is not a document that docqn can read; the formats are "),
        (b"\0" * 5000, "is not a document that docqn can read; the formats are "),
    ],
)
def test_content_that_is_no_document(run: Run, data: bytes, problem: str) -> None:
    Path("a.md").write_bytes(data)
    for arguments, name in ((("parse", "a.md"), "a.md"), (("parse", "-"), "standard input")):
        code, out, err = run(*arguments, stdin=data)
        assert (code, out) == (2, "")
        assert err.startswith(f"docqn: error: {name}: {problem}")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("missing.md",), "missing.md: no such file"),
        (("folder",), "folder: no documents in this folder (looked for ."),
        (("*.md",), "*.md: no file matches"),
        (("file.bin/inside",), "file.bin/inside: cannot be read (Not a directory)"),
        (("x" * 5000,), f"{'x' * 5000}: cannot be read (File name too long)"),
        (("two\nlines.md",), "two lines.md: no such file"),
        (("-", "--format", "latex"), "'latex' is not among the parsers; choose "),
        (("-", "--format", "no.such:Parser"), "'no.such:Parser' cannot be imported: No module named 'no'"),
        (("-",), "standard input: is empty"),
    ],
)
def test_sources_that_cannot_be_read(run: Run, arguments: tuple[str, ...], problem: str) -> None:
    Path("folder").mkdir()
    Path("file.bin").touch()
    code, out, err = run("parse", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"docqn: error: {problem}")
    assert err.count("\n") == 1


def test_an_unreadable_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert run("parse", "secret.md") == (2, "", "docqn: error: secret.md: cannot be read (Permission denied)\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(run: Run, encoding: str) -> None:
    Path("a.md").write_bytes("# Größe\n\nEin Maß für Länge.\n".encode(encoding))
    assert run("parse", "a.md") == (0, "Größe (6 tokens)\n  Ein Maß für Länge.\n", "")


@pytest.mark.parametrize(
    "arguments",
    [("parse",), ("parse", "a.md", "--json", "--outline"), ("parse", "--no-such"), ("no-such",), ("--no-such",)],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Usage: docqn")


def test_help_and_version(run: Run) -> None:
    assert run("--version") == (0, f"docqn {docqn.__version__}\n", "")
    code, out, _ = run("parse", "--help")
    assert code == 0
    assert "  docqn parse handbook.pdf --json > handbook.json\n" in out
    code, out, _ = run("--help")
    assert code == 0
    assert "parse" in out


def commands(group: TyperGroup, *path: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, *path, name)
        else:
            yield (*path, name)


@pytest.mark.parametrize("command", list(commands(cast(TyperGroup, get_command(app)))), ids=" ".join)
def test_the_examples_in_a_command_s_help_keep_their_lines(run: Run, command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    assert re.search(rf"\n  Examples?:\n    docqn {' '.join(command)} ", out)
    assert "--quiet" in out


def test_stopping_with_the_keyboard(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("docqn.parsers.read", interrupt)
    assert run("parse", "a.md") == (130, "", "")


def test_a_fault_of_the_program_shows_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("docqn.parsers.read", fail)
    with pytest.raises(ZeroDivisionError):
        main(["parse", "a.md"])


def test_errors_outside_of_parsing_are_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise DocqnError("the disk\nis full")

    monkeypatch.setattr("docqn.export.document_json", fail)
    assert run("parse", "-", "--json", stdin=b"Text.") == (2, "", "docqn: error: the disk is full\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux file that holds nothing")
@pytest.mark.parametrize("source", [HANDBOOK, "guide.md"])  # more and less than fits into the buffer
def test_a_full_disk_is_one_line_too(tmp_path: Path, source: Path | str) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    command = [sys.executable, "-m", "docqn", "parse", str(tmp_path / source), "--json"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    error = "docqn: error: the output cannot be written (No space left on device)\n"
    assert (done.returncode, done.stderr) == (2, error)


@pytest.mark.skipif(os.name == "nt", reason="the shell is another")
def test_output_that_is_closed_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    command = f"'{sys.executable}' -m docqn parse '{tmp_path}/guide.md'"
    assert subprocess.run(f"{command} no.md >&- 2>&-", shell=True, timeout=60).returncode == 2
    done = subprocess.run(f"{command} >&-", shell=True, timeout=60, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


class Terminal(io.StringIO):
    """Standard output as somebody looks at it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 50), (10, 5), (200, 2000)])
def test_on_a_terminal_the_outline_is_cut_to_the_window(
    columns: int, lines: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("nested.md").write_text(
        "".join(f"{'#' * level} Heading of level {level}\n\nText.\n\n" for level in range(1, 7))
    )
    for name, value in (("COLUMNS", columns), ("LINES", lines), ("TERM", "xterm")):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    assert run("parse", str(HANDBOOK), "nested.md").code == 0
    shown = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert all(len(line) <= columns for line in shown.splitlines())
    handbook, _, nested = shown.partition("\n\n")
    assert len(handbook.splitlines()) < max(lines, 12)
    assert (" of 438 " in handbook) == (lines < 2000)
    assert ("6.4.2 The other parent (" in handbook) == (lines == 2000)
    if columns >= 40:
        assert handbook.startswith("Kestrel Bay")
        assert "── 14 What changed (184)" in handbook
        assert "─ Heading of level 2 (" in nested
    else:
        assert "7 of 438 …" in handbook
        assert "├── 1 Abo…" in handbook


def test_the_progress_of_many_documents_is_not_among_the_results(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md", "empty.md"):
        Path(name).write_text(GUIDE if name != "empty.md" else "")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    code, out, _ = run("parse", "a.md", "empty.md", "b.md", "--json")
    assert code == 2
    assert [json.loads(line)["source"] for line in out.splitlines()] == ["a.md", "b.md"]
    assert "Parsing" in screen.getvalue()
    assert "docqn: error: empty.md: is empty" in screen.getvalue()
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    assert run("parse", "a.md", "b.md", "--json", "--quiet").out == out
    assert screen.getvalue() == ""


# In a process of its own

DOCQN = [sys.executable, "-m", "docqn"]


def test_the_handbook_in_a_process_of_its_own() -> None:
    done = subprocess.run([*DOCQN, "parse", str(HANDBOOK)], capture_output=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Kestrel Bay Instruments: Employee Handbook (")
    assert "\n    6.4 Parental leave (" in done.stdout
    assert "\n      6.4.2 The other parent (" in done.stdout


def test_an_error_in_a_process_of_its_own_has_no_traceback() -> None:
    done = subprocess.run([*DOCQN, "parse", "missing.md"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "docqn: error: missing.md: no such file\n"


@pytest.mark.parametrize("text", ["# Small\n", GUIDE * 500])
def test_a_reader_that_goes_away(text: str, tmp_path: Path) -> None:
    """As `docqn parse … | head -1` is, with little and with much that is left to write."""
    (tmp_path / "a.md").write_text(text)
    command = [*DOCQN, "parse", str(tmp_path / "a.md")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_a_screen_of_another_encoding() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*DOCQN, "parse", "-", "--format", "markdown"],
        input="# Größe 大\n".encode(),
        capture_output=True,
        env=environment,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"Gr\\xf6\\xdfe \\u5927 (2 tokens)\n", b"")
