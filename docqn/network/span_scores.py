"""Scores of all spans of a passage: one hidden layer over the states of their first and last tokens.

The layer is linear before its ReLU, so start and end parts are computed once a token and added for each span. Nor are
all those sums held: a passage at a time stays in the processor's cache, and they are computed again for the gradient.
Measured for 40 passages of 150 tokens, 100 units, forward and backward: 2.7 ms each, against 5.5 for the tensor of all.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

IMPOSSIBLE = -1e30  # score of a span that reaches beyond the passage


def span_scores(start: Tensor, end: Tensor, weight: Tensor, length: Tensor, longest: int) -> Tensor:
    """[batch, time, longest]: scores of the spans from each token to itself, to the next one and so on.

    `start` and `end` are [batch, time, hidden], `weight` is [batch, hidden].
    """
    if start.is_cuda:
        scores = _all_at_once(start, end, weight, longest)
    else:
        scores = _SpanScores.apply(start, end, weight, length.tolist(), longest)  # type: ignore[no-untyped-call]
    last = torch.arange(start.shape[1], device=length.device)[:, None] + torch.arange(longest, device=length.device)
    return scores.masked_fill(last >= length[:, None, None], IMPOSSIBLE)


def _all_at_once(start: Tensor, end: Tensor, weight: Tensor, longest: int) -> Tensor:
    """By the tensor of all sums: a GPU has room for it, and no time for thousands of small steps."""
    ends = F.pad(end, (0, 0, 0, longest - 1)).unfold(1, longest, 1)  # [batch, time, hidden, longest]
    return torch.einsum("bthl,bh->btl", (start[..., None] + ends).relu(), weight)


class _SpanScores(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, start: Tensor, end: Tensor, weight: Tensor, lengths: list[int], longest: int) -> Tensor:
        out = start.new_zeros(start.shape[0], start.shape[1], longest)
        for row, length in enumerate(lengths):
            for apart in range(min(longest, length)):
                hidden = (start[row, : length - apart] + end[row, apart:length]).relu_()
                out[row, : length - apart, apart] = torch.mv(hidden, weight[row])
        ctx.save_for_backward(start, end, weight)
        ctx.lengths = lengths
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor, None, None]:
        (grad,) = grads
        start, end, weight = ctx.saved_tensors
        to_start, to_end, to_weight = torch.zeros_like(start), torch.zeros_like(end), torch.zeros_like(weight)
        for row, length in enumerate(ctx.lengths):
            for apart in range(min(grad.shape[2], length)):
                hidden = (start[row, : length - apart] + end[row, apart:length]).relu_()
                share = grad[row, : length - apart, apart].contiguous()
                to_weight[row] += torch.mv(hidden.t(), share)
                part = torch.outer(share, weight[row]).mul_(hidden > 0)
                to_start[row, : length - apart] += part
                to_end[row, apart:length] += part
        return to_start, to_end, to_weight, None, None
