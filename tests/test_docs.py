"""The docs do what they say: their Python runs and prints what its comments say, and their commands exist."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import docqn
from docqn.cli import app
from tools.make_command_pages import PAGE, page

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
HANDBOOK = Path(docqn.__file__).parent / "examples" / "handbook.md"


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "docs" / "asking.md"], ids=lambda path: path.name)
def test_examples_print_what_they_say(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(HANDBOOK, tmp_path / "handbook.md")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCQN_CACHE", str(tmp_path / "cache"))
    assert blocks(path)
    space: dict[str, object] = {}
    for block in blocks(path):
        exec(compile(block, path.name, "exec"), space)
        said = [line.split("# ", 1)[1] for line in block.splitlines() if re.search(r"(\)  |^ +)# ", line)]
        assert capsys.readouterr().out.splitlines() == said


def commands() -> Iterator[tuple[str, str]]:
    """Each line that calls docqn, with its page."""
    for path in PAGES:
        if path != PAGE:
            for line in path.read_text(encoding="utf-8").splitlines():
                found = re.match(r"(?: {4}|.* \| )(docqn [a-z].*)", line)
                if found:
                    yield path.name, found[1]


@pytest.mark.parametrize(("name", "line"), [*commands()])
def test_commands_and_their_options_exist(name: str, line: str) -> None:
    command = typer.main.get_command(app)
    words = re.sub(r"""'[^']*'|"[^"]*\"""", "x", line.split("  #")[0]).split()[1:]
    while words and hasattr(command, "commands"):
        assert words[0] in command.commands, line
        command = command.commands[words.pop(0)]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if re.fullmatch(r"--[a-z-]+", word)} <= known | {"--help"}, line


def test_the_commands_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.make_command_pages`"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_files_that_are_linked_exist(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link.partition("#")[0]).exists()] == []
