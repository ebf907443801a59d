"""Retrieve, then read: the reader is given the best eight paragraphs by BM25, or as many as the argument says
(`read-best:3`), and it stops at the one whose answer is most probable."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from docqn.environment.pairs import Pair
from docqn.environment.readings import Readings
from docqn.errors import DocqnError
from docqn.policies import Setting, Watch
from docqn.policies.bm25 import scores
from docqn.policies.budget import affordable
from docqn.policies.ranking import ranked
from docqn.policies.trace import Trace
from docqn.policies.tracing import answer, reading_step, trace
from docqn.readers import Reading

COUNT = 8


def policy(argument: str = "") -> ReadBest:
    """Reads the best few; the argument is how many."""
    if argument and not (argument.isdecimal() and int(argument)):
        raise DocqnError(f"'read-best:{argument}' does not say how many paragraphs, as in 'read-best:3'")
    return ReadBest(int(argument or COUNT))


class ReadBest:
    """See the module."""

    def __init__(self, count: int) -> None:
        self.name = "read-best" if count == COUNT else f"read-best:{count}"
        self._count = count

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        start = perf_counter()
        chosen = [
            affordable(pair.document, ranked(pair, scores), self._count, setting.most(pair.document)) for pair in pairs
        ]
        known = Readings(setting.reader, pairs)
        tasks = [task for task, nodes in enumerate(chosen) for _ in nodes]
        if setting.watch is None:  # nobody waits for the first, so all are read in one batch
            known.of(tasks, [node for nodes in chosen for node in nodes])
        readings = [
            [_read(known, task, node, pair, setting.watch) for node in nodes]
            for task, (pair, nodes) in enumerate(zip(pairs, chosen, strict=True))
        ]
        seconds = (perf_counter() - start) / max(len(pairs), 1)
        return [self._trace(*one, seconds) for one in zip(pairs, chosen, readings, strict=True)]

    def _trace(self, pair: Pair, nodes: list[int], readings: list[Reading], seconds: float) -> Trace:
        answers = [answer(pair.document, node, reading) for node, reading in zip(nodes, readings, strict=True)]
        best = max(range(len(nodes)), key=lambda i: (readings[i].probability, readings[i].logit), default=None)
        return trace(
            pair,
            self.name,
            0 if best is None else nodes[best],
            final=None if best is None else answers[best],
            paragraphs=nodes,
            answers=[one for one in answers if one is not None],
            seconds=seconds,
            uses_index=True,
        )


def _read(known: Readings, task: int, node: int, pair: Pair, watch: Watch | None) -> Reading:
    """The reading of a paragraph, shown to who watches."""
    (reading,) = known.of([task], [node])
    if watch:
        watch(pair, reading_step(pair.document, node, reading))
    return reading
