"""A corpus, word vectors, and trainings on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from docqn.corpora.store import Corpus
from docqn.learning.agents.run import Data, begin
from docqn.learning.agents.settings import AgentSettings
from tests.evaluation.corpus import make_corpus
from tests.learning.agents.small import QUICK


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return make_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    words = "the nile river egypt which city where ends alexandria lake victoria tea china course".split()
    rng = np.random.default_rng(0)
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=10))}\n" for word in words))
    return path


@pytest.fixture
def start(corpus: Corpus, vectors: Path, tmp_path: Path) -> Callable[..., Path]:
    """Begins a training in a folder of its own."""

    def begun(name: str = "run", settings: AgentSettings = QUICK) -> Path:
        data = Data(corpus.folder, ("dev",), "dev", "lexical", cache=False)
        begin(tmp_path / name, "docqn-small", settings, vectors, data)
        return tmp_path / name

    return begun
