"""The loss of double Q-learning: pure functions of Q-values."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def targets(reward: Tensor, ended: Tensor, online: Tensor, target: Tensor, legal: Tensor, discount: float) -> Tensor:
    """[n]: r + γ Q'(s', argmax Q(s', ·)), and r alone where the episode ended: the online network chooses among the
    legal actions, the target network judges. `online` and `target` are the two's values of s', [n, 7]."""
    chosen = online.masked_fill(~legal, -torch.inf).argmax(1)
    judged = target.gather(1, chosen[:, None]).squeeze(1)
    return reward + discount * judged * ~ended


def errors(values: Tensor, action: Tensor, target: Tensor) -> Tensor:
    """[n]: Q(s, a) − target."""
    return values.gather(1, action[:, None]).squeeze(1) - target


def loss(errors: Tensor, weight: Tensor, kind: str) -> Tensor:
    """The mean of the weighted losses: `squared`, as in the paper, or `huber`, whose gradient is at most 1."""
    zeros = torch.zeros_like(errors)
    each = (
        F.mse_loss(errors, zeros, reduction="none")
        if kind == "squared"
        else F.huber_loss(errors, zeros, reduction="none")
    )
    return (weight * each).mean()
