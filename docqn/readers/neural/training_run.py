"""What of a training's folder a reader is made from. Written by `docqn reader train`, read without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from docqn.arrays import open_arrays
from docqn.errors import DocqnError
from docqn.readers.neural.bert import Weights
from docqn.readers.neural.files import read_json

FORMAT = "training 1"
SETTINGS, START, STATE = "settings.json", "start.safetensors", "state.safetensors"
_AVERAGED = "ema/"


def is_run(folder: Path) -> bool:
    """Whether it is the folder of a reader's training."""
    return (folder / SETTINGS).is_file() and read_json(folder / SETTINGS).get("docqn") == FORMAT


def read_run(folder: Path) -> dict[str, Any]:
    """What a training's folder says of it."""
    said = read_json(folder / SETTINGS)
    if said.get("docqn") != FORMAT:
        raise DocqnError(f"{folder}: is not the folder of a reader's training")
    for name, kind in (("reader", str), ("from", str), ("settings", dict), ("sizes", dict), ("data", dict)):
        if not isinstance(said.get(name), kind):
            raise DocqnError(f"{folder / SETTINGS}: does not tell the training's {name}; is the file damaged?")
    return said


def record(folder: Path) -> dict[str, Any]:
    """How the weights of a training's folder came to be, as a reader's folder tells it."""
    said, state = read_run(folder), saved(folder)
    data = {name: Path(path).name for name in ("squad", "corpus") if (path := said["data"].get(name))}
    training = {"reader": said["reader"], "from": said["from"], **data, "splits": said["data"].get("splits", [])}
    training |= {"left_out": bool(said.get("held_out")), "settings": said["settings"] | {"steps": state["step"]}}
    return {
        "training": training,
        "data": state["fixed"].get("data", {}),
        "history": said.get("history", []),
        "licences": said.get("licences", []),
    }


def load_weights(folder: Path, *, trained: bool = True) -> Weights:
    """A training's weights, averaged over its steps, and those that were not trained; or as it began."""
    weights = {name: array.astype(np.float32) for name, array in open_arrays(folder / START).arrays.items()}
    if trained:
        state = open_arrays(folder / STATE).arrays
        averaged = {name.removeprefix(_AVERAGED): state[name] for name in state if name.startswith(_AVERAGED)}
        if not averaged or not averaged.keys() <= weights.keys():
            raise DocqnError(f"{folder / STATE}: not the state of this training")
        weights |= {name: array.astype(np.float32) for name, array in averaged.items()}
    return weights


def saved(folder: Path) -> dict[str, Any]:
    """What the saved state says of itself: the step, and what those that continue the training must have in common."""
    try:
        found = json.loads(open_arrays(folder / STATE).meta["meta"])
        return {"step": int(found["step"]), "fixed": dict(found["fixed"])}
    except (KeyError, TypeError, ValueError) as error:
        raise DocqnError(f"{folder / STATE}: not the state of a training") from error
