"""What every policy has to do, over all that are found."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from docqn.build import build_document
from docqn.document import PARAGRAPH
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Policy, Setting, builtin, policy
from docqn.policies.choosing import choose
from docqn.policies.trace import Answer, Trace
from docqn.readers.lexical import LexicalReader
from tests.documents import document, sections
from tests.policies.checks import faults
from tests.policies.tiny_agent import write_agent

AGENTS = TemporaryDirectory()  # it goes with the last reference to it
AGENT, COUPLED, OF_WORDS = (
    str(write_agent(Path(AGENTS.name), *kind))
    for kind in (("docqn-small",), ("dqn-coupled-small",), ("docqn-small", "mlp"))
)
ARGUMENTS = {
    "agent": (AGENT, COUPLED, OF_WORDS),
    "ensemble": ("bm25,random-walk,4", "random-walk,bm25,4", "random-walk,bm25", f"agent:{AGENT},bm25,4"),
    "oracle": ("", "read", "2"),
    "read-best": ("", "1", "2"),
    "read-top": ("", "7"),
    "first-paragraph": ("", "9"),
    "forage": ("", "0", "0.3"),
    "bm25": ("", "9"),
    "doc-tfidf": ("", "9"),
}
POLICIES = {
    "agent",
    "random-walk",
    "random-para",
    "first-paragraph",
    "doc-tfidf",
    "tfidf",
    "bm25",
    "read-best",
    "forage",
    "read-top",
    "default",
    "oracle",
    "ensemble",
}

NILE = document(
    [
        "## Course",
        "It rises at Lake Victoria. It ends in the Mediterranean Sea near Alexandria.",
        "### Cataracts",
        "There are six cataracts between Aswan and Khartoum.",
        "## History of Egypt",
        "Floods made farming possible.",
        "Cleopatra died in Alexandria in 30 BC. She was 39.",
    ],
    title="Nile",
    source="nile.txt",
)
PAIRS = [
    Pair("Which city lies where the Nile ends?", NILE, "q1", "nile", ("Alexandria",), (2, 10), (2,)),
    Pair("How old was Cleopatra?", NILE, "q2", "nile", ("39",), (10,)),
    Pair("What came?", document(sections(3)), "q3", "parts"),
    Pair("Nothing?", document([], title="Only a title"), "q4", "title"),
    Pair("", document(["# Heading", "One paragraph."]), "q5", "short", ("One",), (2,), ()),
    Pair("Alone?", document(["A paragraph and no section."]), "q6", "flat", (), ()),
    Pair("?", build_document([], source="x", format="test", title="…"), "q7", "sign"),
]
SETTING = Setting(LexicalReader(), seed=3)


class LastParagraph:
    """A policy of somebody else, known by this module's name."""

    name = f"{__name__}:LastParagraph"

    def traces(self, pairs: Sequence[Pair], setting: Setting) -> list[Trace]:
        return choose(pairs, setting, self.name, lambda pair: int(np.flatnonzero(pair.document.kind <= PARAGRAPH)[-1]))


def _policies() -> list[Policy]:
    """Each built-in one with each of its arguments, and somebody else's."""
    arguments = [(name, argument) for name in builtin() for argument in ARGUMENTS.get(name, ("",))]
    found = [policy(f"{name}:{argument}" if argument else name) for name, argument in arguments]
    return [policy(LastParagraph.name), *found]


@pytest.fixture(params=_policies(), ids=lambda policy: policy.name.replace(AGENTS.name, ""))
def each(request: pytest.FixtureRequest) -> Policy:
    made: Policy = request.param
    return made


def without_time(traces: list[Trace]) -> list[Trace]:
    return [replace(trace, seconds=0.0) for trace in traces]


VALUES = ("q_values", "question_attention", "observation_attention")


def without_values(trace: Trace) -> Trace:
    bare = [replace(step, q_values=None, question_attention=None, observation_attention=None) for step in trace.steps]
    return replace(trace, steps=bare)


def values(trace: Trace) -> list[float]:
    return [value for step in trace.steps for name in VALUES for value in getattr(step, name) or ()]


def test_the_policies_of_the_paper_are_there() -> None:
    assert {*builtin()} >= POLICIES


def test_its_traces_are_sound(each: Policy) -> None:
    for seed in range(5):
        traces = each.traces(PAIRS, replace(SETTING, seed=seed))
        assert len(traces) == len(PAIRS)
        assert [faults(trace, pair) for trace, pair in zip(traces, PAIRS, strict=True)] == [[]] * len(PAIRS)
        assert {trace.policy for trace in traces} == {each.name}


def test_what_it_does_with_a_pair_does_not_depend_on_the_others(each: Policy) -> None:
    together = without_time(each.traces(PAIRS, SETTING))
    alone = [without_time(each.traces([pair], SETTING))[0] for pair in PAIRS]
    backwards = without_time(each.traces(PAIRS[::-1], SETTING))[::-1]
    for others in (alone, backwards):
        assert [without_values(trace) for trace in together] == [without_values(trace) for trace in others]
        for ours, theirs in zip(together, others, strict=True):
            assert values(ours) == pytest.approx(values(theirs), abs=2e-4)  # numbers are added up in another order
    assert each.traces([], SETTING) == []


@pytest.mark.parametrize("tokens", [0, 1, 7, 12, 30, 1000])
def test_it_consumes_no_more_than_it_may(each: Policy, tokens: int) -> None:
    limited = replace(SETTING, tokens=tokens)
    traces = each.traces(PAIRS, limited)
    assert [faults(trace, pair) for trace, pair in zip(traces, PAIRS, strict=True)] == [[]] * len(PAIRS)
    assert max(trace.tokens_read for trace in traces) <= tokens
    if tokens == 1000:
        assert without_time(traces) == without_time(each.traces(PAIRS, SETTING))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7, 1.0])
def test_a_share_is_so_many_tokens_of_each_document(each: Policy, share: float) -> None:
    for pair, trace in zip(PAIRS, each.traces(PAIRS, replace(SETTING, share=share)), strict=True):
        most = int(share * len(pair.document.token))
        (counted,) = each.traces([pair], replace(SETTING, tokens=most))
        assert trace.tokens_read <= most
        assert without_values(without_time([trace])[0]) == without_values(without_time([counted])[0])
        (both,) = each.traces([pair], replace(SETTING, tokens=4, share=share))
        assert both.tokens_read <= min(4, most)


def test_the_same_seed_gives_the_same_traces(each: Policy) -> None:
    assert without_time(each.traces(PAIRS, SETTING)) == without_time(each.traces(PAIRS, SETTING))


def test_only_an_oracle_looks_at_the_labels(each: Policy) -> None:
    if not each.name.startswith("oracle"):
        bare = [replace(pair, golds=None, answers=None, supporting=None) for pair in PAIRS]
        for trace, blind in zip(each.traces(PAIRS, SETTING), each.traces(bare, SETTING), strict=True):
            assert (trace.stop_node, trace.answer, trace.read) == (blind.stop_node, blind.answer, blind.read)
            assert all(step.reward is None for step in blind.steps)


def test_its_name_makes_it_again(each: Policy) -> None:
    assert policy(each.name).name == each.name


def test_a_trace_becomes_json_and_back(each: Policy) -> None:
    for trace in each.traces(PAIRS, SETTING):
        assert Trace.from_json(trace.as_json()) == trace


@pytest.mark.parametrize(
    "name",
    [
        "no-such",
        "os:getcwd",
        "oracle:x",
        "oracle:0",
        "read-top:many",
        "read-top:0",
        "read-best:0",
        "read-best:x",
        "default:x",
        "forage:x,",
        "forage:no-such-folder",
        "bm25:x",
        "first-paragraph:-1",
        "ensemble",
        "ensemble:bm25",
        "ensemble:a,b",
    ],
)
def test_a_wrong_name_or_argument_is_an_error(name: str) -> None:
    with pytest.raises(DocqnError):
        policy(name)


def _broken(trace: Trace) -> dict[str, Trace]:
    """A sound walk made wrong in each way that the checks look for."""
    assert trace.answer is not None
    steps = trace.steps
    elsewhere = replace(trace.answer, text="elsewhere")
    first = replace(steps[0], answer=trace.answer)
    return {
        "another pair": replace(trace, question_id="q9"),
        "not in the document": replace(trace, stop_node=99),
        "index or kind are not those of the stop": replace(trace, stop_index=99),
        "the path": replace(trace, path=["Nil"]),
        "overlap": replace(trace, read=[(0, 5), (4, 7)]),
        "number of tokens": replace(trace, tokens_total=1),
        "not paragraphs": replace(trace, paragraphs=[0]),
        "fewer reader calls": replace(trace, reader_calls=0),
        "its tokens were not": replace(trace, read=[]),
        "not at its place": replace(trace, answer=elsewhere),
        "not stand in its paragraph": replace(trace, answer=replace(trace.answer, paragraph=10)),
        "probability": replace(trace, answer=replace(trace.answer, probability=2.0)),
        "less than no time": replace(trace, seconds=-1.0),
        "labels": replace(trace, golds=["other"]),
        "begin at the title": replace(trace, steps=steps[1:]),
        "where the next one is": replace(trace, steps=[steps[0], *steps]),
        "step's index": replace(trace, steps=[replace(steps[0], index=9), *steps[1:]]),
        "step's text": replace(trace, steps=[replace(steps[0], text="Tea"), *steps[1:]]),
        "Stop is not the end": replace(trace, stopped=False),
        "without Answer": replace(trace, steps=[first, *steps[1:]]),
        "that was not read": replace(trace, steps=[first, *steps[1:]], paragraphs=[]),
        "value for each action": replace(trace, steps=[replace(steps[0], q_values=[1.0]), *steps[1:]]),
        "reward is missing": replace(trace, steps=[replace(steps[0], reward=None), *steps[1:]]),
        "reward is not the paper's": replace(trace, steps=[replace(steps[0], reward=-0.06), *steps[1:]]),
    }


def test_each_fault_is_noticed() -> None:
    (trace,) = policy("oracle").traces(PAIRS[:1], SETTING)
    for fault, broken in _broken(trace).items():
        assert any(fault in found for found in faults(broken, PAIRS[0])), fault


def test_a_policy_of_somebody_else_is_named_by_its_module() -> None:
    assert policy("docqn.policies.read_top:ReadTop:7").name == "read-top:7"


def test_answers_are_equal_by_what_they_say() -> None:
    assert Answer(1, 2, 3, "a", 0.0, 0.0, 0.0) == Answer(1, 2, 3, "a", 0.0, 0.0, 0.0)
