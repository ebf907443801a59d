"""The scent as a file, and the chances that it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.arrays import save_arrays
from docqn.document import Document
from docqn.errors import DocqnError
from docqn.policies.scent.features import FEATURES, features
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import BUNDLED, FILE, Scent, load, save
from tests.documents import document, sections
from tests.policies.scent.naive import documents, questions

BUNDLED_SCENT = load(BUNDLED)


def small(hidden: int = 3) -> Scent:
    """One of random weights that knows two stems."""
    rng = np.random.default_rng(0)
    shapes = [(len(FEATURES),), (len(FEATURES),), (len(FEATURES), hidden), (hidden,), (hidden,)]
    mean, scale, inner, bias, outer = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    stems = np.frombuffer("stand\ncafé".encode(), np.uint8)
    return Scent(mean, np.exp(scale), inner, bias, outer, stems, np.array([0.5, 2], np.float32))


@settings(max_examples=100)
@given(documents, questions)
def test_chances_are_the_softmax_of_the_network(made: Document, question: str) -> None:
    scent, index = small(), index_of(made)
    chances = scent.chances(index, question)
    assert len(chances) == len(index.paragraph)
    logits = []
    for row in features(index, question, scent.rarity):
        scaled = [(x - m) / s for x, m, s in zip(row, scent.mean, scent.scale, strict=True)]
        inner = [
            max(sum(x * w for x, w in zip(scaled, column, strict=True)) + bias, 0)
            for column, bias in zip(scent.inner.T, scent.inner_bias, strict=True)
        ]
        logits.append(sum(x * w for x, w in zip(inner, scent.outer, strict=True)))
    shares = np.exp(np.array(logits) - max(logits, default=0))
    assert np.exp(chances) == pytest.approx(shares / shares.sum() if len(shares) else [], abs=1e-4)
    assert np.isfinite(BUNDLED_SCENT.chances(index, question)).all()


def test_stems_that_are_not_known_are_as_rare_as_the_rarest() -> None:
    assert [small().rarity(one) for one in ("stand", "café", "unicorn")] == [0.5, 2, 2]


def test_the_one_that_comes_with_the_package_finds_the_paragraph() -> None:
    made = document([*sections(5), "## Rivers", "The Nile ends at Alexandria.", *sections(5)], title="Places")
    index = index_of(made)
    best = index.paragraph[BUNDLED_SCENT.chances(index, "Which city lies where the Nile ends?").argmax()]
    assert made.text_of(best) == "The Nile ends at Alexandria."


def test_it_is_the_same_after_writing_and_loading(tmp_path: Path) -> None:
    save(tmp_path / "mine", small(), {"settings": {"seed": 1}})
    again = load(tmp_path / "mine")
    for name in Scent.__dataclass_fields__:
        assert np.array_equal(getattr(again, name), getattr(small(), name))
    assert "- seed: 1" in (tmp_path / "mine" / "README.md").read_text()


def _broken() -> dict[str, Callable[[Scent], Scent]]:
    return {
        "mean": lambda scent: replace(scent, mean=scent.mean[1:]),
        "scale": lambda scent: replace(scent, scale=scent.scale * 0),
        "inner": lambda scent: replace(scent, inner=scent.inner * np.float32("nan")),
        "inner_bias": lambda scent: replace(scent, inner_bias=scent.inner_bias.astype(np.float64)),
        "outer": lambda scent: replace(scent, outer=np.array(1, np.float32)),
        "rare": lambda scent: replace(scent, rare=scent.rare[:1]),
        "rare ": lambda scent: replace(scent, rare=-scent.rare),
        "stems": lambda scent: replace(scent, stems=np.array([0xFF, ord("\n")], np.uint8)),
        "stems ": lambda scent: replace(scent, stems=scent.stems.astype(np.int32)),
    }


@pytest.mark.parametrize("name", _broken())
def test_what_is_no_scent_is_said(name: str, tmp_path: Path) -> None:
    save(tmp_path, _broken()[name](small()), {})
    with pytest.raises(DocqnError, match=rf"{FILE}: its \w+ is not that of a scent"):
        load(tmp_path)


def test_files_that_are_missing_or_foreign_are_named(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match=f"{FILE}: cannot be read"):
        load(tmp_path)
    save_arrays(tmp_path / FILE, {"mean": np.zeros(3, np.float32)}, {"docqn": "document 1"})
    with pytest.raises(DocqnError, match=f"{FILE}: not a scent of this version"):
        load(tmp_path)
    save(tmp_path, small(), {})
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole.replace(b'"outer"', b'"outra"'))
    with pytest.raises(DocqnError, match=f"{FILE}: has no 'outer'"):
        load(tmp_path)


@settings(max_examples=300)
@given(st.data())
def test_damaged_bytes_are_told_or_do_no_harm(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged-scent"
    save(folder, small(), {})
    whole = bytearray((folder / FILE).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    (folder / FILE).write_bytes(whole[: data.draw(st.sampled_from([len(whole), len(whole) // 2]))])
    found = _loaded(folder)
    if isinstance(found, str):
        assert str(folder / FILE) in found
        assert "\n" not in found
    else:
        chances = found.chances(index_of(document(sections(2))), "Which word stands alone?")
        assert np.exp(chances).sum() == pytest.approx(1)


def _loaded(folder: Path) -> Scent | str:
    """Or what is wrong with it."""
    try:
        return load(folder)
    except DocqnError as error:
        return str(error)
