"""The transformer reader: `transformer:FOLDER`, one that `docqn reader export` wrote or one in Hugging Face's form.

Question and passage go through the network together. Long passages are read in overlapping windows, and all spans of
up to 30 tokens compete in one distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers import Reading
from docqn.readers.neural.bert_graph import ANSWERABLE, END, IDS, MASK, SEGMENTS, START
from docqn.readers.neural.findings import Finding, reading_of
from docqn.readers.neural.offsets import whole_characters
from docqn.readers.neural.session import THREADS
from docqn.readers.neural.span_model import SpanModel, load_span_model
from docqn.readers.neural.spans import best_span, start_end_scores
from docqn.readers.neural.windows import Window, windows
from docqn.text.tokens import token_spans
from docqn.text.wordpiece import Pieces

_AT_ONCE = 256  # pairs whose inputs and outputs are held together


def reader(argument: str = "") -> TransformerReader:
    """The reader in a folder, with two threads."""
    if not argument:
        raise DocqnError("the transformer reader needs a folder: transformer:FOLDER")
    return TransformerReader(load_span_model(Path(argument), THREADS))


class TransformerReader:
    """See the module."""

    def __init__(self, model: SpanModel) -> None:
        self.model = model
        self.fingerprint = f"{model.fingerprint}-1"  # the number changes with what is done here

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        calibration = self.model.calibration
        return [
            reading_of(finding, passage, len(token_spans(passage)), calibration)
            for finding, passage in zip(self.find(questions, passages), passages, strict=True)
        ]

    def find(self, questions: Sequence[str], passages: Sequence[str]) -> list[Finding | None]:
        """What the network says of each pair; None where it finds nothing to read."""
        pairs = list(zip(questions, passages, strict=True))
        found: list[Finding | None] = []
        for at in range(0, len(pairs), _AT_ONCE):
            found += self._find(pairs[at : at + _AT_ONCE])
        return found

    def _find(self, pairs: Sequence[tuple[str, str]]) -> list[Finding | None]:
        encode = self.model.tokenization.encode
        asked = {question: encode(question).ids[: self.model.longest_question] for question, _ in pairs}
        told = {passage: encode(passage) for _, passage in pairs}
        parts = [self._windows(len(asked[question]), told[passage]) for question, passage in pairs]
        tasks = [(pair, window) for pair, part in enumerate(parts) for window in part]
        tasks.sort(key=lambda task: task[1].first - task[1].end)  # the longest first: the threads end together
        outputs: dict[tuple[int, Window], _Scores] = {}
        joined = [self._joined(asked[pairs[pair][0]], told[pairs[pair][1]], window) for pair, window in tasks]
        for task, (_, at), output in zip(
            tasks, joined, self.model.session.run([feed for feed, _ in joined]), strict=True
        ):
            outputs[task] = self._scores(output, at, at + task[1].end - task[1].first)
        return [
            _finding(told[passage], passage, part, [outputs[pair, window] for window in part]) if part else None
            for pair, ((_, passage), part) in enumerate(zip(pairs, parts, strict=True))
        ]

    def _windows(self, asked: int, told: Pieces) -> list[Window]:
        model = self.model
        room = model.window - model.tokenization.special - asked
        return windows(len(told.ids), room, min(model.overlap, room // 2)) if len(told.ids) else []

    def _joined(self, asked: Array, told: Pieces, window: Window) -> tuple[dict[str, Array], int]:
        """The network's input for a window, and where in it the passage begins."""
        ids, at = self.model.tokenization.join(asked, told.ids[window.first : window.end])
        rows = ids.astype(np.int64)[None]
        segments = (np.arange(len(ids)) >= at).astype(np.int64)[None]
        return {IDS: rows, MASK: np.ones_like(rows), SEGMENTS: segments}, at

    def _scores(self, output: dict[str, Array], first: int, end: int) -> _Scores:
        """The outputs of one run without what is not the passage. Models of others may name them otherwise."""
        start, ends, *_ = (output.get(name, value) for name, value in zip((START, END), output.values(), strict=False))
        tokens = end + len(self.model.tokenization.after)
        if start.shape != (1, tokens) or ends.shape != (1, tokens):
            raise DocqnError(f"{self.model.session.path}: not a question-answering model: its output is {start.shape}")
        answerable = float(output[ANSWERABLE][0]) if ANSWERABLE in output else None
        spans = start_end_scores(start[0, first:end], ends[0, first:end])
        return _Scores(spans, float(start[0, 0] + ends[0, 0]), answerable)


class _Scores(NamedTuple):
    """A window's scores: of its spans, of the null span, and that the passage answers, if the model judges that."""

    spans: Array  # [tokens, longest span]
    null: float
    answerable: float | None


def _finding(told: Pieces, passage: str, part: Sequence[Window], scores: Sequence[_Scores]) -> Finding:
    span = best_span(part, [score.spans for score in scores])
    start, end = whole_characters(passage, int(told.spans[span.first, 0]), int(told.spans[span.last, 1]))
    judged = [score.answerable for score in scores if score.answerable is not None]
    if judged:
        return Finding(start, end, span, answerable=max(judged))
    return Finding(start, end, span, null=min(score.null for score in scores))
