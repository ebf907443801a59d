"""Exact match and F1, beside a second implementation of the official rules that shares nothing with the first."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.errors import DocqnError
from docqn.text.answers import normalize_squad
from docqn.text.scores import exact_match, f1, normalization

SIGNS = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") | set("‘’´`")


def words(answer: str) -> list[str]:
    """TriviaQA's rules, letter by letter: lower case, signs separate words, articles are no words."""
    found, word = [], ""
    for char in f"{answer.lower()} ":
        # Python's \b, which the official script finds articles by, lies between letters and anything else.
        if char in SIGNS or char.isspace():
            found.append(word)
            word = ""
        else:
            word += char
    return [kept for word in found for kept in without_articles(word)]


def without_articles(word: str) -> list[str]:
    """A word may hold an article between signs that the rules do not know: `“the”`."""
    runs, run = [], ""
    for char in word:
        inner = char.isalnum() or char == "_"
        if run and inner != (run[-1].isalnum() or run[-1] == "_"):
            runs.append(run)
            run = ""
        run += char
    runs.append(run)
    return "".join(" " if run in ("a", "an", "the") else run for run in runs).split()


def best(answer: str, golds: list[str]) -> tuple[float, float]:
    """Exact match and F1, counted out."""
    scores = [(0.0, 0.0)]
    for gold in golds:
        left, given = words(gold), words(answer)
        same = 0
        for word in given:
            if word in left:
                left.remove(word)
                same += 1
        precision, recall = (same / len(words(text)) if words(text) else 0 for text in (answer, gold))
        f1 = 2 * precision * recall / (precision + recall) if same else 0.0
        scores.append((float(given == words(gold)), f1))
    return max(score for score, _ in scores), max(score for _, score in scores)


TRICKY = [
    ("Snake_case", ["snake case"]),
    ("“The Beatles”", ["Beatles", "the beatles"]),
    ("‘Allo ‘Allo!", ["allo allo"]),
    ("don´t", ["don t", "dont"]),
    ("The The", ["the the"]),
    ("a", ["an"]),
    ("An apple a day", ["apple day"]),
    ("AN  A\tTHE", ["the"]),
    ("C++", ["C"]),
    ("AT&T", ["at t"]),
    ("U.S.A.", ["USA", "u s a"]),
    ("Łódź", ["łódź", "Lodz"]),
    ("İstanbul", ["istanbul"]),
    ("Straße", ["strasse"]),
    ("naïve", [unicodedata.normalize("NFD", "naïve")]),
    ("東京", ["東 京"]),
    ("3–1", ["3-1"]),
    ("the-end", ["end"]),
    ("then", ["n"]),
    ("theatre", ["atre"]),
    ("…", ["."]),
    ("", ["anything"]),
    ("to be or not to be", ["not to be", "be be"]),
    ("New York\u00a0City", ["new york city"]),
    ("a_an_the", ["x"]),
]


@pytest.mark.parametrize(("answer", "golds"), TRICKY)
def test_tricky_answers(answer: str, golds: list[str]) -> None:
    assert (exact_match(answer, golds), f1(answer, golds)) == pytest.approx(best(answer, golds))


pieces = st.sampled_from(
    [*"aAtTbẞİé_‘’´`“”'-–.&", "the", "The", "an", "a", " ", "\u00a0", "\u2028", "東", "42", "\u0301", "ﬁ", "Tea"]
)
answers = st.lists(pieces, max_size=10).map("".join) | st.text(max_size=8)


@given(answers, st.lists(answers, max_size=3))
def test_any_answers(answer: str, golds: list[str]) -> None:
    assert (exact_match(answer, golds), f1(answer, golds)) == pytest.approx(best(answer, golds))


@given(answers)
def test_an_answer_is_itself_and_f1_is_symmetric(answer: str) -> None:
    assert exact_match(answer, [answer]) == 1
    assert f1(answer, ["tea party"]) == pytest.approx(f1("tea party", [answer]))


def test_no_right_answer_is_never_matched() -> None:
    assert (exact_match("tea", []), f1("tea", [])) == (0, 0)


def test_squad_deletes_signs_where_triviaqa_separates() -> None:
    assert exact_match("U.S.A.", ["USA"], normalize_squad) == 1
    assert exact_match("U.S.A.", ["USA"]) == 0
    assert normalization("squad") is normalize_squad
    with pytest.raises(DocqnError, match="choose triviaqa, squad"):
        normalization("other")
