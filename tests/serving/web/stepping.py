"""A policy that tests hold up, or break, in the middle of its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from docqn.environment.pairs import Pair
from docqn.policies import Setting
from docqn.policies.read_best import ReadBest
from docqn.policies.trace import Step, Trace

READ = 4  # paragraphs


class Stepping(ReadBest):
    """Does something after each paragraph that it has shown, if somebody watches: it gets the paragraph's number."""

    def __init__(self, after: Callable[[int], None]) -> None:
        super().__init__(READ)
        self.shown = 0
        self.after = after

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        watch, before = setting.watch, self.shown
        if watch is None:
            return super().traces(pairs, setting)

        def show(pair: Pair, step: Step) -> None:
            watch(pair, step)
            self.shown += 1
            self.after(self.shown - before)

        return super().traces(pairs, replace(setting, watch=show))
