"""The losses against their formulas, pair by pair."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from docqn.learning.readers.objective import losses
from docqn.learning.readers.pairs import NO_SPANS, Group, Pair, batches, token_span
from docqn.network.bert import SpanScores


class Fixed:
    """In place of the network: scores that were drawn before."""

    def __init__(self, tokens: int, pairs: int) -> None:
        generator = torch.Generator().manual_seed(tokens)
        draw = [torch.randn(count, generator=generator) for count in (tokens, tokens, pairs)]
        self.scores = SpanScores(*draw)

    def packed(self, ids: Tensor, segments: Tensor, lengths: list[int], drop: object) -> SpanScores:
        assert len(ids) == len(segments) == sum(lengths) == len(self.scores.start)
        return self.scores


def pair(tokens: int, at: int, *spans: tuple[int, int]) -> Pair:
    return Pair(np.arange(tokens), at, np.array(spans, np.int64) if spans else NO_SPANS)


GROUPS = [
    Group([pair(8, 3, (3, 4), (6, 6)), pair(6, 2)]),
    Group([pair(5, 2, (2, 3))]),
    Group([pair(7, 3, (4, 5)), pair(6, 3), pair(9, 3, (3, 3))], support=0.7),
]


def naive(scores: SpanScores) -> tuple[float, float, float]:
    """The three losses, by probabilities."""
    start, end, answerable = (part.double().numpy() for part in scores)
    span = judged = ranked = 0.0
    at = number = 0
    for group in GROUPS:
        starts: list[float] = []
        ends: list[float] = []
        right = []
        chances = []
        odds = np.exp(answerable[number : number + len(group.pairs)])
        holding = [len(one.spans) > 0 for one in group.pairs]
        ranked -= (group.support or 1.0) * np.log(odds[holding].sum() / odds.sum())
        for one in group.pairs:
            right += [
                (i - one.passage_at + len(starts), j - one.passage_at + len(starts)) for i, j in one.spans.tolist()
            ]
            inside = slice(at + one.passage_at, at + len(one.ids) - 1)
            starts += np.exp(start[inside]).tolist()
            ends += np.exp(end[inside]).tolist()
            at += len(one.ids)
            chance = 1 / (1 + np.exp(-answerable[number]))
            number += 1
            if group.support is None:
                judged -= np.log(chance if len(one.spans) else 1 - chance)
            elif len(one.spans):
                chances.append(chance)
            else:
                judged -= np.log(1 - chance)
        total = sum(starts[i] / sum(starts) * ends[j] / sum(ends) for i, j in right)
        span -= 0.5 * (group.support or 1.0) * np.log(total)
        if group.support is not None:
            some = 1 - np.prod([1 - chance for chance in chances])
            judged -= group.support * np.log(some) + (1 - group.support) * np.log(1 - some)
    return span, judged, ranked


def test_the_losses_are_those_of_their_formulas() -> None:
    model: Any = Fixed(sum(len(one.ids) for group in GROUPS for one in group.pairs), 6)
    found = losses(model, GROUPS, None)
    assert [loss.item() for loss in found] == pytest.approx(naive(model.scores), rel=1e-4)


def test_a_hopeless_judgement_gives_a_finite_loss() -> None:
    model: Any = Fixed(5, 1)
    model.scores.answerable.fill_(-80).requires_grad_()
    found = losses(model, [Group([pair(5, 2, (2, 3))], support=0.9)], None)
    torch.autograd.backward(found.answerable)
    assert torch.isfinite(found.answerable)
    assert torch.isfinite(model.scores.answerable.grad).all()


def test_batches_hold_all_groups_in_order() -> None:
    groups = [Group([pair(length, 2, (2, 2))]) for length in (9, 5, 30, 6, 6, 6, 40, 3)]
    made = list(batches(groups, 25))
    assert [group for batch in made for group in batch] == groups
    assert 3 <= len(made) <= 6
    assert list(batches(groups, 10_000)) == [groups]


def test_the_tokens_of_a_place() -> None:
    offsets = np.array([[0, 3], [4, 6], [6, 9]], np.int32)
    assert token_span(offsets, 4, 7) == (1, 2)
    assert token_span(offsets, 1, 2) == (0, 0)
    assert token_span(offsets, 3, 4) is None
