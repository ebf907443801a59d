"""What the transformer reader learns: where the answer stands, and whether the paragraph holds it.

Spans: the start scores of all passage tokens of a group go through one softmax, the end scores likewise (the shared
norm of Clark and Gardner), so that scores can be compared between paragraphs. The loss is −½ log of the sum of
p(start) · p(end) over the spans that may be the answer.

Answerability: cross-entropy of each pair. Where an answer string need not stand for an answer, only the pairs without
one are judged by themselves; of the others it is known with what chance (`support`) at least one answers.

Ranking: −log of the share of the paragraphs that hold an answer in the softmax of a group's answerability logits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from docqn.learning.readers.pairs import Group, Spans
from docqn.network.bert import SpanReader
from docqn.network.dropout import ByteDropout

Device = torch.device | str


class Losses(NamedTuple):
    """Sums over some groups."""

    span: Tensor
    answerable: Tensor
    ranking: Tensor


def losses(model: SpanReader, groups: Sequence[Group], drop: ByteDropout | None, device: Device = "cpu") -> Losses:
    """All three losses of some groups."""
    pairs = [pair for group in groups for pair in group.pairs]
    lengths = [len(pair.ids) for pair in pairs]
    positions = torch.cat([torch.arange(length) for length in lengths])
    each = torch.tensor(lengths)
    at = torch.tensor([pair.passage_at for pair in pairs]).repeat_interleave(each)
    outside = (positions < at) | (positions == (each - 1).repeat_interleave(each))
    ids = torch.cat([torch.from_numpy(pair.ids) for pair in pairs])
    scores = model.packed(ids.to(device), (positions >= at).long().to(device), lengths, drop)
    outside = outside.to(device)
    start = scores.start.masked_fill(outside, -torch.inf)
    end = scores.end.masked_fill(outside, -torch.inf)
    judged = scores.answerable
    return Losses(_span_loss(start, end, groups), _answerable_loss(judged, groups), _ranking_loss(judged, groups))


def _span_loss(start: Tensor, end: Tensor, groups: Sequence[Group]) -> Tensor:
    sizes = [sum(len(pair.ids) for pair in group.pairs) for group in groups]
    spans = [_spans(group) for group in groups]
    counts = [len(targets) for targets in spans]
    row = torch.arange(len(groups)).repeat_interleave(torch.tensor(counts)).to(start.device)
    first, last = torch.from_numpy(np.concatenate(spans)).to(start.device).unbind(1)
    log_start, log_end = (_table(part, sizes).log_softmax(1) for part in (start, end))
    joint = log_start[row, first] + log_end[row, last]
    weight = torch.tensor([0.5 if group.support is None else 0.5 * group.support for group in groups])
    return -(weight.to(start.device) * _table(joint, counts).logsumexp(1)).sum()


def _spans(group: Group) -> Spans:
    """Those of all pairs, counted in tokens of the group."""
    begins = np.cumsum([0, *(len(pair.ids) for pair in group.pairs[:-1])])
    return np.concatenate([pair.spans + begin for pair, begin in zip(group.pairs, begins, strict=True)])


def _table(values: Tensor, sizes: list[int]) -> Tensor:
    """[runs, longest]: runs of these sizes below each other, −inf where one is shorter."""
    return pad_sequence(list(torch.split(values, sizes)), batch_first=True, padding_value=-torch.inf)


def _answerable_loss(answerable: Tensor, groups: Sequence[Group]) -> Tensor:
    """Of sure pairs and of those without answer the cross-entropy; of the others that of `any of them answers`."""
    number = np.repeat(np.arange(len(groups)), [len(group.pairs) for group in groups])
    holds = np.array([len(pair.spans) > 0 for group in groups for pair in group.pairs])
    sure = np.array([group.support is None for group in groups])
    alone = torch.from_numpy(sure[number] | ~holds).to(answerable.device)
    told = torch.from_numpy(holds.astype(np.float32)).to(answerable.device)
    loss = F.binary_cross_entropy_with_logits(answerable[alone], told[alone], reduction="sum")
    unsure = np.flatnonzero(~sure)
    member = torch.from_numpy(((number == unsure[:, None]) & holds).astype(np.float32)).to(answerable.device)
    support = torch.tensor([groups[i].support for i in unsure.tolist()], device=answerable.device)
    none = member @ F.logsigmoid(-answerable)  # log of the chance that no pair of the group answers
    some = torch.log(-torch.expm1(none.clamp(max=-1e-6)))
    return loss - (support * some + (1 - support) * none).sum()


def _ranking_loss(answerable: Tensor, groups: Sequence[Group]) -> Tensor:
    holds = [torch.tensor([len(pair.spans) > 0 for pair in group.pairs]) for group in groups]
    logits = _table(answerable, [len(group.pairs) for group in groups])
    right = pad_sequence(holds, batch_first=True).to(answerable.device)
    share = logits.masked_fill(~right, -torch.inf).logsumexp(1) - logits.logsumexp(1)
    weight = torch.tensor([1.0 if group.support is None else group.support for group in groups])
    return -(weight.to(answerable.device) * share).sum()
