"""RaSoR: `rasor:FOLDER`, for a folder that `docqn reader export` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers import Reading
from docqn.readers.neural.calibration import calibration_of
from docqn.readers.neural.findings import Finding, reading_of
from docqn.readers.neural.folder import ModelFolder, open_folder
from docqn.readers.neural.rasor_graph import PASSAGE, QUESTION, SCORES
from docqn.readers.neural.session import THREADS, Session
from docqn.readers.neural.spans import best_span
from docqn.readers.neural.windows import Window, windows
from docqn.readers.neural.words import WORDS, WordTable, load_words
from docqn.text.tokens import token_spans, token_texts

KIND = "rasor"
MODEL = "model.onnx"
WINDOW, OVERLAP, LONGEST_QUESTION = 400, 100, 64  # tokens
_AT_ONCE = 256  # pairs whose inputs and outputs are held together


def reader(argument: str = "") -> RasorReader:
    """The reader in a folder, with two threads."""
    if not argument:
        raise DocqnError("the RaSoR reader needs a folder: rasor:FOLDER")
    return RasorReader(open_folder(Path(argument), KIND))


class RasorReader:
    """See the module."""

    def __init__(self, folder: ModelFolder, threads: int = THREADS) -> None:
        self.fingerprint = f"{folder.fingerprint}-1"  # the number changes with what is done here
        self._folder = folder
        self._session = Session(folder.read(MODEL), folder.path / MODEL, threads)
        self._calibration = calibration_of(folder.config, folder.path)

    @cached_property
    def _table(self) -> WordTable:
        return load_words(self._folder.path / WORDS)

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [
            reading_of(finding, passage, len(token_spans(passage)), self._calibration)
            for finding, passage in zip(self.find(questions, passages), passages, strict=True)
        ]

    def find(self, questions: Sequence[str], passages: Sequence[str]) -> list[Finding | None]:
        """What the network says of each pair; None where there is nothing to read."""
        pairs = list(zip(questions, passages, strict=True))
        return [finding for at in range(0, len(pairs), _AT_ONCE) for finding in self._find(pairs[at : at + _AT_ONCE])]

    def _find(self, pairs: Sequence[tuple[str, str]]) -> list[Finding | None]:
        table = self._table
        spans = {text: token_spans(text) for pair in pairs for text in pair}
        numbers = {text: table.words.numbers(token_texts(text, found)) for text, found in spans.items()}
        parts = [windows(len(spans[passage]), WINDOW, OVERLAP) if len(spans[passage]) else [] for _, passage in pairs]
        feeds = []
        for (question, passage), part in zip(pairs, parts, strict=True):
            asked = table.vectors(numbers[question][:LONGEST_QUESTION])
            if not len(asked):  # a question without a word is one of which nothing is known
                asked = np.zeros((1, asked.shape[1]), np.float32)
            feeds += [
                {PASSAGE: table.vectors(numbers[passage][window.first : window.end]), QUESTION: asked}
                for window in part
            ]
        outputs = iter(self._session.run(feeds))
        return [
            _finding(spans[passage], part, [_possible(next(outputs)[SCORES]) for _ in part]) if part else None
            for (_, passage), part in zip(pairs, parts, strict=True)
        ]


def _finding(tokens: Array, part: Sequence[Window], scores: Sequence[Array]) -> Finding:
    span = best_span(part, scores)
    return Finding(int(tokens[span.first, 0]), int(tokens[span.last, 1]), span)


def _possible(scores: Array) -> Array:
    """Without the spans that reach beyond the end."""
    tokens, longest = scores.shape
    beyond = np.arange(tokens)[:, None] + np.arange(longest) >= tokens
    return np.where(beyond, -np.inf, scores)
