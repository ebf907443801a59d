"""Lexical scores against scikit-learn and bm25s with the same words, and the counts against a plain dictionary."""

from collections import Counter

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from docqn.build import build_document
from docqn.document import PARAGRAPH, Document
from docqn.environment.pairs import Pair
from docqn.policies import Setting, bm25, doc_tfidf, policy, tfidf
from docqn.policies.corpus_idf import CorpusFrequencies
from docqn.policies.counts import ParagraphCounts
from docqn.policies.ranking import best, count, ranked
from docqn.policies.words import DocumentWords, lexicon, words_of
from docqn.readers.lexical import LexicalReader
from docqn.text.lexicon import Lexicon, word_of
from tests.documents import document
from tests.trees import block_lists

WORDS = "cat dog Dog café cafe Café naïve house the of it's 1920 U.S. a x tree—house don't".split()
paragraphs = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=12)
questions = st.lists(st.sampled_from([*WORDS, "unicorn"]), max_size=8).map(" ".join)


def texts_of(document: Document) -> list[str]:
    return [document.text_of(int(node)) for node in np.flatnonzero(document.kind == PARAGRAPH)]


@settings(max_examples=40)
@given(paragraphs, questions)
def test_doc_tfidf_is_scikit_learns_cosine(paragraphs: list[str], question: str) -> None:
    made = document(paragraphs)
    vectorizer = TfidfVectorizer(analyzer=words_of)
    texts = texts_of(made)
    if not any(words_of(text) for text in texts):
        return
    expected = (vectorizer.fit_transform(texts) @ vectorizer.transform([question]).T).toarray().ravel()
    assert doc_tfidf.scores(count(Pair(question, made))) == pytest.approx(expected)


@settings(max_examples=40)
@given(paragraphs, st.lists(paragraphs.map(" ".join), min_size=1, max_size=6), questions)
def test_tfidf_is_scikit_learns_with_idf_over_other_documents(
    paragraphs: list[str], corpus: list[str], question: str
) -> None:
    made = document(paragraphs)
    texts = texts_of(made)
    # The vectorizer counts over the corpus, but has to know the words of the document too.
    known = sorted({word for text in (*texts, *corpus) for word in words_of(text)})
    if not known:
        return
    vectorizer = TfidfVectorizer(analyzer=words_of, vocabulary=known)
    vectorizer.fit(corpus)
    # A question's word that the document lacks changes the length of its vector, and so no order.
    there = {word for text in texts for word in words_of(text)}
    asked = " ".join(word for word in question.split() if there.issuperset(words_of(word)))
    expected = (vectorizer.transform(texts) @ vectorizer.transform([asked]).T).toarray().ravel()
    elsewhere = Lexicon(known)
    elsewhere.numbers(np.arange(len(known), dtype=np.int32))
    frequency = np.array([sum(word in words_of(text) for text in corpus) for word in elsewhere.words])
    scores = tfidf.scores(count(Pair(asked, made)), CorpusFrequencies(len(corpus), elsewhere, frequency))
    assert scores == pytest.approx(expected)


@settings(max_examples=40)
@given(paragraphs, questions)
def test_bm25_is_that_of_bm25s(paragraphs: list[str], question: str) -> None:
    made = document(paragraphs)
    counted = count(Pair(question, made))
    tokens = [words_of(text) for text in texts_of(made)]
    if not len(counted.question):
        assert not bm25.scores(counted).any()
        return
    rival = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    rival.index(tokens, show_progress=False)
    words = counted.words.words
    expected = np.zeros(len(tokens))
    for number in counted.question:  # one query a word: a word counts as often as it is asked for
        expected += rival.get_scores([words[number]])
    assert bm25.scores(counted) == pytest.approx(expected, abs=1e-5)


@settings(max_examples=40)
@given(block_lists)
def test_counts_are_those_of_a_dictionary(blocks: list) -> None:  # type: ignore[type-arg]
    made = build_document(blocks, source="x", format="test")
    words = DocumentWords.of(made)
    counts = ParagraphCounts.of(made, words)
    nodes = [node for node in range(len(made)) if made.kind[node] == PARAGRAPH]
    expected = [Counter(w for token in made.tokens_of(node) if (w := word_of(token))) for node in nodes]
    found: list[Counter[str]] = [Counter() for _ in nodes]
    for row, word, uses in zip(counts.row, counts.word, counts.count, strict=True):
        found[row][words.words[word]] += int(uses)
    assert counts.paragraph.tolist() == nodes
    assert found == expected
    assert counts.length.tolist() == [counter.total() for counter in expected]
    for number, word in enumerate(words.words):
        assert counts.frequency[number] == sum(word in counter for counter in expected)


@settings(max_examples=40)
@given(block_lists)
def test_every_token_has_its_word(blocks: list) -> None:  # type: ignore[type-arg]
    made = build_document(blocks, source="x", format="test")
    words = DocumentWords.of(made)
    spelt = [None if number < 0 else words.words[number] for number in words.tokens]
    assert spelt == [word_of(made.vocabulary[token]) for token in made.token]
    assert len({*words.words}) == len(words)


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("Café", "cafe"),
        ("U.S.", "u.s."),
        ("the", None),
        ("n't", None),
        ("x", None),
        ("—", None),
        ("...", None),
        ("1920", "1920"),
        ("ΑΘΉΝΑ", "αθηνα"),
        ("ﬁsh", "fish"),
    ],
)
def test_words(token: str, word: str | None) -> None:
    assert word_of(token) == word


def test_documents_with_one_vocabulary_have_one_lexicon() -> None:
    made = document(["One cat."])
    assert lexicon(made.vocabulary) is lexicon(made.vocabulary)


def test_of_two_that_are_as_good_the_earlier_one_is_best() -> None:
    pair = Pair("cat", document(["dog house", "cat house", "house cat", "dog"]))
    for score in (doc_tfidf.scores, bm25.scores):
        assert ranked(pair, score)[:2] == [3, 5]
        assert best(pair, score) == 3
    assert best(Pair("cat", document([])), bm25.scores) == 0


def test_short_paragraphs_can_be_passed_over() -> None:
    made = document(["Cat.", "The dog and the cat sat there.", "Cat cat.", "The cat was there, or was it a dog?"])
    pair = Pair("cat", made)
    everything = ranked(pair, bm25.scores)
    assert ranked(pair, bm25.scores, 5) == [node for node in everything if node in (3, 7)] + [
        node for node in everything if node in (1, 5)
    ]
    for name in ("bm25", "doc-tfidf", "first-paragraph"):
        (plain,) = policy(name).traces([pair], Setting(LexicalReader()))
        (longer,) = policy(f"{name}:5").traces([pair], Setting(LexicalReader()))
        (none,) = policy(f"{name}:99").traces([pair], Setting(LexicalReader()))
        assert plain.stop_node in (1, 5)
        assert longer.stop_node in (3, 7)
        assert none.stop_node == plain.stop_node
