"""The documents that questions are put to: parsed once, and of many only those that are worth a look."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from docqn.document import Document
from docqn.errors import DocqnError, ParseError, reason
from docqn.parsers import parse_bytes
from docqn.serving.documents import DocumentCache, parsers_version
from docqn.serving.index import Entry, Index, shared_path
from docqn.serving.sources import Signature, contents, is_file, name_of, named, signature

CANDIDATES = 4  # documents that are navigated for a question

Progress = Callable[[int, int], None]  # documents looked at, documents


class Shelf(NamedTuple):
    """What a question is put to."""

    documents: list[Document]  # to navigate
    asked: int  # how many there are in all
    tokens: int  # in all of them
    notes: list[str]  # on those that cannot be read, and on the cache


class Library:
    """Files, folders, globs, addresses and documents. Files that have changed are read again."""

    def __init__(
        self, sources: Sequence[str | Path | Document], *, cache: bool = True, progress: Progress | None = None
    ) -> None:
        if not sources:
            raise DocqnError("there is no document to ask")
        given = [source for source in sources if isinstance(source, Document)]
        self._given = {f"document {number}": document for number, document in enumerate(given, 1)}
        self._sources = [str(source) for source in sources if not isinstance(source, Document)]
        self._cache = DocumentCache() if cache else None
        self._index_path = shared_path() if cache and not given else None
        self._progress = progress or (lambda done, all: None)
        self._read: dict[str, tuple[Signature | None, Document]] = {}  # the few that were read last
        self._bytes: dict[str, bytes] = {}  # of what can be read only once
        self._index: Index | None = None
        self._notes: list[str] = []
        self._lock = RLock()

    def shelf(self, question: str) -> Shelf:
        """The documents for a question."""
        with self._lock:
            self._notes = []
            names = [*self._given, *named(self._sources)]
            if len(names) > CANDIDATES:
                documents, asked, tokens = self._among(names, question)
            else:
                documents = self._all(names, self._progress)
                asked, tokens = len(documents), sum(len(document.token) for document in documents)
            trouble = self._cache.trouble if self._cache else ""
            return Shelf(documents, asked, tokens, [*dict.fromkeys([*self._notes, *filter(None, [trouble])])])

    def close(self) -> None:
        """Let go of the index; it is opened again when needed."""
        with self._lock:
            if self._index is not None:
                self._index.close()
            self._index = None

    def _all(self, names: Sequence[str], progress: Progress | None = None) -> list[Document]:
        """The documents that can be read; if none can, the first error is raised."""
        found, errors = [], []
        for done, name in enumerate(names, 1):
            try:
                found.append(self._document(name))
                if progress:
                    progress(done, len(names))
            except ParseError as error:
                errors.append(error)
        if errors and not found:
            raise errors[0]
        self._notes += [f"left out: {error}" for error in errors]
        return found

    def _document(self, name: str) -> Document:
        if name in self._given:
            return self._given[name]
        now = signature(name) if is_file(name) else None
        known = self._read.get(name)
        if known and known[0] == now and (now or not is_file(name)):
            return known[1]
        document = self._parsed(self._contents(name), name)
        self._read[name] = (now, document)
        while len(self._read) > 2 * CANDIDATES:
            del self._read[next(iter(self._read))]
        return document

    def _contents(self, name: str) -> bytes:
        if is_file(name):
            return contents(name)
        if name not in self._bytes:
            self._bytes[name] = contents(name)
        return self._bytes[name]

    def _parsed(self, data: bytes, name: str) -> Document:
        parse = self._cache.parse if self._cache else parse_bytes
        return parse(data, name_of(name))

    def _among(self, names: Sequence[str], question: str) -> tuple[list[Document], int, int]:
        """The best by the index, how many documents there are, and how many tokens they have."""
        try:
            if self._index is None:
                self._index = Index(self._index_path)
            return self._best(names, question, self._index)
        except (sqlite3.Error, OSError) as error:
            if self._index_path is None:
                raise
            if self._index is not None:
                self._index.give_up(error)
            self._notes.append(f"{self._index_path}: cannot be used ({reason(error)}); one is kept in memory instead")
            self._index, self._index_path = Index(None), None
            return self._best(names, question, self._index)

    def _best(self, names: Sequence[str], question: str, index: Index) -> tuple[list[Document], int, int]:
        entries: dict[int, tuple[str, Entry]] = {}
        for done, name in enumerate(names):
            self._progress(done, len(names))
            try:
                entry = self._entry(index, name)
                if entry.problem:
                    raise ParseError(name, entry.problem)
                entries[entry.id] = (name, entry)
            except ParseError as error:
                self._notes.append(f"left out: {error}")
        self._progress(len(names), len(names))
        if not entries:
            raise DocqnError(f"none of the {len(names)} documents can be read; {self._notes[0]}")
        best = index.best(question, list(entries), CANDIDATES) or list(entries)[:1]
        index.forget()
        tokens = sum(entry.tokens for _, entry in entries.values())
        return self._all([entries[id][0] for id in best]), len(entries), tokens

    def _entry(self, index: Index, name: str) -> Entry:
        """The entry of a document, made or mended if need be."""
        if name in self._given:
            return index.known(name, name, None) or index.enter(name, name, None, self._given[name])
        now = signature(name) if is_file(name) else None
        place = str(Path(name).absolute()) if is_file(name) else name
        entry = index.entry(place, now)
        if entry is not None and entry.key.endswith(parsers_version()):
            return entry
        data = self._contents(name)
        key = f"{blake2b(data, digest_size=16).hexdigest()} {parsers_version()}"
        if known := index.known(place, key, now):
            return known
        try:
            document = self._parsed(data, name)
        except ParseError as error:
            return index.enter(place, key, now, None, error.reason)
        return index.enter(place, key, now, document)
