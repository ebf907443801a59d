"""Bidirectional LSTMs over padded batches that give each sequence what it would get alone."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from docqn.network.dropout import ByteDropout


def reversed_within(x: Tensor, length: Tensor) -> Tensor:
    """[batch, time, d]: each sequence backwards, its padding still at the end. Its own inverse."""
    time = torch.arange(x.shape[1], device=x.device)
    source = (length[:, None] - 1 - time).where(time < length[:, None], time)
    return x.gather(1, source[:, :, None].expand_as(x))


class BiLSTM(nn.Module):
    """Stacked; the outputs of both directions are joined after every layer. Padding comes last in both, so it never
    reaches a real position and nothing need be packed, which would be slower on a CPU. The weights may be bf16."""

    def __init__(self, inputs: int, hidden: int, layers: int) -> None:
        super().__init__()
        widths = [inputs] + [2 * hidden] * (layers - 1)
        self.ahead = nn.ModuleList(nn.LSTM(width, hidden, batch_first=True) for width in widths)
        self.back = nn.ModuleList(nn.LSTM(width, hidden, batch_first=True) for width in widths)

    def forward(self, x: Tensor, length: Tensor, drop: ByteDropout | None = None) -> Tensor:
        """[batch, time, inputs] → [batch, time, 2 · hidden], float32."""
        for ahead, back in zip(self.ahead, self.back, strict=True):
            x = (drop(x) if drop else x).to(next(ahead.parameters()).dtype)
            forth, _ = ahead(x)
            backward, _ = back(reversed_within(x, length))
            x = torch.cat([forth, reversed_within(backward, length)], dim=2)
        return x.float()
