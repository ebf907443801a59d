"""The transformer reader: sound readings of any text, from any folder it should take."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn import readers
from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers.neural.bert import load_bert
from docqn.readers.neural.bert_graph import bert_graph
from docqn.readers.neural.export import export
from docqn.readers.neural.findings import UNREADABLE
from docqn.readers.neural.folder import rewrite_config
from docqn.readers.neural.span_model import load_span_model
from docqn.readers.transformer import TransformerReader
from tests.readers.test_readers import PASSAGE, QUESTION, faults
from tests.readers.tiny import HIDDEN, bert_arrays, write_model, write_tokenizer
from tests.trees import texts


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("foreign") / "model")


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose model also judges whether the passage answers."""
    folder = tmp_path_factory.mktemp("judging")
    arrays = bert_arrays()
    rng = np.random.default_rng(1)
    for name, out in (("bert.pooler.dense", HIDDEN), ("classifier", 1)):
        arrays[f"{name}.weight"] = rng.normal(0, 0.3, (out, HIDDEN)).astype(np.float32)
        arrays[f"{name}.bias"] = np.zeros(out, np.float32)
    export(write_model(folder / "model", arrays), folder / "reader", int8=True)
    return folder / "reader"


@pytest.fixture(scope="module", params=["foreign", "judging"])
def reader(request: pytest.FixtureRequest) -> TransformerReader:
    return TransformerReader(load_span_model(request.getfixturevalue(request.param)))


@given(question=texts, passage=texts)
def test_any_text_gives_a_sound_reading(reader: TransformerReader, question: str, passage: str) -> None:
    (reading,) = reader.read([question], [passage])
    assert faults(reading, passage) == []


@given(st.text("aé\u0301\u0327 中한👩\u200d👧🏽ﬁ.,\ufe0f\u00ad", min_size=1, max_size=30))
def test_answers_are_whole_characters(reader: TransformerReader, passage: str) -> None:
    (reading,) = reader.read([QUESTION], [passage])
    assert faults(reading, passage) == []
    after = passage[reading.end : reading.end + 1]
    assert not reading.text or after not in ("\u0301", "\u0327", "\u200d", "\ufe0f")


def test_offsets_where_characters_are_not_bytes(reader: TransformerReader) -> None:
    passage = "É𝒳 中文 e\u0301 👩\u200d👧 ﬁn한 cafés"
    told = reader.model.tokenization.encode(passage)
    assert [passage[a:b] for a, b in told.spans.tolist()][:4] == ["É𝒳", "中", "文", "e"]


def test_a_batch_reads_as_one_by_one(reader: TransformerReader) -> None:
    passages = [PASSAGE, "", PASSAGE.lower(), "Short.", PASSAGE * 30]
    questions = [QUESTION, QUESTION, "Where did Alice go?", "", QUESTION * 20]
    batch = reader.read(questions, passages)
    assert [reader.read([q], [p])[0] for q, p in zip(questions, passages, strict=True)] == batch
    assert reader.read([], []) == []


def test_a_passage_without_a_piece_is_unreadable(reader: TransformerReader) -> None:
    for passage, tokens in (("", 0), (" \n", 0), ("\u0301", 1)):
        (reading,) = reader.read([QUESTION], [passage])
        assert reading == (0, 0, "", UNREADABLE, 0.0, 0.0, tokens)


class Local:
    """In place of a network: scores that depend on each token alone."""

    inputs = frozenset({"input_ids"})

    def run(self, feeds: list[dict[str, Array]]) -> list[dict[str, Array]]:
        rows = [feed["input_ids"] for feed in feeds]
        return [{"start_logits": np.sin(row * 1.3), "end_logits": np.cos(row * 0.7)} for row in rows]


def test_windows_give_what_one_long_pass_gives(foreign: Path) -> None:
    model = load_span_model(foreign)
    passage = " ".join("abcdefghijklmnopqrstuvwxyz"[(i * i + i // 7) % 26] for i in range(500))
    found = []
    for window, overlap in ((10_000, 128), (130, 60), (170, 80)):
        object.__setattr__(model, "window", window)
        object.__setattr__(model, "overlap", overlap)
        object.__setattr__(model, "session", Local())
        found.append(TransformerReader(model).read(["a b"], [passage])[0])
    for reading in found[1:]:
        assert reading[:3] == found[0][:3]
        assert reading[3:] == pytest.approx(found[0][3:])


def test_the_null_span_takes_from_the_probability(foreign: Path) -> None:
    reader = TransformerReader(load_span_model(foreign))
    (finding,) = reader.find([QUESTION], [PASSAGE])
    (reading,) = reader.read([QUESTION], [PASSAGE])
    assert finding is not None
    assert finding.null is not None
    assert reading.logit == pytest.approx(finding.span.score - finding.null)
    share = np.exp(finding.span.score) / (np.exp(finding.span.mass) + np.exp(finding.null))
    assert reading.probability == pytest.approx(share)


def test_a_calibration_rules(judging: Path, tmp_path: Path) -> None:
    (finding,) = TransformerReader(load_span_model(judging)).find([QUESTION], [PASSAGE])
    assert finding is not None
    assert finding.answerable is not None
    folder = tmp_path / "reader"
    folder.mkdir()
    for path in judging.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    rewrite_config(folder, {"calibration": {"bias": -1, "answerable": 0.5, "best": 0.25, "mass": 0}})
    (reading,) = readers.reader(str(folder)).read([QUESTION], [PASSAGE])
    expected = -1 + finding.answerable / 2 + finding.span.score / 4
    assert reading.logit == pytest.approx(expected)
    assert reading.probability == pytest.approx(1 / (1 + np.exp(-expected)))


def test_folders_and_files_are_readers_by_their_path(foreign: Path, judging: Path, tmp_path: Path) -> None:
    assert isinstance(readers.reader(str(foreign)), TransformerReader)
    assert isinstance(readers.reader(str(judging)), TransformerReader)
    assert readers.reader(f"transformer:{judging}").fingerprint == readers.reader(str(judging)).fingerprint
    write_tokenizer(tmp_path)
    (tmp_path / "some.onnx").write_bytes(bert_graph(*load_bert(foreign), int8=False))
    by_file, by_folder = readers.reader(str(tmp_path / "some.onnx")), readers.reader(str(tmp_path))
    expected = readers.reader(str(foreign)).read([QUESTION], [PASSAGE])
    assert by_file.read([QUESTION], [PASSAGE]) == expected
    assert by_folder.fingerprint == by_file.fingerprint


def test_what_is_no_reader_is_one_line(foreign: Path, tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no model")
    no_head = {name: array for name, array in bert_arrays().items() if not name.startswith("qa")}
    headless = write_model(tmp_path / "headless", no_head)
    for name, reason in (
        ("transformer", "needs a folder"),
        ("transformer:nowhere", "no such folder"),
        (str(tmp_path), "onnxruntime cannot load it"),
        (str(headless), "has no question-answering head"),
        (str(headless / "config.json"), "onnxruntime cannot load it"),
    ):
        with pytest.raises(DocqnError, match=reason) as raised:
            readers.reader(name)
        assert "\n" not in str(raised.value)


def test_the_export_reads_as_the_folder_it_is_from(foreign: Path, tmp_path: Path) -> None:
    export(foreign, tmp_path / "reader", int8=False)
    ours, theirs = readers.reader(str(tmp_path / "reader")), readers.reader(str(foreign))
    assert ours.read([QUESTION], [PASSAGE]) == theirs.read([QUESTION], [PASSAGE])
    assert ours.fingerprint != theirs.fingerprint
