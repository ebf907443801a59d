"""Readers' folders made from a training, or from a model's folder in Hugging Face's form. Needs no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from docqn.arrays import Array
from docqn.errors import DocqnError
from docqn.readers.neural.bert import BertConfig
from docqn.readers.neural.bert_graph import bert_graph
from docqn.readers.neural.folder import Contents, kind_of, write_folder
from docqn.readers.neural.rasor_graph import rasor_graph
from docqn.readers.neural.span_model import KIND, MODEL, widths
from docqn.readers.neural.spans import LONGEST
from docqn.readers.neural.start import start_weights
from docqn.readers.neural.tokenization import copied_tokenizer
from docqn.readers.neural.training_run import is_run, load_weights, read_run, record
from docqn.readers.neural.words import WORDS, load_words, save_words


def export(source: Path, out: Path, *, int8: bool, licences: Sequence[str] = ()) -> None:
    """Write a reader's folder; it tells of these licences and those known before. RaSoR is small and stays float32."""
    if is_run(source):
        about = record(source)
    elif source.is_dir() and kind_of(source) is not None:
        raise DocqnError(f"{source}: is a reader's folder already")
    else:
        about = {"training": {"from": source.resolve().name}}
    about["licences"] = list(dict.fromkeys([*about.get("licences", []), *licences]))
    if is_run(source) and read_run(source)["reader"] != KIND:
        _export_rasor(source, out, load_weights(source), about)
    else:
        _export_transformer(source, out, *start_weights(source), int8, about)


def _export_transformer(
    source: Path, out: Path, config: BertConfig, weights: Mapping[str, Array], int8: bool, about: Mapping[str, Any]
) -> None:
    if "span.weight" not in weights:
        raise DocqnError(f"{source}: has no question-answering head (qa_outputs); `docqn reader train` can add one")
    settings = widths(config.longest)._asdict() | {"precision": "int8" if int8 else "float32"}
    files = {MODEL: bert_graph(config, weights, int8=int8), **copied_tokenizer(source)}
    write_folder(out, KIND, files, {"settings": settings, "sizes": asdict(config), **about})


def _export_rasor(source: Path, out: Path, weights: Mapping[str, Array], about: Mapping[str, Any]) -> None:
    table = load_words(source / WORDS)
    files: dict[str, Contents] = {
        MODEL: rasor_graph(weights, LONGEST),
        WORDS: lambda path: save_words(path, table.words.words, table.known, weights["learnt.weight"]),
    }
    write_folder(out, "rasor", files, {"settings": {"longest_span": LONGEST, "precision": "float32"}, **about})
