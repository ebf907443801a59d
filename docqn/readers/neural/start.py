"""What the training of a transformer begins from: a model's folder in Hugging Face's form, another training, or a
reader's folder, whose int8 matrices become float32 again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docqn.errors import DocqnError
from docqn.readers.neural.bert import BertConfig, Weights, load_bert
from docqn.readers.neural.bert_graph import bert_weights
from docqn.readers.neural.files import read_json
from docqn.readers.neural.folder import CONFIG, kind_of, open_folder
from docqn.readers.neural.span_model import KIND, MODEL
from docqn.readers.neural.training_run import is_run, load_weights, read_run, record


def start_weights(path: Path) -> tuple[BertConfig, Weights]:
    """Sizes and weights, float32."""
    if is_run(path):
        said = read_run(path)
        if said["reader"] != KIND:
            raise DocqnError(f"{path}: holds a training of the reader {said['reader']!r}, not {KIND!r}")
        try:
            return BertConfig(**said["sizes"]), load_weights(path)
        except TypeError as error:
            raise DocqnError(f"{path}: its sizes are not those of a model ({error})") from error
    if path.is_dir() and kind_of(path) is not None:
        return _exported(path)
    return load_bert(path)


def _exported(path: Path) -> tuple[BertConfig, Weights]:
    folder = open_folder(path, KIND)
    try:
        return BertConfig(**folder.config["sizes"]), bert_weights(folder.read(MODEL))
    except (KeyError, TypeError, ValueError) as error:
        raise DocqnError(
            f"{path}: does not hold weights to train further ({error}); export the reader again"
        ) from error


def provenance(path: Path) -> dict[str, Any]:
    """The trainings that made what a training begins from, earliest first, and the licences that it stands under."""
    if is_run(path):
        about = record(path)
    elif path.is_dir() and kind_of(path) is not None:
        about = read_json(path / CONFIG)
    else:
        return {"history": [], "licences": []}
    last = {"training": about.get("training", {}), "data": about.get("data", {})}
    return {"history": [*about.get("history", []), last], "licences": list(about.get("licences", []))}
