"""manifest.json: what a corpus folder holds, and what it was made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from docqn.corpora.layout import CORPUS_VERSION, MANIFEST
from docqn.errors import DocqnError


@dataclass(frozen=True)
class Manifest:
    """Written last, so a folder with a manifest is whole."""

    docqn: str  # the version that wrote it
    rules: str
    sources: list[dict[str, str]]  # file, format, split and digest of each question file
    sources_digest: str  # of rules, question files and documents
    documents: int
    nodes: int
    tokens: int
    words: int
    formats: list[str]  # of the documents
    splits: dict[str, dict[str, Any]]  # questions, pairs, dropped, normalization
    bad: dict[str, Any]  # counts by kind, and the records: kind, file, id, reason
    files: dict[str, dict[str, Any]]  # bytes and digest of each

    @property
    def fingerprint(self) -> str:
        """Of everything in the corpus."""
        digests = [(name, file["digest"]) for name, file in sorted(self.files.items())]
        return blake2b(json.dumps(digests).encode(), digest_size=16).hexdigest()

    def save(self, folder: Path) -> None:
        """Write it into the folder."""
        text = json.dumps({"corpus": CORPUS_VERSION, **asdict(self)}, indent=1)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """The manifest of a folder whose files are all there and whole, by their sizes."""
        path = folder / MANIFEST
        try:
            values = json.loads(path.read_bytes())
        except OSError as error:
            raise DocqnError(f"{folder}: is not a corpus, it has no {MANIFEST} ({error.strerror})") from None
        except ValueError as error:
            raise DocqnError(f"{path}: is damaged ({error}); build the corpus again") from None
        if not isinstance(values, dict) or (version := values.pop("corpus", None)) is None:
            raise DocqnError(f"{path}: is not the manifest of a corpus")
        if version != CORPUS_VERSION:
            raise DocqnError(f"{folder}: is a corpus of format {version}, not {CORPUS_VERSION}; build it again")
        try:
            manifest = cls(**values)
            for name, file in manifest.files.items():
                _check(folder / name, file)
        except (TypeError, KeyError, AttributeError) as error:
            raise DocqnError(f"{path}: is damaged ({error}); build the corpus again") from None
        return manifest


def _check(path: Path, file: Mapping[str, Any]) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise DocqnError(f"{path}: {error.strerror}; build the corpus again") from None
    if size != file["bytes"]:
        raise DocqnError(f"{path}: has {size} bytes instead of {file['bytes']}; build the corpus again")
