"""Sizes of the Q-network; the paper's by default."""

from __future__ import annotations

from dataclasses import dataclass

from docqn.environment.features import NODE_FEATURES
from docqn.environment.match import MATCH_FEATURES

ENCODERS = ("lstm", "mlp")  # of questions and observations: the paper's, and one that looks at each word by itself


@dataclass(frozen=True)
class Sizes:
    """What makes a network, besides its weights."""

    word: int = 300  # dimensions of the word vectors, which are given
    buckets: int = 1000  # vectors that words without one share, which are learnt
    encoder: str = "lstm"
    hidden: int = 300  # of every LSTM, in each direction
    attention: int = 300  # hidden layer of what weighs the words
    character: int = 20  # dimensions of a character's vector
    filters: int = 100  # of the convolution over the characters of a word
    width: int = 5  # of these filters
    joint: int = 512  # layer over everything
    branch: int = 256  # hidden layer of value and advantage
    dropout: float = 0.2
    match: bool = False  # φn tells what matches besides, which is not the paper's

    @property
    def told(self) -> int:
        """What is told of a word: its vector, and what its characters say."""
        return self.word + self.filters

    @property
    def features(self) -> int:
        """What is told of a node: φn, and what matches."""
        return NODE_FEATURES + MATCH_FEATURES * self.match

    @property
    def asked(self) -> int:
        """Width of a question's encoding."""
        return 2 * self.hidden if self.encoder == "lstm" else self.hidden
