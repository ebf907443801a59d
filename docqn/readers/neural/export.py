"""Readers' folders made from a training, or from a model's folder in Hugging Face's form. Needs no torch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers.neural.bert import BertConfig, load_bert
from docqn.readers.neural.bert_graph import bert_graph
from docqn.readers.neural.folder import Contents, write_folder
from docqn.readers.neural.rasor_graph import rasor_graph
from docqn.readers.neural.span_model import KIND, LONGEST_QUESTION, MODEL, OVERLAP, WINDOW
from docqn.readers.neural.spans import LONGEST
from docqn.readers.neural.tokenization import copied_tokenizer
from docqn.readers.neural.training_run import is_run, load_weights, read_run, saved
from docqn.readers.neural.words import WORDS, load_words, save_words


def export(source: Path, out: Path, *, int8: bool) -> None:
    """Write a reader's folder. RaSoR is small and stays float32."""
    if not is_run(source):
        config, weights = load_bert(source)
        _export_transformer(source, out, config, weights, int8, {"training": {"from": source.resolve().name}})
        return
    said = read_run(source)
    state = saved(source)
    training = {"from": said["from"], "steps": state["step"], **said["settings"]}
    about = {"training": training, "data": state.get("fixed", {}).get("data", {})}
    if said["reader"] == KIND:
        _export_transformer(source, out, BertConfig(**said["sizes"]), load_weights(source), int8, about)
    else:
        _export_rasor(source, out, load_weights(source), about)


def _export_transformer(
    source: Path, out: Path, config: BertConfig, weights: Mapping[str, Array], int8: bool, about: Mapping[str, Any]
) -> None:
    if "span.weight" not in weights:
        raise DocqnError(f"{source}: has no question-answering head (qa_outputs); `docqn reader train` can add one")
    window = min(WINDOW, config.longest)
    settings = {
        "window": window,
        "overlap": min(OVERLAP, window // 3),
        "longest_question": min(LONGEST_QUESTION, window // 3),
        "precision": "int8" if int8 else "float32",
    }
    files = {MODEL: bert_graph(config, weights, int8=int8), **copied_tokenizer(source)}
    write_folder(out, KIND, files, {"settings": settings, **about})


def _export_rasor(source: Path, out: Path, weights: Mapping[str, Array], about: Mapping[str, Any]) -> None:
    table = load_words(source / WORDS)
    files: dict[str, Contents] = {
        MODEL: rasor_graph(weights, LONGEST),
        WORDS: lambda path: save_words(path, table.words.words, table.known, weights["learnt.weight"]),
    }
    write_folder(out, "rasor", files, {"settings": {"longest_span": LONGEST, "precision": "float32"}, **about})
