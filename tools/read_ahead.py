r"""Reads every paragraph of a corpus's pairs with a trained transformer, many at once on a GPU.

    python -m tools.read_ahead read runs/reader schools --split train --coverage 0.3 --out readings
    python -m tools.read_ahead calibrate readings --source TriviaQA
    docqn train schools --reader tools.read_ahead:Found:readings --no-cache …

`read` writes `readings/SPLIT.safetensors`: what the network says of each paragraph, before calibration, in the order of
pairs and of paragraphs. `readings/findings.json` says of which corpus and of which weights, and has the calibration.
`Found` is a reader that knows these readings and no others.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import torch

from docqn.arrays import Array, open_arrays, save_arrays
from docqn.corpora.held_out import held_out
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.document import PARAGRAPH, Document
from docqn.errors import DocqnError
from docqn.evaluation.readers.calibrating import fitted
from docqn.evaluation.readers.choice import MOST, drawn
from docqn.files import write_text
from docqn.network.bert import SpanReader
from docqn.readers import Reading
from docqn.readers.neural.bert import BertConfig, Weights
from docqn.readers.neural.bert_graph import ANSWERABLE, END, IDS, SEGMENTS, START
from docqn.readers.neural.calibration import calibration_of
from docqn.readers.neural.files import read_json
from docqn.readers.neural.findings import Finding, reading_of
from docqn.readers.neural.folder import digest, file_digest
from docqn.readers.neural.span_model import SpanModel, widths
from docqn.readers.neural.spans import BestSpan
from docqn.readers.neural.start import start_weights
from docqn.readers.neural.tokenization import load_tokenization
from docqn.readers.transformer import TransformerReader
from docqn.text.tokens import token_spans

_BUDGET = 32_000  # tokens at once
_PAIRS = 8  # that a process takes at once
_SOURCE = "findings.json"
_META = {"docqn": "findings 1"}
_COLUMNS = {"start": "i4", "end": "i4", "answerable": "f2", "best": "f2", "mass": "f2", "entropy": "f2"}


class TorchSession:
    """In place of an onnxruntime session: padded batches of like lengths, in bf16 on a GPU."""

    path = Path("torch")

    def __init__(self, model: SpanReader, device: torch.device) -> None:
        self._model = model.to(device).eval()
        if device.type != "cpu":
            self._model.lower_precision()
        self._device = device

    @torch.inference_mode()
    def run(self, feeds: Sequence[Mapping[str, Array]]) -> list[dict[str, Array]]:
        """The outputs for each set of inputs."""
        lengths = np.array([feed[IDS].shape[1] for feed in feeds])
        found: list[dict[str, Array]] = [{} for _ in feeds]
        for rows in _batches(np.argsort(-lengths, kind="stable"), lengths):
            width = int(lengths[rows[0]])
            table = np.zeros((3, len(rows), width), np.int64)
            for at, row in enumerate(rows.tolist()):
                length = lengths[row]
                table[0, at, :length], table[1, at, :length] = feeds[row][IDS][0], 1
                table[2, at, :length] = feeds[row][SEGMENTS][0]
            ids, mask, segments = torch.from_numpy(table).to(self._device)
            start, end, answerable = (part.float().cpu().numpy() for part in self._model(ids, mask, segments))
            for at, row in enumerate(rows.tolist()):
                inside = slice(lengths[row])
                scores = {START: start[at : at + 1, inside], END: end[at : at + 1, inside]}
                found[row] = {**scores, ANSWERABLE: answerable[at : at + 1]}
        return found


def _batches(order: Array, lengths: Array) -> Iterator[Array]:
    at = 0
    while at < len(order):
        count = max(1, _BUDGET // int(lengths[order[at]]))
        yield order[at : at + count]
        at += count


def torch_reader(run: Path, device: torch.device) -> TransformerReader:
    """The reader of a training, before its calibration."""
    config, weights = start_weights(run)
    session: Any = TorchSession(SpanReader.of(BertConfig(**vars(config)), weights), device)
    tokenization = load_tokenization(run)
    kept = replace(tokenization, encode=lru_cache(4096)(tokenization.encode))
    return TransformerReader(SpanModel(session, kept, f"torch-{run.name}", *widths(config.longest)))


def chosen(split: Split, coverage: float) -> Array:
    """Those with enough coverage, and all of questions that trainings leave out."""
    covered = np.nan_to_num(split.arrays["coverage"], nan=1.0) >= coverage
    out = np.array([held_out(id) for id in split.question_ids], np.bool_)[split.question]
    return np.flatnonzero(covered | out)


def read(run: Path, corpus: Path, name: str, coverage: float, out: Path, processes: int, device: str) -> None:
    """Read a split and write its file."""
    split = Corpus(corpus).split(name)
    rows = chosen(split, coverage)
    rows = rows[np.argsort(split.arrays["document"][rows], kind="stable")]  # a document's paragraphs are encoded once
    parts = [part.tolist() for part in np.array_split(rows, max(1, len(rows) // _PAIRS))]
    found: dict[int, Array] = {}
    with multiprocessing.get_context("spawn").Pool(processes, _begin, (run, corpus, name, device)) as pool:
        for done, made in enumerate(pool.imap_unordered(_read, parts)):
            found.update(made)
            if done % 100 == 0:
                print(f"{name}: {len(found):,} of {len(rows):,} pairs", flush=True)
    offset = np.zeros(len(split) + 1, np.int64)
    for row, table in found.items():
        offset[row + 1] = len(table)
    tables = np.concatenate([np.zeros((0, len(_COLUMNS))), *(found[row] for row in sorted(found))])
    arrays = {column: tables[:, at].astype(kind) for at, (column, kind) in enumerate(_COLUMNS.items())}
    save_arrays(out / f"{name}.safetensors", {"offset": offset.cumsum(), **arrays}, _META)


_reader: TransformerReader
_split: Split


def _begin(run: Path, corpus: Path, name: str, device: str) -> None:
    global _reader, _split
    torch.set_num_threads(1)
    _reader, _split = torch_reader(run, torch.device(device)), Corpus(corpus).split(name)


def _read(rows: Sequence[int]) -> dict[int, Array]:
    questions: list[str] = []
    passages: list[str] = []
    ends = [0]
    for row in rows:
        example = _split[row]
        passages += [example.document.text_of(node) for node in paragraphs(example.document)]
        questions += [example.question.text] * (len(passages) - ends[-1])
        ends.append(len(passages))
    table = np.array([_row(found) for found in _reader.find(questions, passages)]).reshape(-1, len(_COLUMNS))
    return {row: table[ends[at] : ends[at + 1]] for at, row in enumerate(rows)}


def paragraphs(document: Document) -> list[int]:
    """The nodes of a document's paragraphs."""
    nodes: list[int] = np.flatnonzero(document.kind == PARAGRAPH).tolist()
    return nodes


def _row(found: Finding | None) -> tuple[float, ...]:
    if found is None:
        return (0, 0, np.nan, np.nan, np.nan, np.nan)
    return (found.start, found.end, *found.features, found.span.entropy)


class Found:
    """What was found, as a reader: `tools.read_ahead:Found:FOLDER`. It knows nothing else."""

    def __init__(self, folder: str) -> None:
        path = Path(folder)
        said = read_json(path / _SOURCE)
        corpus = _corpus(said, path)
        files = sorted(path.glob("*.safetensors"))
        if not files:
            raise DocqnError(f"{path}: holds no readings; run `python -m tools.read_ahead read`")
        parts = [*(file_digest(file) for file in files), json.dumps(said.get("calibration"))]
        self.fingerprint = f"found-{digest(' '.join(parts).encode())}"
        self._calibration = calibration_of(said, path / _SOURCE)
        self._splits = [(split := corpus.split(file.stem), _opened(file, len(split))) for file in files]
        self._pairs: dict[str, list[tuple[int, int]]] = {}  # by question: split and pair
        self._known: dict[str, dict[str, tuple[int, int]]] = {}  # by question and passage: split and row
        for number, (split, arrays) in enumerate(self._splits):
            for row in np.flatnonzero(np.diff(arrays["offset"])).tolist():
                text = split.question_at(int(split.question[row])).text
                self._pairs.setdefault(text, []).append((number, row))

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        return [
            reading_of(finding, passage, len(token_spans(passage)), self._calibration)
            for finding, passage in zip(self.find(questions, passages), passages, strict=True)
        ]

    def find(self, questions: Sequence[str], passages: Sequence[str]) -> list[Finding | None]:
        """What the network said of each pair."""
        return [self._find(*pair) for pair in zip(questions, passages, strict=True)]

    def _find(self, question: str, passage: str) -> Finding | None:
        try:
            number, row = self._of(question)[passage]
        except KeyError:
            raise DocqnError(f"nobody read {passage[:40]!r} for {question[:40]!r} ahead") from None
        arrays = self._splits[number][1]
        start, end, answerable, best, mass, entropy = (float(arrays[name][row]) for name in _COLUMNS)
        if np.isnan(best):
            return None
        return Finding(int(start), int(end), BestSpan(0, 0, best, mass, entropy), answerable)

    def _of(self, question: str) -> dict[str, tuple[int, int]]:
        if question not in self._known:
            found: dict[str, tuple[int, int]] = {}
            for number, pair in self._pairs.get(question, ()):
                split, arrays = self._splits[number]
                document, first = split.corpus.document(int(split.document[pair])), int(arrays["offset"][pair])
                for at, node in enumerate(paragraphs(document)):
                    found.setdefault(document.text_of(node), (number, first + at))
            self._known[question] = found
        return self._known[question]


def _opened(path: Path, pairs: int) -> Mapping[str, Array]:
    """The readings of a split."""
    arrays, meta, _ = open_arrays(path)
    if meta.get("docqn") != _META["docqn"] or not {"offset", *_COLUMNS} <= arrays.keys():
        raise DocqnError(f"{path}: holds no readings that `python -m tools.read_ahead read` wrote")
    if len(arrays["offset"]) != pairs + 1 or any(len(arrays[name]) != arrays["offset"][-1] for name in _COLUMNS):
        raise DocqnError(f"{path}: is damaged, or of another corpus; read it again")
    return arrays


def _corpus(said: Mapping[str, Any], folder: Path) -> Corpus:
    """That which was read, unchanged since."""
    if not isinstance(said.get("corpus"), str):
        raise DocqnError(f"{folder / _SOURCE}: does not name the corpus that was read; read it again")
    corpus = Corpus(said["corpus"])
    if said.get("data", corpus.manifest.fingerprint) != corpus.manifest.fingerprint:
        raise DocqnError(f"{folder}: {corpus.folder} is another corpus than was read; read it again")
    return corpus


def begin(run: Path, corpus: Path, folder: Path) -> None:
    """Say of which corpus and which weights the readings are; those of others do not come beside them."""
    weights = weights_digest(start_weights(run)[1])
    data = Corpus(corpus).manifest.fingerprint
    source = {"corpus": str(corpus.resolve()), "data": data, "training": run.resolve().name, "weights": weights}
    if (folder / _SOURCE).exists():
        before = read_json(folder / _SOURCE)
        if any(before.get(name) != source[name] for name in ("data", "weights")):
            raise DocqnError(f"{folder}: holds readings of another training or corpus; name another folder")
        source = before | source
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / _SOURCE, json.dumps(source, indent=1) + "\n")


def weights_digest(weights: Weights) -> str:
    """The same for the same weights, in whatever file."""
    found = blake2b(digest_size=16)
    for name, array in sorted(weights.items()):
        found.update(f"{name} {array.shape}".encode() + np.ascontiguousarray(array, "<f4").tobytes())
    return found.hexdigest()


def calibrate(folder: Path, split: str, source: str | None) -> None:
    """Fit the calibration to what was found for questions that trainings leave out."""
    said = read_json(folder / _SOURCE)
    pairs = drawn(_corpus(said, folder).split(split), None, 0, source=source, held_out_only=True)
    found = fitted(Found(str(folder)), pairs, MOST)
    weights = {name: round(value, 6) for name, value in vars(found.calibration).items()}
    told = {"pairs": len(pairs), "readings": found.readings, "right": found.right}
    write_text(folder / _SOURCE, json.dumps(said | {"calibration": weights, "calibrated": told}, indent=1) + "\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    reading = commands.add_parser("read")
    reading.add_argument("run", type=Path)
    reading.add_argument("corpus", type=Path)
    reading.add_argument("--split", action="append", required=True)
    reading.add_argument("--coverage", type=float, default=0.0, help="leave out pairs below it, save those held out")
    reading.add_argument("--out", type=Path, required=True)
    reading.add_argument("--processes", type=int, default=max(1, len(os.sched_getaffinity(0)) - 1))
    reading.add_argument("--device", default="cuda")
    fitting = commands.add_parser("calibrate")
    fitting.add_argument("findings", type=Path)
    fitting.add_argument("--split", default="train")
    fitting.add_argument("--source", help="only questions from there")
    options = parser.parse_args(arguments)
    if options.command == "calibrate":
        calibrate(options.findings, options.split, options.source)
        return
    begin(options.run, options.corpus, options.out)
    for name in options.split:
        read(options.run, options.corpus, name, options.coverage, options.out, options.processes, options.device)


if __name__ == "__main__":
    main()
