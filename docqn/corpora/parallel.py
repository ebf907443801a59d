"""Work shared out to processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from docqn.errors import DocqnError

Task = TypeVar("Task")
Result = TypeVar("Result")

_AHEAD = 2  # tasks a process that are handed out at a time: none waits for work, and few lie in memory
_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)
_MASKS = hasattr(signal, "pthread_sigmask")  # not on Windows


def run_tasks(function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Generator[Result, None, None]:
    """Results as they come. When interrupted, what is at work is finished first, and no more is begun."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    queue = iter(tasks)
    # Spawned, not forked: the caller may have threads, such as that of a progress bar.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start_worker)
    pending: set[Future[Result]] = set()
    try:
        while True:
            for task in islice(queue, _AHEAD * jobs - len(pending)):
                with _undisturbed():
                    pending.add(pool.submit(function, task))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise DocqnError("a process ended on its own, perhaps for want of memory; try fewer (--jobs)") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Interruptions wait until the end, as a process may be started meanwhile: half started it would be waited for in
    vain at the exit. A new process keeps those blocked that are blocked here, from its first moment on."""
    came: list[int] = []
    main = threading.current_thread() is threading.main_thread()  # no other thread is interrupted
    before = {one: signal.signal(one, lambda number, _: came.append(number)) for one in _INTERRUPTIONS if main}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTIONS) if _MASKS else ()
    try:
        yield
    finally:
        if _MASKS:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for one, handler in before.items():
            signal.signal(one, handler)
        for number in came:
            signal.raise_signal(number)


def _start_worker() -> None:
    """Leave interrupting to the parent, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])  # so that the pool can end it
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
