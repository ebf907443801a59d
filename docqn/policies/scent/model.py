"""The scent of each paragraph: the chance that it answers, by a small network over what the index tells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqn.arrays import open_arrays, save_arrays
from docqn.errors import DocqnError
from docqn.files import write_text
from docqn.policies.scent.card import card
from docqn.policies.scent.features import FEATURES, Floats, Rarity, features
from docqn.policies.scent.index import Index

FILE = "scent.safetensors"
FORMAT = "scent 1"
BUNDLED = Path(__file__).parents[2] / "models" / "scent"

Weights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Scent:
    """One hidden layer over scaled features."""

    mean: Weights  # [features]
    scale: Weights
    inner: Weights  # [features, hidden]
    inner_bias: Weights
    outer: Weights  # [hidden]
    stems: NDArray[np.uint8]  # the more frequent ones, separated by line breaks …
    rare: Weights  # … and how rare each is: ln((1 + n) / (1 + df)); all others are rarer

    @cached_property
    def rarity(self) -> Rarity:
        """How rare a stem is."""
        return rarity_of(self.stems.tobytes().decode().split("\n"), self.rare)

    def chances(self, index: Index, question: str) -> Floats:
        """[paragraphs]: logarithms of chances that sum to 1."""
        logit = self.logits(features(index, question, self.rarity))
        logit -= logit.max(initial=-np.inf)
        chances: Floats = logit - np.logaddexp.reduce(logit)  # of no paragraphs: none
        return chances

    def logits(self, told: Floats) -> Floats:
        """[paragraphs], from their features."""
        scaled = (told - self.mean) / self.scale
        logits: Floats = np.maximum(scaled @ self.inner + self.inner_bias, 0) @ self.outer
        return logits


def rarity_of(stems: Sequence[str], rare: Weights) -> Rarity:
    """Of these stems, and of all others, which are as rare as the rarest of them."""
    known = dict(zip(stems, rare.tolist(), strict=True))
    rarest = max(known.values(), default=1.0)
    return lambda stem: known.get(stem, rarest)


def save(folder: Path, scent: Scent, about: Mapping[str, Any]) -> None:
    """Write the network and its model card; `about` tells how it came to be."""
    folder.mkdir(parents=True, exist_ok=True)
    meta = {"docqn": FORMAT, "features": json.dumps(FEATURES), "about": json.dumps(about)}
    save_arrays(folder / FILE, {name: getattr(scent, name) for name in Scent.__dataclass_fields__}, meta)
    write_text(folder / "README.md", card(about))


def load(folder: Path) -> Scent:
    """The network in a folder."""
    path = folder / FILE
    opened = open_arrays(path)
    if opened.meta.get("docqn") != FORMAT or opened.meta.get("features") != json.dumps(FEATURES):
        raise DocqnError(f"{path}: not a scent of this version of docqn; learn it again with `docqn scent`")
    try:
        arrays = {name: opened.arrays[name].copy() for name in Scent.__dataclass_fields__}
    except KeyError as error:
        raise DocqnError(f"{path}: has no {error}; is the file damaged?") from error
    hidden, stems = arrays["outer"].size, arrays["stems"]
    shapes = {"mean": (len(FEATURES),), "scale": (len(FEATURES),), "inner": (len(FEATURES), hidden)}
    shapes |= {"inner_bias": (hidden,), "outer": (hidden,)}
    shapes["rare"] = (int((stems == ord("\n")).sum()) + 1,)
    wrong = [name for name, shape in shapes.items() if not _sound(arrays[name], shape)]
    wrong += ["scale"] * bool((arrays["scale"] <= 0).any()) + ["rare"] * bool((arrays["rare"] < 0).any())
    if wrong or stems.dtype != np.uint8 or not _is_text(stems):
        raise DocqnError(f"{path}: its {[*wrong, 'stems'][0]} is not that of a scent; is the file damaged?")
    return Scent(**arrays)


def _sound(array: NDArray[Any], shape: tuple[int, ...]) -> bool:
    return array.shape == shape and array.dtype == np.float32 and bool(np.isfinite(array).all())


def _is_text(array: NDArray[np.uint8]) -> bool:
    try:
        array.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True
