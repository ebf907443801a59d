"""`docqn evaluate`: policies over the pairs of a split, and how well they did."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docqn.cli.messages import INTERRUPTED

if TYPE_CHECKING:
    from docqn.corpora.split import Split
    from docqn.evaluation.outcomes import Outcomes
    from docqn.evaluation.run import Progress

STANDARD_OUTPUT = Path("-")
POLICY = "A policy, `name:argument` or `package.module:Name`; may be repeated."
METRIC = "A metric besides the built-in ones, `package.module:Name`; may be repeated."
JSON = "Write all metrics, - to standard output; the traces go to a file beside it unless --traces names another."
TRACES = "Keep what each policy did, for `docqn report`; gzipped if it ends in .gz."
PREDICTIONS = "Write each policy's answers in the official format."
SQUAD = "Write the paragraphs where each policy stopped, with the questions, as SQuAD JSON."
MAX_TOKENS = "The most a policy may observe and read of a document: tokens, as in 500, or a share of them, as in 10%."
NO_MASK = "Offer illegal actions too, as in the paper; they stay in place."


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="The split to evaluate on.")],
    policy: Annotated[list[str], typer.Option(metavar="POLICY", help=POLICY)],
    reader: Annotated[str, typer.Option(metavar="READER", help="Who reads the paragraphs.")] = "lexical",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N pairs.")] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of all that is drawn at random.")] = 0,
    metric: Annotated[list[str] | None, typer.Option(metavar="METRIC", help=METRIC)] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help=JSON)] = None,
    traces: Annotated[Path | None, typer.Option(metavar="FILE", help=TRACES)] = None,
    predictions: Annotated[Path | None, typer.Option(metavar="DIR", help=PREDICTIONS)] = None,
    squad: Annotated[Path | None, typer.Option(metavar="DIR", help=SQUAD)] = None,
    max_steps: Annotated[int, typer.Option(min=1, metavar="N", help="Steps before a walk is over.")] = 100,
    max_tokens: Annotated[str | None, typer.Option(metavar="N", help=MAX_TOKENS)] = None,
    mask: Annotated[bool, typer.Option("--mask/--no-mask", help=NO_MASK)] = True,
    cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Keep readings on disk.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and print no table.")] = False,
) -> None:
    """Evaluate policies: how often they find the answer, how well it is read there, and how much they read for it.

    An evaluation with --json or --traces that is interrupted goes on where it was when it is started again.

    \b
    Examples:
      docqn evaluate corpus --split dev --policy bm25 --policy doc-tfidf
      docqn evaluate corpus --split dev --policy agent:agents/a --reader rasor:runs/rasor --json dev.json
      docqn evaluate corpus --split dev --policy ensemble:agent:agents/a,doc-tfidf,tuned
      docqn evaluate corpus --split dev --policy read-best --max-tokens 10% --json dev-10.json
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.store import Corpus
    from docqn.errors import DocqnError
    from docqn.evaluation.limits import TokenLimit
    from docqn.evaluation.metrics import metric as metric_named
    from docqn.evaluation.results import results, write_results
    from docqn.evaluation.run import expanded, run
    from docqn.evaluation.trace_file import TraceWriter
    from docqn.policies import Setting
    from docqn.readers import reader as reader_named
    from docqn.readers.cache import Cache, CachedReader

    opened = Corpus(corpus)
    pairs = opened.split(split)
    if not len(pairs):
        raise DocqnError(f"{corpus}: the split {split!r} has no pairs")
    count = min(limit or len(pairs), len(pairs))
    allowed = TokenLimit.of(max_tokens)
    policies, trainings = expanded(policy)
    for name in metric or ():
        metric_named(name)  # what is wrong is told at once
    made = reader_named(reader)
    cached = CachedReader(made, Cache()) if cache else made
    setting = Setting(cached, seed, max_steps, mask, opened, allowed.tokens, allowed.share)
    settings = {
        "corpus": opened.folder.resolve().name,
        "split": split,
        "fingerprint": opened.manifest.fingerprint,
        "pairs": count,
        "normalization": opened.manifest.splits[split]["normalization"],
        "policies": policies,
        "trained": trainings,
        "reader": reader,
        "reader_fingerprint": made.fingerprint,
        "seed": seed,
        "max_steps": max_steps,
        "mask": mask,
        "max_tokens": allowed.said,
    }
    _check(json, traces, predictions, squad)
    path = _beside(json) if traces is None else traces
    writer = TraceWriter(path, settings) if path else None
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with _progress(quiet) as progress:
            outcomes = run(policies, pairs, count, setting, settings["normalization"], writer, progress)
    except KeyboardInterrupt:
        tail = f"; the same command goes on from {writer.part}" if writer else ""
        print(f"docqn: interrupted{tail}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        if writer:
            writer.close()
    if writer:
        writer.finish()
    found = results(list(outcomes.values()), settings, path, metric or ())
    if json:
        write_results(json, found)
    _export(list(outcomes.values()), pairs, predictions, squad)
    if not quiet and json != STANDARD_OUTPUT:
        _print(found)


def _check(json: Path | None, traces: Path | None, *folders: Path | None) -> None:
    """What is to be written can be, as far as is known before."""
    from docqn.files import check_writable

    for path in (json, traces):
        if path not in (None, STANDARD_OUTPUT):
            check_writable(path)
    for folder in folders:
        if folder is not None:
            check_writable(folder, folder=True)


def _beside(json: Path | None) -> Path | None:
    """Where the traces of results in a file go."""
    return None if json in (None, STANDARD_OUTPUT) else json.with_name(f"{json.stem}.traces.jsonl.gz")


def _interrupt(signal: int, frame: object) -> None:
    raise KeyboardInterrupt


def _export(outcomes: list[Outcomes], pairs: Split, predictions: Path | None, squad: Path | None) -> None:
    from docqn.evaluation.exports import write_predictions, write_squad

    for one in outcomes:
        if predictions:
            write_predictions(predictions, one)
        if squad:
            write_squad(squad, one, pairs)


def _print(found: dict[str, Any]) -> None:
    from docqn.evaluation.tables import plain, results_table

    print(plain(results_table(found)))


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    """A bar for each policy on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True, highlight=False, markup=False)
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, *times, console=console, disable=quiet or not console.is_terminal) as bars:
        stages = {}

        def progress(policy: str, done: int, all: int) -> None:
            if policy not in stages:
                stages[policy] = bars.add_task(policy, total=all)
            bars.update(stages[policy], completed=done)

        yield progress
