"""The folder of a training: what it began from, its settings and data, its state and its log.

settings.json        {"docqn": "training 1", "reader", "settings", "sizes", "data", "from", and what is known of that:
                      "history", "licences"; "held_out": one question of so many is left out of a corpus}
start.safetensors    transformer: the weights that it began from, under our names
tokenizer.json, …    transformer: the tokenizer
words.safetensors    RaSoR: the vectors of known words
state.safetensors    weights, their average, moments; see `state`
log.jsonl            one line a step
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from docqn.arrays import save_arrays
from docqn.corpora.held_out import PARTS
from docqn.corpora.split import Split
from docqn.corpora.store import Corpus
from docqn.errors import DocqnError
from docqn.evaluation.readers.squad import SquadFile, load_squad
from docqn.learning.readers.corpus_groups import CorpusGroups
from docqn.learning.readers.loop import Task
from docqn.learning.readers.rasor import RasorTask
from docqn.learning.readers.rasor_data import from_corpus, from_squad, further_words
from docqn.learning.readers.settings import RasorSettings, Schedule, TransformerSettings
from docqn.learning.readers.squad_groups import SquadGroups
from docqn.learning.readers.transformer import TransformerTask
from docqn.learning.settings import changed
from docqn.network.bert import SpanReader
from docqn.network.rasor import Rasor, RasorSizes
from docqn.readers.neural.bert import BertConfig
from docqn.readers.neural.folder import file_digest
from docqn.readers.neural.start import provenance, start_weights
from docqn.readers.neural.tokenization import copied_tokenizer, load_tokenization
from docqn.readers.neural.training_run import FORMAT, SETTINGS, START, load_weights, read_run
from docqn.readers.neural.words import WORDS, load_words, save_words
from docqn.text.vectors import Words, load_vectors

CPU = torch.device("cpu")
KINDS: dict[str, type[Schedule]] = {"transformer": TransformerSettings, "rasor": RasorSettings}


@dataclass(frozen=True)
class Sources:
    """Where the data of a training are."""

    squad: Path | None = None
    corpus: Path | None = None
    splits: tuple[str, ...] = ()

    def described(self) -> dict[str, Any]:
        """Paths, to find the data again."""
        return {
            "squad": str(self.squad.resolve()) if self.squad else None,
            "corpus": str(self.corpus.resolve()) if self.corpus else None,
            "splits": list(self.splits),
        }

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Sources:
        """From what was described."""
        squad, corpus = said.get("squad"), said.get("corpus")
        return cls(Path(squad) if squad else None, Path(corpus) if corpus else None, tuple(said.get("splits", ())))

    def digests(self) -> dict[str, str]:
        """What the data are, wherever they lie."""
        found = {"squad": file_digest(self.squad)} if self.squad else {}
        if self.corpus:
            found["corpus"] = f"{file_digest(self.corpus / 'manifest.json')} {','.join(self.splits)}"
        return found

    def open(self) -> tuple[SquadFile | None, list[Split]]:
        splits = [Corpus(self.corpus).split(name) for name in self.splits] if self.corpus else []
        return (load_squad(self.squad) if self.squad else None), splits


def begin(run: Path, settings: TransformerSettings | RasorSettings, start: Path, sources: Sources) -> None:
    """Make a training's folder. It begins from a model, a reader or another training, RaSoR from a file of vectors."""
    if (run / SETTINGS).exists():
        raise DocqnError(f"{run}: holds a training already; resume it or name another folder")
    run.mkdir(parents=True, exist_ok=True)
    if isinstance(settings, TransformerSettings):
        kind, sizes = "transformer", _begin_transformer(run, settings.seed, start)
    else:
        kind, sizes = "rasor", _begin_rasor(run, settings, start, sources)
    said: dict[str, Any] = {"docqn": FORMAT, "reader": kind, "settings": asdict(settings), "sizes": sizes}
    said |= {"data": sources.described(), "from": start.resolve().name, "held_out": PARTS, **provenance(start)}
    (run / SETTINGS).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


def _begin_transformer(run: Path, seed: int, start: Path) -> dict[str, Any]:
    config, weights = start_weights(start)
    if not config.segments or config.first_position:
        raise DocqnError(f"{start}: only models of BERT's own form can be trained")
    torch.manual_seed(seed)
    model = SpanReader.of(config, weights)
    state = {name: weight.numpy() for name, weight in model.state_dict().items()}
    save_arrays(run / START, state, {"docqn": "weights 1"})
    for name, data in copied_tokenizer(start).items():
        (run / name).write_bytes(data)
    return asdict(config)


def _begin_rasor(run: Path, settings: RasorSettings, start: Path, sources: Sources) -> dict[str, Any]:
    given = load_vectors(start, settings.words)
    further = further_words(*sources.open(), Words(given.words, 1), settings)
    torch.manual_seed(settings.seed)
    sizes = RasorSizes(
        given.vectors.shape[1],
        settings.hidden,
        settings.layers,
        settings.feedforward,
        len(further) + settings.buckets,
    )
    model = Rasor(sizes)
    torch.nn.init.normal_(model.learnt.weight, std=float(given.vectors.astype("f4").std()))
    state = {name: weight.numpy() for name, weight in model.state_dict().items()}
    save_arrays(run / START, state, {"docqn": "weights 1"})
    save_words(run / WORDS, [*given.words, *further], given.vectors, state["learnt.weight"])
    return sizes._asdict()


def change(run: Path, changes: Sequence[str]) -> None:
    """Change settings of a training that is there."""
    said = read_run(run)
    settings = asdict(changed(_settings(run, said), changes))
    (run / SETTINGS).write_text(json.dumps(said | {"settings": settings}, indent=1) + "\n", encoding="utf-8")


def _settings(run: Path, said: Mapping[str, Any]) -> Schedule:
    try:
        return KINDS[said["reader"]](**said["settings"])
    except (KeyError, TypeError) as error:
        raise DocqnError(f"{run / SETTINGS}: settings of another version ({error})") from error


def task_of(run: Path, device: torch.device = CPU, workers: int = 0) -> Task:
    """The training of a folder, with its data, on a device; processes prepare the data where that is slow."""
    said = read_run(run)
    settings, sources = _settings(run, said), Sources.of(said["data"])
    if isinstance(settings, TransformerSettings):
        return _transformer_task(run, said, settings, sources, device, workers)
    assert isinstance(settings, RasorSettings)
    return _rasor_task(run, said, settings, sources, device)


def _transformer_task(
    run: Path,
    said: Mapping[str, Any],
    settings: TransformerSettings,
    sources: Sources,
    device: torch.device,
    workers: int,
) -> Task:
    model = SpanReader.of(BertConfig(**said["sizes"]), load_weights(run, trained=False))
    tokenization = load_tokenization(run)
    file, splits = sources.open()
    squad = SquadGroups.of(file, tokenization) if file else None
    corpus = CorpusGroups.of(splits, tokenization, settings, all=not said.get("held_out")) if splits else None
    return TransformerTask(model, settings, squad, corpus, sources.digests(), device, workers)


def _rasor_task(
    run: Path, said: Mapping[str, Any], settings: RasorSettings, sources: Sources, device: torch.device
) -> Task:
    model = Rasor(RasorSizes(**said["sizes"]))
    table = load_words(run / WORDS)
    weights = load_weights(run, trained=False)
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    file, splits = sources.open()
    examples = from_squad(file, table.words, settings) if file else []
    examples += from_corpus(splits, table.words, settings, all=not said.get("held_out"))
    return RasorTask(model, settings, torch.from_numpy(table.known.copy()), examples, sources.digests(), device)
