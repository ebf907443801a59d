"""TF-IDF over a corpus."""

from pathlib import Path

import numpy as np
import pytest

from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Setting, policy
from docqn.policies.corpus_idf import frequencies
from docqn.policies.words import DocumentWords
from docqn.readers.lexical import LexicalReader
from docqn.text.lexicon import word_of
from tests.documents import document
from tests.evaluation.corpus import make_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return make_corpus(tmp_path_factory.mktemp("corpus"))


def naive_idf(corpus: Corpus, word: str) -> float:
    holding = 0
    for number in range(len(corpus)):
        one = corpus.document(number)
        tokens = (one.vocabulary[token] for token in one.token)
        holding += word in {word_of(token) for token in tokens}
    return float(np.log((1 + len(corpus)) / (1 + holding)) + 1)


def test_idf_is_over_all_documents_of_the_corpus(corpus: Corpus) -> None:
    assert frequencies(corpus) is frequencies(corpus)
    for one in (corpus.document(0), document(["Egypt and Alexandria, but unicorns?"])):
        words = DocumentWords.of(one)
        assert frequencies(corpus).idf(words) == pytest.approx([naive_idf(corpus, word) for word in words.words])


def test_the_corpus_is_the_settings_or_the_arguments(corpus: Corpus) -> None:
    pairs = [Pair.of(example) for example in corpus.split("dev")]
    given = policy("tfidf").traces(pairs, Setting(LexicalReader(), corpus=corpus))
    named = policy(f"tfidf:{corpus.folder}").traces(pairs, Setting(LexicalReader()))
    assert [trace.stop_node for trace in given] == [trace.stop_node for trace in named]


def test_a_document_alone_is_its_own_corpus(corpus: Corpus) -> None:
    pair = Pair.of(corpus.split("dev")[0])
    (alone,) = policy("tfidf").traces([pair], Setting(LexicalReader()))
    (within,) = policy("doc-tfidf").traces([pair], Setting(LexicalReader()))
    assert alone.stop_node == within.stop_node


def test_a_folder_that_is_no_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="is not a corpus"):
        policy(f"tfidf:{tmp_path}").traces([], Setting(LexicalReader()))
