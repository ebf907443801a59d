"""Of the pairs in which people found support, the share with a stop in a paragraph that supports the answer."""

from docqn.evaluation.metrics import Tally, of_pairs
from docqn.evaluation.outcomes import Outcomes


def tally(outcomes: Outcomes) -> Tally:
    return of_pairs(outcomes, "verified")
