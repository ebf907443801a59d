"""SQuAD's files: read, built, and written again."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.corpora import formats
from docqn.corpora.build import build
from docqn.corpora.formats import squad
from docqn.corpora.store import Corpus
from docqn.document import NONE
from docqn.errors import DocqnError
from tests.corpora.small import QUESTIONS, write_evidence, write_questions


def article(title: str, *paragraphs: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {"title": title, "paragraphs": [{"context": context, "qas": qas} for context, qas in paragraphs]}


def asked(id: str, *answers: tuple[str, int], **more: object) -> dict[str, Any]:
    given = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": id, "question": f"What of {id}?", "answers": given, **more}


def write(path: Path, *articles: dict[str, Any], version: str = "1.1") -> Path:
    path.write_text(json.dumps({"version": version, "data": articles}))
    return path


def rebuilt(path: Path, *articles: dict[str, Any]) -> dict[str, Any]:
    """What is written of a corpus that was built from these articles."""
    write(path / "dev.json", *articles)
    build([path / "dev.json"], None, path / "corpus", jobs=1)
    squad.write(Corpus(path / "corpus").split("dev"), path / "again.json")
    again: dict[str, Any] = json.loads((path / "again.json").read_text())
    return again


contexts = st.lists(st.sampled_from("Nile flows. to Egypt! é 東京 “so” 5".split()), min_size=1, max_size=6).map(
    " ".join
)


@st.composite
def articles(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Articles whose questions have zero to two answers somewhere in their paragraphs."""
    made = []
    number = 0
    for title in sorted(draw(st.sets(st.sampled_from(["A", "B_1", "C c"]), min_size=1))):
        paragraphs = []
        for context in draw(st.lists(contexts, min_size=1, max_size=3, unique=True)):
            qas = []
            for _ in range(draw(st.integers(0, 2))):
                starts = draw(st.lists(st.integers(0, len(context) - 1), max_size=2))
                spans = [(a, draw(st.integers(a + 1, len(context)))) for a in starts]
                qas.append(asked(f"q{number}", *((context[a:b], a) for a, b in spans if context[a:b].strip())))
                number += 1
            paragraphs.append((context, qas))
        made.append(article(title, *paragraphs))
    return made if number else [article("A", ("Nile", [asked("q")]))]


@settings(max_examples=30)
@given(articles())
def test_what_was_read_is_written_again(some: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        again = rebuilt(Path(folder), *some)
    questions = [q for a in some for p in a["paragraphs"] for q in p["qas"]]
    impossible = any(not q["answers"] for q in questions)
    assert again["version"] == ("2.0" if impossible else "1.1")
    if impossible:
        for one in questions:
            one["is_impossible"] = not one["answers"]
    used = [a for a in some if any(p["qas"] for p in a["paragraphs"])]
    assert again["data"] == used


def test_answers_keep_their_places_when_the_paragraph_is_cleaned(tmp_path: Path) -> None:
    context = " \n\u200bThe Ni\u00adle ends in Al\u200bexandria. "
    answer = "Al\u200bexandria. "
    again = rebuilt(tmp_path, article("N", (context, [asked("q", (answer, context.index(answer)), ("The", 3))])))
    (paragraph,) = again["data"][0]["paragraphs"]
    assert paragraph["context"] == "The Nile ends in Alexandria."
    answers = [(a["text"], a["answer_start"]) for a in paragraph["qas"][0]["answers"]]
    assert answers == [("Alexandria.", 17), ("The", 0)]


def test_answers_are_where_the_file_says_and_nowhere_else(tmp_path: Path) -> None:
    context = "The Nile is long. The Nile is old."
    path = write(tmp_path / "dev.json", article("Nile", ("The Nile.", []), (context, [asked("q", ("Nile", 22))])))
    build([path], None, tmp_path / "corpus", jobs=1)
    (example,) = Corpus(tmp_path / "corpus").split("dev")
    document = example.document
    assert [document.text_of(u) for u in example.answer_paragraphs.tolist()] == [context]
    assert [document.text_of(u) for u in example.answer_sentences.tolist()] == ["The Nile is old."]
    assert [document.text[a:b] for a, b in example.answer_spans.tolist()] == ["Nile"]
    assert document.text_of(example.context) == context
    assert example.id == "q--Nile"


def test_questions_without_an_answer_are_kept(tmp_path: Path) -> None:
    record = asked("q", is_impossible=True, plausible_answers=[{"text": "Nile", "answer_start": 4}])
    path = write(tmp_path / "dev.json", article("Nile", ("The Nile.", [record])), version="2.0")
    build([path], None, tmp_path / "corpus", jobs=1)
    (example,) = Corpus(tmp_path / "corpus").split("dev")
    assert (example.question.answers, example.answer_paragraphs.tolist(), example.first_answer) == ((), [], NONE)
    assert example.context == 1


def test_articles_with_a_title_and_paragraphs_with_a_text_are_one(tmp_path: Path) -> None:
    flat = [article("Nile_river", (context, [asked(f"q{i}")])) for i, context in enumerate(("One.", "Two.", "One."))]
    file = squad.read(write(tmp_path / "dev.json", *flat), None)
    assert [q.pages[0].context for q in file.questions] == [0, 1, 0]
    (source,) = file.sources.values()
    document = source.parse(source.read(), "Nile_river")
    assert (document.title, [document.text_of(u) for u in (1, 3)]) == ("Nile river", ["One.", "Two."])


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (5, "wrong article"),
        ({"title": "A"}, "wrong article"),
        (article("A", (5, [])), "wrong article"),  # type: ignore[arg-type]
        ({"title": "A", "paragraphs": [{"context": "x"}]}, "wrong article"),
        (article("A", (" ", [asked("q")])), "empty paragraph"),
        (article("A", ("x", [{"question": "Q"}])), "no id"),
        (article("A", ("x", [{"id": "q", "question": ""}])), "wrong record"),
        (article("A", ("x", [{"id": "q", "question": "Q", "answers": [{"text": "x"}]}])), "wrong record"),
        (article("A", ("xy", [asked("q", ("y", 0))])), "misplaced answer"),
        (article("A", ("xy", [asked("q", ("y", -1))])), "misplaced answer"),
        (article("A", ("xy", [asked("q", ("", 0))])), "misplaced answer"),
    ],
)
def test_bad_records_are_named_and_others_are_read(tmp_path: Path, data: Any, kind: str) -> None:
    file = squad.read(write(tmp_path / "a.json", data, article("B", ("The Nile.", [asked("good")]))), None)
    assert [bad.kind for bad in file.bad] == [kind]
    assert [q.id for q in file.questions] == ["good"]
    assert formats.detect(tmp_path / "a.json") == "squad"


def test_a_split_about_whole_documents_cannot_be_written(tmp_path: Path) -> None:
    evidence = write_evidence(tmp_path / "evidence")
    build([write_questions(tmp_path / "a.json", QUESTIONS)], evidence, tmp_path / "corpus", jobs=1)
    with pytest.raises(DocqnError, match=r"q1--Nile\.html: was not asked about one paragraph"):
        squad.write(Corpus(tmp_path / "corpus").split("dev"), tmp_path / "out.json")
