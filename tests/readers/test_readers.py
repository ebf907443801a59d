"""What every reader has to do, whatever it is made of."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given

from docqn import plugins, readers
from docqn.errors import DocqnError
from docqn.readers import Reader, Reading
from docqn.text.tokens import token_spans
from tests.trees import texts

TRAINED = ("default", "rasor", "transformer")  # need weights; their own tests run the same checks


class FirstWord:
    """A reader of somebody else, known by this module's name."""

    fingerprint = "first-word"

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [self._read(passage) for _, passage in zip(questions, passages, strict=True)]

    def _read(self, passage: str) -> Reading:
        spans = token_spans(passage).tolist()
        begin, end = spans[0] if spans else (0, 0)
        return Reading(begin, end, passage[begin:end], 0.0, 1.0 if spans else 0.0, 0.0, len(spans))


BUILT_IN = [name for name in plugins.names("docqn.readers", "reader") if name not in TRAINED]
QUESTION = "How many cakes did Bob eat?"
PASSAGE = "Alice went to Paris in 1920. Bob ate 17 cakes there, and then he left."


def faults(reading: Reading, passage: str) -> list[str]:
    """What is wrong with a reading of the passage."""
    found = []
    if not 0 <= reading.start <= reading.end <= len(passage):
        found.append("the span lies outside the passage")
    if reading.text != passage[reading.start : reading.end]:
        found.append("the text is not that of the span")
    if reading.text != reading.text.strip():
        found.append("the text has space around it")
    if not 0 <= reading.probability <= 1 + 1e-6:
        found.append("the probability is not one")
    if not reading.entropy >= -1e-6:
        found.append("the entropy is negative")
    if not all(map(math.isfinite, (reading.logit, reading.probability, reading.entropy))):
        found.append("a number is not finite")
    if reading.tokens < 0 or (reading.tokens == 0) != (len(token_spans(passage)) == 0):
        found.append("the number of tokens is wrong")
    return found


@pytest.fixture(params=[*BUILT_IN, f"{__name__}:FirstWord"], scope="module")
def reader(request: pytest.FixtureRequest) -> Reader:
    return readers.reader(request.param)


def test_there_is_a_reader_that_needs_no_training() -> None:
    assert "lexical" in BUILT_IN


@given(question=texts, passage=texts)
def test_any_text_gives_a_sound_reading(reader: Reader, question: str, passage: str) -> None:
    (reading,) = reader.read([question], [passage])
    assert faults(reading, passage) == []


def test_a_passage_without_a_token_gives_an_empty_answer(reader: Reader) -> None:
    for passage in ("", " \n "):
        (reading,) = reader.read([QUESTION], [passage])
        assert (reading.text, reading.probability, reading.tokens) == ("", 0, 0)


def test_a_batch_reads_as_one_by_one(reader: Reader) -> None:
    passages = [PASSAGE, "", PASSAGE.lower(), "Short.", PASSAGE * 30]
    questions = [QUESTION, QUESTION, "Where did Alice go?", "", QUESTION]
    batch = reader.read(questions, passages)
    for question, passage, reading in zip(questions, passages, batch, strict=True):
        (alone,) = reader.read([question], [passage])
        assert reading[:3] == alone[:3]
        assert reading[3:] == pytest.approx(alone[3:], abs=1e-4)
    assert reader.read([], []) == []


def test_the_same_twice(reader: Reader) -> None:
    assert reader.read([QUESTION], [PASSAGE]) == reader.read([QUESTION], [PASSAGE])


def test_it_says_which_it_is(reader: Reader) -> None:
    assert reader.fingerprint


def test_an_unknown_reader_is_an_error() -> None:
    with pytest.raises(DocqnError, match=r"not among the readers; choose .*lexical"):
        readers.reader("no-such")
    with pytest.raises(DocqnError, match="'os:getcwd' makes no reader"):
        readers.reader("os:getcwd")


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (Reading(0, 99, "", 0, 0, 0, 1), "outside"),
        (Reading(0, 5, "Bob", 0, 0, 0, 1), "not that of the span"),
        (Reading(5, 6, " ", 0, 0, 0, 1), "space around"),
        (Reading(0, 5, "Alice", 0, 1.5, 0, 1), "not one"),
        (Reading(0, 5, "Alice", 0, 0, -1, 1), "negative"),
        (Reading(0, 5, "Alice", math.inf, 0, 0, 1), "finite"),
        (Reading(0, 5, "Alice", 0, 0, 0, 0), "number of tokens"),
    ],
)
def test_each_fault_is_noticed(wrong: Reading, fault: str) -> None:
    assert any(fault in found for found in faults(wrong, PASSAGE))
