"""Readings kept on disk: the same question and passage are read once, whatever asks, today or next week.

A cache is a file that any process may use and anybody may delete. It never makes an answer wrong or a run fail: a
damaged file is set aside, and one that cannot be written is done without.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from random import sample
from threading import RLock
from typing import TypeVar

from docqn.readers import Reader, Reading

FILE = "readings-1.sqlite3"  # the number changes with the layout
MOST_BYTES = 1 << 30
_PARTS = 8  # a full cache loses one of so many
_AT_ONCE = 500  # keys asked for in one query
_PATIENCE = 10.0  # seconds to wait for another process
_ROW = struct.Struct("<iidddi")  # start, end, logit, probability, entropy, tokens; the text is in the passage

T = TypeVar("T")


def folder() -> Path:
    """Where caches lie: DOCQN_CACHE, or the user's place for such files."""
    if own := os.environ.get("DOCQN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "docqn"


class CachedReader:
    """Any reader, asked only for what is not in the cache."""

    def __init__(self, reader: Reader, cache: Cache) -> None:
        self.fingerprint = reader.fingerprint
        self._reader = reader
        self._cache = cache

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        pairs = list(zip(questions, passages, strict=True))
        keys = [_key(self.fingerprint, *pair) for pair in pairs]
        asked = dict(zip(keys, pairs, strict=True))
        found = {key: _unpack(row, asked[key][1]) for key, row in self._cache.get(list(asked)).items()}
        new = [key for key in asked if found.get(key) is None]
        if new:
            read = self._reader.read([asked[key][0] for key in new], [asked[key][1] for key in new])
            found.update(zip(new, read, strict=True))
            self._cache.put({key: _pack(reading) for key, reading in zip(new, read, strict=True)})
        return [reading for key in keys if (reading := found[key]) is not None]


def _key(*parts: str) -> bytes:
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    lengths = struct.pack(f"<{len(parts)}q", *map(len, encoded))  # so that no two triples run together alike
    return blake2b(lengths + b"".join(encoded), digest_size=16).digest()


def _pack(reading: Reading) -> bytes:
    start, end, _, *numbers = reading
    return _ROW.pack(start, end, *numbers)


def _unpack(row: bytes, passage: str) -> Reading | None:
    """The reading; None if the row is not one of this passage."""
    if len(row) != _ROW.size:
        return None
    start, end, *numbers = _ROW.unpack(row)
    return Reading(start, end, passage[start:end], *numbers) if 0 <= start <= end <= len(passage) else None


class Cache:
    """Short byte strings by key, in an SQLite file of bounded size. Keys are digests: evenly spread."""

    def __init__(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self.path = path or folder() / FILE
        self.most_bytes = most_bytes
        self._connection: sqlite3.Connection | None = None
        self._process = 0  # that opened it: a connection does not survive a fork
        self._lock = RLock()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is known of the keys."""

        def work(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for at in range(0, len(keys), _AT_ONCE):
                part = keys[at : at + _AT_ONCE]
                query = f"SELECT key, value FROM readings WHERE key IN ({','.join('?' * len(part))})"
                found.update(connection.execute(query, part))
            return found

        return self._try(work, {})

    def put(self, rows: Mapping[bytes, bytes]) -> None:
        """Keep these, and forget others at random if there is no more room."""

        def work(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO readings VALUES (?, ?)", rows.items())
            parts = sample(range(_PARTS), _PARTS)
            while parts and _size(connection) > self.most_bytes:
                part = parts.pop()
                begin, end = (bytes([256 * edge // _PARTS % 256]) for edge in (part, part + 1))
                with connection:
                    connection.execute(
                        "DELETE FROM readings WHERE key >= ? AND (key < ? OR ?)", (begin, end, part == _PARTS - 1)
                    )

        self._try(work, None)

    def close(self) -> None:
        """Let go of the file; it is opened again when needed."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What the work gives; otherwise nothing is known: the file is busy, not to be written, or the disk is full."""
        with self._lock:
            for _ in range(2):  # once more with a new file if this one is damaged
                try:
                    return work(self._opened())
                except (sqlite3.OperationalError, OSError):
                    return otherwise
                except sqlite3.DatabaseError:
                    self._set_aside()
            return otherwise

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None or self._process != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            try:
                connection.execute("PRAGMA journal_mode = WAL")  # readers need not wait for writers
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS readings (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
                )
            except sqlite3.Error:
                connection.close()
                raise
            self._connection, self._process = connection, os.getpid()
        return self._connection

    def _set_aside(self) -> None:
        """Rename a damaged file, for whoever wants to look at it."""
        self.close()
        with suppress(OSError):
            self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
            for ending in ("-wal", "-shm"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)


def _size(connection: sqlite3.Connection) -> int:
    """Bytes in use."""
    pages, free, bytes = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * bytes)
