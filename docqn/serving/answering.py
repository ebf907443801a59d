"""From the traces of a question's documents to one result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docqn.environment.pairs import Pair
from docqn.policies.trace import Answer, Trace
from docqn.serving.result import Candidate
from docqn.serving.visits import candidate
from docqn.text.answers import normalize_triviaqa


class Heard(NamedTuple):
    """An answer in one of the documents."""

    pair: Pair
    answer: Answer

    @property
    def key(self) -> str:
        """What is the same for answers that are spelt alike."""
        return normalize_triviaqa(self.answer.text) or self.answer.text.lower()


def ranked_answers(pairs: Sequence[Pair], traces: Sequence[Trace]) -> list[Candidate]:
    """Distinct answers, the likeliest first.

    The answer is the one whose probabilities sum to most over the documents, as in the paper. Behind it come the others
    and what the reader said on the way. A sum above 1 counts as 1.
    """
    together = list(zip(pairs, traces, strict=True))
    final = [heard for pair, trace in together for heard in _final(pair, trace)]
    passing = [Heard(pair, answer) for pair, trace in together for answer in _readings(trace)]
    total: defaultdict[str, float] = defaultdict(float)
    for heard in final:
        total[heard.key] += heard.answer.probability
    place: dict[str, Heard] = {}  # the likeliest of each
    for heard in (*_likeliest(final), *_likeliest(passing)):
        place.setdefault(heard.key, heard)
    scores = {key: total.get(key, heard.answer.probability) for key, heard in place.items()}
    best = max(total, key=total.__getitem__, default=None)
    order = sorted(place, key=lambda key: (key != best, -scores[key]))
    return [candidate(*place[key], score=scores[key]) for key in order]


def _likeliest(heard: list[Heard]) -> list[Heard]:
    return sorted(heard, key=lambda one: -one.answer.probability)


def _final(pair: Pair, trace: Trace) -> Iterator[Heard]:
    """The answers that count; where the last paragraph could not be read, the likeliest on the way."""
    answers = [trace.answer] if trace.answer else sorted(_readings(trace), key=lambda answer: -answer.probability)[:1]
    return (Heard(pair, answer) for answer in [*answers, *trace.others])


def _readings(trace: Trace) -> list[Answer]:
    return [*trace.readings, *(step.answer for step in trace.steps if step.answer)]
