"""The RaSoR reader: sound readings of any text from an exported folder."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from docqn import readers
from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers.neural.folder import Contents, write_folder
from docqn.readers.neural.rasor_graph import rasor_graph
from docqn.readers.neural.words import load_words, save_words
from docqn.readers.rasor import RasorReader
from docqn.text.vectors import load_vectors
from tests.readers.test_readers import PASSAGE, QUESTION, faults
from tests.readers.tiny import write_vectors
from tests.trees import texts

VECTOR, HIDDEN, INNER, BUCKETS = 6, 5, 4, 3


def rasor_arrays() -> dict[str, Array]:
    """Random weights under the names that they have in training."""
    rng = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {"learnt.weight": (2 + BUCKETS, VECTOR)}
    for name, out, inputs in (("align", INNER, VECTOR), ("attend", INNER, 2 * HIDDEN), ("start", INNER, 2 * HIDDEN)):
        shapes |= {f"{name}.weight": (out, inputs), f"{name}.bias": (out,)}
    shapes |= {"attention.weight": (1, INNER), "end.weight": (INNER, 2 * HIDDEN), "score.weight": (1, INNER)}
    for name, inputs in (("question", VECTOR), ("passage", 2 * VECTOR + 2 * HIDDEN)):
        for way in ("ahead", "back"):
            part = f"{name}.{way}.0"
            shapes |= {f"{part}.weight_ih_l0": (4 * HIDDEN, inputs), f"{part}.weight_hh_l0": (4 * HIDDEN, HIDDEN)}
            shapes |= {f"{part}.bias_ih_l0": (4 * HIDDEN,), f"{part}.bias_hh_l0": (4 * HIDDEN,)}
    return {name: rng.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rasor")
    known = load_vectors(write_vectors(path / "vectors.txt", VECTOR), 1000)
    arrays = rasor_arrays()
    files: dict[str, Contents] = {
        "model.onnx": rasor_graph(arrays, 30),
        "words.safetensors": lambda place: save_words(
            place, [*known.words, "Xyzzy", "😀"], known.vectors, arrays["learnt.weight"]
        ),
    }
    write_folder(path / "reader", "rasor", files, {"settings": {}})
    return path / "reader"


@pytest.fixture(scope="module")
def reader(folder: Path) -> RasorReader:
    found = readers.reader(str(folder))
    assert isinstance(found, RasorReader)
    return found


@given(question=texts, passage=texts)
def test_any_text_gives_a_sound_reading(reader: RasorReader, question: str, passage: str) -> None:
    (reading,) = reader.read([question], [passage])
    assert faults(reading, passage) == []


def test_a_batch_reads_as_one_by_one(reader: RasorReader) -> None:
    passages = [PASSAGE, "", PASSAGE.lower(), "Short.", PASSAGE * 60]
    questions = [QUESTION, QUESTION, "Where did Alice go?", "", QUESTION * 20]
    batch = reader.read(questions, passages)
    assert [reader.read([q], [p])[0] for q, p in zip(questions, passages, strict=True)] == batch
    assert batch[1].probability == 0
    assert batch[4].tokens > 1000


def test_the_probability_is_the_share_of_the_span(reader: RasorReader) -> None:
    (finding,) = reader.find([QUESTION], [PASSAGE])
    (reading,) = reader.read([QUESTION], [PASSAGE])
    assert finding is not None
    assert reading.logit == finding.span.score
    assert reading.probability == pytest.approx(np.exp(finding.span.score - finding.span.mass))


def test_words_are_looked_up_known_or_not(folder: Path, tmp_path: Path) -> None:
    table = load_words(folder / "words.safetensors")
    number = table.words.numbers(["Alice", "Xyzzy", "qwxz"])
    assert number[0] < len(table.known) == number[1]
    assert number[2] > number[1] + 1
    found = table.vectors(number)
    assert np.array_equal(found[0], table.known[number[0]].astype(np.float32))
    for row in (1, 2):
        assert np.array_equal(found[row], table.learnt[number[row] - len(table.known)].astype(np.float32))
    assert table.vectors(number[:0]).shape == (0, VECTOR)


def test_damaged_words(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "words.safetensors").read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], whole.replace(b"words 1", b"words 9")):
        (tmp_path / "words").write_bytes(damaged)
        with pytest.raises(DocqnError, match="words: "):
            load_words(tmp_path / "words")


def test_it_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="needs a folder"):
        readers.reader("rasor")
    with pytest.raises(DocqnError, match=r"config\.json"):
        readers.reader(f"rasor:{tmp_path}")
