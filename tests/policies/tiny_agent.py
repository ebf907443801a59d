"""A tiny agent that has learnt nothing, in a folder of its own."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch

from docqn.files import write_text
from docqn.learning.agents.settings import PRESETS
from docqn.learning.tensors import write_tensors
from docqn.network.qnetwork import QNetwork
from docqn.policies.neural.export import BEST, FORMAT, LOG, SETTINGS, export
from docqn.readers.neural.words import WORDS, save_words

TINY = {"hidden": 8, "attention": 6, "character": 4, "filters": 6, "joint": 16, "branch": 8, "buckets": 7}
KNOWN = ("the", "nile", "alexandria", "which", "city")
WIDTH = 10  # of a word's vector


def write_agent(folder: Path, preset: str = "docqn-small", encoder: str = "lstm", match: bool = False) -> Path:
    """The agent's folder, made from that of a training that was never done."""
    settings = replace(PRESETS[preset], encoder=encoder, match=match, **TINY)  # type: ignore[arg-type]
    torch.manual_seed(0)
    network = QNetwork(settings.sizes(WIDTH))
    run = folder / f"run-{preset}-{encoder}"
    run.mkdir()
    vectors = np.random.default_rng(0).normal(size=(len(KNOWN), WIDTH)).astype(np.float16)
    save_words(run / WORDS, KNOWN, vectors, np.zeros((settings.buckets, WIDTH), np.float16))
    write_tensors(run / BEST, network.state_dict(), {"step": 7, "accuracy": 0.5})
    data = {"corpus": "corpus", "fingerprint": "f", "splits": ["train"], "dev": "dev", "reader": "lexical"}
    said = {"docqn": FORMAT, "preset": preset, "settings": asdict(settings), "data": data}
    write_text(run / SETTINGS, json.dumps({**said, "vectors": {"file": "v.txt", "digest": "d"}}))
    write_text(run / LOG, json.dumps({"step": 7, "evaluation": {"accuracy": 0.5}}) + "\n")
    export(run, folder / f"{preset}-{encoder}")
    return folder / f"{preset}-{encoder}"
