"""Documents of about the size of a Wikipedia page, and an agent that walks them, to be timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from docqn.build import Block, build_document
from docqn.document import NONE, PARAGRAPH, Document
from docqn.environment.inputs import InputMaker, Inputs
from docqn.environment.mdp import States
from docqn.environment.observation import LONGEST, observed_words
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.predictions import Predictions
from docqn.environment.readings import Readings
from docqn.environment.starts import sample_states, start_distribution
from docqn.environment.wording import Wording
from docqn.learning.agents.batches import Lookup, batch_of
from docqn.learning.agents.explorer import Explorer
from docqn.learning.agents.learner import Learner
from docqn.learning.agents.settings import PRESETS, AgentSettings
from docqn.learning.replay import Sample
from docqn.network.observations import LstmObservation
from docqn.network.pooling import empty, pooled
from docqn.network.qnetwork import Batch, QNetwork
from docqn.readers.lexical import LexicalReader
from docqn.readers.neural.words import WordTable
from docqn.text.characters import LONGEST_WORD
from docqn.text.vectors import Words

CPU = torch.device("cpu")
DOCUMENTS = 64
BUCKET = 64  # observations of like length that are encoded together
VOCABULARY = 30_000  # words, drawn as Zipf found that they are
KNOWN = 0.9  # of them have a vector
VECTOR = {"docqn": 300, "docqn-small": 100}  # dimensions of word vectors beside which presets are used


class Agent(NamedTuple):
    """Of a preset, with all that it walks in."""

    settings: AgentSettings
    maker: InputMaker
    learner: Learner
    rng: np.random.Generator

    def explorer(self, cursors: int) -> Explorer:
        starts = start_distribution(self.settings.start)
        return Explorer(self.maker.environment, starts, cursors, self.settings.sampled, self.settings.seed)

    def batch(self, states: States) -> Batch:
        """What the network is given of some states."""
        return batch_of(self.maker.of(states), self.learner._lookup, CPU)

    def sample(self) -> Sample:
        """A batch as replay gives it: sampled states, each with a legal action."""
        environment, count = self.maker.environment, self.settings.batch
        task = self.rng.integers(len(environment.tasks), size=count)
        states: States = sample_states(start_distribution(self.settings.start), environment, task, self.rng)
        legal = environment.legal(states)
        action = (self.rng.random(legal.shape) * legal).argmax(1)
        return Sample(np.arange(count), states, action, np.ones(count, np.float32))


def agent(preset: str, encoder: str, pairs: list[Pair], seed: int) -> Agent:
    """An agent that has learnt nothing."""
    settings = replace(PRESETS[preset], encoder=encoder, seed=seed)
    wording = Wording.of_pairs(pairs, environment_of(pairs, limit=settings.limit))
    maker = InputMaker(wording, Predictions(Readings(LexicalReader(), pairs), pairs), settings.match)
    rng = np.random.default_rng(seed)
    known = [word for word in wording.words if rng.random() < KNOWN]
    width = VECTOR[preset]
    vectors = (0.3 * rng.normal(size=(len(known), width))).astype(np.float16)
    table = WordTable(Words(known, settings.buckets), vectors, np.zeros((settings.buckets, width), np.float16))
    torch.manual_seed(seed)
    network = QNetwork(settings.sizes(width))
    return Agent(settings, maker, Learner(network, settings, maker, Lookup(table, wording.words, CPU), CPU), rng)


def questions(seed: int) -> list[Pair]:
    """A question on each document."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, VOCABULARY + 1)
    share /= share.sum()
    spelling = ["".join(chr(97 + letter) for letter in rng.integers(26, size=rng.integers(3, 10))) for _ in share]

    def words(count: int) -> str:
        return " ".join(spelling[i] for i in rng.choice(VOCABULARY, count, p=share))

    return [Pair(f"Which {words(12)}?", document, answers=_answers(document)) for document in _documents(rng, words)]


Shape = tuple[int, int, int]  # of a product of matrices: m·k times k·n


def products(network: QNetwork, inputs: Inputs) -> list[tuple[Shape, int]]:
    """The products of a forward pass, from the sizes of what is encoded, and how often each is made."""
    sizes, states = network.sizes, len(inputs.node)
    told, hidden, gates, inner = sizes.told, sizes.hidden, 4 * sizes.hidden, sizes.attention
    lstm = sizes.encoder == "lstm"
    of_word = sizes.character * sizes.width
    found = [((len(inputs.words) * LONGEST_WORD, of_word, sizes.filters), 1)]

    def recurrent(rows: int, time: int, directions: int) -> list[tuple[Shape, int]]:
        return [((rows * time, told, gates), directions), ((rows, hidden, gates), directions * time)]

    for begin, end in zip(inputs.levels[:-1], inputs.levels[1:], strict=True):
        rows, time = end - begin, max(1, int(inputs.nodes.length[begin:end].max()))
        found += recurrent(rows, time, 1) if lstm else [((rows * time, hidden, hidden), 1)]
        found.append(((rows * time, hidden, inner), 1))
    rows, time = inputs.questions.word.shape
    if lstm:
        found += [*recurrent(rows, time, 2), ((rows * time, sizes.asked, inner), 1)]
    else:
        found += [((len(inputs.words), told, hidden), 2), ((len(inputs.words), hidden, hidden), 1)]
        found.append(((len(inputs.words), hidden, inner), 1))
    answered = int((inputs.answers.length > 0).sum())
    found += recurrent(answered, int(inputs.answers.length.max()), 1) if answered else []
    found.append(((states, network.joint.in_features, sizes.joint), 1))
    return [*found, ((states, network.value_hidden.in_features, sizes.branch), 2)]


def plain_observations(
    network: QNetwork, maker: InputMaker, place: NDArray[np.int64], *, padded: bool
) -> Callable[[torch.Tensor], torch.Tensor]:
    """Encodes all these observations by themselves, from the encoded words of the same inputs. They are `padded` to the
    longest that there may be, or to the longest of those of like length."""
    encoder = network.observation
    assert isinstance(encoder, LstmObservation)
    trees = maker.environment.trees
    document = (np.searchsorted(trees.first, place, side="right") - 1).astype(np.int32)
    words, length = observed_words(trees, maker.parents, place, document)
    distinct = maker.of(States(document.astype(np.int64), *_at_rest(place - trees.first[document]))).words
    order = np.argsort(length, kind="stable")
    number = np.searchsorted(distinct, np.where(words == NONE, distinct[0], words))
    parts = [order[at : at + BUCKET] for at in range(0, len(order), BUCKET)]
    times = [LONGEST if padded else max(1, int(length[rows].max())) for rows in parts]
    buckets = [
        (torch.from_numpy(number[rows, :time]), torch.from_numpy(length[rows]))
        for rows, time in zip(parts, times, strict=True)
    ]
    back = torch.from_numpy(np.argsort(order))

    def encode(encoded: torch.Tensor) -> torch.Tensor:
        found = []
        for word, count in buckets:
            states, _ = encoder.lstm(encoded[word])
            states = states.transpose(0, 1)
            real = torch.arange(len(states))[:, None] < count
            found.append(pooled(empty(len(word), states), states, encoder.attention(states), real).mean)
        return torch.cat(found)[back]

    return encode


def _at_rest(node: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    return node.astype(np.int32), np.zeros(len(node), np.int32), np.zeros(len(node), bool)


def _answers(document: Document) -> tuple[int, ...]:
    return tuple(np.flatnonzero(document.kind == PARAGRAPH)[2:4].tolist())


def _documents(rng: np.random.Generator, words: Callable[[int], str]) -> list[Document]:
    documents = []
    for _ in range(DOCUMENTS):
        blocks = []
        for level in (2, 3, 3, 2, 3, 4, 2, 3, 3, 2, 3, 2, 3, 4, 2):
            blocks.append(Block(words(3).capitalize(), level))
            for _ in range(int(rng.integers(2, 6))):
                sentences = [f"{words(int(rng.integers(8, 32))).capitalize()}." for _ in range(int(rng.integers(1, 6)))]
                blocks.append(Block(" ".join(sentences)))
        documents.append(build_document(blocks, source="bench", format="bench", title=words(2).capitalize()))
    return documents
