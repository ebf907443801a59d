"""What the transformer reader learns: where the answer stands, and whether the paragraph holds it.

Spans: the start scores of all passage tokens of a group go through one softmax, the end scores likewise (the shared
norm of Clark and Gardner), so that scores can be compared between paragraphs. The loss is −½ log of the sum of
p(start) · p(end) over the spans that may be the answer.

Answerability: cross-entropy of each pair. Where an answer string need not stand for an answer, only the pairs without
one are judged by themselves; of the others it is known with what chance (`support`) at least one answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from docqn.learning.readers.pairs import Group
from docqn.network.bert import SpanReader, SpanScores
from docqn.network.dropout import ByteDropout


class Losses(NamedTuple):
    """Sums over some groups."""

    span: Tensor
    answerable: Tensor


def losses(model: SpanReader, groups: Sequence[Group], drop: ByteDropout | None) -> Losses:
    """Both losses of some groups."""
    pairs = [pair for group in groups for pair in group.pairs]
    lengths = [len(pair.ids) for pair in pairs]
    positions = torch.cat([torch.arange(length) for length in lengths])
    each = torch.tensor(lengths)
    at = torch.tensor([pair.passage_at for pair in pairs]).repeat_interleave(each)
    outside = (positions < at) | (positions == (each - 1).repeat_interleave(each))
    ids = torch.cat([torch.from_numpy(pair.ids) for pair in pairs])
    scores = model.packed(ids, (positions >= at).long(), lengths, drop)
    start = scores.start.masked_fill(outside, -torch.inf)
    end = scores.end.masked_fill(outside, -torch.inf)
    return Losses(_span_loss(start, end, groups), _answerable_loss(scores, groups))


def _span_loss(start: Tensor, end: Tensor, groups: Sequence[Group]) -> Tensor:
    loss = torch.zeros(())
    first = 0
    for group in groups:
        size = sum(len(pair.ids) for pair in group.pairs)
        rows = slice(first, first + size)
        log_start, log_end = start[rows].log_softmax(0), end[rows].log_softmax(0)
        targets = []
        offset = 0
        for pair in group.pairs:
            targets.append(torch.from_numpy(pair.spans) + offset)
            offset += len(pair.ids)
        spans = torch.cat(targets)
        joint = log_start[spans[:, 0]] + log_end[spans[:, 1]]
        loss = loss - (0.5 if group.support is None else 0.5 * group.support) * joint.logsumexp(0)
        first += size
    return loss


def _answerable_loss(scores: SpanScores, groups: Sequence[Group]) -> Tensor:
    """Of sure pairs and of those without answer the cross-entropy; of the others that of `any of them answers`."""
    pairs = [(pair, group.support is None) for group in groups for pair in group.pairs]
    holds = torch.tensor([len(pair.spans) > 0 for pair, _ in pairs])
    alone = torch.tensor([sure for _, sure in pairs]) | ~holds
    loss = F.binary_cross_entropy_with_logits(scores.answerable[alone], holds[alone].float(), reduction="sum")
    first = 0
    for group in groups:
        rows = slice(first, first + len(group.pairs))
        first += len(group.pairs)
        if group.support is not None:
            none = F.logsigmoid(-scores.answerable[rows][holds[rows]]).sum()  # log of the chance that none answers
            some = torch.log(-torch.expm1(none.clamp(max=-1e-6)))
            loss = loss - group.support * some - (1 - group.support) * none
    return loss
