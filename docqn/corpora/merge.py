"""From shards to a corpus folder: arrays one after another, one vocabulary, and a file of questions for each split."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from docqn import __version__
from docqn.arrays import Array, Spec, load_arrays, stream_arrays
from docqn.corpora.layout import DOCUMENTS, NUMBERS, ROWS, STORED, VOCABULARY, file_meta, split_file
from docqn.corpora.manifest import Manifest
from docqn.corpora.nop import Fate
from docqn.corpora.plan import Plan
from docqn.corpora.ragged import Ragged, Strings, offsets
from docqn.corpora.records import PageRecord
from docqn.corpora.shards import Shard
from docqn.corpora.vocabulary import write_vocabulary
from docqn.corpora.write_split import Pairs, Questions, write_split
from docqn.document import NONE
from docqn.errors import DocqnError

_SMALL = ("nodes", "tokens", "bytes", "sizes", "pair", *NUMBERS)  # arrays of one entry a document or pair
_RAGGED = ("name", "format", *ROWS)


def merge(plan: Plan, shards: Sequence[Shard], folder: Path) -> Manifest:
    """Write the corpus into the empty folder."""
    paths = [shard.path for shard in sorted(shards)]
    bad = [*plan.bad, *(bad for shard in sorted(shards) for bad in shard.bad)]
    small, rows, shapes, counts = _gather(paths)
    if not len(small["nodes"]):
        raise DocqnError(f"none of the documents can be read; the last: {bad[-1]}")
    formats = sorted(set(Strings(rows["format"])))
    questions = {name: Questions.of(split.questions.values()) for name, split in plan.splits.items()}
    for asked in questions.values():
        counts.update(asked.words)

    digests = {}
    number, digests[VOCABULARY] = write_vocabulary(folder / VOCABULARY, counts, file_meta("vocabulary"))
    digests[DOCUMENTS] = _write_documents(folder / DOCUMENTS, paths, small, rows, shapes, formats, number)
    splits: dict[str, dict[str, Any]] = {}
    for name, pairs in _pairs_by_split(plan, small, rows).items():
        file = split_file(name)
        digests[file] = write_split(folder / file, questions[name], pairs, number)
        splits[name] = _counts(questions[name], pairs) | {"normalization": plan.splits[name].normalization}
    manifest = Manifest(
        docqn=__version__,
        rules=plan.rules,
        sources=[file._asdict() for file in plan.files],
        sources_digest=sources_digest(plan, [shard.digest for shard in sorted(shards)]),
        documents=len(small["nodes"]),
        nodes=int(small["nodes"].sum()),
        tokens=int(small["tokens"].sum()),
        words=len(number),
        formats=formats,
        splits=splits,
        bad={"counts": dict(Counter(one.kind for one in bad)), "records": bad},
        files={name: {"bytes": (folder / name).stat().st_size, "digest": digest} for name, digest in digests.items()},
    )
    manifest.save(folder)
    return manifest


def sources_digest(plan: Plan, shards: Sequence[str]) -> str:
    """Of everything that a corpus is made from; `shards` are the digests of what each shard is made from."""
    return blake2b(json.dumps((plan.rules, plan.files, shards)).encode(), digest_size=16).hexdigest()


def _gather(
    paths: Sequence[Path],
) -> tuple[dict[str, Array], dict[str, Ragged], dict[str, Spec], Counter[str]]:
    """All small arrays, joined; what the large ones will be; how often each word occurs in documents."""
    parts: dict[str, list[Array]] = defaultdict(list)
    rows: dict[str, list[Ragged]] = defaultdict(list)
    lengths: Counter[str] = Counter()
    specs: dict[str, Spec] = {}
    counts: Counter[str] = Counter()
    before = 0
    for path in paths:
        arrays, _ = load_arrays(path)
        for name in _SMALL:
            parts[name].append(np.array(arrays[name]))
        parts["pair"][-1][:, 1] += before
        before += len(arrays["nodes"])
        for name in _RAGGED:
            rows[name].append(Ragged(np.array(arrays[name]), np.array(arrays[f"{name}_offset"])))
        for name in STORED:
            lengths[name] += len(arrays[name])
            specs[name] = Spec(arrays[name].dtype, (lengths[name], *arrays[name].shape[1:]))
        for word, count in zip(_words(arrays), arrays["counts"].tolist(), strict=True):
            counts[word] += count
    joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    return joined, {name: Ragged.join(ragged) for name, ragged in rows.items()}, specs, counts


def _words(arrays: Mapping[str, Array]) -> list[str]:
    return arrays["vocabulary"].tobytes().decode().split("\n") if len(arrays["counts"]) else []


def _write_documents(
    path: Path,
    shards: Sequence[Path],
    small: Mapping[str, Array],
    rows: Mapping[str, Ragged],
    specs: Mapping[str, Spec],
    formats: Sequence[str],
    number: Mapping[str, int],
) -> str:
    """Write all documents, of which only one array of one shard is in memory at a time. Returns the file's digest."""
    whole = {
        "first_node": offsets(small["nodes"]),
        "first_word": offsets(small["tokens"]),
        "first_byte": offsets(small["bytes"]),
        "sizes": small["sizes"],
        "name": rows["name"].values,
        "name_offset": rows["name"].offset,
        "format": np.array([formats.index(format) for format in Strings(rows["format"])], np.uint8),
    }

    def pieces(name: str) -> Iterator[Array]:
        if name in whole:
            yield whole[name]
            return
        for shard in shards:
            arrays, _ = load_arrays(shard)
            if name == "token":
                words = _words(arrays)
                yield np.fromiter(map(number.__getitem__, words), np.int32, len(words))[arrays["token"]]
            else:
                yield arrays[name]

    all_specs = dict(specs) | {name: Spec(array.dtype, array.shape) for name, array in whole.items()}
    return stream_arrays(path, all_specs, pieces, file_meta("documents"))


def _pairs_by_split(plan: Plan, small: Mapping[str, Array], rows: Mapping[str, Ragged]) -> dict[str, Pairs]:
    """What was found for the pairs of each split, in the order of its questions and their pages."""
    asked: dict[str, list[tuple[int, int, PageRecord]]] = {name: [] for name in plan.splits}
    for pair, (split, question, _, page) in enumerate(plan.pairs()):
        asked[split].append((pair, question, page))

    # The row of each pair in what was found; the last one, added here, stands for those without a document.
    row = np.full(sum(map(len, asked.values())), len(small["pair"]))
    row[small["pair"][:, 0]] = np.arange(len(small["pair"]))
    nothing = Ragged.of([()])
    ragged = {name: Ragged.join([rows[name], nothing]) for name in ROWS}
    single = {"document": np.append(small["pair"][:, 1].astype(np.int32), np.int32(NONE))}
    for name in NUMBERS:
        last = np.full((1, *small[name].shape[1:]), Fate.NO_DOCUMENT if name == "fate" else NONE, np.int32)
        single[name] = np.concatenate([small[name], last])

    result = {}
    for split, pairs in asked.items():
        mine = row[[pair for pair, _, _ in pairs]] if pairs else np.empty(0, np.int64)
        result[split] = Pairs(
            question=np.array([question for _, question, _ in pairs], np.int32),
            pages=[page for _, _, page in pairs],
            single={name: array[mine] for name, array in single.items()},
            rows={name: ragged[name].take(mine) for name in ROWS},
        )
    return result


def _counts(questions: Questions, pairs: Pairs) -> dict[str, Any]:
    """What the manifest says of a split."""
    fates = pairs.single["fate"]
    return {
        "questions": len(np.unique(pairs.question[fates == Fate.KEPT])),
        "pairs": int((fates == Fate.KEPT).sum()),
        "original_questions": len(questions.records),
        "original_pairs": len(fates),
    }
