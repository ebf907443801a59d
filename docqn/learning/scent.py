"""Learns the scent: a conditional logistic loss, so that a document's paragraphs compete with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies.scent.features import FEATURES, Rarity, features
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import Scent, rarity_of


@dataclass(frozen=True)
class ScentSettings:
    """How it learns."""

    seed: int = 1
    hidden: int = 32
    epochs: int = 10
    batch: int = 32  # documents
    rate: float = 2e-3
    weight_decay: float = 1e-3
    dropout: float = 0.1
    coverage: float = 0.3  # pairs below it are left out: their answer strings rarely stand for an answer
    stems: int = 20_000  # most stems whose frequency is known; all others are as rare as the rarest of them

    def __post_init__(self) -> None:
        """What no training can go on with is said at once."""
        for name, value in asdict(self).items():
            least = int(isinstance(value, int) and name != "seed")
            most = 0.9 if name == "dropout" else inf
            if not least <= value <= most:
                raise DocqnError(
                    f"{name}={value}: is not {f'from {least} to {most}' if most < inf else f'{least} or more'}"
                )


class Frequencies(NamedTuple):
    """How rare the more frequent stems of some documents are."""

    stems: list[str]
    rare: NDArray[np.float32]  # ln((1 + n) / (1 + df))

    @property
    def rarity(self) -> Rarity:
        return rarity_of(self.stems, self.rare)


class Told(NamedTuple):
    """Pairs as features, one after the other."""

    features: NDArray[np.float32]
    holds: NDArray[np.bool_]  # an answer
    first: NDArray[np.int64]  # [pairs + 1]


Progress = Callable[[int, int], None]  # done, of how many


def _silent(done: int, all: int) -> None:
    """For those who do not watch."""


def frequencies(splits: Sequence[Split], most: int, progress: Progress = _silent) -> Frequencies:
    """Count the documents of the splits that hold each stem."""
    counts: Counter[str] = Counter()
    firsts = [(split, np.unique(split.document, return_index=True)) for split in splits]
    rows = {
        int(number): (split, int(row))
        for split, (numbers, at) in firsts
        for number, row in zip(numbers, at, strict=True)
    }
    for done, (split, row) in enumerate(rows.values(), 1):
        counts.update(index_of(split[row].document).number.keys())
        progress(done, len(rows))
    if not counts:
        raise DocqnError("there is nothing to learn from: no document has words")
    common = counts.most_common(most)
    rare = np.log((1 + len(rows)) / (1 + np.array([count for _, count in common], np.float64)))
    return Frequencies([one for one, _ in common], rare.astype(np.float32))


def told(splits: Sequence[Split], coverage: float, rarity: Rarity, progress: Progress = _silent) -> Told:
    """What the index tells of the pairs with enough coverage, without the questions that trainings leave out."""
    rows = [(split, row) for split in splits for row in _chosen(split, coverage)]
    parts, holds = [], []
    at, index = (-1, -1), None  # the document whose index is at hand
    for done, (split, row) in enumerate(rows, 1):
        pair = Pair.of(split[row])
        place = splits.index(split), int(split.document[row])
        if index is None or place != at:
            at, index = place, index_of(pair.document)
        good = np.isin(index.paragraph, pair.answers or ())
        if good.any() and not good.all():
            parts.append(features(index, pair.question, rarity).astype(np.float32))
            holds.append(good)
        progress(done, len(rows))
    if not parts:
        raise DocqnError("there is nothing to learn from: no pair has paragraphs with an answer and others")
    return Told(np.concatenate(parts), np.concatenate(holds), np.cumsum([0, *map(len, parts)]))


def _chosen(split: Split, coverage: float) -> list[int]:
    covered = np.nan_to_num(split.arrays["coverage"], nan=1.0) >= coverage
    out = np.array([held_out(id) for id in split.question_ids], np.bool_)[split.question]
    order: list[int] = np.argsort(split.document, kind="stable").tolist()  # documents are indexed once
    return [row for row in order if covered[row] and not out[row]]


def learn(data: Told, known: Frequencies, settings: ScentSettings, progress: Progress = _silent) -> Scent:
    """Train the network."""
    torch.manual_seed(settings.seed)
    mean, scale = data.features.mean(0), data.features.std(0) + np.float32(1e-6)
    x, holds = torch.from_numpy((data.features - mean) / scale), torch.from_numpy(data.holds)
    inner, outer = nn.Linear(len(FEATURES), settings.hidden), nn.Linear(settings.hidden, 1, bias=False)
    net = nn.Sequential(inner, nn.ReLU(), nn.Dropout(settings.dropout), outer)
    steps = list(_steps(data, settings))
    adam = torch.optim.AdamW(net.parameters(), settings.rate, weight_decay=settings.weight_decay)
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, len(steps))
    for done, pairs in enumerate(steps, 1):
        length = torch.from_numpy(data.first[pairs + 1] - data.first[pairs])
        rows = torch.cat([torch.arange(data.first[pair], data.first[pair + 1]) for pair in pairs.tolist()])
        adam.zero_grad()
        torch.autograd.backward(conditional_loss(net(x[rows]).squeeze(1), holds[rows], length))
        adam.step()
        falling.step()
        progress(done, len(steps))
    weight, bias, last = (part.detach().numpy().copy() for part in (inner.weight.T, inner.bias, outer.weight[0]))
    stems = np.frombuffer("\n".join(known.stems).encode(), np.uint8)
    return Scent(mean, scale, weight, bias, last, stems, known.rare)


def conditional_loss(logits: torch.Tensor, holds: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """−log of the share that the paragraphs with an answer have in the softmax of their document, on average."""
    each = torch.split(logits, length.tolist())
    table = nn.utils.rnn.pad_sequence(list(each), batch_first=True, padding_value=-torch.inf)
    good = nn.utils.rnn.pad_sequence(list(torch.split(holds, length.tolist())), batch_first=True)
    return (table.logsumexp(1) - table.masked_fill(~good, -torch.inf).logsumexp(1)).mean()


def _steps(data: Told, settings: ScentSettings) -> Iterator[NDArray[np.int64]]:
    """The pairs of each step."""
    rng = np.random.default_rng(settings.seed)
    for _ in range(settings.epochs):
        order = rng.permutation(len(data.first) - 1)
        yield from np.array_split(order, max(1, len(order) // settings.batch))
