"""The training of RaSoR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from docqn.errors import DocqnError
from docqn.learning.readers.loop import Stop
from docqn.learning.readers.rasor_data import Batches, RasorExample
from docqn.learning.readers.settings import RasorSettings, fixed
from docqn.learning.readers.state import Master
from docqn.network.dropout import ByteDropout
from docqn.network.rasor import Batch, Rasor, question_loss, span_loss


class RasorTask:
    """See the module. The vectors of known words stay as they are."""

    def __init__(
        self,
        model: Rasor,
        settings: RasorSettings,
        known: Tensor,
        examples: Sequence[RasorExample],
        data: Mapping[str, str],
        device: torch.device,
    ) -> None:
        """`data` names what the examples are from, by their digests."""
        if not examples:
            raise DocqnError("there is nothing to train on: no passage of the data holds its answer")
        self.settings, self.device = settings, device
        self.model, self.known = model.to(device), known.to(device)
        self.batches = Batches(examples, settings.batch, settings.seed)
        self.master = Master(model, settings, lower=model.lower_precision)
        self.fixed = fixed(settings) | {"data": dict(data)}
        self.steps_per_epoch = self.batches.count

    def gradients(self, step: int, stop: Stop) -> dict[str, float] | None:
        settings = self.settings
        examples = self.batches.of(step)
        batch, gold = padded(examples, self.model.sizes.longest)
        batch, gold = Batch(*(part.to(self.device) for part in batch)), gold.to(self.device)
        seed = settings.seed * 1_000_003 + step
        drop = ByteDropout(settings.dropout, seed, self.device) if settings.dropout else None
        scores = self.model(batch, self.known, drop)
        loss = (span_loss if settings.span_loss else question_loss)(scores, gold)
        torch.autograd.backward(loss)
        return {"loss": loss.item(), "pairs": len(examples), "tokens": int(batch.length.sum())}

    def close(self) -> None:
        """Nothing works beside it."""


def padded(examples: Sequence[RasorExample], longest: int) -> tuple[Batch, Tensor]:
    """A batch, and which spans are right: [batch, time, longest]."""
    passage, length = _padded([example.passage for example in examples])
    question, question_length = _padded([example.question for example in examples])
    gold = torch.zeros(*passage.shape, longest, dtype=torch.bool)
    for row, example in enumerate(examples):
        first, last = torch.from_numpy(example.spans).unbind(1)
        gold[row, first, last - first] = True
    return Batch(passage, length, question, question_length), gold


def _padded(rows: Sequence[NDArray[np.int32]]) -> tuple[Tensor, Tensor]:
    lengths = np.array([len(row) for row in rows])
    table = np.zeros((len(rows), max(int(lengths.max()), 1)), np.int64)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return torch.from_numpy(table), torch.from_numpy(lengths)
