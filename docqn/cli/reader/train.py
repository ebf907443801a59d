"""`docqn reader train`: a reader learns from SQuAD, a corpus, or both."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docqn.cli.messages import INTERRUPTED
from docqn.errors import DocqnError

if TYPE_CHECKING:
    from docqn.learning.readers.loop import Report
    from docqn.learning.readers.settings import Schedule

PRESET = "transformer, rasor-squad or rasor-first400."
START = "What to begin from: a model's or a reader's folder, or a training; for RaSoR a file of word vectors."
SPLIT = "A split of the corpus; may be repeated."
SET = "Change a setting; may be repeated."
DEVICE = "cpu, cuda, or auto: the GPU where there is one."
RESUME = "Go on with the training in the folder; of the settings only steps and decay_steps may change."


def command(
    out: Annotated[Path, typer.Option(metavar="RUN", help="The folder of the training.")],
    preset: Annotated[str | None, typer.Option(metavar="NAME", help=PRESET)] = None,
    start: Annotated[Path | None, typer.Option(metavar="PATH", help=START)] = None,
    squad: Annotated[Path | None, typer.Option(metavar="FILE", help="Questions in SQuAD's form.")] = None,
    corpus: Annotated[Path | None, typer.Option(metavar="CORPUS", help="Questions on whole documents.")] = None,
    split: Annotated[list[str] | None, typer.Option(metavar="NAME", help=SPLIT)] = None,
    set: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help=SET)] = None,
    resume: Annotated[bool, typer.Option("--resume", help=RESUME)] = False,
    threads: Annotated[int | None, typer.Option(min=1, metavar="N", help="As many as cores, if not said.")] = None,
    device: Annotated[str, typer.Option(metavar="NAME", help=DEVICE)] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Train a reader. Ctrl-C saves the state; --resume goes on from it as if nothing had happened.

    `docqn reader export` makes a reader of the folder at any time.

    \b
    Examples:
      docqn reader train --preset transformer --start minilm --squad train-v1.1.json --out runs/reader
      docqn reader train --preset transformer --start runs/reader --squad train-v1.1.json \\
          --corpus corpus --split train --out runs/reader-2
      docqn reader train --preset rasor-squad --start glove.6B.100d.txt --squad train-v1.1.json --out runs/rasor
      docqn reader train --out runs/reader --resume --set steps=8000
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    if resume == (preset is not None):
        raise typer.BadParameter("name a --preset to begin a training, or --resume the one in the folder.")
    try:
        from docqn.learning.hardware import device_of, use_threads, workers_beside
    except ImportError as error:
        raise DocqnError("training needs torch: pip install 'docqn[train]'") from error
    from docqn.learning.readers.loop import train
    from docqn.learning.readers.run import Sources, begin, change, task_of

    place = device_of(device)
    if threads or place.type != "cpu":
        use_threads(threads or 1)  # beside a GPU and processes that prepare data, more of them only wait for each other
    if resume:
        if start or squad or corpus or split:
            raise typer.BadParameter("a training that goes on keeps its start and data.")
        change(out, set or ())
    else:
        if start is None:
            raise typer.BadParameter("say what to begin from (--start).")
        if corpus is not None and not split:
            raise typer.BadParameter("name the splits of the corpus (--split).")
        begin(out, _settings(str(preset), set or []), start, Sources(squad, corpus, tuple(split or ())))
    task = task_of(out, place, workers_beside(place))
    with _progress(task.settings, quiet) as report:
        done = train(task, out, resume=resume, report=report)
    if done < task.settings.steps:
        print(f"docqn: stopped after {done:,} steps; go on with --out {out} --resume", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if not quiet:
        print(f"{done:,} steps; docqn reader export {out} --out FOLDER makes a reader of it.")


def _settings(preset: str, changes: list[str]) -> Any:
    from docqn.learning.readers.settings import PRESETS
    from docqn.learning.settings import changed

    if preset not in PRESETS:
        raise DocqnError(f"{preset!r} is not a preset; choose {', '.join(PRESETS)}")
    return changed(PRESETS[preset], changes)


@contextmanager
def _progress(settings: Schedule, quiet: bool) -> Iterator[Report]:
    """A bar on standard error, with the losses of the last step."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[told]}"))
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as bars:
        bar = bars.add_task("Training", total=settings.steps, told="")

        def report(step: int, row: Mapping[str, Any]) -> None:
            told = [f"{name.replace('_', ' ')} {value:.3f}" for name, value in row.items() if name.endswith("loss")]
            bars.update(bar, completed=step, told=" ".join([*told, f"{row['pairs_per_s']} pairs/s"]))

        yield report
