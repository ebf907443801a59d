"""The model card of an agent's folder, from its config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docqn.readers.neural.card import section

_LIMITS = "English only. It was trained with one reader, and its values mean little with another."


def card(config: Mapping[str, Any]) -> str:
    """Markdown."""
    told = dict(config.get("training", {}))
    command = told.pop("command", "")
    lines = ["# An agent of docqn", "", "Walks the tree of a document to the paragraph that answers a question.", ""]
    lines += ["    docqn evaluate CORPUS --split dev --policy agent:THIS_FOLDER --reader READER", ""]
    lines += [*section("Training", told), f"    {command}", ""]
    lines += section("Data, by digest", config.get("data", {}))
    for name, scores in config.get("scores", {}).items():
        lines += section(f"Scores: {name}", scores)
    if licences := config.get("licences"):
        lines += ["## Licences", "", *(f"- {licence}" for licence in licences), ""]
    return "\n".join([*lines, "## Limits", "", _LIMITS, ""])
