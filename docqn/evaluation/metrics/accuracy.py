"""Navigation accuracy: the share of pairs in which the policy stopped in a paragraph with an answer."""

from docqn.evaluation.metrics import Tally, of_pairs
from docqn.evaluation.outcomes import Outcomes


def tally(outcomes: Outcomes) -> Tally:
    return of_pairs(outcomes, "correct")
