"""Choosing among the closest paragraphs, and fitting scores to what is right."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.evaluation.readers.calibrating import finder_in, fitted, write_calibration
from docqn.evaluation.readers.choice import Candidate, candidates, choice_scores, drawn
from docqn.readers import Reading
from docqn.readers.neural.export import export
from docqn.readers.neural.files import read_json
from docqn.readers.neural.findings import Finding
from docqn.readers.neural.spans import BestSpan
from tests.evaluation.corpus import make_corpus
from tests.readers.tiny import write_model


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return make_corpus(tmp_path_factory.mktemp("corpus"))


class Knowing:
    """A reader that likes passages with one word, and answers with it."""

    fingerprint = "knowing"

    def __init__(self, word: str) -> None:
        self.word = word

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        places = [passage.find(self.word) for passage in passages]
        return [
            Reading(at, at + len(self.word), self.word, 5.0, 0.9, 0.0, 9)
            if at >= 0
            else Reading(0, 0, "", 0, 0.1, 0, 9)
            for at in places
        ]

    def find(self, questions: Sequence[str], passages: Sequence[str]) -> list[Finding | None]:
        places = [passage.find(self.word) for passage in passages]
        return [Finding(at, at + len(self.word), BestSpan(0, 0, float(at >= 0), 2.0, 0.0), 1.0) for at in places]


def test_a_reader_that_knows_chooses_right(corpus: Corpus) -> None:
    split = corpus.split("dev")
    (pair,) = (Pair.of(example) for example in split if example.question.id == "q1")
    (near,) = candidates(Knowing("Alexandria"), [pair])
    assert [one.holds for one in near].count(True) == len(pair.answers or ())
    found = choice_scores([near])
    assert found["best_of_k"][-1] == 100.0
    assert found["exact_match_of_k"][-1] == 100.0
    assert found["best_of_k"][0] == found["any_of_k"][0]
    assert found["auroc_answerable"] == 1.0


def test_any_of_k_only_grows(corpus: Corpus) -> None:
    pairs = drawn(corpus.split("dev"), None, 0)
    found = choice_scores(list(candidates(Knowing("the"), pairs)))
    assert found["pairs"] == len(pairs)
    assert found["any_of_k"] == sorted(found["any_of_k"])
    assert all(best <= some for best, some in zip(found["best_of_k"], found["any_of_k"], strict=True))
    assert "verified_best_of_k" not in found


def test_on_verified_pairs_only_supporting_paragraphs_count(corpus: Corpus) -> None:
    pairs = drawn(corpus.split("verified-dev"), None, 0)
    found = choice_scores(list(candidates(Knowing("Alexandria"), pairs)))
    assert found["verified_pairs"] == 1
    assert found["verified_best_of_k"][-1] in (0.0, 100.0)
    assert found["verified_any_of_k"] == sorted(found["verified_any_of_k"])
    assert found["verified_any_of_k"][-1] == 100.0


def test_the_curves_by_hand() -> None:
    def told(logit: float, holds: bool, right: bool) -> Candidate:
        return Candidate(Reading(0, 1, "x", logit, 0.5, 0.0, 1), holds, None, right)

    first = [told(1, False, False), told(3, True, True), told(2, True, False)]
    second = [told(2, True, False), told(3, False, False)]
    found = choice_scores([first, second])
    assert found["best_of_k"] == [50.0, 50.0, 50.0]
    assert found["any_of_k"] == [50.0, 100.0, 100.0]
    assert found["exact_match_of_k"] == [0.0, 50.0, 50.0]
    assert found["reliability"] == [[5, 0.5, 0.2]]


def test_a_sample_is_of_pairs_with_an_answer(corpus: Corpus) -> None:
    split = corpus.split("dev")
    assert len(drawn(split, 2, 0)) == 2
    assert [pair.question_id for pair in drawn(split, 2, 0)] == [pair.question_id for pair in drawn(split, 2, 0)]
    assert all(pair.answers for pair in drawn(split, None, 3))


def test_a_calibration_is_fitted_and_kept(corpus: Corpus, tmp_path: Path) -> None:
    pairs = drawn(corpus.split("dev"), None, 0)
    found = fitted(Knowing("Alexandria"), pairs, 8)
    assert found.calibration.best > 0
    assert 0 < found.right < found.readings
    with pytest.raises(DocqnError, match="do not show right and wrong"):
        fitted(Knowing("nowhere"), pairs, 8)
    export(write_model(tmp_path / "model"), tmp_path / "reader", int8=True)
    before = finder_in(tmp_path / "reader").fingerprint
    write_calibration(tmp_path / "reader", found, {"split": "dev"})
    assert read_json(tmp_path / "reader" / "config.json")["calibration"]["best"] > 0
    assert finder_in(tmp_path / "reader").fingerprint != before
    with pytest.raises(DocqnError, match="is not a reader's folder"):
        finder_in(tmp_path / "model")
