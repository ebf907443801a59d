"""The loss on cases computed by hand, and the schedules."""

from __future__ import annotations

import pytest
import torch

from docqn.learning.loss import errors, loss, targets
from docqn.learning.schedules import linear


def test_double_q_the_online_network_chooses_and_the_target_network_judges() -> None:
    online = torch.tensor([[1.0, 3.0, 2.0], [5.0, 1.0, 0.0], [0.0, 0.0, 9.0]])
    target = torch.tensor([[10.0, 20.0, 30.0], [-1.0, -2.0, -3.0], [7.0, 7.0, 7.0]])
    legal = torch.tensor([[True, True, True], [False, True, True], [True, True, True]])
    reward, ended = torch.tensor([-0.02, -0.06, 2.0]), torch.tensor([False, False, True])
    found = targets(reward, ended, online, target, legal, 0.5)
    assert found.tolist() == pytest.approx([-0.02 + 0.5 * 20, -0.06 + 0.5 * -2, 2.0])


def test_errors_are_of_the_action_that_was_taken() -> None:
    values = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert errors(values, torch.tensor([1, 0]), torch.tensor([1.5, 5.0])).tolist() == [0.5, -2.0]


def test_squared_and_huber_loss_are_weighted() -> None:
    error, weight = torch.tensor([0.5, -2.0, 0.0]), torch.tensor([1.0, 0.5, 1.0])
    assert loss(error, weight, "squared").item() == pytest.approx((0.25 + 0.5 * 4) / 3)
    assert loss(error, weight, "huber").item() == pytest.approx((0.5 * 0.25 + 0.5 * (2 - 0.5)) / 3)


def test_targets_carry_no_gradient_of_the_target_network() -> None:
    values = torch.tensor([[1.0, 2.0]], requires_grad=True)
    error = errors(values, torch.tensor([1]), torch.tensor([0.0]))
    loss(error, torch.ones(1), "squared").backward()
    assert values.grad is not None
    assert values.grad.tolist() == [[0.0, 4.0]]


def test_schedules_are_straight_and_end() -> None:
    assert [linear(1.0, 0.1, 90, step) for step in (0, 30, 90, 500)] == pytest.approx([1.0, 0.7, 0.1, 0.1])
    assert linear(0.4, 1.0, 0, 0) == 1.0
