"""docs/commands.md from what the program says of itself: `python -m tools.make_command_pages`. A test fails when the
page is stale."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from docqn.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
WIDTH = 100
HEAD = """# Commands

Written by `python -m tools.make_command_pages` from what `--help` says.
"""


def page() -> str:
    """The page as it should be."""
    parts = [f"## {' '.join(names)}\n\n```text\n{text}\n```\n" for names, text in _helps(typer.main.get_command(app))]
    return "\n".join([HEAD, *parts])


def _helps(
    command: Any, above: Any = None, names: tuple[str, ...] = ("docqn",)
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The help of each command, those of a group after it."""
    context = command.make_context(
        names[-1], [], parent=above, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
    )
    text = "\n".join(line.rstrip() for line in command.get_help(context).strip().splitlines())
    yield names, text
    for name, child in getattr(command, "commands", {}).items():
        yield from _helps(child, context, (*names, name))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
