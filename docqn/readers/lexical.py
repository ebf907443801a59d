"""A reader without training: the name or number that stands closest to the words of the question.

It makes everything run before a neural reader exists, and is the floor that those have to beat.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.readers import Reading
from docqn.text.stop_words import STOP_WORDS
from docqn.text.tokens import token_spans

INNER = frozenset("of the de la van von der del di and &".split())  # may stand inside a name
NUMERIC = ("how many", "how much", "what year", "which year", "when", "what date", "how old", "how long", "how far")
REACH = 6.0  # tokens over which a question word loses half its pull
SHARPNESS = 2.0  # of the distribution over candidates
FITS = 0.5  # bonus for a number where one is asked for, or a name where not
REPEATS = 1.5  # price of a candidate that only repeats the question


def reader(argument: str = "") -> "LexicalReader":
    """The lexical reader; it takes no argument."""
    return LexicalReader()


class LexicalReader:
    """See the module."""

    fingerprint = "lexical-2"

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [_read(_asked(question), passage) for question, passage in zip(questions, passages, strict=True)]


class _Asked(NamedTuple):
    content: frozenset[str]  # its words, without those that say little
    numeric: bool  # whether a number is asked for


class _Words(NamedTuple):
    spans: list[tuple[int, int]]
    words: list[str]
    lowered: list[str]


@lru_cache(maxsize=1024)
def _asked(question: str) -> _Asked:
    content = {word for word in _words(question).lowered if word not in STOP_WORDS and word[0].isalnum()}
    return _Asked(frozenset(content), any(phrase in question.lower() for phrase in NUMERIC))


def _words(text: str) -> _Words:
    spans = [(a, b) for a, b in token_spans(text).tolist()]
    words = [text[a:b] for a, b in spans]
    return _Words(spans, words, [word.lower() for word in words])


def _read(asked: _Asked, passage: str) -> Reading:
    told = _words(passage)
    candidates = list(_names_and_numbers(told)) or list(_content_words(told))
    if not candidates:
        return Reading(0, 0, "", 0.0, 0.0, 0.0, len(told.words))

    pull = _pull(told.lowered, asked.content)
    scores = np.array([_score(told, span, pull, asked) for span in candidates])
    weights = np.exp(SHARPNESS * (scores - scores.max()))
    shares = weights / weights.sum()
    best = int(scores.argmax())
    first, end = candidates[best]
    start, stop = told.spans[first][0], told.spans[end - 1][1]
    entropy = float(-(shares * np.log(np.maximum(shares, 1e-12))).sum())
    coverage = len(asked.content.intersection(told.lowered)) / max(len(asked.content), 1)
    logit = float(scores[best]) + coverage
    return Reading(start, stop, passage[start:stop], logit, float(shares[best]) * coverage, entropy, len(told.words))


def _names_and_numbers(told: _Words) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, joined by `of` and the like, and numbers, as ranges of tokens."""
    at, count = 0, len(told.words)
    while at < count:
        end = at
        if told.words[at][0].isupper() and told.lowered[at] not in STOP_WORDS:
            end = at + 1
            while end < count and _continues(told, end):
                end += 1
        elif told.words[at][0].isdigit():
            end = at + 1
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _continues(told: _Words, at: int) -> bool:
    """Whether a name goes on at this token: with a capital, or with an inner word before one."""
    return told.words[at][0].isupper() or (
        told.lowered[at] in INNER and at + 1 < len(told.words) and told.words[at + 1][0].isupper()
    )


def _content_words(told: _Words) -> Iterator[tuple[int, int]]:
    return ((i, i + 1) for i, word in enumerate(told.lowered) if word not in STOP_WORDS and word[0].isalnum())


def _pull(lowered: list[str], content: frozenset[str]) -> NDArray[np.float64]:
    """How strongly the question's words near each token pull: each word counts once, by its nearest use."""
    pull = np.zeros(len(lowered))
    here = np.arange(len(lowered))
    uses: dict[str, list[int]] = {}
    for i, word in enumerate(lowered):
        if word in content:
            uses.setdefault(word, []).append(i)
    for places in uses.values():
        use = np.array(places)
        at = np.searchsorted(use, here)
        before, after = use[np.maximum(at - 1, 0)], use[np.minimum(at, len(use) - 1)]
        nearest = np.minimum(np.abs(here - before), np.abs(after - here))
        pull += REACH / (REACH + nearest) / len(content)
    return pull


def _score(told: _Words, span: tuple[int, int], pull: NDArray[np.float64], asked: _Asked) -> float:
    first, end = span
    words = [word for word in told.lowered[first:end] if word not in INNER]
    repeated = sum(word in asked.content for word in words) / max(len(words), 1)
    fits = FITS if told.words[first][0].isdigit() == asked.numeric else 0.0
    return float(pull[first:end].max()) + fits - REPEATS * repeated
