"""The paper's figures on TriviaQA-NoP's development set, and which of our policies stand for its rows.

Geva and Berant, "Learning to Search in Long Documents Using Document Structure", COLING 2018.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

DATA = "TriviaQA-NoP"


class Row(NamedTuple):
    """What the paper reports of a model; None where it says nothing."""

    accuracy: float | None = None
    aggregated: float | None = None
    exact_match: float | None = None
    f1: float | None = None
    steps: float | None = None
    reader_calls: float | None = None
    tokens_read: float | None = None  # percent


BY_THRESHOLD, BY_ANSWER = "DocQN + Doc-TF-IDF, by threshold (l=5)", "DocQN + Doc-TF-IDF, by answer"

PAPER = {
    "RandomWalk": Row(1.8, 3.1),
    "RandomPara": Row(13.4, 20.9),
    "DQN-Coupled": Row(26.8, 38.8),
    "DQN": Row(27.2, 39.5, 21.7, 26.5, 7.7, 2.8, 3.4),
    "DocQN-Coupled": Row(28.1, 40.5),
    "DocQN": Row(30.4, 43.6, 23.6, 27.9, 15.2, 4.1, 6.2),
    "TF-IDF": Row(25.3, 35.4),
    "Doc-TF-IDF": Row(32.4, 43.5, 21.4, 27.1),
    BY_THRESHOLD: Row(35.0, 48.0, 26.8, 32.0),
    BY_ANSWER: Row(exact_match=28.4, f1=33.4),
    "ReadTop": Row(exact_match=32.5, f1=36.7),
    "RaSoR, on plain TriviaQA": Row(exact_match=48.6, f1=53.4),
}

_PLAIN = {
    "random-walk": "RandomWalk",
    "random-para": "RandomPara",
    "tfidf": "TF-IDF",
    "doc-tfidf": "Doc-TF-IDF",
    "read-top": "ReadTop",
}
UNTRAINED = frozenset(_PLAIN.values())
_SMALL = "-small"  # ends the names of the small presets
_AGENT = re.compile(rf"\b((?:docqn|dqn)(?:-coupled)?)({_SMALL})?\b(?!-uniform|-backward)")  # in a name or a folder's
_PRESETS = {"docqn": "DocQN", "dqn": "DQN", "docqn-coupled": "DocQN-Coupled", "dqn-coupled": "DQN-Coupled"}


def row_of(policy: str, presets: Mapping[str, str] = MappingProxyType({})) -> str | None:
    """The paper's row that a policy stands for; of agents that tell no preset, by their names."""
    if policy.startswith("ensemble:"):
        parts = policy.removeprefix("ensemble:").split(",")
        if [row_of(part, presets) for part in parts[:2]] == ["DocQN", "Doc-TF-IDF"]:
            return BY_THRESHOLD if len(parts) == 3 else BY_ANSWER
        return None
    return _PLAIN.get(policy) or _PRESETS.get(_preset(policy, presets).removesuffix(_SMALL))


def size_of(policy: str, presets: Mapping[str, str]) -> str:
    """How the presets of an agent's size end; of an ensemble its first part's."""
    agent = policy.removeprefix("ensemble:").partition(",")[0]
    return _SMALL if _preset(agent, presets).endswith(_SMALL) else ""


def _preset(policy: str, presets: Mapping[str, str]) -> str:
    if policy in presets:
        return presets[policy]
    found = _AGENT.findall(policy.lower())
    return "".join(found[-1]) if found else ""
