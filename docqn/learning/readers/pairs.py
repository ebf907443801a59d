"""What a span reader is trained on: groups of pairs of a question and a passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docqn.readers.neural.tokenization import Tokenization
from docqn.readers.neural.windows import Window
from docqn.text.wordpiece import Ints

Spans = NDArray[np.int64]  # [spans, 2]: first and last token

NO_SPANS: Spans = np.zeros((0, 2), np.int64)


class Pair(NamedTuple):
    """Question and window as the network reads them; `spans` may be the answer, there are none where there is none."""

    ids: NDArray[np.int64]
    passage_at: int  # where the window's tokens begin; the last token is none of them
    spans: Spans


class Group(NamedTuple):
    """The pairs of a question, whose spans compete with each other."""

    pairs: list[Pair]
    support: float | None = None  # chance that an answer string stands for an answer; None: it does


def token_span(offsets: Ints, first: int, last: int) -> tuple[int, int] | None:
    """First and last of the tokens that touch the characters from `first` until before `last`."""
    touching = np.nonzero((offsets[:, 1] > first) & (offsets[:, 0] < last))[0]
    return (int(touching[0]), int(touching[-1])) if len(touching) else None


def pair(tokenization: Tokenization, question: Ints, passage: Ints, window: Window, spans: Spans) -> Pair:
    """The pair of a question and a window of a passage, with those spans that lie in the window."""
    ids, at = tokenization.join(question, passage[window.first : window.end])
    inside = spans[(spans[:, 0] >= window.first) & (spans[:, 1] < window.end)]
    return Pair(ids.astype(np.int64), at, inside + (at - window.first))


def batches(groups: Sequence[Group], budget: int) -> Iterator[list[Group]]:
    """The groups in runs of about the same number of tokens, about `budget`."""
    sizes = np.array([sum(len(pair.ids) for pair in group.pairs) for group in groups])
    share = sizes.sum() / max(1, round(sizes.sum() / budget))
    place = ((np.cumsum(sizes) - sizes / 2) / share).astype(int)
    for number in np.unique(place):
        yield [group for group, at in zip(groups, place, strict=True) if at == number]
