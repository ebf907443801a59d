"""The model card of a reader's or agent's folder, from its config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WHAT = {
    "transformer": "reads question and passage together with a transformer, and scores every span of up to 30 tokens",
    "rasor": "RaSoR: scores every span of up to 30 tokens from LSTM states of its first and last token",
}

_LIMITS = {
    "reader": "English only. It answers with a span of the passage even where there is none; its probability says so.",
    "agent": "English only. It was trained with one reader, and its values mean little with another.",
}


def card(config: Mapping[str, Any]) -> str:
    """Markdown."""
    lines = _agent(config) if "agent" in config else _reader(config)
    lines += _section("Training", config.get("training", {}))
    lines += _section("Data, by digest", config.get("data", {}))
    lines += _section("Settings", config.get("settings", {}))
    for name, scores in config.get("scores", {}).items():
        lines += _section(f"Scores: {name}", scores)
    return "\n".join([*lines, "## Limits", "", _LIMITS["agent" if "agent" in config else "reader"], ""])


def _reader(config: Mapping[str, Any]) -> list[str]:
    kind = config["reader"]
    return [
        *("# A reader of docqn", "", f"Finds the answer to a question in a passage: {_WHAT.get(kind, kind)}.", ""),
        *("    docqn evaluate CORPUS --split dev --policy bm25 --reader THIS_FOLDER", ""),
    ]


def _agent(config: Mapping[str, Any]) -> list[str]:
    return [
        *("# An agent of docqn", "", "Walks the tree of a document to the paragraph that answers a question.", ""),
        *("    docqn evaluate CORPUS --split dev --policy agent:THIS_FOLDER --reader READER", ""),
    ]


def _section(title: str, values: Mapping[str, Any]) -> list[str]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= value if isinstance(value, Mapping) else {name: value}
    return [f"## {title}", "", *(f"- {name}: {value}" for name, value in flat.items()), ""] if flat else []
