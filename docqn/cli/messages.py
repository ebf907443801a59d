"""What a command tells the user on standard error, beside its results."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from docqn.errors import DocqnError

T = TypeVar("T")

INTERRUPTED = 130  # the usual status of a command that was


def complain(error: DocqnError) -> None:
    """Say in one line what is wrong."""
    print("docqn: error:", " ".join(str(error).split()), file=sys.stderr)


@contextmanager
def bar(doing: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """What shows how far something is, on standard error if somebody is there to see it: `advance(done, all)`."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, all: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(doing, total=None)
        yield lambda done, all: progress.update(task, completed=done, total=all)


def tracked(items: Sequence[T], doing: str, quiet: bool) -> Iterator[T]:
    """The items one by one, with a progress bar if somebody is there to see it and no results run across the screen."""
    if quiet or len(items) < 2 or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    # Results go on to standard output itself: a redirected one would land on the console of the bar.
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield from progress.track(items, description=doing)
