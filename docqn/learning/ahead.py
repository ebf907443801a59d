"""Data of coming steps, prepared by other processes while this one learns."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_PER_WORKER = 4  # steps under way

_make: Callable[[int], Any]


class Ahead(Generic[T]):
    """`make(step)` for steps that mostly come in order, the same with any number of workers.

    Without any, it is made when it is asked for.
    """

    def __init__(self, make: Callable[[int], T], workers: int, last: int) -> None:
        """Steps from `last` on are not prepared."""
        self._last = last
        self._size = workers * _PER_WORKER
        self._made: deque[tuple[int, Future[T]]] = deque()
        self._call: Callable[[int], T] = make
        self._pool: ProcessPoolExecutor | None = None
        if workers:
            context = multiprocessing.get_context("fork")  # the data are there already, and nothing is sent
            self._pool = ProcessPoolExecutor(workers, context, _begin, (make,))

    def of(self, step: int) -> T:
        """What belongs to a step."""
        if self._pool is None:
            return self._call(step)
        while self._made and self._made[0][0] != step:
            self._made.popleft()[1].cancel()
        following = self._made[-1][0] + 1 if self._made else step
        for number in range(following, max(min(step + self._size, self._last), step + 1)):
            self._made.append((number, self._pool.submit(_run, number)))
        return self._made.popleft()[1].result()

    def close(self) -> None:
        """End the other processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _begin(make: Callable[[int], Any]) -> None:
    global _make
    _make = make
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that learns


def _run(step: int) -> Any:
    return _make(step)
