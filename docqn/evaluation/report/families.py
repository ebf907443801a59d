"""Which policies are one agent, trained with several seeds: the same preset, settings, reader and data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Facts = Mapping[str, Any]

_APART = ("seed", "step", "log", "save_minutes")  # of a training; the agents of a family may differ in it


class Family(NamedTuple):
    """What a policy is but for its seeds."""

    label: str
    seeds: tuple[int, ...] = ()  # of what was trained in it; nothing where none is known


def families(policies: Iterable[str], trained: Mapping[str, Facts], tuned: Iterable[str]) -> dict[str, Family]:
    """Of each policy. `trained`: what agents tell of their trainings, by name; `tuned`: the ensembles whose thresholds
    were found: they are a family whatever was found."""
    labels = _labels(trained)
    tuned = set(tuned)

    def family(policy: str) -> Family:
        if policy in labels:
            return Family(labels[policy], (int(trained[policy]["seed"]),))
        kind, _, argument = policy.partition(":")
        first, *rest = argument.split(",")
        if kind != "ensemble" or not rest:
            return Family(policy)
        parts = [family(first), family(rest[0])]
        threshold = ["tuned"] if policy in tuned else rest[1:]
        label = f"ensemble:{','.join([*(part.label for part in parts), *threshold])}"
        return Family(label, tuple(seed for part in parts for seed in part.seeds))

    return {policy: family(policy) for policy in policies}


def _labels(trained: Mapping[str, Facts]) -> dict[str, str]:
    """The preset of each agent; with what sets it apart where agents of one preset were trained differently."""
    of_preset: dict[str, dict[str, Facts]] = {}
    for facts in trained.values():
        of_preset.setdefault(facts["preset"], {})[_key(facts)] = facts
    labels = {}
    for name, facts in trained.items():
        others = of_preset[facts["preset"]].values()
        apart = [one for one in facts if one not in _APART and any(other.get(one) != facts[one] for other in others)]
        labels[name] = ", ".join([facts["preset"], *(f"{one}={facts[one]}" for one in apart)])
    return labels


def _key(facts: Facts) -> str:
    return json.dumps({name: value for name, value in facts.items() if name not in _APART}, sort_keys=True)
