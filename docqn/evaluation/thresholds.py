"""The threshold of an ensemble: up to which stopping index the first policy's choice is taken, else the second's."""

from __future__ import annotations

import numpy as np

from docqn.errors import DocqnError
from docqn.evaluation.outcomes import Outcomes


def best_threshold(first: Outcomes, second: Outcomes) -> int:
    """The smallest threshold with the largest accuracy on these pairs, which are to be of a development set."""
    if first.pairs != second.pairs:
        raise DocqnError(f"{first.policy} and {second.policy} cannot be put together: they are about different pairs")
    gain = first["correct"] - second["correct"]
    if np.isnan(gain).any():
        raise DocqnError("a threshold can only be found where it is known which paragraphs answer")
    stop = first["stop_index"].astype(int)
    gained = np.bincount(stop, gain).cumsum()  # by threshold; stops at 0, where the second goes, add the same to all
    return int(gained.argmax())
