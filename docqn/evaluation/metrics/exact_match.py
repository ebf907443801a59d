"""Exact match of the answer to each question, by the official rules."""

from docqn.evaluation.metrics import Tally, of_questions
from docqn.evaluation.outcomes import Outcomes


def tally(outcomes: Outcomes) -> Tally:
    return of_questions(outcomes.scores()[:, 0])
