"""A corpus as it is opened: views of the files, the documents as they were parsed, and damage."""

import json
import shutil
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from docqn.corpora import store
from docqn.corpora.build import build
from docqn.corpora.layout import STORED
from docqn.corpora.nop import remove_preface
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.document import NONE, Document
from docqn.errors import DocqnError
from docqn.invariants import violations
from docqn.parsers import parse
from docqn.text.tokens import token_spans, token_texts
from tests.corpora.small import PAGES, QUESTIONS, page, write_evidence, write_questions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a split of TriviaQA's form and a verified one."""
    folder = tmp_path_factory.mktemp("corpus")
    evidence = write_evidence(folder / "evidence")
    judged = page(
        "Nile.html",
        DocVerifiedEvalAttempt=True,
        DocPartOfVerifiedEval=True,
        Coverage=0.25,
        SupportingParagraphs=["Cleopatra died in", "The Nile is a river in", "Nowhere"],
    )
    files = [
        write_questions(folder / "dev.json", QUESTIONS),
        write_questions(folder / "verified.json", [QUESTIONS[0] | {"EntityPages": [judged]}], VerifiedEval=True),
    ]
    build(files, evidence, folder / "corpus", jobs=1)
    return folder


@pytest.fixture
def corpus(folder: Path) -> Corpus:
    return Corpus(folder / "corpus")


def test_documents_are_those_that_were_parsed_without_their_preface(folder: Path, corpus: Corpus) -> None:
    assert list(corpus.names) == sorted(PAGES)
    for number, name in enumerate(corpus.names):
        stored, parsed = corpus.document(number), remove_preface(parse(folder / "evidence" / name))
        assert violations(stored) == []
        assert (stored.source, stored.format, stored.text) == (name, "html", parsed.text)
        for field in fields(Document):
            if field.name not in ("source", "vocabulary_utf8", "token"):
                assert np.array_equal(getattr(stored, field.name), getattr(parsed, field.name)), field.name
        for node in range(len(parsed)):
            assert stored.tokens_of(node) == parsed.tokens_of(node)


def test_reading_copies_nothing(corpus: Corpus) -> None:
    split = corpus.split("dev")
    example = split[0]
    for name in STORED:
        assert np.shares_memory(getattr(example.document, name), corpus.arrays[name]), name
        assert not getattr(example.document, name).flags.writeable
    for name in ("answer_paragraphs", "answer_sentences", "answer_spans"):
        assert np.shares_memory(getattr(example, name), split.arrays[name]), name
    assert np.shares_memory(example.question.tokens, split.arrays["question_token"])
    assert np.shares_memory(example.document.vocabulary_utf8, corpus.vocabulary.utf8)


def test_what_was_released_is_still_there(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    document = corpus.document(1)
    before = document.parent.tolist()
    monkeypatch.setattr(store, "RELEASE_AFTER", 5_000_000)
    releases = Mock(wraps=corpus.release)
    monkeypatch.setattr(corpus, "release", releases)
    for _ in range(10):
        corpus.document(0)
    assert 1 <= releases.call_count < 10
    assert document.parent.tolist() == before
    assert document.title == "Nile"


def test_examples_are_the_pairs_that_the_rules_keep(corpus: Corpus) -> None:
    split = corpus.split("dev")
    assert [example.id for example in split] == [
        "q1--Nile.html",
        "q2--Flat.html",
        "q4--Tea_(drink).html",
    ]
    assert [split.id(pair) for pair in range(len(split))] == [example.id for example in split]
    first = split[0]
    document = first.document
    assert (first.question.id, first.question.text) == ("q1", "Which city lies where the Nile ends?")
    assert (first.question.answers, first.question.source) == (("Alexandria", "Iskandariya"), "quiz")
    assert [document.text_of(u) for u in first.answer_paragraphs.tolist()] == [
        "It rises at Lake Victoria. It ends in the Mediterranean Sea near Alexandria.",
        "Cleopatra died in Alexandria in 30 BC.",
    ]
    assert [document.text_of(u) for u in first.answer_sentences.tolist()] == [
        "It ends in the Mediterranean Sea near Alexandria.",
        "Cleopatra died in Alexandria in 30 BC.",
    ]
    assert {document.text[a:b] for a, b in first.answer_spans.tolist()} == {"Alexandria"}
    assert first.first_answer == document.index[first.answer_paragraphs[0]] == 2
    assert (first.verified, first.context, first.supporting.tolist()) == (NONE, NONE, [])
    assert [e.id for e in split[1:]] == [split[-2].id, split[-1].id]
    with pytest.raises(IndexError):
        split[3]


def test_dropped_pairs_are_there_with_the_reason(corpus: Corpus) -> None:
    split = corpus.split("dev")
    dropped = {
        (split.question_ids[place], corpus.names[document], fate.label)
        for place in range(len(split.question_ids))
        for document, fate in split.dropped_of(place)
    }
    assert dropped == {
        ("q2", "Nile.html", "only_in_titles"),
        ("q2", "Tea_(drink).html", "no_answer"),
        ("q3", "Nile.html", "single_character"),
        ("q4", "Nile.html", "no_answer"),
        ("q5", "Nile.html", "only_in_preface"),
    }


def test_what_people_judged(corpus: Corpus) -> None:
    (example,) = corpus.split("verified-dev")
    document = example.document
    assert (example.verified, example.coverage) == (1, 0.25)
    assert [document.text_of(u) for u in example.supporting.tolist()] == ["Cleopatra died in Alexandria in 30 BC."]
    assert corpus.split("verified-dev").arrays["supporting_counts"].tolist() == [[3, 1, 1]]


def test_questions_and_pairs_are_found_by_their_ids(corpus: Corpus) -> None:
    split = corpus.split("dev")
    assert split.find("q2") == (1, range(1, 2))
    assert split.find("q4--Tea_(drink).html") == (3, range(2, 3))
    assert split.find("q3") == (2, range(2, 2))
    for unknown in ("q9", "q9--Nile.html", "q4--Nile.html", ""):
        assert split.find(unknown) is None


def test_the_vocabulary_has_every_word_its_lower_case_and_its_letters(corpus: Corpus) -> None:
    vocabulary = corpus.vocabulary
    words = list(vocabulary.words)
    texts = [corpus.document(i).text for i in range(len(corpus))]
    texts += [
        q.text
        for name in corpus.splits
        for q in map(corpus.split(name).question_at, range(len(corpus.split(name).question_ids)))
    ]
    tokens = [token for text in texts for token in token_texts(text, token_spans(text))]
    assert {word: tokens.count(word) for word in set(tokens) | {t.lower() for t in tokens}} == dict(
        zip(words, vocabulary.count.tolist(), strict=True)
    )
    assert words == sorted(words, key=lambda word: (-tokens.count(word), word))
    assert [words[i] for i in vocabulary.lower.tolist()] == [word.lower() for word in words]
    assert ["".join(map(chr, vocabulary.characters[i].tolist())) for i in range(len(vocabulary))] == words
    for name in corpus.splits:
        split = corpus.split(name)
        for place in range(len(split.question_ids)):
            text = split.question_at(place).text
            own = [words[i] for i in split.question_tokens[place].tolist()]
            assert own == token_texts(text, token_spans(text))


def test_the_fingerprint_is_of_the_contents(folder: Path, corpus: Corpus, tmp_path: Path) -> None:
    build([folder / "dev.json"], folder / "evidence", tmp_path / "other", jobs=1)
    fingerprints = {corpus.manifest.fingerprint, Corpus(tmp_path / "other").manifest.fingerprint}
    assert len(fingerprints) == 2
    shutil.copytree(folder / "corpus", tmp_path / "copy")
    assert Corpus(tmp_path / "copy").manifest.fingerprint == corpus.manifest.fingerprint


def _without(text: str, key: str) -> str:
    values = json.loads(text)
    del values[key]
    return json.dumps(values)


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("manifest.json", lambda _: None, "is not a corpus, it has no manifest"),
        ("manifest.json", lambda data: data[:100], "is damaged"),
        ("manifest.json", lambda data: b"[]", "is not the manifest of a corpus"),
        ("manifest.json", lambda data: b"{}", "is not the manifest of a corpus"),
        ("manifest.json", lambda data: data.replace(b'"corpus": 1', b'"corpus": 9'), "is a corpus of format 9, not 1"),
        ("manifest.json", lambda data: _without(data.decode(), "files").encode(), "is damaged"),
        ("manifest.json", lambda data: data.replace(b'"documents": 3', b'"documents": 4'), "not those of the manifest"),
        ("documents.safetensors", lambda _: None, "No such file"),
        ("documents.safetensors", lambda data: data[:-1], "bytes instead of"),
        ("documents.safetensors", lambda data: b"\0" * len(data), "damaged|not a file of arrays|not what the manifest"),
        ("split-dev.safetensors", lambda data: data + b"x", "bytes instead of"),
        ("vocabulary.safetensors", lambda _: None, "No such file"),
    ],
)
def test_damage_is_an_error_of_one_line(
    folder: Path, tmp_path: Path, name: str, damage: Callable[[bytes], bytes | None], message: str
) -> None:
    shutil.copytree(folder / "corpus", tmp_path / "corpus")
    path = tmp_path / "corpus" / name
    damaged = damage(path.read_bytes())
    path.unlink()
    if damaged is not None:
        path.write_bytes(damaged)
    with pytest.raises(DocqnError, match=rf"^[^\n]*({message})[^\n]*$"):
        Corpus(tmp_path / "corpus")


def test_files_that_are_exchanged(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "corpus", tmp_path / "corpus")
    split, vocabulary = (tmp_path / "corpus" / f"{name}.safetensors" for name in ("split-dev", "vocabulary"))
    manifest = json.loads((tmp_path / "corpus" / "manifest.json").read_text())
    shutil.copy(vocabulary, split)
    manifest["files"][split.name]["bytes"] = split.stat().st_size
    (tmp_path / "corpus" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DocqnError, match="is not what the manifest says"):
        Corpus(tmp_path / "corpus").split("dev")


def test_an_unknown_split(corpus: Corpus) -> None:
    with pytest.raises(DocqnError, match="has no split 'test'; choose dev, verified-dev"):
        corpus.split("test")


def test_a_split_is_opened_once(corpus: Corpus) -> None:
    assert isinstance(corpus.split("dev"), Split)
    assert corpus.split("dev") is corpus.split("dev")
