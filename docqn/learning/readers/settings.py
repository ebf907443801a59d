"""Settings of the readers' trainings, and the presets."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Schedule:
    """How a training proceeds. The rate rises, stays, and falls to 0 in the end.

    Before the end nothing depends on how long it is, so that a training can be made longer while it goes on.
    """

    rate: float  # of Adam, at its height
    warmup: int  # steps until then
    steps: int  # in all
    decay_steps: int  # the last ones, with a falling rate
    weight_decay: float = 0.01  # of matrices
    clip: float = 1.0  # longest gradient
    ema: float = 0.999  # decay of the average of the weights, which is what is exported
    save_minutes: float = 10.0  # between saved states

    def rate_at(self, step: int) -> float:
        """The rate of a step, counted from 0."""
        rate = self.rate * min(1.0, (step + 1) / max(1, self.warmup))
        begin = self.steps - self.decay_steps
        if self.decay_steps and step >= begin:
            rate *= max(0.0, 1 - (step - begin) / self.decay_steps)
        return rate


@dataclass(frozen=True)
class TransformerSettings(Schedule):
    """The transformer reader. Without a corpus: two epochs of SQuAD."""

    rate: float = 5e-5
    warmup: int = 200
    steps: int = 5474
    decay_steps: int = 800
    head_factor: float = 5.0  # the span head begins at random and learns this much faster
    dropout: float = 0.1
    seed: int = 1
    batch: int = 32  # questions a step
    budget: int = 1400  # tokens at once
    negatives: float = 1 / 3  # paragraphs without answer beside that of a question of SQuAD, on average
    answerable_weight: float = 0.5  # of the loss of the answerability head, each pair by itself …
    ranking_weight: float = 0.5  # … and against the other pairs of its question
    squad_share: float = 0.25  # of the questions, where there is a corpus too
    golds: int = 2  # most paragraphs with an answer string, of a corpus's question …
    others: int = 3  # … and without
    coverage: float = 0.3  # a corpus's pairs below it are left out: their answer strings rarely stand for an answer


@dataclass(frozen=True)
class RasorSettings(Schedule):
    """RaSoR. Without a corpus: SQuAD."""

    rate: float = 1e-3
    warmup: int = 200
    steps: int = 20_000
    decay_steps: int = 4_000
    weight_decay: float = 0.0
    clip: float = 5.0
    hidden: int = 100  # of each direction of an LSTM
    layers: int = 2  # of the LSTM over the passage
    feedforward: int = 100  # hidden layer of what scores spans and aligns words
    dropout: float = 0.2
    seed: int = 1
    batch: int = 40  # questions a step
    words: int = 400_000  # of the vector file, which has the frequent ones first; their vectors stay as they are
    own_words: int = 1_000  # the most frequent of the others, with a vector of their own that is learnt …
    buckets: int = 1_000  # … and vectors that all the rest share
    span_loss: bool = False  # every span judged by itself, in place of one distribution over all
    first_tokens: int = 0  # of each document, in place of its paragraphs; 0: a question has its own paragraph
    longest: int = 400  # tokens of a passage; what is beyond is cut off in training


PRESETS: dict[str, TransformerSettings | RasorSettings] = {
    "transformer": TransformerSettings(),
    "rasor-squad": RasorSettings(),
    "rasor-first400": RasorSettings(first_tokens=400),
}

_FREE = ("steps", "decay_steps", "save_minutes")  # may change when a training goes on


def fixed(settings: Schedule) -> dict[str, Any]:
    """The settings that make a training what it is."""
    return {name: value for name, value in asdict(settings).items() if name not in _FREE}
