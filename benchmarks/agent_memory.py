"""A training at the paper's sizes with a full replay: a process of its own, whose memory is measured.

What takes long is done in short: random actions fill the replay, and all answer predictions in it are asked for.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from docqn.corpora.store import Corpus
from docqn.environment.mdp import States
from docqn.learning.agents.run import Data, Run, begin
from docqn.learning.agents.settings import PRESETS

DIMENSIONS = 300
UPDATES = 20
AT_ONCE = 1000  # states
_EVALUATED = 64  # pairs


def main(corpus: Path, folder: Path, seed: int) -> None:
    """Train for a moment."""
    torch.set_num_threads(1)
    words = list(Corpus(corpus).vocabulary.words)
    vectors = np.random.default_rng(seed).normal(size=(len(words), DIMENSIONS)).astype(np.float16)
    np.savez(folder / "vectors.npz", words=np.array(words), vectors=vectors)
    del words, vectors
    paper = PRESETS["docqn"]
    settings = replace(paper, seed=seed, initial=paper.memory, steps=paper.memory + 1, pairs=_EVALUATED)
    data = Data(corpus, ("train",), "dev", "lexical", cache=False)
    begin(folder / "run", "docqn", settings, folder / "vectors.npz", data)
    run = Run(folder / "run", torch.device("cpu"))
    run.train(resume=False, stop=lambda: run.trainer.updates >= UPDATES)
    _read_all(run)
    print(f"{len(run.trainer.replay):,} transitions, {run.trainer.updates} updates", file=sys.stderr)


def _read_all(run: Run) -> None:
    """Every prediction that the replay may ask for."""
    maker, held = run.trainer.learner._maker, run.trainer.replay.arrays()
    for at in range(0, len(held["task"]), AT_ONCE):
        part = {name: array[at : at + AT_ONCE] for name, array in held.items()}
        states = States(part["task"].astype(np.int64), part["node"], part["step"].astype(np.int32), part["predicted"])
        maker.predictions.at(maker.environment, states)
        after, _ = maker.environment.step(states, part["action"].astype(np.int64))
        maker.predictions.at(maker.environment, after)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
