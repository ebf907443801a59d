"""Running policies over a split: what comes out, and what an interruption leaves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.evaluation.outcomes import Outcomes
from docqn.evaluation.run import expanded, run
from docqn.evaluation.trace_file import TraceWriter, read_traces
from docqn.policies import Setting, policy
from docqn.policies.trace import Trace
from docqn.readers import Reading
from docqn.readers.lexical import LexicalReader
from tests.evaluation.corpus import make_corpus

POLICIES = ["random-walk", "tfidf", "first-paragraph"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return make_corpus(tmp_path_factory.mktemp("corpus"))


def timeless(path: Path) -> list[Trace]:
    return [replace(trace, seconds=0.0) for trace in read_traces(path)]


def test_every_policy_on_every_pair(corpus: Corpus, tmp_path: Path) -> None:
    split = corpus.split("dev")
    done: list[tuple[str, int, int]] = []
    writer = TraceWriter(tmp_path / "traces", {})
    found = run(
        POLICIES,
        split,
        len(split),
        Setting(LexicalReader(), corpus=corpus),
        writer=writer,
        progress=lambda *a: done.append(a),
    )
    writer.finish()
    assert list(found) == POLICIES
    assert {name: (outcomes.policy, len(outcomes)) for name, outcomes in found.items()} == {
        name: (name, len(split)) for name in POLICIES
    }
    traces = timeless(tmp_path / "traces")
    for i, name in enumerate(POLICIES):
        expected = policy(name).traces([Pair.of(one) for one in split], Setting(LexicalReader(), corpus=corpus))
        assert traces[i * len(split) : (i + 1) * len(split)] == [replace(trace, seconds=0.0) for trace in expected]
    assert done[-1] == (POLICIES[-1], len(split), len(split))


class Failing(LexicalReader):
    """Reads a few passages and no more."""

    def __init__(self, reads: int) -> None:
        self.left = reads

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.left -= len(passages)
        if self.left < 0:
            raise KeyboardInterrupt
        return super().read(questions, passages)


@pytest.mark.parametrize("batch", [1, 2, 64])
def test_an_interrupted_run_goes_on_and_ends_the_same(
    corpus: Corpus, tmp_path: Path, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docqn.evaluation.run.BATCH", batch)
    split = corpus.split("dev")
    whole = TraceWriter(tmp_path / "whole", {})
    expected = run(POLICIES, split, len(split), Setting(LexicalReader()), writer=whole)
    whole.finish()
    for reads in range(3 * len(split)):
        path = tmp_path / f"{batch}-{reads}"
        writer = TraceWriter(path, {})
        try:
            run(POLICIES, split, len(split), Setting(Failing(reads)), writer=writer)
        except KeyboardInterrupt:
            writer.close()
        else:
            writer.close()
        again = TraceWriter(path, {})
        found = run(POLICIES, split, len(split), Setting(LexicalReader()), writer=again)
        again.finish()
        assert timeless(path) == timeless(tmp_path / "whole")
        for name in POLICIES:
            assert found[name].pairs == expected[name].pairs
            assert (found[name]["correct"] == expected[name]["correct"]).all()


def test_only_so_many_pairs(corpus: Corpus) -> None:
    found = run(["bm25"], corpus.split("dev"), 2, Setting(LexicalReader()))
    assert len(found["bm25"]) == 2


def test_pairs_in_memory_will_do(corpus: Corpus) -> None:
    pairs = [Pair.of(one) for one in corpus.split("dev")]
    one = run(["bm25"], pairs, len(pairs), Setting(LexicalReader()))["bm25"]
    other = run(["bm25"], corpus.split("dev"), len(pairs), Setting(LexicalReader()))["bm25"]
    assert one.pairs == other.pairs
    assert one.answers() == other.answers()


def test_an_ensemble_is_tuned_on_what_its_parts_did(corpus: Corpus) -> None:
    split = corpus.split("dev")
    name = "ensemble:first-paragraph,bm25,tuned"
    found = run(expanded([name])[0], split, len(split), Setting(LexicalReader()))
    first, second, tuned = found
    assert (first, second) == ("first-paragraph", "bm25")
    every = [f"ensemble:first-paragraph,bm25,{threshold}" for threshold in range(8)]
    best = max(one["correct"].sum() for one in run(every, split, len(split), Setting(LexicalReader())).values())
    assert found[tuned]["correct"].sum() == best
    assert found[tuned].policy == tuned
    assert tuned.startswith("ensemble:first-paragraph,bm25,")
    assert tuned[-1].isdecimal()


def test_two_names_of_one_policy_are_run_once(corpus: Corpus, tmp_path: Path) -> None:
    split = corpus.split("dev")
    tuned = "ensemble:first-paragraph:0,bm25:0,tuned"
    (name,) = set(run(expanded([tuned])[0], split, len(split), Setting(LexicalReader()))) - {"first-paragraph", "bm25"}
    names, _ = expanded(["bm25", "docqn.policies.bm25:BM25", tuned, name, "bm25"])
    assert len(names) == 6
    for _ in range(2):  # the second time with all traces there
        writer = TraceWriter(tmp_path / "traces", {})
        found = run(names, split, len(split), Setting(LexicalReader()), writer=writer)
        writer.close()
        assert list(found) == ["bm25", "first-paragraph", name]
        assert {len(outcomes) for outcomes in found.values()} == {len(split)}


def test_each_policy_is_run_once_and_a_wrong_one_is_told_at_once() -> None:
    assert expanded(["bm25", "bm25", "tfidf"]) == (["bm25", "tfidf"], {})
    assert expanded(["bm25", "ensemble:tfidf,bm25,tuned"])[0] == ["bm25", "tfidf", "ensemble:tfidf,bm25,tuned"]
    assert expanded(["ensemble:read-top:800,bm25,tuned"])[0] == ["read-top:800", "bm25", "ensemble:read-top,bm25,tuned"]
    for wrong in ("none", "ensemble:bm25,tuned", "ensemble:bm25,none,tuned", "bm25,tuned"):
        with pytest.raises(DocqnError):
            expanded([wrong])


def test_a_part_with_too_many_traces_is_an_error(corpus: Corpus, tmp_path: Path) -> None:
    split = corpus.split("dev")
    writer = TraceWriter(tmp_path / "traces", {})
    run(["bm25", "tfidf"], split, len(split), Setting(LexicalReader()), writer=writer)
    writer.close()
    again = TraceWriter(tmp_path / "traces", {})
    with pytest.raises(DocqnError, match="more traces"):
        run(["bm25"], split, len(split), Setting(LexicalReader()), writer=again)
    again.close()


def test_outcomes_know_verified_pairs(corpus: Corpus) -> None:
    split = corpus.split("verified-dev")
    found = run(["oracle", "random-para"], split, len(split), Setting(LexicalReader()))
    outcomes: Outcomes = found["oracle"]
    assert outcomes["verified"].tolist() == [1]
