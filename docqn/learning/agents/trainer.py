"""The training of the agent: acting, remembering, learning; it stops at any time and goes on as if it never had."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from docqn.errors import DocqnError
from docqn.learning.agents.explorer import Explorer
from docqn.learning.agents.learner import Learner
from docqn.learning.agents.settings import AgentSettings
from docqn.learning.replay import Replay
from docqn.learning.schedules import linear
from docqn.learning.tensors import write_tensors

STATE = "state.safetensors"
_OLD = {"match": False, "backup": "taken", "ema": 0.0, "every": 1}  # what older states do not tell of

Row = dict[str, Any]


class Trainer:
    """Everything that changes in a training. Its future depends on nothing else but settings and data."""

    def __init__(self, settings: AgentSettings, learner: Learner, explorer: Explorer) -> None:
        self.settings = settings
        self.learner = learner
        self.explorer = explorer
        self.replay = Replay(settings.memory, settings.alpha)
        self.rng = np.random.default_rng([settings.seed, 1])  # of what is replayed
        self.step = 0
        self.before = 0  # the step at which the last action with every cursor began
        self.updates = 0
        self.owed = 0.0  # updates that are due
        self.best = -1.0  # accuracy of the best evaluation
        self._sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])  # since the last line of the log

    @property
    def done(self) -> bool:
        return self.step >= self.settings.steps and self.owed < 1

    @property
    def epsilon(self) -> float:
        s = self.settings
        return linear(s.epsilon, s.epsilon_end, s.anneal, max(0, self.step - s.initial))

    @property
    def sampling(self) -> float:
        """ε_s."""
        s = self.settings
        return linear(s.sampling, s.sampling_end, s.anneal, max(0, self.step - s.initial))

    @property
    def beta(self) -> float:
        s = self.settings
        return linear(s.beta, 1.0, s.anneal, max(0, self.step - s.initial))

    @property
    def rate(self) -> float:
        s = self.settings
        return (
            linear(s.rate, 0.0, s.decay_steps, max(0, self.step - (s.steps - s.decay_steps)))
            if s.decay_steps
            else s.rate
        )

    def advance(self, stop: Callable[[], bool]) -> Row | None:
        """One action with every cursor, and the updates that are due, if there is time; those that are still owed come
        first. Returns a line for the log now and then."""
        if self.owed < 1:
            self._act()
        clock = time.perf_counter()
        while self.owed >= 1 and not stop():
            self._update()
        self._note("learning_s", [time.perf_counter() - clock])
        if self.owed >= 1:
            return None
        if self.passed(self.settings.target):
            self.learner.copy_to_target()
        return self._line() if self.passed(self.settings.log) else None

    def passed(self, every: int) -> bool:
        """Whether the last action with every cursor, with all that was due, brought a multiple of these steps."""
        return self.owed < 1 and self.step // every > self.before // every

    def _act(self) -> None:
        """One action with every cursor."""
        clock, self.before = time.perf_counter(), self.step
        taken = self.explorer.act(self.learner.values, self.epsilon, self.sampling)
        self.replay.add(taken.states, taken.action)
        self.step += len(taken.action)
        self._note("acting_s", [time.perf_counter() - clock])
        for total, length, stopped, index, right in taken.episodes:
            self._note("return", [total])
            self._note("length", [length])
            self._note("right", [stopped and right])
            self._note("stop_index", [index] if stopped else [])
        if self.step > self.settings.initial:
            done = taken.turns if self.settings.updates == "turn" else len(taken.action)
            self.owed += done / self.settings.every

    def _update(self) -> None:
        sample = self.replay.sample(self.settings.drawn, self.beta, self.rng)
        error, told = self.learner.update(sample, self.rate)
        if not np.isfinite(told["norm"]):
            raise DocqnError(f"the training diverged at step {self.step:,}; begin anew with a lower rate")
        self.replay.update(sample.place, error.astype(np.float64))
        self.owed -= 1
        self.updates += 1
        for name, value in told.items():
            self._note(name, [value])

    def _note(self, name: str, values: Iterable[float]) -> None:
        for value in values:
            sums = self._sums[name]
            sums[0] += value
            sums[1] += 1

    def _line(self) -> Row:
        """What went on since the last line, as means; times as sums."""
        means = {
            name: round(total if name.endswith("_s") else total / count, 4)
            for name, (total, count) in self._sums.items()
            if count
        }
        self._sums.clear()
        schedule = {"epsilon": self.epsilon, "sampling": self.sampling, "beta": self.beta, "rate": self.rate}
        told = {name: float(f"{value:.4g}") for name, value in schedule.items()}
        return {"step": self.step, "updates": self.updates, "replay": len(self.replay), **told, **means}

    def save(self, path: Path, fixed: Mapping[str, Any]) -> None:
        """Write the whole state."""
        learner = self.learner
        tensors: dict[str, torch.Tensor] = {}
        for room, network in learner.networks.items():
            tensors |= {f"{room}/{name}": weight for name, weight in network.state_dict().items()}
        for name, parameter in learner.online.named_parameters():
            for key, value in learner.optimiser.state.get(parameter, {}).items():
                tensors[f"optimiser.{key}/{name}"] = value
        if learner.drop:
            tensors["dropout"] = learner.drop.generator.get_state()
        arrays, said = self.explorer.saved()
        for room, held in (("explorer", arrays), ("replay", self.replay.arrays())):
            for name, array in held.items():
                tensors[f"{room}/{name}"] = torch.from_numpy(np.ascontiguousarray(array))
        meta = {
            "step": self.step,
            "before": self.before,
            "updates": self.updates,
            "owed": self.owed,
            "best": self.best,
            "explorer": said,
            "rng": self.rng.bit_generator.state,
            "sums": self._sums,
            "fixed": dict(fixed),
        }
        write_tensors(path, tensors, meta)

    def load(self, path: Path, fixed: Mapping[str, Any]) -> None:
        """Take up what was saved."""
        try:
            with safe_open(path, "pt") as file:
                meta = json.loads(file.metadata()["meta"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no dictionary)
            began = {**_OLD, **meta["fixed"]}
            if began != json.loads(json.dumps(dict(fixed))):
                differing = [name for name, value in fixed.items() if began.get(name) != value]
                raise DocqnError(f"{path}: was begun with other values of {', '.join(differing)}; begin anew")
            self._load(tensors, meta)
        except (SafetensorError, OSError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise DocqnError(f"{path}: not the state of this training, or damaged ({error})") from error

    def _load(self, tensors: dict[str, torch.Tensor], meta: dict[str, Any]) -> None:
        learner = self.learner
        for room, network in learner.networks.items():
            network.load_state_dict(_under(tensors, room))
        for key in ("step", "square_avg"):
            for name, value in _under(tensors, f"optimiser.{key}").items():
                parameter = learner.online.get_parameter(name)
                learner.optimiser.state[parameter][key] = value.to(parameter.device if key != "step" else "cpu")
        if learner.drop:
            learner.drop.generator.set_state(tensors["dropout"])
        self.replay.load(_arrays(tensors, "replay"))
        self.explorer.load(_arrays(tensors, "explorer"), meta["explorer"])
        self.rng.bit_generator.state = meta["rng"]
        self.step, self.before, self.updates = meta["step"], meta["before"], meta["updates"]
        self.owed, self.best = meta["owed"], meta["best"]
        self._sums.update(meta["sums"])


def _under(tensors: Mapping[str, torch.Tensor], room: str) -> dict[str, torch.Tensor]:
    return {name.partition("/")[2]: tensor for name, tensor in tensors.items() if name.partition("/")[0] == room}


def _arrays(tensors: Mapping[str, torch.Tensor], room: str) -> dict[str, NDArray[Any]]:
    return {name: tensor.numpy() for name, tensor in _under(tensors, room).items()}
