"""The model card of a scent's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from shlex import quote
from typing import Any

from docqn.readers.neural.card import section

_LIMITS = "English only. Words are compared by their stems; paragraphs that say it in other words have no scent."


def described(settings: Any, corpus: str, fingerprint: str, splits: Sequence[str], pairs: int) -> dict[str, Any]:
    """How a scent came to be: all settings, and the data by their fingerprint."""
    data = {"corpus": corpus, "fingerprint": fingerprint, "splits": list(splits), "pairs": pairs}
    return {"settings": asdict(settings), "data": data}


def card(about: Mapping[str, Any]) -> str:
    """Markdown."""
    settings, data = about.get("settings", {}), about.get("data", {})
    lines = ["# A scent of docqn", "", "Says of each paragraph how likely it answers, by what an index tells.", ""]
    lines += ["    docqn evaluate CORPUS --split dev --policy forage:THIS_FOLDER --reader READER", ""]
    lines += section("Training", settings)
    if data:
        splits = " ".join(f"--split {quote(split)}" for split in data.get("splits", ()))
        changes = " ".join(f"--set {name}={value}" for name, value in settings.items())
        lines += [f"    docqn scent {quote(data['corpus'])} {splits} {changes} --out SCENT", ""]
    lines += section("Data", {name: value for name, value in data.items() if name != "splits"})
    if licences := about.get("licences"):
        lines += ["## Licences", "", *(f"- {licence}" for licence in licences), ""]
    return "\n".join([*lines, "## Limits", "", _LIMITS, ""])
