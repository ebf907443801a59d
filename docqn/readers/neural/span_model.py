"""A span-scoring ONNX model with its tokens: what the transformer reader reads with, from our folders and others'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from docqn.errors import DocqnError
from docqn.readers.neural.bert import load_bert
from docqn.readers.neural.bert_graph import bert_graph
from docqn.readers.neural.calibration import Calibration, calibration_of
from docqn.readers.neural.files import read_bytes, read_json
from docqn.readers.neural.folder import CONFIG, digest, kind_of, open_folder
from docqn.readers.neural.session import THREADS, Session
from docqn.readers.neural.tokenization import TOKENIZER, VOCABULARY, Tokenization, load_tokenization

KIND = "transformer"
MODEL = "model.onnx"
WINDOW, OVERLAP, LONGEST_QUESTION = 384, 128, 64  # tokens
_ONNX_PLACES = (MODEL, f"onnx/{MODEL}", "model_quantized.onnx", "onnx/model_quantized.onnx")


class Widths(NamedTuple):
    """In tokens."""

    window: int
    overlap: int
    longest_question: int


@dataclass(frozen=True)
class SpanModel:
    """See the module."""

    session: Session
    tokenization: Tokenization
    fingerprint: str
    window: int = WINDOW  # tokens read at once, question and signs included
    overlap: int = OVERLAP
    longest_question: int = LONGEST_QUESTION
    calibration: Calibration | None = None  # None: the score is the margin over the null span


def load_span_model(path: Path, threads: int = THREADS) -> SpanModel:
    """From a folder that we wrote, one in Hugging Face's form with safetensors or ONNX, or an ONNX file in one."""
    if not path.exists():
        raise DocqnError(f"{path}: there is no such folder or file")
    if path.is_dir() and kind_of(path) is not None:
        return _load_own(path, threads)
    folder = path if path.is_dir() else path.parent
    onnx = path if path.is_file() else _onnx_in(folder)
    config = read_json(folder / CONFIG) if (folder / CONFIG).exists() else {}
    longest = config.get("max_position_embeddings", 512)
    if not isinstance(longest, int):
        raise DocqnError(f"{folder / CONFIG}: its max_position_embeddings are not a number")
    longest -= 2 if str(config.get("model_type")).endswith(("roberta", "camembert")) else 0
    if onnx is not None:
        model, path = read_bytes(onnx), onnx
    else:
        sizes, weights = load_bert(folder)
        if "span.weight" not in weights:
            raise DocqnError(f"{folder}: has no question-answering head (qa_outputs); `docqn reader train` can add one")
        model, longest = bert_graph(sizes, weights, int8=False), sizes.longest
    session = Session(model, path, threads)
    if not session.inputs.issuperset({"input_ids"}) or len(session.outputs) < 2:
        raise DocqnError(f"{path}: not a question-answering model: it wants {', '.join(sorted(session.inputs))}")
    tokens = next((read_bytes(folder / name) for name in (TOKENIZER, VOCABULARY) if (folder / name).exists()), b"")
    fingerprint = f"span-model-1-{digest(model)}-{digest(tokens)}"
    return _with_room(SpanModel(session, load_tokenization(folder), fingerprint, *widths(longest)), path)


def widths(longest: int) -> Widths:
    """Those of a model that can read so many tokens at once."""
    window = min(WINDOW, longest)
    return Widths(window, min(OVERLAP, window // 3), min(LONGEST_QUESTION, window // 3))


def _load_own(path: Path, threads: int) -> SpanModel:
    folder = open_folder(path, KIND)
    found = SpanModel(
        Session(folder.read(MODEL), path / MODEL, threads),
        load_tokenization(path),
        folder.fingerprint,
        folder.setting("window"),
        folder.setting("overlap"),
        folder.setting("longest_question"),
        calibration_of(folder.config, path),
    )
    return _with_room(found, path)


def _with_room(model: SpanModel, path: Path) -> SpanModel:
    """The model, if beside a long question it can read anything of a passage."""
    if model.window - model.longest_question - model.tokenization.special < 1:
        raise DocqnError(f"{path}: a window of {model.window} tokens has no room for a question and a passage")
    return model


def _onnx_in(folder: Path) -> Path | None:
    """The ONNX file of a folder, if it has one."""
    usual: Sequence[Path] = [folder / name for name in _ONNX_PLACES if (folder / name).is_file()]
    return next(iter(usual or sorted(folder.glob("*.onnx"))), None)
