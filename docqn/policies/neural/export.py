"""An agent's folder, made from a training's. Needs no torch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from docqn.arrays import Array, open_arrays
from docqn.errors import DocqnError
from docqn.policies.neural.card import card
from docqn.policies.neural.graphs import graphs
from docqn.readers.neural.files import read_json, read_text
from docqn.readers.neural.folder import AGENT, Contents, write_folder
from docqn.readers.neural.words import WORDS, load_words, save_words

KIND = "docqn"
FORMAT = "agent training 1"
SETTINGS, BEST, LOG = "settings.json", "best.safetensors", "log.jsonl"  # of a training


def read_run(run: Path) -> dict[str, Any]:
    """What the folder says of the training."""
    said = read_json(run / SETTINGS)
    if said.get("docqn") != FORMAT:
        raise DocqnError(f"{run}: is not the folder of an agent's training")
    return said


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a training's log. One that was cut off, as when the computer was, is left out."""
    rows = []
    for line in read_text(path).splitlines():
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict) and isinstance(row.get("step"), int):
                rows.append(row)
    return rows


def export(run: Path, out: Path, *, half: bool = True, licences: Sequence[str] = ()) -> None:
    """Write the folder of the agent of the best evaluation, its weights in half precision."""
    said = read_run(run)
    if not (run / BEST).is_file():
        raise DocqnError(f"{run}: has no evaluation yet, and so no best weights; train longer")
    best = open_arrays(run / BEST)
    try:
        kept = json.loads(best.meta["meta"])
        learnt = best.arrays["words.learnt.weight"]
        models = graphs(_of_precision(best.arrays, np.float16 if half else np.float32))
    except (KeyError, ValueError, TypeError) as error:
        raise DocqnError(f"{run / BEST}: not the weights of an agent ({error})") from error
    table = load_words(run / WORDS)
    files: dict[str, Contents] = {f"{name}.onnx": model for name, model in models.items()}
    files[WORDS] = lambda path: save_words(path, table.words.words, table.known, learnt)
    try:
        config = {"widths": _widths(best.arrays), **_described(run, said, kept["step"], half)}
    except (KeyError, TypeError) as error:
        raise DocqnError(f"{run / SETTINGS}: does not tell of the training; is the file damaged? ({error})") from error
    write_folder(out, KIND, files, {**config, "licences": list(licences)}, AGENT, card)


def _described(run: Path, said: Mapping[str, Any], step: int, half: bool) -> dict[str, Any]:
    """What the folder tells of the agent's training."""
    data, settings = said["data"], said["settings"]
    precision = "float16" if half else "float32"
    return {
        "settings": {
            "coupled": settings["coupled"],
            "match": bool(settings.get("match")),  # older trainings do not tell of it
            "precision": precision,
        },
        "training": {
            "command": _command(said),
            "preset": said["preset"],
            "step": step,
            "reader": data["reader"],
            "vectors": said["vectors"]["file"],
            **settings,
        },
        "data": {"corpus": data["fingerprint"], "splits": data["splits"], "vectors": said["vectors"]["digest"]},
        "scores": {f"{data['dev']}, in training": _scores(run, step)} if data["dev"] else {},
    }


def _of_precision(weights: Mapping[str, Array], dtype: type) -> dict[str, Array]:
    return {name: weight.astype(dtype) for name, weight in weights.items()}


def _widths(weights: Mapping[str, Array]) -> dict[str, int]:
    """Last dimensions of what the graphs give out."""
    lstm = "observation.lstm.weight_hh_l0" in weights
    observed = int(weights["observation.attention.hidden.weight"].shape[1])
    return {
        "words.told": int(weights["answer.weight_ih_l0"].shape[1]),
        "question.question": int(weights["question.attention.hidden.weight"].shape[1]),
        "node.total_after": observed,
        "node.cell_after": observed if lstm else 0,
        "answer.answer": int(weights["answer.weight_hh_l0"].shape[1]),
    }


def _command(said: Mapping[str, Any]) -> str:
    data = said["data"]
    splits = " ".join(f"--split {name}" for name in data["splits"])
    return (
        f"docqn train {Path(data['corpus']).name} {splits} --preset {said['preset']} "
        f"--set seed={said['settings']['seed']} --reader {data['reader']} --vectors {said['vectors']['file']}"
    )


def _scores(run: Path, step: int) -> dict[str, float]:
    """The evaluation at a step, from the log."""
    found = [row["evaluation"] for row in read_log(run / LOG) if row["step"] == step and "evaluation" in row]
    return dict(found[-1]) if found else {}
