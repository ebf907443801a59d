"""When to say that the documents do not hold an answer: below a threshold of probability.

A reader may bring its own, measured where its answers were put to wrong documents too: `abstains_below`.
"""

from __future__ import annotations

from docqn.readers import Reader

CALIBRATED = 0.5  # a calibrated reader is more often wrong than right below it


def threshold(reader: Reader) -> float:
    """The reader's own, or that of a calibrated one."""
    return float(getattr(reader, "abstains_below", CALIBRATED))
