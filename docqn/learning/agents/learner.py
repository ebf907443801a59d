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
Values = Callable[[States], Floats]  # Q-values of states, [n, 7]


class Learner:
    """See the module."""

    def __init__(
        self, network: QNetwork, settings: AgentSettings, maker: InputMaker, lookup: Lookup, device: torch.device
    ) -> None:
        self.settings = settings
        self.target = (
            copy.deepcopy(network).to(device).requires_grad_(False)
        )  # copied first: a move packs an LSTM's weights
        self.online = network.to(device)
        self.optimiser = torch.optim.RMSprop(self.online.parameters(), settings.rate)
        self.drop = ByteDropout(settings.dropout, settings.seed, device) if settings.dropout else None
        self._maker = maker
        self._lookup = lookup
        self._device = device

    @torch.no_grad()
    def values(self, states: States) -> Floats:
        """Q-values of the online network."""
        found: Floats = self.online(self._batch(states)).cpu().numpy()
        return found

    def update(self, sample: Sample, rate: float) -> tuple[Floats, dict[str, float]]:
        """Learn from transitions; returns their errors and what the log says."""
        environment, settings = self._maker.environment, self.settings
        following, outcome = environment.step(sample.states, sample.action)
        legal = torch.from_numpy(environment.legal(following)).to(self._device)
        with torch.no_grad():
            after = self._batch(following)
            goal = targets(
                torch.from_numpy(outcome.reward).to(self._device),
                torch.from_numpy(outcome.stopped | outcome.truncated).to(self._device),
                self.online(after),
                self.target(after),
                legal,
                settings.discount,
            )
        values = self.online(self._batch(sample.states), self.drop)
        error = errors(values, torch.from_numpy(sample.action).to(self._device), goal)
        lost = loss(error, torch.from_numpy(sample.weight).to(self._device), settings.loss)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad()
        lost.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.online.parameters(), settings.clip)
        self.optimiser.step()
        told = {"loss": lost.item(), "norm": norm.item(), "q": values.detach().max(1).values.mean().item()}
        return error.detach().cpu().numpy(), told

    def copy_to_target(self) -> None:
        """Let the slower twin catch up."""
        self.target.load_state_dict(self.online.state_dict())

    def _batch(self, states: States) -> Batch:
        return batch_of(self._maker.of(states), self._lookup, self._device)
