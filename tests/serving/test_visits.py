"""Visits: the way of a policy, from its trace."""

from __future__ import annotations

from docqn.document import DOWN
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.observation import WORDS
from docqn.environment.pairs import Pair
from docqn.policies.trace import Answer, Step
from docqn.policies.tracing import trace
from docqn.serving.visits import visits
from docqn.text.tokens import token_spans, token_texts
from tests.documents import document

LONG = " ".join(f"word{number}" for number in range(40))
MADE = document(["## One", f"First come words. {LONG}."], title="Tea for two")
PAIR = Pair("Which word comes first?", MADE, name="tea.txt")
WORD = Answer(2, MADE.text.index("words"), MADE.text.index("words") + 5, "words", 1.0, 0.4, 0.1)


def walked() -> list[Step]:
    weights = [0.1 * number for number in range(3 + 1 + WORDS)]  # title, heading, paragraph
    return [
        Step(0, 0, "title", "Tea for two", DOWN, q_values=[0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]),
        Step(1, 1, "section", "One", DOWN),
        Step(
            2,
            2,
            "paragraph",
            "First …",
            ANSWER,
            answer=WORD,
            observation_attention=weights,
        ),
        Step(2, 2, "paragraph", "First …", STOP, question_attention=[0.5, 0.3, 0.1, 0.1, 0.0]),
    ]


def test_each_step_is_a_visit_with_its_value_and_attention() -> None:
    made = trace(PAIR, "walker", 2, final=WORD, paragraphs=[2], seconds=0, steps=walked())
    found = visits(PAIR, made)
    assert [visit.action for visit in found] == ["Down", "Down", "Answer", "Stop"]
    assert [visit.value for visit in found] == [0.5, None, None, None]
    assert found[0].values is not None
    assert [*found[0].values] == [*ACTIONS]
    assert found[2].reading is not None
    assert (found[2].reading.answer, found[2].reading.score) == ("words", 0.4)
    assert [visit.path for visit in found] == [["Tea for two"], *[["Tea for two", "One"]] * 3]


def test_attention_stands_at_the_words_that_were_seen() -> None:
    made = trace(PAIR, "walker", 2, final=WORD, paragraphs=[2], seconds=0, steps=walked())
    _, _, third, last = visits(PAIR, made)
    assert [shade.text for shade in third.attention[:5]] == ["Tea", "for", "two", "One", "First"]
    assert len(third.attention) == 3 + 1 + WORDS
    assert all(MADE.text[shade.start : shade.end] == shade.text for shade in third.attention)
    assert [round(shade.weight, 6) for shade in third.attention[:3]] == [0.0, 0.1, 0.2]
    tokens = token_texts(PAIR.question, token_spans(PAIR.question))
    assert [(shade.text, shade.weight) for shade in last.question_attention] == [
        *zip(tokens, [0.5, 0.3, 0.1, 0.1, 0.0], strict=True)
    ]


def test_a_line_is_that_of_the_sentence_with_the_answer() -> None:
    from docqn.parsers import parse_bytes

    made = parse_bytes(b"# Tea\n\nIt is green. It\nis warm.\nThe end\nis [here 90].\n", "tea.md")
    node = 1
    start = made.text.index("warm")
    answer = Answer(node, start, start + 4, "warm", 1.0, 0.5, 0.0)
    (visit,) = visits(Pair("?", made), trace(Pair("?", made), "p", node, final=answer, paragraphs=[node], seconds=0))
    assert visit.reading is not None
    assert visit.reading.evidence.line == 3
    assert visit.line == 3
