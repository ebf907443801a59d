"""From what a network says of a passage to a reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from docqn.readers import Reading
from docqn.readers.neural.calibration import Calibration, Features, probability
from docqn.readers.neural.spans import BestSpan

UNREADABLE = -100.0  # the score of a passage in which there is nothing to read


class Finding(NamedTuple):
    """The best span of a passage, in characters, and what the network says of it before calibration."""

    start: int
    end: int
    span: BestSpan
    answerable: float | None = None  # logit that the passage answers the question, if the network judges that
    null: float | None = None  # score of the span that stands for no answer, if there is one

    @property
    def features(self) -> Features:
        """What the calibration uses."""
        return Features(self.answerable or 0.0, self.span.score, self.span.mass)


class Finder(Protocol):
    """A reader whose scores can be calibrated."""

    fingerprint: str

    def find(self, questions: Sequence[str], passages: Sequence[str]) -> list[Finding | None]:
        """What the network says of each pair; None where there is nothing to read."""
        ...


def reading_of(finding: Finding | None, passage: str, tokens: int, calibration: Calibration | None) -> Reading:
    """Without calibration the score is that of the span, and what else there is that tells of the passage."""
    if finding is None:
        return Reading(0, 0, "", UNREADABLE, 0.0, 0.0, tokens)
    start, end, span, answerable, null = finding
    if calibration is not None:
        score = calibration.score(finding.features)
        sure = probability(score)
    else:
        score = span.score + (answerable or 0.0) - (null or 0.0)
        mass = span.mass if null is None else np.logaddexp(span.mass, null)
        sure = float(np.exp(span.score - mass)) * (1.0 if answerable is None else probability(answerable))
    return Reading(start, end, passage[start:end], score, sure, span.entropy, tokens)
