"""Self-attention over words: each is weighed by a network of two layers. The sums can be gone on with."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

NOTHING = -1e4  # highest logit of no words


class Pool(NamedTuple):
    """Words seen so far, one row a sequence. What is summed is scaled by exp(−highest), so that it cannot overflow."""

    highest: Tensor  # [rows]: the highest logit
    weight: Tensor  # [rows]: sum of the words' exp(logit)
    total: Tensor  # [rows, d]: sum of the states by these weights

    @property
    def mean(self) -> Tensor:
        """[rows, d]: zeros where there was no word."""
        return self.total / self.weight.clamp(min=1e-9)[:, None]

    def take(self, rows: Tensor) -> Pool:
        return Pool(self.highest[rows], self.weight[rows], self.total[rows])


def empty(rows: int, like: Tensor) -> Pool:
    """No words yet; states as wide as these."""
    return Pool(like.new_full((rows,), NOTHING), like.new_zeros(rows), like.new_zeros(rows, like.shape[-1]))


class Attention(nn.Module):
    """Weighs states of words."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(width, hidden)
        self.weigh = nn.Linear(hidden, 1)

    def forward(self, states: Tensor) -> Tensor:
        """[…, d] → […]: logits."""
        logits: Tensor = self.weigh(torch.relu(self.hidden(states))).squeeze(-1)
        return logits


def pooled(before: Pool, states: Tensor, logits: Tensor, real: Tensor) -> Pool:
    """The pool with further words: states [time, rows, d], logits and whether a word is there [time, rows]."""
    logits = logits.masked_fill(~real, NOTHING)
    highest = torch.maximum(before.highest, logits.detach().amax(0)) if len(logits) else before.highest
    old = torch.exp(before.highest - highest)
    new = torch.exp(logits - highest) * real
    summed = torch.bmm(new.t().contiguous()[:, None], states.transpose(0, 1)).squeeze(1)  # by row, weights in one piece
    total = old[:, None] * before.total + summed
    return Pool(highest, old * before.weight + new.sum(0), total)
