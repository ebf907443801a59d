"""Questions to documents, from the outside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docqn
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Setting, builtin
from docqn.policies.trace import Trace
from docqn.serving.navigator import Navigator, ask
from tests.documents import document, sections
from tests.serving.readers import Signs

HANDBOOK = Path(docqn.__file__).parent / "examples" / "handbook.md"
QUESTION = "How many working days of leave does the other parent get?"
TEA = document(
    ["## Kinds", "Green tea: [green 80] tea.", "Black tea: [black 60] tea.", "Nothing of it."], source="tea.md"
)


def test_an_answer_has_its_place() -> None:
    result = ask(HANDBOOK, QUESTION)
    evidence = result.evidence
    assert (result.answer, result.answerable) == ("45", True)
    assert evidence is not None
    assert evidence.path[1:] == ["6 Leave and absence", "6.4 Parental leave", "6.4.2 The other parent"]
    lines = HANDBOOK.read_text().splitlines()
    assert evidence.line is not None
    assert "The other parent has 45 working days" in lines[evidence.line - 1]
    parsed = docqn.parse(HANDBOOK)
    assert parsed.text[evidence.start : evidence.end] == "45"
    assert parsed.text_of(evidence.node) == evidence.paragraph
    assert evidence.paragraph[evidence.start - evidence.paragraph_start :].startswith("45")
    assert result.tokens_total == len(parsed.token)
    assert 0 < result.tokens_read < 0.1 * result.tokens_total


def test_the_json_has_what_is_promised() -> None:
    result = ask(HANDBOOK, QUESTION, top=2).as_json()
    assert json.loads(json.dumps(result)) == result
    promised = """question answer score answerable evidence alternatives tokens_total tokens_read steps reader_calls
        seconds policy reader trace""".split()
    assert {*promised} <= result.keys()
    assert {"source", "path", "paragraph", "start", "end", "page", "line"} <= result["evidence"].keys()
    assert len(result["alternatives"]) == 1


def test_below_the_threshold_there_is_no_answer_but_a_guess() -> None:
    sure, unsure = (
        Navigator(TEA, policy="read-best", reader=Signs(), threshold=limit).ask("Which tea?", top=2)
        for limit in (0.8, 0.81)
    )
    assert (sure.answer, [a.answer for a in sure.alternatives]) == ("green", ["black"])
    assert (unsure.answer, unsure.evidence, unsure.answerable, unsure.score) == (None, None, False, 0.8)
    assert [a.answer for a in unsure.alternatives] == ["green", "black"]


def test_a_reader_may_bring_its_own_threshold() -> None:
    class Timid(Signs):
        abstains_below = 0.9

    assert Navigator(TEA, reader=Timid()).ask("Which tea?").answer is None
    assert Navigator(TEA, reader=Signs()).ask("Which tea?").answer == "green"


@pytest.mark.parametrize("name", [*sorted({*builtin()} - {"agent", "ensemble"}), "ensemble:bm25,random-walk"])
@settings(max_examples=8)
@given(most=st.integers(1, 90))
def test_a_limit_of_tokens_is_never_exceeded(name: str, most: int) -> None:
    documents = [replace(document(sections(count)), source=f"{count}.txt") for count in (1, 2, 3)]
    result = Navigator(*documents, policy=name, reader=Signs(), cache=False).ask("Which word stands?", max_tokens=most)
    assert result.tokens_read <= most


class Greedy:
    """A policy of somebody else that reads all it can."""

    name = "greedy"

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        from docqn.policies.read_top import ReadTop

        return ReadTop(800).traces(pairs, replace(setting, tokens=None))


def test_a_policy_that_does_not_keep_to_the_limit_gives_no_answer() -> None:
    navigator = Navigator(TEA, policy=Greedy(), reader=Signs())
    assert navigator.ask("Which tea?").answer == "green"
    with pytest.raises(DocqnError, match="'greedy' does not keep to a limit"):
        navigator.ask("Which tea?", max_tokens=5)


def test_a_limit_too_low_to_read_anything_is_told() -> None:
    navigator = Navigator(TEA, reader=Signs(), cache=False)
    too_low = navigator.ask("Which tea?", max_tokens=1)
    assert (too_low.answer, too_low.notes) == (None, ["no paragraph fits into the limit of tokens (1); allow more"])
    assert not navigator.ask("Which tea?", max_tokens=50).notes


def test_steps_of_a_walk_and_of_jumps() -> None:
    jumps = Navigator(TEA, reader=Signs(), policy="read-best").ask("Which tea?")
    assert [(v.action, v.node) for v in jumps.trace] == [("Answer", 2), ("Answer", 4), ("Answer", 6), ("Stop", 2)]
    assert [v.reading.answer if v.reading else None for v in jumps.trace] == ["green", "black", "Nothing", "green"]
    one = Navigator(TEA, reader=Signs(), policy="bm25").ask("Which black tea?")
    assert [(v.action, v.node) for v in one.trace] == [("Stop", 4)]
    walk = Navigator(TEA, reader=Signs(), policy="random-walk").ask("Which tea?", seed=1)
    assert walk.steps == len(walk.trace) >= 1
    assert walk.trace[0].node == 0


def test_many_questions_to_the_same_documents_parse_and_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Signs()
    with Navigator(HANDBOOK, reader=reader) as navigator:
        navigator.ask(QUESTION)
        read = len(reader.read_passages)
        monkeypatch.setattr("docqn.serving.documents.parse_bytes", None)
        navigator.ask(QUESTION)
        assert len(reader.read_passages) == read
    with Navigator(HANDBOOK, reader=(other := Signs())) as navigator:
        navigator.ask(QUESTION)
        assert other.read_passages == []


def test_without_a_cache_nothing_is_kept(cache_folder: Path) -> None:
    ask(HANDBOOK, QUESTION, cache=False)
    assert list(cache_folder.iterdir()) == []
    ask(HANDBOOK, QUESTION)
    assert list(cache_folder.iterdir()) != []


def test_what_is_wrong_is_one_line() -> None:
    with pytest.raises(DocqnError, match="the question is empty"):
        ask(TEA, " \n")
    with pytest.raises(DocqnError, match="no document to ask"):
        ask([], "Which tea?")
    with pytest.raises(DocqnError, match="too few"):
        ask(TEA, "Which tea?", max_tokens=0)
    with pytest.raises(DocqnError, match="no such file"):
        ask("nothing.md", "Which tea?")


@pytest.mark.parametrize(
    ("made", "question", "note"),
    [
        (document(["## Only", "## Headings"]), "Which headings?", "nothing to read"),
        (TEA, "Wie viel Zucker braucht man?", "no word of the question"),
        (TEA, "お茶はいくつ", "no word to look for"),
        (TEA, "What is it?", "no word to look for"),
    ],
)
def test_why_there_may_be_no_answer(made: docqn.Document, question: str, note: str) -> None:
    result = Navigator(made, reader=Signs(), threshold=0.9).ask(question)
    assert result.answer is None
    assert note in " ".join(result.notes)


def test_by_default_what_comes_with_the_package_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from docqn.readers import default as default_reader

    monkeypatch.setattr(default_reader, "FOLDER", tmp_path / "reader")
    without = Navigator(TEA, cache=False).ask("Which tea?")
    assert (without.policy, without.reader.partition("-")[0]) == ("forage", "lexical")
    (tmp_path / "reader").mkdir()
    with pytest.raises(DocqnError, match=str(tmp_path / "reader")):
        Navigator(TEA, cache=False)


def test_several_threads_get_the_same_answers(tmp_path: Path) -> None:
    asked = [QUESTION, "When was the company founded?", "What does the company pay for glasses?"] * 4
    with Navigator(docqn.parse(HANDBOOK), cache=False) as alone:
        expected = [alone.ask(question).answer for question in asked]
    with Navigator(docqn.parse(HANDBOOK), cache=False) as shared, ThreadPoolExecutor(6) as pool:
        assert [*pool.map(lambda question: shared.ask(question).answer, asked)] == expected
    assert expected[0] == "45"
