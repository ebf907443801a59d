"""What a command tells the user on standard error, beside its results."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from docqn.errors import DocqnError

T = TypeVar("T")


def complain(error: DocqnError) -> None:
    """Say in one line what is wrong."""
    print("docqn: error:", " ".join(str(error).split()), file=sys.stderr)


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
