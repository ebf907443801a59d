"""The lexical reader finds what stands beside the question's words."""

import subprocess
import sys
import time

import pytest

from docqn.readers.lexical import LexicalReader

PASSAGE = (
    "Alice Smith went to Paris in 1920. Bob ate 17 cakes there. The Duke of York, a friend, sent 3 letters to Rome."
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many cakes did Bob eat?", "17"),
        ("In what year did Alice Smith go to Paris?", "1920"),
        ("Which friend sent letters to Rome?", "Duke of York"),
        ("Which city did Alice Smith go to in 1920?", "Paris"),
    ],
)
def test_names_and_numbers_near_the_questions_words(question: str, answer: str) -> None:
    (reading,) = LexicalReader().read([question], [PASSAGE])
    assert reading.text == answer


def test_without_names_a_single_word_is_the_answer() -> None:
    (reading,) = LexicalReader().read(["What do cows eat?"], ["the cows eat grass"])
    assert reading.text == "grass"


def test_only_words_that_say_nothing_give_no_answer() -> None:
    (reading,) = LexicalReader().read(["What is it?"], ["it is the of and"])
    assert (reading.text, reading.tokens) == ("", 5)


@pytest.mark.parametrize("passage", ["De", "De la", "Van de la", "& Co"])
def test_a_passage_of_the_inner_words_of_names(passage: str) -> None:
    (reading,) = LexicalReader().read(["Who?"], [passage])
    assert reading.text in passage


def test_a_passage_that_holds_more_of_the_question_scores_higher() -> None:
    better, worse = LexicalReader().read(
        ["How many cakes did Bob eat?"] * 2, ["Bob ate 17 cakes.", "Eve saw 17 trees."]
    )
    assert better.logit > worse.logit
    assert better.probability > worse.probability


def test_readings_do_not_depend_on_the_process() -> None:
    script = (
        "from docqn.readers.lexical import LexicalReader; import sys;"
        "question = 'Which old friend sent three letters from York to Rome in winter?';"
        "print(LexicalReader().read([question], [sys.argv[1]]))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script, PASSAGE],
            env={"PYTHONHASHSEED": str(seed), "PATH": ""},
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        for seed in (1, 2)
    }
    assert len(told) == 1


def test_a_very_long_passage_takes_time_in_proportion() -> None:
    start = time.perf_counter()
    (reading,) = LexicalReader().read(["Which cake?"], ["the cake is a small cake " * 20_000])
    assert reading.tokens == 120_000
    assert time.perf_counter() - start < 10
