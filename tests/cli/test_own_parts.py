"""The parts that docs/evaluation.md writes down as an example do what it says."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docqn import readers
from docqn.cli import main
from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.evaluation.trace_file import read_traces
from docqn.policies import Setting, policy
from tests.evaluation.corpus import make_corpus
from tests.policies.checks import faults

DOCS = Path(__file__).parents[2] / "docs" / "evaluation.md"


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Pair]]:
    """Pairs of a corpus in the folder where one works, with the example in a file beside it."""
    make_corpus(tmp_path)
    (example,) = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "own.py").write_text(example)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield [Pair.of(one) for one in Corpus(tmp_path / "corpus").split("dev")]
    sys.modules.pop("own", None)


def run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    assert caught.value.code == 0


def test_policy_reader_and_metric(pairs: list[Pair]) -> None:
    run(
        *("evaluate", "corpus", "--split", "dev", "--policy", "own:Longest", "--reader", "own:FirstWord"),
        *("--metric", "own:Answered", "--json", "dev.json", "--no-cache", "--quiet"),
    )
    (measured,) = json.loads(Path("dev.json").read_text())["policies"].values()
    assert measured["own:Answered"] == 100
    traces = list(read_traces(Path("dev.traces.jsonl.gz")))
    assert [faults(trace, pair) for trace, pair in zip(traces, pairs, strict=True)] == [[]] * len(pairs)
    assert traces[0].answer is not None
    assert traces[0].answer.text == pairs[0].document.tokens_of(traces[0].stop_node)[0]
    setting = Setting(readers.reader("own:FirstWord"))
    assert [trace.stop_node for trace in policy("own:Longest").traces(pairs, setting)] == [t.stop_node for t in traces]


def test_start_distribution(pairs: list[Pair], capsys: pytest.CaptureFixture[str]) -> None:
    name = "mixture:root=1,own:FirstBelow=1"
    run("starts", "corpus", pairs[0].question_id, "--distribution", name, "--json")
    share = json.loads(capsys.readouterr().out)[name]
    assert np.flatnonzero(share).tolist() == [0, 1]
    assert share[:2] == [0.5, 0.5]
