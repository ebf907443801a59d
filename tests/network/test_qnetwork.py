"""The Q-network against a plain one that encodes every state by itself, word after word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from docqn.document import NONE
from docqn.environment.forest import forest, own_words
from docqn.environment.observation import observed_parents
from docqn.network.dropout import ByteDropout
from docqn.network.observations import LstmObservation, MlpObservation, held, held_lstm
from docqn.network.pooling import Attention
from docqn.network.qnetwork import Batch, QNetwork
from docqn.network.sizes import ENCODERS, Sizes
from tests.environment.naive import World, environment
from tests.environment.test_observation import worlds

WORDS = 60


def sizes(encoder: str) -> Sizes:
    return Sizes(
        word=6,
        buckets=5,
        encoder=encoder,
        hidden=7,
        attention=5,
        character=3,
        filters=4,
        joint=9,
        branch=8,
        dropout=0.2,
    )


def network(encoder: str) -> QNetwork:
    torch.manual_seed(0)
    return QNetwork(sizes(encoder))


def batch_of(world: World, nodes: Sequence[int], seed: int = 0) -> Batch:
    """States at these nodes, with random words of all else."""
    rng = np.random.default_rng(seed)
    env = environment([world])
    wood = forest(observed_parents(env.trees), np.array(nodes, np.int64))
    word, length = own_words(env.trees, wood.place)
    n, questions = len(nodes), 2
    asked = rng.integers(0, WORDS, (questions, 6))
    asked_length = np.array([6, 3])
    answer_length = rng.integers(0, 4, n)

    def tensor(array: np.ndarray, dtype: torch.dtype = torch.int64) -> Tensor:
        return torch.tensor(array, dtype=dtype)

    return Batch(
        tensor(rng.normal(size=(WORDS, 6)), torch.float32),
        tensor(np.where(rng.random(WORDS) < 0.5, -1, rng.integers(0, 5, WORDS))),
        tensor(rng.integers(0, 200, (WORDS, 8))),
        (tensor(np.maximum(word, 0) % WORDS), tensor(length)),
        tensor(wood.entry(wood.above)),
        wood.first,
        tuple(max(1, int(length[a:b].max())) for a, b in zip(wood.first[:-1], wood.first[1:], strict=True)),
        (tensor(asked), tensor(asked_length)),
        (tensor(rng.integers(0, WORDS, (n, 4))), tensor(answer_length)),
        tensor(wood.entry(np.array(nodes, np.int64))),
        tensor(rng.integers(0, questions, n)),
        tensor(rng.normal(size=(n, 3)), torch.float32),
        tensor(rng.normal(size=(n, 23)), torch.float32),
    )


def plain_pool(attention: Attention, states: Tensor) -> Tensor:
    if not len(states):
        return torch.zeros(states.shape[1])
    return torch.softmax(attention(states), 0) @ states


def plain_observation(net: QNetwork, words: Tensor, parts: list[Tensor]) -> Tensor:
    """Of the words of each node on the path."""
    encoder = net.observation
    if isinstance(encoder, LstmObservation):
        whole = torch.cat(parts)
        states = encoder.lstm(words[whole][None])[0][0] if len(whole) else torch.zeros(0, encoder.width)
        return plain_pool(encoder.attention, states)
    assert isinstance(encoder, MlpObservation)
    states = torch.zeros(0, encoder.width)
    for part in parts:
        above = plain_pool(encoder.attention, states)
        states = torch.cat([states, torch.relu(encoder.outer(torch.relu(encoder.inner(words[part]) + above)))])
    return plain_pool(encoder.attention, states)


def plain_question(net: QNetwork, words: Tensor) -> Tensor:
    if net.question.recurrent is None:
        states = torch.relu(net.question.outer(torch.relu(net.question.inner(words))))
    else:
        (ahead,), (back,) = net.question.recurrent.ahead, net.question.recurrent.back
        states = torch.cat([ahead(words[None])[0][0], back(words.flip(0)[None])[0][0].flip(0)], 1)
    return plain_pool(net.question.attention, states)


def plain(net: QNetwork, batch: Batch, state: int) -> Tensor:
    """Q-values of one state."""
    unknown = batch.bucket >= 0
    vectors = torch.where(unknown[:, None], net.words.learnt.weight[batch.bucket.clamp(min=0)], batch.given)
    signs = torch.relu(net.words.filters(net.words.character(batch.character).transpose(1, 2))).amax(2)
    words = torch.cat([vectors, signs], 1)
    parts: list[Tensor] = []
    at = int(batch.node[state])
    while at != NONE:
        parts.insert(0, batch.nodes[0][at, : batch.nodes[1][at]])
        at = int(batch.above[at])
    asked = int(batch.question[state])
    question = plain_question(net, words[batch.questions[0][asked, : batch.questions[1][asked]]])
    said = words[batch.answers[0][state, : batch.answers[1][state]]]
    answer = net.answer(said[None])[0][0, -1] if len(said) else torch.zeros(net.sizes.hidden)
    told = torch.cat([question, plain_observation(net, words, parts), answer, batch.prediction[state]])
    joint = torch.cat([torch.relu(net.joint(told)), batch.features[state]])
    value = net.value(torch.relu(net.value_hidden(joint)))
    advantage = net.advantage(torch.relu(net.advantage_hidden(joint)))
    q: Tensor = value + advantage - advantage.mean()
    return q


@pytest.mark.parametrize("encoder", ENCODERS)
@given(world=worlds(), data=st.data())
@settings(max_examples=30, deadline=None)
def test_shared_prefixes_give_what_each_state_alone_would(encoder: str, world: World, data: st.DataObject) -> None:
    nodes = data.draw(st.lists(st.integers(0, len(world.parent) - 1), min_size=1, max_size=6))
    net, batch = network(encoder), batch_of(world, nodes)
    with torch.no_grad():
        values = net(batch)
        expected = torch.stack([plain(net, batch, state) for state in range(len(nodes))])
    assert values.shape == (len(nodes), 7)
    assert (values - expected).abs().max() < 1e-5


@pytest.mark.parametrize("encoder", ENCODERS)
def test_gradients_are_those_of_the_plain_network(encoder: str) -> None:
    words = [[1, 2, 3], [4, 5], list(range(6, 30)), [30], [31, 32, 33]]
    world = World([-1, 0, 1, 1, 0], [0, 1, 2, 2, 2], words=words)
    nodes = [2, 3, 4, 2, 1]
    net, batch = network(encoder), batch_of(world, nodes)
    weights = torch.tensor(np.random.default_rng(1).normal(size=(len(nodes), 7)), dtype=torch.float32)
    gradients = []
    for values in (net(batch), torch.stack([plain(net, batch, state) for state in range(len(nodes))])):
        net.zero_grad()
        (values * weights).sum().backward()
        gradients.append(
            {name: weight.grad.clone() for name, weight in net.named_parameters() if weight.grad is not None}
        )
    shared, alone = gradients
    assert shared.keys() == alone.keys() == {name for name, _ in net.named_parameters()}
    for name, gradient in shared.items():
        assert (gradient - alone[name]).abs().max() < 1e-4, name


def test_the_state_is_held_through_padding() -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(5, 7, batch_first=True)
    words, length = torch.randn(4, 6, 5), torch.tensor([6, 0, 3, 1])
    hidden, cell = torch.randn(4, 7), torch.randn(4, 7)
    real = torch.arange(6) < length[:, None]
    every = words.reshape(-1, 5)  # each a word of its own
    word = torch.arange(24).view(4, 6).masked_fill(~real, 24).t()
    states, last, last_cell = held_lstm(held(lstm, every), word, real.t(), hidden, cell)
    for row, count in enumerate(length.tolist()):
        expected, final, final_cell = [hidden[None, [row]]], hidden[None, [row]], cell[None, [row]]
        if count:
            expected, (final, final_cell) = lstm(words[[row], :count], (hidden[None, [row]], cell[None, [row]]))
            assert (states[:count, row] - expected[0]).abs().max() < 1e-6
        assert (last[row] - final[0, 0]).abs().max() < 1e-6
        assert (last_cell[row] - final_cell[0, 0]).abs().max() < 1e-6


def test_dropout_changes_values_and_its_absence_does_not() -> None:
    world = World([-1, 0], [0, 2], words=[[1, 2], [3, 4, 5]])
    net, batch = network("lstm"), batch_of(world, [0, 1])
    dropped = [net(batch, ByteDropout(0.5, seed)) for seed in (1, 1, 2)]
    assert torch.equal(dropped[0], dropped[1])
    assert not torch.allclose(dropped[0], dropped[2])
    assert torch.equal(net(batch), net(batch))


def test_the_paper_s_sizes() -> None:
    paper = Sizes()
    assert (paper.word, paper.hidden, paper.joint, paper.branch, paper.dropout) == (300, 300, 512, 256, 0.2)
    assert (paper.character, paper.filters, paper.width) == (20, 100, 5)
    net = QNetwork(paper)
    assert net.question.recurrent is not None
    assert net.joint.in_features == 600 + 300 + 300 + 3
    assert net.value_hidden.in_features == 512 + 23
    assert net.advantage.out_features == 7
