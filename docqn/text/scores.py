"""Exact match and F1 of an answer, by the official rules of TriviaQA and SQuAD: the best over the right answers."""

from collections import Counter
from collections.abc import Callable, Iterable

from docqn.errors import DocqnError
from docqn.text.answers import normalize_squad, normalize_triviaqa

Normalize = Callable[[str], str]

NORMALIZATIONS: dict[str, Normalize] = {"triviaqa": normalize_triviaqa, "squad": normalize_squad}


def normalization(name: str) -> Normalize:
    """How a data set compares answers."""
    if name not in NORMALIZATIONS:
        raise DocqnError(f"{name!r} is not a normalisation of answers; choose {', '.join(NORMALIZATIONS)}")
    return NORMALIZATIONS[name]


def exact_match(answer: str, golds: Iterable[str], normalize: Normalize = normalize_triviaqa) -> float:
    """1 if the answer is the same as a right one once both are normalised."""
    given = normalize(answer)
    return float(any(given == normalize(gold) for gold in golds))


def f1(answer: str, golds: Iterable[str], normalize: Normalize = normalize_triviaqa) -> float:
    """The largest overlap in normalised words, as the harmonic mean of precision and recall."""
    given = Counter(normalize(answer).split())
    return max((_f1(given, normalize(gold).split()) for gold in golds), default=0.0)


def _f1(given: Counter[str], gold: list[str]) -> float:
    if given.keys().isdisjoint(gold):  # as most are; counting takes longer
        return 0.0
    return 2 * (given & Counter(gold)).total() / (given.total() + len(gold))
