"""Telling whoever waits how far a build is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much


def no_progress(what: str, done: int, all: int) -> None:
    """Tells nobody."""
