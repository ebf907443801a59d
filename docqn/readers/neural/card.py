"""The model card of a reader's folder, from its config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

_WHAT = {
    "transformer": "reads question and passage together with a transformer, and scores every span of up to 30 tokens",
    "rasor": "RaSoR: scores every span of up to 30 tokens from LSTM states of its first and last token",
}
_PRESET = {"transformer": "transformer", "rasor": "rasor-squad"}  # whose settings the command then says one by one
_LIMITS = "English only. It answers with a span of the passage even where there is none; its probability says so."
_SEEN = "The training had seen these questions: it began before they were held out."


def card(config: Mapping[str, Any]) -> str:
    """Markdown."""
    kind = config["reader"]
    lines = ["# A reader of docqn", "", f"Finds the answer to a question in a passage: {_WHAT.get(kind, kind)}.", ""]
    lines += ["    docqn evaluate CORPUS --split dev --policy bm25 --reader THIS_FOLDER", ""]
    lines += section("Settings", config.get("settings", {}))
    history = config.get("history", [])
    for number, one in enumerate([*history, config], 1):
        lines += _training(one, f"Training {number}" if history else "Training")
    lines += _calibration(config.get("calibration"), config.get("calibrated", {}))
    for name, scores in config.get("scores", {}).items():
        lines += section(f"Scores: {name}", scores)
    if licences := config.get("licences"):
        lines += ["## Licences", "", *(f"- {licence}" for licence in licences), ""]
    return "\n".join([*lines, "## Limits", "", _LIMITS, ""])


def _training(made: Mapping[str, Any], title: str) -> list[str]:
    """From what, on which data (with their digests), and by which command."""
    told = made.get("training", {})
    lines = section(title, {name: value for name, value in told.items() if isinstance(value, str)})
    if "settings" in told:
        lines += [*(f"    {line}" for line in command(told)), ""]
    return lines + section("Data, by digest", made.get("data", {}), "###")


def command(training: Mapping[str, Any]) -> list[str]:
    """The command that trains the same, with every setting, in lines that a shell reads as one."""
    parts = [f"docqn reader train --preset {_PRESET[training['reader']]} --start {quote(training['from'])} --out RUN"]
    parts += [f"--{name} {quote(training[name])}" for name in ("squad", "corpus") if name in training]
    parts += [f"--split {quote(split)}" for split in training.get("splits", [])]
    parts += [f"--set {name}={value}" for name, value in training["settings"].items()]
    lines = [""]
    for part in parts:
        if len(lines[-1]) + len(part) > 110:
            lines.append("   ")
        lines[-1] = f"{lines[-1]} {part}" if lines[-1] else part
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _calibration(weights: Mapping[str, Any] | None, told: Mapping[str, Any]) -> list[str]:
    """The weights of the score, and what they were fitted to."""
    if weights is None:
        return []
    lines = section("Calibration", weights)
    if told:
        lines += [_fitted_to(told), ""]
    return [*lines, _SEEN, ""] if told.get("held_out") and not told.get("left_out", True) else lines


def _fitted_to(told: Mapping[str, Any]) -> str:
    origin = f" from {told['source']}" if told.get("source") else ""
    kind = "questions that trainings leave out" if told.get("held_out") else "questions"
    pairs = f"{told.get('pairs')} pairs of {told.get('corpus')} {told.get('split')}"
    counts = f"{told.get('readings')} readings, {told.get('right')} of them right"
    return f"Fitted to {counts}: the closest paragraphs of {pairs} ({kind}{origin}; seed {told.get('seed')})."


def section(title: str, values: Mapping[str, Any], level: str = "##") -> list[str]:
    lines = [f"- {name.replace('_', ' ')}: {_shown(value)}" for name, value in values.items()]
    return [f"{level} {title}", "", *lines, ""] if lines else []


def _shown(value: object) -> str:
    """Curves are lists, of points or of numbers."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(" ".join(map(str, one)) if isinstance(one, Sequence) else str(one) for one in value)
    return str(value)
