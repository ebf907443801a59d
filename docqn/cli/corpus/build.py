"""`docqn corpus build`: question files and their documents become a corpus."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docqn.cli.messages import INTERRUPTED

if TYPE_CHECKING:
    from docqn.corpora.build import Built
    from docqn.corpora.progress import Progress
    from docqn.corpora.records import Bad

FILES = "Question files: TriviaQA's or SQuAD's JSON, or one JSON object a line."
SPLIT = "The split of all files, or NAME=PATTERN for those whose names fit; may be repeated."
NOP = "Apply TriviaQA-NoP's rules, as is usual for TriviaQA, or leave all as it is, as is usual for others."

MAX_BAD = "Stop when a larger share of the records is bad. Ten are always allowed, but none with 0."


def command(
    files: Annotated[list[Path], typer.Argument(metavar="QA.json", help=FILES)],
    out: Annotated[Path, typer.Option(metavar="CORPUS", help="The folder to make.")],
    evidence: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of the documents.")] = None,
    split: Annotated[list[str] | None, typer.Option(metavar="NAME", help=SPLIT)] = None,
    nop: Annotated[bool | None, typer.Option("--nop/--keep-preface", help=NOP, show_default=False)] = None,
    format: Annotated[str | None, typer.Option(metavar="NAME", help="The files' format, if it cannot be told.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes; as many as cores, if not said.")
    ] = None,
    max_bad: Annotated[float, typer.Option(min=0, max=1, metavar="SHARE", help=MAX_BAD)] = 0.01,
    json: Annotated[bool, typer.Option("--json", help="Print what was built as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Build a corpus from question files and their documents.

    An interrupted build goes on where it was when the same command is given again.

    \b
    Examples:
      docqn corpus build qa/wikipedia-*.json --evidence evidence --out corpus
      docqn corpus build qa/wikipedia-train.json extra-*.json --split 'extra=extra-*' --evidence evidence --out corpus
      docqn corpus build questions.jsonl --evidence manuals --out corpus
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.build import build
    from docqn.corpora.tasks import NOP as WITH_RULES
    from docqn.corpora.tasks import ORIGINAL

    rules = None if nop is None else WITH_RULES if nop else ORIGINAL
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        with _progress(quiet) as (progress, report):
            built = build(
                files,
                evidence,
                out,
                rules=rules,
                splits=split or (),
                format=format,
                jobs=jobs,
                max_bad=max_bad,
                progress=progress,
                report=report,
            )
    except KeyboardInterrupt:
        print(f"docqn: interrupted; the same command goes on from {out}.partial", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
    (_print_json if json else _print)(out, built)


def interrupt(signal: int, frame: object) -> None:
    """Take `kill` for Ctrl-C."""
    raise KeyboardInterrupt


@contextmanager
def _progress(quiet: bool) -> Iterator[tuple[Progress, Callable[[Bad], None]]]:
    """A bar for each stage on standard error, above which bad records are printed."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    with Bars(*columns, console=console, disable=quiet or not console.is_terminal) as bars:
        stages = {}

        def progress(stage: str, done: int, all: int) -> None:
            if stage not in stages:
                stages[stage] = bars.add_task(stage, total=all)
            bars.update(stages[stage], completed=done)

        yield progress, lambda bad: console.print(f"docqn: left out: {bad}")


def _print(out: Path, built: Built) -> None:
    manifest = built.manifest
    if built.untouched:
        print(f"{out} is there already, built from the same files and settings.")
    for name, split in manifest.splits.items():
        print(
            f"{name}: {split['questions']:,} of {split['original_questions']:,} questions, "
            f"{split['pairs']:,} of {split['original_pairs']:,} pairs"
        )
    print(f"{manifest.documents:,} documents, {manifest.tokens:,} tokens, {manifest.words:,} words in {out}")
    for kind, count in manifest.bad["counts"].items():
        print(f"left out, {kind}: {count:,}")


def _print_json(out: Path, built: Built) -> None:
    import json

    manifest = built.manifest
    values = {name: getattr(manifest, name) for name in ("rules", "documents", "nodes", "tokens", "words", "splits")}
    bad = manifest.bad["counts"]
    print(json.dumps({"corpus": str(out), **values, "bad": bad, "untouched": built.untouched, "reused": built.reused}))
