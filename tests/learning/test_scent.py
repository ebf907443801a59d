"""Learning the scent: its loss against the formula, and made-up corpora whose rule it has to find."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docqn.corpora.build import build
from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.learning.scent import Frequencies, ScentSettings, Told, conditional_loss, frequencies, learn, told
from docqn.policies.scent.card import described
from docqn.policies.scent.features import FEATURES, features
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import BUNDLED, FILE, load, save
from tests.corpora.small import question, write_evidence, write_questions
from tests.policies.scent.naive import stems_of

KINDS = ("herb", "stone", "bird", "fish", "star", "tree")
PLACES = ("Arden", "Bolin", "Cadiz", "Delos", "Essen", "Fargo", "Genua", "Huelva")


def _page(place: str) -> str:
    """A paragraph on each kind, in an order that differs from page to page."""
    turn = PLACES.index(place) % len(KINDS)
    said = [f"<p>The {kind} of {place} is called {_name(kind, place)} by all.</p>" for kind in KINDS]
    return f"<html><head><title>{place}</title></head><body><h1>{place}</h1>{''.join(said[turn:] + said[:turn])}</body>"


def _name(kind: str, place: str) -> str:
    return f"{kind.title()[::-1]}{place.lower()}"


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Split:
    """Questions for what a kind is called at a place."""
    folder = tmp_path_factory.mktemp("places")
    evidence = write_evidence(folder / "evidence", {f"{place}.html": _page(place) for place in PLACES})
    asked = [
        question(f"{place}-{kind}", f"What is the {kind} called?", [_name(kind, place)], f"{place}.html")
        for place in PLACES
        for kind in KINDS
    ]
    build([write_questions(folder / "dev.json", asked)], evidence, folder / "corpus", jobs=1, max_bad=0)
    return Corpus(folder / "corpus").split("dev")


SETTINGS = ScentSettings(hidden=8, epochs=30, batch=8, coverage=0.0, dropout=0.0, rate=1e-2)


@given(
    st.lists(
        st.lists(st.tuples(st.floats(-20, 20), st.booleans()), min_size=1, max_size=6).filter(
            lambda document: any(holds for _, holds in document)
        ),
        min_size=1,
        max_size=5,
    )
)
def test_the_loss_is_that_of_the_formula(documents: list[list[tuple[float, bool]]]) -> None:
    rows = [row for document in documents for row in document]
    logits = torch.tensor([logit for logit, _ in rows], dtype=torch.float64, requires_grad=True)
    holds = torch.tensor([good for _, good in rows])
    loss = conditional_loss(logits, holds, torch.tensor([len(document) for document in documents]))
    each = [
        -log(sum(exp(logit) for logit, good in document if good) / sum(exp(logit) for logit, _ in document))
        for document in documents
    ]
    assert loss.item() == pytest.approx(sum(each) / len(each), abs=1e-6)
    (slope,) = torch.autograd.grad(loss, logits)
    assert torch.isfinite(slope).all()


def test_stems_are_as_rare_as_the_documents_that_hold_them_are_few(split: Split) -> None:
    known = frequencies([split, split], 1000)  # a document counts once
    documents = [*{row: split[row].document for row in range(len(split))}.values()]
    held = {made.title: {one for node in range(len(made)) for one in stems_of(made, node)} for made in documents}
    assert {*known.stems} == {one for stems in held.values() for one in stems}
    for one, rare in zip(known.stems, known.rare, strict=True):
        expected = log((1 + len(PLACES)) / (1 + sum(one in stems for stems in held.values())))
        assert rare == pytest.approx(expected, abs=1e-6)
    assert {"herb", "fish"} <= {*frequencies([split], 10).stems}
    assert len(frequencies([split], 10).stems) == 10


def test_what_is_told_are_the_features_of_the_pairs_that_are_not_held_out(split: Split) -> None:
    known = frequencies([split], 100)
    done: list[tuple[int, int]] = []
    data = told([split], 0.0, known.rarity, lambda *at: done.append(at))
    kept = [Pair.of(example) for example in split if not held_out(example.question.id)]
    assert 0 < len(kept) < len(split)
    assert done[-1] == (len(kept), len(kept))
    assert data.first.tolist() == [len(KINDS) * number for number in range(len(kept) + 1)]
    expected = {features(index_of(p.document), p.question, known.rarity).astype(np.float32).tobytes() for p in kept}
    parts = zip(data.first, data.first[1:], strict=False)
    assert {data.features[start:end].tobytes() for start, end in parts} == expected
    assert data.holds.sum() == len(kept)


def test_pairs_of_little_coverage_are_left_out(split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    known = frequencies([split], 100)
    share = np.where(np.arange(len(split)) % 3 == 0, np.nan, np.linspace(0, 1, len(split))).astype(np.float32)
    monkeypatch.setitem(split.arrays, "coverage", share)
    for least in (0.0, 0.5, 0.9):  # where it is not known, nothing is held against the pair
        kept = [
            example
            for example, covered in zip(split, share, strict=True)
            if not covered < least and not held_out(example.question.id)
        ]
        assert len(told([split], least, known.rarity).first) - 1 == len(kept)
    with pytest.raises(DocqnError, match="nothing to learn from"):
        told([split], 1.1, known.rarity)


def test_it_learns_to_put_the_right_paragraph_first(split: Split) -> None:
    known = frequencies([split], 100)
    scent = learn(told([split], 0.0, known.rarity), known, SETTINGS)
    for pair in map(Pair.of, split):
        index = index_of(pair.document)
        assert (int(index.paragraph[scent.chances(index, pair.question).argmax()]),) == pair.answers


@pytest.mark.parametrize("name", ["length", "before", "digits"])
def test_it_finds_whatever_feature_tells(name: str) -> None:
    rng = np.random.default_rng(0)
    told = rng.normal(3, 2, (300, 5, len(FEATURES))).astype(np.float32)
    holds = told[:, :, FEATURES.index(name)] == told[:, :, FEATURES.index(name)].min(1, keepdims=True)
    data = Told(told.reshape(-1, len(FEATURES)), holds.ravel(), np.arange(301) * 5)
    scent = learn(data, Frequencies(["stem"], np.ones(1, np.float32)), replace(SETTINGS, epochs=20))
    found = scent.logits(data.features.astype(np.float64)).reshape(300, 5).argmax(1)
    assert (found == holds.argmax(1)).mean() > 0.9


def test_the_same_seed_gives_the_same_bytes(split: Split, tmp_path: Path) -> None:
    def bytes_of(seed: int, name: str) -> bytes:
        known = frequencies([split], 100)
        chosen = replace(SETTINGS, seed=seed, epochs=2, dropout=0.1)
        save(tmp_path / name, learn(told([split], 0.0, known.rarity), known, chosen), {})
        return (tmp_path / name / FILE).read_bytes()

    assert bytes_of(1, "a") == bytes_of(1, "b") != bytes_of(2, "c")
    load(tmp_path / "a")


@pytest.mark.parametrize("name", [field.name for field in fields(ScentSettings)])
def test_a_setting_that_cannot_be_is_said(name: str) -> None:
    with pytest.raises(DocqnError, match=f"{name}=-1: is not "):
        replace(SETTINGS, **{name: -1})


def test_the_card_of_the_bundled_scent_names_all_settings() -> None:
    card = (BUNDLED / "README.md").read_text()
    for name, value in asdict(ScentSettings()).items():
        assert f" --set {name}={value} " in card


def test_the_card_is_written_from_what_the_file_says(tmp_path: Path) -> None:
    from docqn.arrays import load_arrays

    about = json.loads(load_arrays(BUNDLED / FILE)[1]["about"])
    save(tmp_path, load(BUNDLED), about)
    assert (tmp_path / "README.md").read_text() == (BUNDLED / "README.md").read_text()
    assert (tmp_path / FILE).read_bytes() == (BUNDLED / FILE).read_bytes()
    made = described(ScentSettings(), "a corpus", "f", ["train", "dev"], 3)
    save(tmp_path, load(BUNDLED), made)
    assert "docqn scent 'a corpus' --split train --split dev --set" in (tmp_path / "README.md").read_text()
