"""The learner: a network, its slower twin, and updates of the first by double Q-learning."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from docqn.environment.inputs import InputMaker
from docqn.environment.mdp import States
from docqn.learning.agents.batches import Lookup, batch_of
from docqn.learning.agents.settings import AgentSettings
from docqn.learning.loss import errors, loss, targets
from docqn.learning.replay import Sample
from docqn.network.dropout import ByteDropout
from docqn.network.qnetwork import Batch, QNetwork

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]
Values = Callable[[States], Floats]  # Q-values of states, [n, 7]


class Learner:
    """See the module."""

    def __init__(
        self, network: QNetwork, settings: AgentSettings, maker: InputMaker, lookup: Lookup, device: torch.device
    ) -> None:
        self.settings = settings
        # Copied first: a move packs an LSTM's weights.
        self.target = copy.deepcopy(network).to(device).requires_grad_(False)
        self.average = copy.deepcopy(network).to(device).requires_grad_(False) if settings.ema else None
        self.online = network.to(device)
        self.optimiser = torch.optim.RMSprop(self.online.parameters(), settings.rate)
        self.drop = ByteDropout(settings.dropout, settings.seed, device) if settings.dropout else None
        self._maker = maker
        self._lookup = lookup
        self._device = device

    @property
    def networks(self) -> dict[str, QNetwork]:
        """All whose weights change."""
        networks = {"online": self.online, "target": self.target}
        return networks if self.average is None else networks | {"average": self.average}

    @property
    def kept(self) -> QNetwork:
        """The network that is evaluated and kept."""
        return self.online if self.average is None else self.average

    @torch.no_grad()
    def values(self, states: States) -> Floats:
        """Q-values of the online network."""
        found: Floats = self.online(self._batch(states)).cpu().numpy()
        return found

    def update(self, sample: Sample, rate: float) -> tuple[Floats, dict[str, float]]:
        """Learn from transitions, or from all that their states allow; returns the largest error of each and what the
        log says."""
        environment, settings, states = self._maker.environment, self.settings, sample.states
        row, action, weight = self._backed_up(sample)
        following, outcome = environment.step(states.take(row), action)
        before, after = self._batch(states), self._batch(following)
        given = outcome.reward, outcome.stopped | outcome.truncated, environment.legal(following), row, action, weight
        reward, ended, legal, at, taken, share = (torch.from_numpy(part).to(self._device) for part in given)
        with torch.no_grad():
            goal = targets(reward, ended, self.online(after), self.target(after), legal, settings.discount)
        values = self.online(before, self.drop)
        error = errors(values[at], taken, goal)
        lost = loss(error, share, settings.loss)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad()
        lost.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.online.parameters(), settings.clip)
        self.optimiser.step()
        self._follow()
        told = {"loss": lost.item(), "norm": norm.item(), "q": values.detach().max(1).values.mean().item()}
        return _largest(error.detach().cpu().numpy(), row), told

    def _backed_up(self, sample: Sample) -> tuple[Longs, Longs, Floats]:
        """Which of the states, which actions in them, and the weights of these: each state's weight is shared out so
        that the mean over all is that over states of the means over actions."""
        if self.settings.backup == "taken":
            return np.arange(len(sample.action)), sample.action, sample.weight
        legal = self._maker.environment.legal(sample.states)
        row, action = np.nonzero(legal)
        share = len(row) / (len(legal) * legal.sum(1))
        return row, action, (sample.weight * share).astype(np.float32)[row]

    @torch.no_grad()
    def _follow(self) -> None:
        """Let the average follow the weights."""
        if self.average is not None:
            for old, new in zip(self.average.parameters(), self.online.parameters(), strict=True):
                old.lerp_(new, 1 - self.settings.ema)

    def copy_to_target(self) -> None:
        """Let the slower twin catch up."""
        self.target.load_state_dict(self.online.state_dict())

    def _batch(self, states: States) -> Batch:
        return batch_of(self._maker.of(states), self._lookup, self._device)


def _largest(error: Floats, row: Longs) -> Floats:
    """Of the errors of each row the one that is farthest from 0; rows ascend, and each has one."""
    begin = np.flatnonzero(np.diff(row, prepend=-1))
    high, low = np.maximum.reduceat(error, begin), np.minimum.reduceat(error, begin)
    return np.where(high > -low, high, low)
