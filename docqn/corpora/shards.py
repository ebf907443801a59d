"""One shard of a corpus: some documents with the pairs they are in, made by one process, in one file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from docqn.arrays import Array, load_arrays, save_arrays
from docqn.build import build_document
from docqn.corpora.findings import Finder, Finding
from docqn.corpora.layout import NUMBERS, ROWS, SIZES, STORED
from docqn.corpora.matching import Numbers, aliases
from docqn.corpora.ragged import Ragged
from docqn.corpora.records import Bad
from docqn.corpora.tasks import ShardTask
from docqn.document import SECTION, SENTENCE, Document
from docqn.errors import DocqnError, ParseError


class Shard(NamedTuple):
    """A finished shard."""

    number: int
    path: Path
    digest: str  # of what it was made from
    documents: int  # that were to be read
    reused: bool
    bad: tuple[Bad, ...]


def build_shard(task: ShardTask, folder: Path) -> Shard:
    """Make the shard's file, unless the one that is there was made from the same."""
    path = folder / f"shard-{task.number:06}.safetensors"
    digest = task.digest()
    made_from = f"{digest} {_code_digest()}"
    meta = _meta(path)
    if meta.get("made_from") == made_from:
        bad = tuple(Bad(*one) for one in json.loads(meta["bad"]))
        return Shard(task.number, path, digest, len(task.documents), True, bad)

    contents = _Contents()
    numbers: Numbers = {}
    words = aliases(task.answers, numbers)
    for name, source, pairs in task.documents:
        try:
            original = source.parse(source.read(), name)
        except Exception as error:  # also one that no parser foresees: counted, and hours of work are kept
            reason = error.reason if isinstance(error, ParseError) else f"{type(error).__name__}: {error}"
            contents.bad.append(Bad("unreadable document", name, "", reason))
            continue
        finder = Finder(original, task.rules, numbers)
        for pair, question, page in pairs:
            contents.pairs.append((pair, len(contents.documents)))
            contents.findings.append(finder.find(page, task.answers[question], words[question]))
        contents.sizes.append([document_sizes(original), document_sizes(finder.document)])
        contents.documents.append(finder.document)
    save_arrays(path, contents.arrays(), {"made_from": made_from, "bad": json.dumps(contents.bad)})
    return Shard(task.number, path, digest, len(task.documents), False, tuple(contents.bad))


def shard_digest(task: ShardTask) -> tuple[int, str]:
    """Number and digest of what a shard is to be made from."""
    return task.number, task.digest()


def document_sizes(document: Document) -> list[int]:
    """The document's SIZES."""
    kind = document.kind
    top = (kind == SECTION) & (document.parent == 0)
    words = len(document.text.split())
    return [len(document.token), words, int((kind != SENTENCE).sum()), len(document), int(top.sum())]


class _Contents:
    """What a shard holds while it is made."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.sizes: list[list[list[int]]] = []
        self.pairs: list[tuple[int, int]] = []  # number in the build, document in the shard
        self.findings: list[Finding] = []
        self.bad: list[Bad] = []

    def arrays(self) -> dict[str, Array]:
        """The arrays of the shard's file."""
        documents, findings = self.documents, self.findings
        counts, tokens = _united(documents)
        arrays = {name: _concatenated(name, [getattr(d, name) for d in documents]) for name in STORED}
        arrays |= {
            "token": np.concatenate([np.empty(0, np.int32), *tokens]),
            "vocabulary": np.frombuffer("\n".join(counts).encode(), np.uint8),
            "counts": np.fromiter(counts.values(), np.int64, len(counts)),
            "nodes": np.array([len(d) for d in documents], np.int64),
            "tokens": np.array([len(d.token) for d in documents], np.int64),
            "bytes": np.array([len(d.utf8) for d in documents], np.int64),
            "sizes": np.array(self.sizes, np.int32).reshape(-1, 2, len(SIZES)),
            "pair": np.array(self.pairs, np.int64).reshape(-1, 2),
        }
        strings = {"name": [d.source for d in documents], "format": [d.format for d in documents]}
        rows = {name: Ragged.of_strings(values) for name, values in strings.items()}
        rows |= {name: Ragged.of([getattr(f, name) for f in findings]) for name in ROWS}
        for name, row in rows.items():
            arrays |= {name: row.values, f"{name}_offset": row.offset}
        for name in NUMBERS:
            arrays[name] = np.array([getattr(f, name) for f in findings], np.int32)
        arrays["supporting_counts"] = arrays["supporting_counts"].reshape(-1, 3)
        return arrays


def _united(documents: Sequence[Document]) -> tuple[Counter[str], list[Array]]:
    """How often each word occurs in the documents, and each document's tokens as places in that."""
    counts: Counter[str] = Counter()
    for document in documents:
        per_word = np.bincount(document.token, minlength=len(document.vocabulary)).tolist()
        for word, count in zip(document.vocabulary, per_word, strict=True):
            counts[word] += count
    number = {word: i for i, word in enumerate(counts)}
    return counts, [np.fromiter(map(number.__getitem__, d.vocabulary), np.int32)[d.token] for d in documents]


def _concatenated(name: str, parts: Sequence[Array]) -> Array:
    return np.concatenate([getattr(_example(), name)[:0], *parts])


@cache
def _example() -> Document:
    """Tells the type of each array where there is no document."""
    return build_document((), source="-", format="-")


def _meta(path: Path) -> dict[str, str]:
    """What a shard that is there says of itself; nothing of a damaged one."""
    try:
        return load_arrays(path)[1] if path.exists() else {}
    except DocqnError:
        return {}


@cache
def _code_digest() -> str:
    """Of docqn's own code: shards of an older docqn are not mixed with new ones."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
