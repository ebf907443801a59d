"""The folder of a trained reader or agent: `config.json`, the files that it names with their digests, a model card.

config.json    {"docqn": "reader 1", "reader": "transformer", "files": {"model.onnx": digest, …}, "settings": {…},
                "sizes": {…}, "calibration": {…}; and, what does not change its readings: "calibrated": {…},
                "scores": {…}, "training": {…}, "data": {…}, "history": […], "licences": […]}
README.md      the model card
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from docqn.errors import DocqnError
from docqn.readers.neural.card import card as reader_card
from docqn.readers.neural.files import read_bytes, read_json

Card = Callable[[Mapping[str, Any]], str]  # from a config to its model card
Contents = bytes | Callable[[Path], object]  # of a file, or what writes it to its place

READER, AGENT = "reader", "agent"  # what a folder is of
CONFIG, CARD = "config.json", "README.md"
_TOLD = ("calibrated", "scores", "training", "data", "history", "licences")  # changes no reading


@dataclass(frozen=True)
class ModelFolder:
    """An opened folder; its files were checked against their digests."""

    path: Path
    kind: str  # the module that reads with it
    config: dict[str, Any]
    names: frozenset[str]  # of its files
    fingerprint: str

    def read(self, name: str) -> bytes:
        """The contents of one of its files."""
        if name not in self.names:
            raise DocqnError(f"{self.path / CONFIG}: does not list {name}; export it again")
        return read_bytes(self.path / name)

    def setting(self, name: str) -> int:
        """A whole number among the settings."""
        settings = self.config.get("settings")
        value = settings.get(name) if isinstance(settings, dict) else None
        if not isinstance(value, int) or value < 0:
            raise DocqnError(f"{self.path / CONFIG}: the setting {name!r} is missing; export it again")
        return value


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def file_digest(path: Path) -> str:
    """The digest of a file, however large."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        raise DocqnError(f"{path}: cannot be read ({error.strerror})") from error


def kind_of(path: Path) -> str | None:
    """Which reader a folder is for; None if it was not written by this program."""
    config = path / CONFIG
    if not config.is_file():
        return None
    found = read_json(config)
    if AGENT in found:
        raise DocqnError(f"{path}: is the folder of an agent (--policy agent:{path}), not of a reader")
    return str(found.get("reader")) if "docqn" in found else None


def format_of(what: str) -> str:
    """The format of a folder that is written now."""
    return f"{what} 1"


def open_folder(path: Path, kind: str, what: str = READER) -> ModelFolder:
    """A folder of this kind with the contents of its files."""
    config = read_json(path / CONFIG)
    if what not in config:
        raise DocqnError(f"{path}: is not the folder of {'an agent' if what == AGENT else 'a reader'}")
    if config.get("docqn") != format_of(what):
        raise DocqnError(
            f"{path}: has the format {config.get('docqn')!r}, not {format_of(what)!r}; export the {what} again"
        )
    if config.get(what) != kind:
        raise DocqnError(f"{path}: is a folder for the {what} {config.get(what)!r}, not {kind!r}")
    listed = config.get("files")
    if not isinstance(listed, dict) or not all(isinstance(name, str) and Path(name).name == name for name in listed):
        raise DocqnError(f"{path / CONFIG}: does not list the {what}'s files; export the {what} again")
    if not all(isinstance(config.get(part, {}), dict) for part in ("settings", "widths")):
        raise DocqnError(f"{path / CONFIG}: its settings are damaged; export the {what} again")
    for name, expected in listed.items():
        if file_digest(path / name) != expected:
            raise DocqnError(f"{path / name}: is damaged or was exchanged (another digest than in {CONFIG})")
    said = {name: value for name, value in config.items() if name not in _TOLD}
    return ModelFolder(
        path, kind, config, frozenset(listed), f"{kind}-{digest(json.dumps(said, sort_keys=True).encode())}"
    )


def write_folder(
    path: Path,
    kind: str,
    files: Mapping[str, Contents],
    config: Mapping[str, Any],
    what: str = READER,
    card: Card = reader_card,
) -> None:
    """Write a folder, whole or not at all."""
    with whole_folder(path) as part:
        part.mkdir(parents=True)
        for name, contents in files.items():
            if callable(contents):
                contents(part / name)
            else:
                (part / name).write_bytes(contents)
        listed = {name: file_digest(part / name) for name in files}
        _write_config(part, {"docqn": format_of(what), what: kind, "files": listed, **config}, card)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A name beside `path` for a folder that is renamed when all of it is there, and else is gone."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise DocqnError(f"{path}: is there already; name another folder or remove it")
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise DocqnError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def rewrite_config(path: Path, changes: Mapping[str, Any]) -> None:
    """Change some entries of a reader's config."""
    _write_config(path, {**read_json(path / CONFIG), **changes}, reader_card)


def _write_config(path: Path, config: Mapping[str, Any], card: Card) -> None:
    """The config and the model card that tells of it."""
    part = path / f"{CONFIG}.part"
    part.write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path / CONFIG)
    (path / CARD).write_text(card(config), encoding="utf-8")
