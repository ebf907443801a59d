"""Foraging against its description, on readers that say what they are told to."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Setting, policy
from docqn.policies.forage import MOST, PRICE, Forage
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import BUNDLED, FILE, load
from docqn.policies.trace import Trace
from docqn.readers import Reading
from docqn.readers.lexical import LexicalReader
from tests.documents import document

SCENT = load(BUNDLED)
QUESTION = "Which city lies where the Nile ends?"
WORDS = "city lies Nile ends river lakes Egypt in 1920 and of the Alexandria".split()


@dataclass
class Told:
    """Is as sure of each passage as it was told, and answers with its first letter, or with nothing if not at all."""

    said: Mapping[str, tuple[float, float]]  # probability and logit
    fingerprint: str = "told"

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [self._reading(passage, *self.said[passage]) for passage in passages]

    def _reading(self, passage: str, probability: float, logit: float) -> Reading:
        end = int(probability > 0)
        return Reading(0, end, passage[:end], logit, probability, 0.0, 1)


@dataclass
class Case:
    pair: Pair
    reader: Told

    def forage(self, price: float = PRICE, tokens: int | None = None) -> Trace:
        (trace,) = Forage("forage", SCENT, price).traces([self.pair], Setting(self.reader, tokens=tokens))
        return trace


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A document of different paragraphs, and what the reader says of each."""
    lengths = draw(st.lists(st.integers(1, 30), max_size=MOST + 8))
    rng = draw(st.randoms(use_true_random=False))
    texts = [" ".join([f"No{number}", *rng.choices(WORDS, k=length)]) for number, length in enumerate(lengths)]
    chance = st.sampled_from([0.0, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 1.0])
    said = {text: (draw(chance), draw(st.floats(-5, 5))) for text in texts}
    headings = draw(st.lists(st.integers(0, len(texts)), max_size=3))
    blocks = [line for at, text in enumerate(texts) for line in ["## The Nile"] * (at in headings) + [text]]
    return Case(Pair(QUESTION, document(blocks)), Told(said))


def naive(case: Case, price: float, tokens: int | None) -> tuple[list[int], int]:
    """Which paragraphs are read, and where it stops: the module's description, word by word."""
    made, index = case.pair.document, index_of(case.pair.document)
    length = {node: len(made.tokens_of(node)) for node in index.paragraph.tolist()}
    cost = {node: tokens / len(made.token) for node, tokens in length.items()}
    p = dict(zip(length, map(exp, SCENT.chances(index, QUESTION)), strict=True))
    read: list[int] = []
    left = len(made.token) if tokens is None else tokens
    sure, rest = 0.0, 1.0
    for node in sorted(p, key=lambda node: -p[node] / sqrt(cost[node] + 0.002)):
        if len(read) == MOST or (read and (1 - sure) ** 2 * sqrt(p[node] * max(rest, 0)) < price * cost[node]):
            break
        if length[node] <= left:
            left -= length[node]
            read.append(node)
            sure = max(sure, case.reader.said[made.text_of(node)][0])
            rest -= p[node]
    said = {node: case.reader.said[made.text_of(node)] for node in read}
    answering = [node for node in read if said[node][0] > 0]
    best = max(answering, key=lambda node: said[node][1] + 0.1 * log(p[node]), default=None)
    return read, best or [*read, 0][0]


@settings(max_examples=150)
@given(cases(), st.sampled_from([0.0, 0.05, 0.3, 2.0, 10.0]), st.none() | st.integers(0, 200))
def test_it_does_what_it_says(case: Case, price: float, tokens: int | None) -> None:
    trace = case.forage(price, tokens)
    assert (trace.paragraphs, trace.stop_node) == naive(case, price, tokens)
    made = case.pair.document
    assert trace.tokens_read == sum(len(made.tokens_of(node)) for node in trace.paragraphs)
    assert trace.tokens_read <= (len(made.token) if tokens is None else tokens)
    assert trace.uses_index
    answering = [node for node in trace.paragraphs if case.reader.said[made.text_of(node)][0] > 0]
    assert [one.paragraph for one in trace.readings] == answering
    assert (trace.answer.paragraph if trace.answer else None) == (trace.stop_node if answering else None)


@settings(max_examples=60)
@given(cases(), st.lists(st.floats(0, 20), min_size=2, max_size=5).map(sorted))
def test_a_higher_price_never_reads_more(case: Case, prices: list[float]) -> None:
    read = [case.forage(price).paragraphs for price in prices]
    for more, less in pairwise(read):
        assert more[: len(less)] == less


@given(cases())
def test_for_nothing_it_reads_as_much_as_it_may(case: Case) -> None:
    assert len(case.forage(0.0).paragraphs) == min(len(case.reader.said), MOST)


@given(cases(), st.sampled_from([0.01, 1.0]))
def test_a_reader_that_is_sure_is_believed(case: Case, price: float) -> None:
    sure = replace(case, reader=Told(dict.fromkeys(case.reader.said, (1.0, 0.0))))
    assert len(sure.forage(price).paragraphs) == min(len(sure.reader.said), 1)


@settings(max_examples=40)
@given(st.lists(cases(), min_size=1, max_size=5))
def test_pairs_do_not_disturb_each_other(drawn: list[Case]) -> None:
    reader = Told({text: said for case in reversed(drawn) for text, said in case.reader.said.items()})
    setting = Setting(reader)
    pairs = [case.pair for case in drawn]
    together = Forage("forage", SCENT, 0.3).traces(pairs, setting)
    alone = [Case(pair, reader).forage(0.3) for pair in pairs]
    assert [replace(trace, seconds=0) for trace in together] == [replace(trace, seconds=0) for trace in alone]


def test_threads_forage_the_same() -> None:
    texts = [f"No{number} {' '.join(WORDS[number % 5 : 9])}" for number in range(30)]
    case = Case(Pair(QUESTION, document(texts)), Told(dict.fromkeys(texts, (0.1, 0.0))))
    with ThreadPoolExecutor(8) as pool:
        traces = [*pool.map(lambda _: case.forage(0.01), range(32))]
    assert {tuple(trace.paragraphs) for trace in traces} == {tuple(case.forage(0.01).paragraphs)}


def test_it_is_named_by_folder_and_price(tmp_path: Path) -> None:
    shutil.copy(BUNDLED / FILE, tmp_path)
    for argument, name, price in [
        ("", "forage", PRICE),
        ("0.30", "forage:0.3", 0.3),
        ("0", "forage:0", 0.0),
        (f"{PRICE}", "forage", PRICE),
        (f"{tmp_path}", f"forage:{tmp_path}", PRICE),
        (f"{tmp_path},5", f"forage:{tmp_path},5", 5.0),
        (f"{tmp_path},{PRICE}", f"forage:{tmp_path}", PRICE),
    ]:
        made = policy(f"forage:{argument}" if argument else "forage")
        assert isinstance(made, Forage)
        assert (made.name, made.price) == (name, price)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("nowhere", "nowhere/scent.safetensors: cannot be read"),
        ("-1", "-1/scent.safetensors: cannot be read"),
        ("nan", "nan/scent.safetensors: cannot be read"),
        ("nowhere,0.3", "nowhere/scent.safetensors: cannot be read"),
        ("nowhere,-1", "'-1' is no price"),
        ("nowhere,inf", "'inf' is no price"),
        ("nowhere,", "'' is no price"),
        (",", "'' is no price"),
    ],
)
def test_what_it_cannot_be_named_by(argument: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DocqnError, match=said) as caught:
        policy(f"forage:{argument}")
    assert "\n" not in str(caught.value)


def test_documents_without_paragraphs_or_words_are_no_trouble() -> None:
    for blocks in ([], ["## Heading"], ["7"], ["…", "—"], ["## ?", "?", "## !", "!"]):
        made = document(blocks, title="…")
        for question in ("Which?", "…", "お茶はいくつ", "7"):
            (trace,) = policy("forage:0").traces([Pair(question, made)], Setting(LexicalReader()))
            assert len(trace.paragraphs) == sum(block[0] != "#" for block in blocks)
