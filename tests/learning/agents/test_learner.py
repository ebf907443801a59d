"""An update against what the formulas say of each transition by itself; schedules; copies to the target network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from docqn.environment.actions import ANSWER, STOP
from docqn.environment.mdp import States
from docqn.learning.agents.learner import Floats
from docqn.learning.agents.run import Run
from docqn.learning.agents.settings import AgentSettings
from docqn.learning.replay import Sample
from tests.learning.agents.small import CPU, QUICK, after

Start = Callable[..., Path]


def made(start: Start, **changes: object) -> Run:
    return Run(start(settings=replace(QUICK, **changes)), CPU)  # type: ignore[arg-type]


def sample_of(run: Run, count: int = 60) -> Sample:
    """States of all kinds with all legal actions, some at the last step."""
    environment, rng = run.trainer.learner._maker.environment, np.random.default_rng(5)
    task = rng.integers(len(environment.tasks), size=count)
    sizes = np.diff(environment.trees.first)[environment.tasks.document[task]]
    step = rng.integers(environment.limit, size=count).astype(np.int32)
    step[::4] = environment.limit - 1
    states = States(task, rng.integers(sizes).astype(np.int32), step, np.zeros(count, bool))
    legal = environment.legal(states)
    action = (rng.random(legal.shape) * legal).argmax(1)
    action[::5] = STOP
    return Sample(np.arange(count), states, action, np.ones(count, np.float32))


@pytest.mark.parametrize("coupled", [False, True])
def test_errors_are_those_of_the_formula(coupled: bool, start: Start) -> None:
    run = made(start, dropout=0.0, coupled=coupled)
    learner = run.trainer.learner
    with torch.no_grad():
        for weight in learner.target.parameters():
            weight.mul_(1.5)  # so that the two networks differ
    environment, sample = learner._maker.environment, sample_of(run)
    expected, kinds = [], set()
    for row in range(len(sample.action)):
        one = sample.states.take(np.arange(len(sample.action)) == row)
        action = int(sample.action[row])
        following, outcome = environment.step(one, sample.action[row : row + 1])
        goal = float(outcome.reward[0])
        if action != STOP and one.step[0] + 1 < environment.limit:
            legal = np.flatnonzero(environment.legal(following)[0])
            assert not coupled or ANSWER not in legal
            best = max(legal, key=lambda a: learner.values(following)[0, a])
            goal += 0.996 * float(learner.target(learner._batch(following))[0, best])
        kinds.add((action == STOP, one.step[0] + 1 < environment.limit))
        expected.append(float(learner.values(one)[0, action]) - goal)
    assert len(kinds) == 4
    error, told = learner.update(sample, 0.0)
    assert error == pytest.approx(expected, abs=1e-4)
    huber = [e * e / 2 if abs(e) <= 1 else abs(e) - 0.5 for e in expected]
    assert told["loss"] == pytest.approx(np.mean(huber), abs=1e-4)


@pytest.mark.parametrize("coupled", [False, True])
def test_every_action_of_a_state_may_be_learnt_from_at_once(coupled: bool, start: Start) -> None:
    one = made(start, dropout=0.0, coupled=coupled).trainer.learner
    run = made(lambda settings: start("every", settings), dropout=0.0, coupled=coupled, backup="every")
    learner, sample = run.trainer.learner, sample_of(run, 30)
    for parts in (learner, one):
        with torch.no_grad():
            for weight in parts.target.parameters():
                weight.mul_(1.5)
    weights = np.random.default_rng(3).random(30).astype(np.float32)
    legal = learner._maker.environment.legal(sample.states)
    expected, losses = [], []
    for row in range(30):
        single = sample.states.take(np.arange(30) == row)
        errors = []
        for action in np.flatnonzero(legal[row]).tolist():
            drawn = Sample(np.zeros(1, np.int64), single, np.array([action]), np.ones(1, np.float32))
            errors.append(float(one.update(drawn, 0.0)[0][0]))
        expected.append(max(errors, key=abs))
        huber = [e * e / 2 if abs(e) <= 1 else abs(e) - 0.5 for e in errors]
        losses.append(weights[row] * np.mean(huber))
    assert len(set(legal.sum(1).tolist())) > 1
    error, told = learner.update(sample._replace(weight=weights), 0.0)
    assert error == pytest.approx(expected, abs=1e-4)
    assert told["loss"] == pytest.approx(np.mean(losses), abs=1e-4)


def test_learning_from_every_action_draws_fewer_states(start: Start) -> None:
    run = made(start, backup="every", batch=64)
    trainer = run.trainer
    drawn: list[int] = []
    update = trainer.learner.update

    def spied(sample: Sample, rate: float) -> tuple[Floats, dict[str, float]]:
        drawn.append(len(sample.action))
        return update(sample, rate)

    trainer.learner.update = spied  # type: ignore[method-assign]
    while not drawn:
        trainer.advance(lambda: False)
    assert set(drawn) == {9}
    assert [AgentSettings(backup="every", batch=batch).drawn for batch in (1, 7, 512)] == [1, 1, 73]


def test_the_average_of_the_weights_follows_them(start: Start) -> None:
    plain = made(start)
    run = made(lambda settings: start("averaged", settings), ema=0.75)
    learner, sample = run.trainer.learner, sample_of(run)
    assert plain.trainer.learner.average is None
    expected = [weight.detach().numpy().astype(np.float64) for weight in learner.online.parameters()]
    for _ in range(5):
        error, told = learner.update(sample, 1e-2)
        without, told_without = plain.trainer.learner.update(sample, 1e-2)
        assert (error == without).all()  # it takes no part in learning
        assert told == told_without
        weights = [weight.detach().numpy().astype(np.float64) for weight in learner.online.parameters()]
        expected = [0.75 * old + 0.25 * new for old, new in zip(expected, weights, strict=True)]
    averaged = [weight.numpy() for weight in learner.kept.parameters()]
    for found, mean in zip(averaged, expected, strict=True):
        assert found == pytest.approx(mean, abs=1e-6)
    assert any((a != b.detach().numpy()).any() for a, b in zip(averaged, learner.online.parameters(), strict=True))
    values = run._values_of(learner._maker)(sample.states)
    batch = learner._batch(sample.states)
    assert values == pytest.approx(learner.kept(batch).numpy(), abs=1e-5)
    assert np.abs(values - learner.values(sample.states)).max() > 1e-4


def test_an_update_learns_and_leaves_the_target_alone(start: Start) -> None:
    learner = made(start).trainer.learner
    sample = sample_of(made(lambda settings: start("other", settings)))
    before = [weight.clone() for weight in learner.target.parameters()]
    losses = [learner.update(sample, 2e-3)[1]["loss"] for _ in range(40)]
    assert losses[-1] < losses[0] / 2
    assert all((a == b).all() for a, b in zip(before, learner.target.parameters(), strict=True))
    learner.copy_to_target()
    pairs = zip(learner.online.parameters(), learner.target.parameters(), strict=True)
    assert all((a == b).all() for a, b in pairs)


def test_only_what_is_learnt_from_is_dropped(start: Start) -> None:
    run = made(start, dropout=0.5)
    learner, sample = run.trainer.learner, sample_of(run)
    assert (learner.values(sample.states) == learner.values(sample.states)).all()
    first, second = (learner.update(sample, 0.0)[0] for _ in range(2))
    assert np.abs(first - second).max() > 1e-3
    calm = made(lambda settings: start("calm", settings), dropout=0.0).trainer.learner
    assert (calm.update(sample, 0.0)[0] == calm.update(sample, 0.0)[0]).all()


def test_schedules_begin_when_learning_does(start: Start) -> None:
    paper = AgentSettings()
    trainer = made(start).trainer
    trainer.settings = paper
    for step, epsilon, sampling, beta in (
        (0, 1.0, 1.0, 0.4),
        (50_000, 1.0, 1.0, 0.4),
        (650_000, 0.55, 0.75, 0.7),
        (1_250_000, 0.1, 0.5, 1.0),
        (4_000_000, 0.1, 0.5, 1.0),
    ):
        trainer.step = step
        assert (trainer.epsilon, trainer.sampling, trainer.beta) == pytest.approx((epsilon, sampling, beta))
        assert trainer.rate == 1e-4
    trainer.settings = replace(paper, decay_steps=1_000_000)
    trainer.step = 3_500_000
    assert trainer.rate == pytest.approx(5e-5)


@pytest.mark.parametrize(("updates", "earned"), [("turn", "turns"), ("step", "steps")])
def test_updates_are_one_a_turn_or_one_a_step_once_there_is_enough_to_learn_from(
    updates: str, earned: str, start: Start
) -> None:
    run = made(start, updates=updates, sampling=1.0, sampling_end=1.0)  # each turn is five sampled states
    run.train(resume=False, stop=after(4))
    assert (run.trainer.step, run.trainer.updates) == (
        160,
        0,
    )  # four times eight turns; the first 200 steps are for memory
    trainer = run.trainer
    while trainer.step <= 400:
        trainer.advance(lambda: False)
    learnt = sum(1 for step in range(40, trainer.step + 1, 40) if step > 200)
    assert trainer.updates == learnt * (8 if earned == "turns" else 40)
