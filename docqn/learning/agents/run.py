"""The folder of an agent's training: what it learns from, its settings, state, best weights and log.

settings.json       {"docqn": "agent training 1", "preset", "settings", "data", "vectors"}
words.safetensors   vectors of known words
state.safetensors   the whole state; see `trainer`
best.safetensors    weights of the best evaluation
log.jsonl           lines of training, of evaluations, and of alarms
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch

from docqn import readers
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.environment.inputs import InputMaker
from docqn.environment.pairs import Pair
from docqn.environment.predictions import Predictions
from docqn.environment.readings import Readings
from docqn.environment.starts import start_distribution
from docqn.environment.wording import Wording
from docqn.errors import DocqnError
from docqn.files import lock, write_text
from docqn.learning.agents.batches import Lookup, batch_of
from docqn.learning.agents.evaluation import alarms, summary, walks
from docqn.learning.agents.explorer import Explorer
from docqn.learning.agents.learner import Learner, Values
from docqn.learning.agents.settings import FREE, AgentSettings
from docqn.learning.agents.trainer import STATE, Row, Trainer
from docqn.learning.settings import changed, replaced
from docqn.learning.tensors import write_tensors
from docqn.network.qnetwork import QNetwork
from docqn.policies.neural.export import BEST, FORMAT, LOG, SETTINGS, read_log, read_run
from docqn.readers.cache import Cache, CachedReader
from docqn.readers.neural.folder import file_digest
from docqn.readers.neural.words import WORDS, load_words, save_words
from docqn.text.vectors import WordVectors, load_vectors

_ALL_WORDS = 3_000_000  # of a file of vectors

Report = Callable[[Row], None]


@dataclass(frozen=True)
class Data:
    """What an agent learns from and is measured on."""

    corpus: Path
    splits: tuple[str, ...]
    dev: str | None  # split of the evaluations
    reader: str
    cache: bool = True  # of readings, on disk

    def described(self) -> dict[str, Any]:
        """With the corpus's fingerprint."""
        opened = Corpus(self.corpus)
        return {
            "corpus": str(self.corpus.resolve()),
            "fingerprint": opened.manifest.fingerprint,
            "splits": list(self.splits),
            "dev": self.dev,
            "reader": self.reader,
            "cache": self.cache,
        }


def begin(run: Path, preset: str, settings: AgentSettings, vectors: Path, data: Data) -> None:
    """Make the folder of a training, once all that it needs is there. The known words are those of the corpus that have
    a vector."""
    if (run / SETTINGS).exists():
        raise DocqnError(f"{run}: holds a training already; resume it or name another folder")
    corpus = Corpus(data.corpus)
    for split in (*data.splits, *([data.dev] if data.dev else [])):
        corpus.split(split)
    readers.reader(data.reader)
    found = _known(load_vectors(vectors, _ALL_WORDS), corpus, settings.words)
    if not found.words:
        raise DocqnError(f"{vectors}: has no vector of a word of {data.corpus}")
    run.mkdir(parents=True, exist_ok=True)
    width = found.vectors.shape[1]
    save_words(run / WORDS, found.words, found.vectors, np.zeros((settings.buckets, width), np.float16))
    said = {"docqn": FORMAT, "preset": preset, "settings": asdict(settings), "data": data.described()}
    said["vectors"] = {"file": vectors.name, "digest": file_digest(vectors), "known": len(found.words)}
    write_text(run / SETTINGS, json.dumps(said, indent=1) + "\n")


def _known(given: WordVectors, corpus: Corpus, most: int) -> WordVectors:
    """The most frequent words of the corpus that have a vector, as they are written or in lower case."""
    row = {word: number for number, word in enumerate(given.words)}
    found: dict[str, None] = {}
    for word in corpus.vocabulary.words:
        for form in (word, word.lower()):
            if form in row:
                found[form] = None
                break
        if len(found) == most:
            break
    return WordVectors(list(found), given.vectors[[row[word] for word in found]])


def change(run: Path, changes: Sequence[str]) -> None:
    """Change settings of a training that is there, of those that may change."""
    said = read_run(run)
    for name in (change.partition("=")[0] for change in changes):
        if name not in FREE:
            raise DocqnError(f"{run}: {name} stays as it began; of a training only {', '.join(FREE)} may change")
    settings = asdict(changed(settings_of(run, said), changes))
    write_text(run / SETTINGS, json.dumps(said | {"settings": settings}, indent=1) + "\n")


def settings_of(run: Path, said: Mapping[str, Any]) -> AgentSettings:
    """The settings that a training's folder tells."""
    given = said.get("settings")
    if not isinstance(given, dict):
        raise DocqnError(f"{run / SETTINGS}: has no settings; is the file damaged?")
    return replaced(AgentSettings(), given, run / SETTINGS)


class Run:
    """A training with its data."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        said = read_run(folder)
        self.folder = folder
        self.settings = settings = settings_of(folder, said)
        try:
            data = said["data"]
            corpus, dev = Corpus(data["corpus"]), data["dev"]
            if corpus.manifest.fingerprint != data["fingerprint"]:
                raise DocqnError(f"{data['corpus']}: is not the corpus that the training in {folder} began with")
            splits = [corpus.split(name) for name in data["splits"]]
            made = readers.reader(data["reader"])
            self.reader = CachedReader(made, Cache()) if data["cache"] else made
        except (KeyError, TypeError, AttributeError) as error:
            raise DocqnError(f"{folder / SETTINGS}: says of no data; is the file damaged? ({error!r})") from error
        wording = Wording.of_splits(splits, limit=settings.limit, coupled=settings.coupled, least=settings.coverage)
        if not len(wording.environment.tasks):
            raise DocqnError(f"{data['corpus']}: no pairs to learn from in {', '.join(data['splits'])}")
        table = load_words(folder / WORDS)
        self._device = device
        torch.manual_seed(settings.seed)
        network = QNetwork(settings.sizes(table.known.shape[1]))
        predictions = Predictions(Readings(self.reader, wording.pairs), wording.pairs)
        maker = InputMaker(wording, predictions, settings.match)
        self._lookup = Lookup(table, wording.words, device)
        learner = Learner(network, settings, maker, self._lookup, device)
        starts = start_distribution(settings.start)
        explorer = Explorer(wording.environment, starts, settings.cursors, settings.sampled, settings.seed)
        self.trainer = Trainer(settings, learner, explorer)
        self._dev = _chosen(corpus.split(dev), settings.pairs) if dev else []
        self._fixed = {
            **{name: value for name, value in asdict(settings).items() if name not in FREE},
            "corpus": data["fingerprint"],
            "splits": data["splits"],
            "reader": made.fingerprint,
            "device": device.type,
        }

    def train(self, *, resume: bool, stop: Callable[[], bool], report: Report = lambda row: None) -> int:
        """Train until the last step or until asked to stop; the state is saved. Returns the number of steps done."""
        trainer, state, log = self.trainer, self.folder / STATE, self.folder / LOG
        with _opened(self.folder / "lock", "w") as held:
            lock(held, f"{self.folder}: another process trains there")
            if state.exists():
                if not resume:
                    raise DocqnError(f"{self.folder}: holds a training already; resume it or name another folder")
                trainer.load(state, self._fixed)
            # What was logged after the state was saved comes again.
            rows = [row for row in read_log(log) if row["step"] <= trainer.step] if log.exists() else []
            write_text(log, "".join(json.dumps(row) + "\n" for row in rows))
            with _opened(log, "a") as lines:

                def tell(row: Row) -> None:
                    row = {**row, "time": time.strftime("%Y-%m-%dT%H:%M:%S")}
                    lines.write(json.dumps(row) + "\n")
                    report(row)

                self._go_on(stop, tell)
        return trainer.step

    def _go_on(self, stop: Callable[[], bool], tell: Report) -> None:
        trainer, settings, state = self.trainer, self.settings, self.folder / STATE
        saved = time.monotonic()
        while not trainer.done and not stop():
            row = trainer.advance(stop)
            if row:
                tell(row)
            if self._dev and (trainer.done or trainer.passed(settings.evaluate)):
                self._evaluate(tell)
            if time.monotonic() - saved > 60 * settings.save_minutes:
                trainer.save(state, self._fixed)
                saved = time.monotonic()
        trainer.save(state, self._fixed)
        if not self._dev and trainer.done:
            self._keep()

    def _evaluate(self, tell: Report) -> None:
        """Measure, keep the weights if they are the best so far, and say if something is wrong."""
        trainer = self.trainer
        clock = time.perf_counter()
        traces = walks(self._values_of, self.settings, self._dev, self.reader)
        figures = summary(traces, self._dev)
        if figures["accuracy"] > trainer.best:
            trainer.best = figures["accuracy"]
            self._keep()
        seconds = round(time.perf_counter() - clock, 2)
        tell({"step": trainer.step, "evaluation": figures, "best": trainer.best, "seconds": seconds})
        for alarm in alarms(figures):
            tell({"step": trainer.step, "alarm": alarm})

    def _values_of(self, maker: InputMaker) -> Values:
        lookup = self._lookup.over(maker.wording.words)
        network = self.trainer.learner.kept

        @torch.no_grad()
        def values(states: Any) -> Any:
            return network(batch_of(maker.of(states), lookup, self._device)).cpu().numpy()

        return values

    def _keep(self) -> None:
        meta = {"step": self.trainer.step, "accuracy": self.trainer.best}
        write_tensors(self.folder / BEST, self.trainer.learner.kept.state_dict(), meta)


def _opened(path: Path, mode: str) -> IO[str]:
    try:
        return path.open(mode, encoding="utf-8", buffering=1)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error


def _chosen(split: Split, count: int) -> list[Pair]:
    """So many pairs, spread over the split; always the same."""
    rows = np.unique(np.linspace(0, len(split) - 1, min(count, len(split))).astype(int))
    return [Pair.of(split[row]) for row in rows.tolist()]
