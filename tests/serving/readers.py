"""Readers that make tests say what they mean."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docqn.readers import Reading
from docqn.text.tokens import token_spans


class Signs:
    """Answers `[answer 70]` where a passage says so, surely of 70 %; else its first word, with no probability."""

    fingerprint = "signs"

    def __init__(self) -> None:
        self.read_passages: list[str] = []

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.read_passages += passages
        return [_reading(passage) for passage in passages]


def _reading(passage: str) -> Reading:
    tokens = token_spans(passage).tolist()
    found = re.search(r"\[(\S+) (\d+)\]", passage)
    if found:
        return Reading(*found.span(1), found[1], float(found[2]), int(found[2]) / 100, 0.0, len(tokens))
    start, end = tokens[0] if tokens else (0, 0)
    return Reading(start, end, passage[start:end], 0.0, 0.0, 0.0, len(tokens))
