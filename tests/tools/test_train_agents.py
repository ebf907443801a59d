"""Several agents trained by one command, which finishes what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from docqn.environment.pairs import Pair
from docqn.policies import Setting, policy
from docqn.readers import reader
from tests.evaluation.corpus import make_corpus
from tools.train_agents import main

TINY = """hidden=4 attention=4 filters=4 character=2 joint=8 branch=4 words=20 buckets=5 steps=60 initial=20
    anneal=60
    evaluate=60 decay_steps=0 target=30 cursors=4 batch=4 log=30""".split()


def test_every_preset_with_every_seed_becomes_an_agent(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    vectors = tmp_path / "vectors.txt"
    rows = np.random.default_rng(0).normal(size=(3, 4)).round(3).tolist()
    vectors.write_text(
        "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(("the", "nile", "tea"), rows, strict=True))
    )
    command = [str(corpus.folder), "--vectors", str(vectors), "--out", str(tmp_path / "all"), "--reader", "lexical"]
    command += ["--preset", "dqn-small", "--preset", "docqn-small", "--jobs", "2", "--seed"]
    settings = ["--", "--split", "dev", *(part for change in TINY for part in ("--set", change))]
    assert main([*command, "1", *settings]) == 0
    first = tmp_path / "all" / "agents" / "dqn-small-1"
    made = first.stat().st_mtime_ns
    assert main([*command, "1", "--seed", "2", *settings]) == 0
    assert first.stat().st_mtime_ns == made
    agents = sorted(path.name for path in (tmp_path / "all" / "agents").iterdir())
    assert agents == ["docqn-small-1", "docqn-small-2", "dqn-small-1", "dqn-small-2"]
    seeds = {
        json.loads((tmp_path / "all" / "runs" / name / "settings.json").read_text())["settings"]["seed"]
        for name in agents
    }
    assert seeds == {1, 2}
    pairs = [Pair.of(example) for example in corpus.split("dev")]
    assert len(policy(f"agent:{first}").traces(pairs, Setting(reader("lexical")))) == len(pairs)
    assert main([*command, "3", "--", "--split", "none"]) == 2
