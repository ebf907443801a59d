"""An index of the paragraphs of many documents, in SQLite's FTS5: which documents are worth a look for a question.

It is a file that any process may use and anybody may delete. Each document is entered in one transaction. A file that
is damaged is set aside; where none can be written, the index is kept in memory and made anew the next time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import RLock
from time import time_ns
from typing import NamedTuple

import numpy as np

from docqn.document import PARAGRAPH, Document
from docqn.errors import DocqnError
from docqn.policies.tracing import headings
from docqn.policies.words import words_of
from docqn.readers.cache import folder
from docqn.serving.sources import Signature

FILE = "index-1.sqlite3"  # the number changes with the layout
MEMORY = ":memory:"
MOST_BYTES = 2 << 30
_PATIENCE = 10.0  # seconds to wait for another process
_ROWS = 24  # bits of a row's number that count paragraphs; those above are the document's
_PASSAGES = 200  # the best, which tell the best documents
_FRESH = 2_000_000_000  # nanoseconds within which a file may change again without a new time
_HEADINGS = 0.5  # weight of a word in a heading above, beside one in the paragraph

_TABLES = """
CREATE TABLE IF NOT EXISTS document (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER, changed INTEGER, seen INTEGER, used INTEGER, key TEXT,
    tokens INTEGER, paragraphs INTEGER, problem TEXT);
CREATE VIRTUAL TABLE IF NOT EXISTS passage USING fts5(words, headings);
CREATE TEMP TABLE IF NOT EXISTS asked (id INTEGER PRIMARY KEY);
"""


class Entry(NamedTuple):
    """What the index knows of a document besides its words."""

    id: int
    key: str  # of its contents
    tokens: int
    problem: str  # why it cannot be read; empty if it can


class Index:
    """One connection to the file; threads take turns."""

    def __init__(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        """`path` None keeps it in memory."""
        self.path = path
        self.most_bytes = most_bytes
        self._lock = RLock()
        try:
            self._connection = _opened(path)
        except sqlite3.DatabaseError as error:
            if path is None or isinstance(error, sqlite3.OperationalError):
                raise
            _set_aside(path)
            self._connection = _opened(path)

    def entry(self, name: str, signature: Signature | None) -> Entry | None:
        """The entry of a file that has not changed since; None if that is not certain."""
        if signature is None:
            return None
        with self._lock:
            row = self._connection.execute(
                "SELECT id, key, tokens, problem FROM document "
                "WHERE name = ? AND size = ? AND changed = ? AND seen > ?",
                (name, *signature, signature.changed + _FRESH),
            ).fetchone()
        return Entry(*row) if row else None

    def known(self, name: str, key: str, signature: Signature | None) -> Entry | None:
        """The entry of a document whose contents are what they were, whatever its file's metadata say."""
        with self._lock, self._connection:
            row = self._connection.execute(
                "SELECT id, key, tokens, problem FROM document WHERE name = ? AND key = ?", (name, key)
            ).fetchone()
            if row and signature:
                told = (*signature, time_ns(), row[0])
                self._connection.execute("UPDATE document SET size = ?, changed = ?, seen = ? WHERE id = ?", told)
        return Entry(*row) if row else None

    def enter(
        self, name: str, key: str, signature: Signature | None, document: Document | None, problem: str = ""
    ) -> Entry:
        """Put a document in the place of what had its name; None for one that cannot be read, and why."""
        rows = _passages(document) if document else []
        size, changed = signature or (None, None)
        tokens = len(document.token) if document else 0
        told = (name, size, changed, time_ns(), time_ns(), key, tokens, len(rows), problem)
        with self._lock, self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            old = connection.execute("SELECT id, key FROM document WHERE name = ?", (name,)).fetchone()
            if old and old[1] == key:  # another process was faster
                return Entry(old[0], key, tokens, problem)
            if old:
                self._drop(old[0])
            insert = "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # a name keeps its number
            id = int(connection.execute(insert, (old[0] if old else None, *told)).lastrowid or 0)
            numbered = ((id << _ROWS | number, *row) for number, row in enumerate(rows))
            connection.executemany("INSERT INTO passage (rowid, words, headings) VALUES (?, ?, ?)", numbered)
        return Entry(id, key, tokens, problem)

    def best(self, question: str, among: Sequence[int], count: int) -> list[int]:
        """The documents with the best paragraphs by BM25, of those with these ids."""
        words = dict.fromkeys(words_of(question))
        wanted = " OR ".join(f'"{word}"' for word in (w.replace('"', '""') for w in words))
        with self._lock, self._connection as connection:
            connection.execute("DELETE FROM asked")
            connection.executemany("INSERT OR IGNORE INTO asked VALUES (?)", ((id,) for id in among))
            connection.execute("UPDATE document SET used = ? WHERE id IN (SELECT id FROM asked)", (time_ns(),))
            found = connection.execute(
                f"SELECT rowid >> {_ROWS} FROM passage WHERE passage MATCH ? AND (rowid >> {_ROWS}) IN "
                f"(SELECT id FROM asked) ORDER BY bm25(passage, 1.0, {_HEADINGS}) LIMIT {_PASSAGES}",
                (wanted or '""',),
            ).fetchall()
        return list(dict.fromkeys(int(id) for (id,) in found))[:count]

    def forget(self) -> None:
        """Drop the documents asked longest ago, but not those asked now, if there is no more room."""
        with self._lock, self._connection as connection:
            if _bytes(connection) <= self.most_bytes:
                return
            old = connection.execute(
                "SELECT id FROM document WHERE id NOT IN (SELECT id FROM asked) ORDER BY used"
            ).fetchall()
            for (id,) in old:
                self._drop(id)
                if _bytes(connection) <= self.most_bytes:
                    return

    def _drop(self, id: int) -> None:
        first = id << _ROWS
        self._connection.execute("DELETE FROM passage WHERE rowid >= ? AND rowid < ?", (first, first + (1 << _ROWS)))
        self._connection.execute("DELETE FROM document WHERE id = ?", (id,))

    def give_up(self, error: Exception) -> None:
        """Let go of a file that failed; one that is damaged is set aside."""
        self.close()
        if self.path and isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            _set_aside(self.path)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()


def shared_path() -> Path:
    """Where the index of this user lies."""
    return folder() / FILE


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path or MEMORY, timeout=_PATIENCE, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")  # who looks need not wait for who writes
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_TABLES)
        connection.execute("SELECT id FROM document LIMIT 1").fetchall()
    except sqlite3.Error as error:
        connection.close()
        if "no such module" in str(error):
            raise DocqnError("this Python's SQLite has no FTS5, which asking many documents needs") from error
        raise
    return connection


def _set_aside(path: Path) -> None:
    """Rename a damaged file, for whoever wants to look at it."""
    with suppress(OSError):
        path.replace(path.with_name(f"{path.name}.damaged"))
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def _bytes(connection: sqlite3.Connection) -> int:
    with closing(
        connection.execute(
            "SELECT (page_count - freelist_count) * page_size FROM "
            "pragma_page_count, pragma_freelist_count, pragma_page_size"
        )
    ) as found:
        return int(found.fetchone()[0])


def _passages(document: Document) -> list[tuple[str, str]]:
    """The words of each paragraph, and of the headings above it."""
    above: dict[int, str] = {}

    def words_above(node: int) -> str:
        if node not in above:
            above[node] = _joined(headings(document, node))
        return above[node]

    paragraphs = np.flatnonzero(document.kind == PARAGRAPH).tolist()
    if not paragraphs:
        return [("", words_above(0))]
    return [(_joined([document.text_of(node)]), words_above(int(document.parent[node]))) for node in paragraphs]


def _joined(texts: Iterable[str]) -> str:
    return " ".join(word for text in texts for word in words_of(text))
