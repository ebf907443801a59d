"""The trained agent: `agent:FOLDER`, for a folder that `docqn export` wrote. Takes the action of the highest value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from docqn.environment.inputs import InputMaker
from docqn.environment.mdp import Environment, States
from docqn.environment.pairs import Pair
from docqn.environment.predictions import Predictions
from docqn.environment.readings import Readings
from docqn.environment.wording import Wording
from docqn.errors import DocqnError
from docqn.policies import Setting
from docqn.policies.neural.export import KIND
from docqn.policies.neural.network import Network, Values
from docqn.policies.trace import Trace
from docqn.policies.walk import Bools, Choice, Walker, walk
from docqn.readers.neural.folder import AGENT, open_folder


def policy(argument: str = "") -> Agent:
    """The agent in a folder."""
    if not argument:
        raise DocqnError("the agent needs a folder: agent:FOLDER")
    return Agent(Path(argument))


class Agent:
    """See the module."""

    observes = True

    def __init__(self, path: Path) -> None:
        self.name = f"agent:{path}"
        folder = open_folder(path, KIND, AGENT)
        self.coupled = bool(folder.setting("coupled"))
        self._match = bool(folder.config["settings"].get("match"))  # older folders do not tell of it
        self.trained = _training(self.name, folder.config)
        self._network = Network(folder)

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return walk(self, pairs, setting)

    def enter(self, pairs: Sequence[Pair], setting: Setting, environment: Environment, readings: Readings) -> Walker:
        maker = InputMaker(Wording.of_pairs(pairs, environment), Predictions(readings, pairs), self._match)
        values = Values(self._network, maker)

        def choose(states: States, legal: Bools) -> Choice:
            valued = values(states)
            action = np.where(legal, valued.q, -np.inf).argmax(1)
            return Choice(action, valued.q, valued.question_attention, valued.observation_attention)

        return choose


def _training(name: str, config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the folder tells of the training, by the agent's name; nothing where preset or seed is not known."""
    told, data = config.get("training"), config.get("data")
    if not isinstance(told, dict) or not isinstance(told.get("preset"), str) or not isinstance(told.get("seed"), int):
        return {}
    facts = {setting: value for setting, value in told.items() if setting != "command"}
    return {name: facts | ({"corpus": data.get("corpus")} if isinstance(data, dict) else {})}
