"""Aggregated accuracy: the share of questions for which any of the documents was navigated correctly."""

from docqn.evaluation.metrics import Tally, of_pairs
from docqn.evaluation.outcomes import Outcomes


def tally(outcomes: Outcomes) -> Tally:
    correct, pairs = of_pairs(outcomes, "correct")
    return (correct > 0).astype(float), (pairs > 0).astype(float)
