"""RaSoR: every span's score by its definition, padding that changes nothing, and that it can learn."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from docqn.network.dropout import ByteDropout
from docqn.network.rasor import Batch, Rasor, RasorSizes, question_loss, span_loss
from docqn.network.recurrent import BiLSTM, reversed_within
from docqn.network.span_scores import IMPOSSIBLE, _all_at_once, span_scores
from docqn.readers.neural.rasor_graph import rasor_graph
from docqn.readers.neural.session import Session

SIZES = RasorSizes(vector=8, hidden=6, layers=2, feedforward=7, learnt=5, longest=4)
LENGTHS, ASKED = torch.tensor([9, 4, 1]), torch.tensor([3, 5, 1])


@pytest.fixture
def rasor() -> Rasor:
    torch.manual_seed(0)
    return Rasor(SIZES)


@pytest.fixture
def known() -> Tensor:
    return torch.randn(20, 8, generator=torch.Generator().manual_seed(1)).half()


def batch() -> Batch:
    generator = torch.Generator().manual_seed(2)
    passage = torch.randint(0, 25, (3, 9), generator=generator)
    return Batch(passage, LENGTHS, torch.randint(0, 25, (3, 5), generator=generator), ASKED)


def naive(rasor: Rasor, known: Tensor, passage: Tensor, question: Tensor) -> dict[tuple[int, int], float]:
    """The score of every span of one passage, as the papers define it: a hidden layer over [start; end]."""

    def vector(word: int) -> Tensor:
        return known[word].float() if word < 20 else rasor.learnt.weight[word - 20]

    told = torch.stack([vector(word) for word in passage.tolist()])
    asked = torch.stack([vector(word) for word in question.tolist()])
    aligned = []
    for word in told:
        likeness = torch.stack([rasor.align(word).relu() @ rasor.align(other).relu() for other in asked])
        aligned.append((likeness.softmax(0)[:, None] * asked).sum(0))
    states = bidirectional(rasor.question, asked)
    weights = torch.stack([rasor.attention(rasor.attend(state).relu()) for state in states]).softmax(0)
    whole = (weights * states).sum(0)
    told = torch.stack([torch.cat([word, near, whole]) for word, near in zip(told, aligned, strict=True)])
    states = bidirectional(rasor.passage, told)
    layer = nn.Linear(24, 7)
    layer.weight.data = torch.cat([rasor.start.weight, rasor.end.weight], dim=1)
    layer.bias.data = rasor.start.bias
    count = len(passage)
    return {
        (i, j): rasor.score(layer(torch.cat([states[i], states[j]])).relu()).item()
        for i in range(count)
        for j in range(i, min(i + SIZES.longest, count))
    }


def bidirectional(lstms: BiLSTM, x: Tensor) -> Tensor:
    """By torch's own bidirectional LSTM, layer for layer."""
    for ahead, back in zip(lstms.ahead, lstms.back, strict=True):
        theirs = nn.LSTM(x.shape[1], SIZES.hidden, bidirectional=True)
        for name, weight in ahead.named_parameters():
            getattr(theirs, name).data = weight.data
        for name, weight in back.named_parameters():
            getattr(theirs, f"{name}_reverse").data = weight.data
        x, _ = theirs(x)
    return x


def test_every_span_scores_what_the_papers_say(rasor: Rasor, known: Tensor) -> None:
    asked = batch()
    scores = rasor(asked, known)
    for row, (length, words) in enumerate(zip(LENGTHS.tolist(), ASKED.tolist(), strict=True)):
        expected = naive(rasor, known, asked.passage[row, :length], asked.question[row, :words])
        for i in range(9):
            for apart in range(SIZES.longest):
                found = scores[row, i, apart].item()
                assert found == pytest.approx(expected.get((i, i + apart), IMPOSSIBLE), rel=1e-4, abs=1e-5)


def test_the_way_of_gpus_gives_what_the_way_of_processors_gives() -> None:
    generator = torch.Generator().manual_seed(3)
    start, end = (torch.randn(3, 9, 7, generator=generator) for _ in range(2))
    weight = torch.randn(3, 7, generator=generator)
    inside = (torch.arange(9)[:, None] + torch.arange(4))[None] < LENGTHS[:, None, None]
    found = _all_at_once(start, end, weight, 4).where(inside, torch.tensor(IMPOSSIBLE))
    assert torch.allclose(found, span_scores(start, end, weight, LENGTHS, 4), atol=1e-5)


def test_padding_changes_nothing(rasor: Rasor, known: Tensor) -> None:
    asked = batch()
    scores = rasor(asked, known)
    for row, (length, words) in enumerate(zip(LENGTHS.tolist(), ASKED.tolist(), strict=True)):
        part = slice(row, row + 1)
        alone = Batch(asked.passage[part, :length], LENGTHS[part], asked.question[part, :words], ASKED[part])
        assert torch.allclose(rasor(alone, known)[0], scores[row, :length], atol=1e-5)
        assert (scores[row, length:] == IMPOSSIBLE).all()


def test_onnx_gives_what_torch_gives(rasor: Rasor, known: Tensor) -> None:
    asked = batch()
    weights = {name: weight.numpy() for name, weight in rasor.state_dict().items()}
    session = Session(rasor_graph(weights, SIZES.longest), Path("rasor"))
    with torch.inference_mode():
        expected = rasor(asked, known)
    for row, (length, words) in enumerate(zip(LENGTHS.tolist(), ASKED.tolist(), strict=True)):
        told = rasor.vectors(asked.passage[row, :length], known).detach().numpy()
        question = rasor.vectors(asked.question[row, :words], known).detach().numpy()
        (found,) = session.run([{"passage": told, "question": question}])
        possible = expected[row, :length] > IMPOSSIBLE / 2
        assert found["scores"][possible.numpy()] == pytest.approx(expected[row, :length][possible].numpy(), abs=1e-4)


def test_unknown_words_share_trained_vectors(rasor: Rasor, known: Tensor) -> None:
    found = rasor.vectors(torch.tensor([[0, 19, 20, 24]]), known)
    assert torch.equal(found[0, :2], known[[0, 19]].float())
    assert torch.equal(found[0, 2:], rasor.learnt.weight[[0, 4]])


def test_the_gradient_of_span_scores() -> None:
    torch.manual_seed(0)
    parts = [torch.randn(*shape, dtype=torch.double, requires_grad=True) for shape in ((2, 6, 3), (2, 6, 3), (2, 3))]
    start, end, weight = parts
    share = torch.randn(2, 6, 4, dtype=torch.double)
    ours = torch.autograd.grad((span_scores(start, end, weight, torch.tensor([6, 3]), 4) * share).sum(), parts)
    total = torch.zeros((), dtype=torch.double)
    for row, length in enumerate((6, 3)):
        for i in range(length):
            for apart in range(min(4, length - i)):
                total = total + ((start[row, i] + end[row, i + apart]).relu() @ weight[row]) * share[row, i, apart]
    theirs = torch.autograd.grad(total, parts)
    assert all(torch.allclose(a, b) for a, b in zip(ours, theirs, strict=True))


def test_the_losses_by_hand() -> None:
    scores = torch.tensor([[[1.0, 2.0], [3.0, IMPOSSIBLE]]])
    gold = torch.tensor([[[True, False], [True, False]]])
    total = np.exp([1, 2, 3]).sum()
    assert question_loss(scores, gold).item() == pytest.approx(-np.log(np.exp([1, 3]).sum() / total), rel=1e-5)
    expected = np.log1p(np.exp(-1)) + np.log1p(np.exp(2)) + np.log1p(np.exp(-3))
    assert span_loss(scores, gold).item() == pytest.approx(expected, rel=1e-5)


def test_reversing_twice_changes_nothing() -> None:
    x = torch.arange(24.0).view(2, 4, 3)
    length = torch.tensor([4, 2])
    once = reversed_within(x, length)
    assert torch.equal(once[1], x[1][[1, 0, 2, 3]])
    assert torch.equal(reversed_within(once, length), x)


@pytest.mark.parametrize("loss", [question_loss, span_loss])
def test_ten_examples_are_learnt_by_heart(loss: Callable[[Tensor, Tensor], Tensor]) -> None:
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(3)
    rasor = Rasor(RasorSizes(vector=16, hidden=16, layers=1, feedforward=16, learnt=5, longest=4))
    rasor.lower_precision()
    known = torch.randn(50, 16, generator=generator)
    passage = torch.randint(0, 50, (10, 12), generator=generator)
    asked = Batch(
        passage, torch.full((10,), 12), torch.randint(0, 50, (10, 4), generator=generator), torch.full((10,), 4)
    )
    gold = torch.zeros(10, 12, 4, dtype=torch.bool)
    gold[torch.arange(10), torch.arange(10) % 9, torch.arange(10) % 4] = True
    adam = torch.optim.Adam(rasor.parameters(), 2e-2)
    for step in range(80):
        adam.zero_grad()
        torch.autograd.backward(loss(rasor(asked, known, ByteDropout(0.1, step)), gold))
        adam.step()
    found = rasor(asked, known).flatten(1).argmax(1)
    assert torch.equal(found, gold.flatten(1).long().argmax(1))
