"""The cache of readings: right, bounded, shared, and never in the way."""

import multiprocessing
import os
import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from docqn.readers import Reading
from docqn.readers.cache import FILE, Cache, CachedReader, folder

ASKED = ["Who?", "What?", "Who?"]
TOLD = ["Bob ate.", "A cake – warm.", "Bob ate."]


class Counting:
    """A reader that counts what it reads."""

    def __init__(self, fingerprint: str = "counting") -> None:
        self.fingerprint = fingerprint
        self.reads = 0

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Reading]:
        self.reads += len(passages)
        return [
            Reading(1, 1 + len(q) % 3, p[1 : 1 + len(q) % 3], len(p) / 3, 1 / 3, -1e-300, len(p))
            for q, p in zip(questions, passages, strict=True)
        ]


def read(path: Path, fingerprint: str = "counting") -> tuple[list[Reading], int]:
    """What is read through a fresh cache on the file, and how much of it the reader had to read."""
    reader = Counting(fingerprint)
    cache = Cache(path)
    found = CachedReader(reader, cache).read(ASKED, TOLD)
    cache.close()
    return found, reader.reads


def test_nothing_is_read_twice_and_all_readings_are_exact(tmp_path: Path) -> None:
    expected = Counting().read(ASKED, TOLD)
    assert read(tmp_path / FILE) == (expected, 2)
    assert read(tmp_path / FILE) == (expected, 0)


def test_another_reader_question_or_passage_is_another_reading(tmp_path: Path) -> None:
    read(tmp_path / FILE)
    assert read(tmp_path / FILE, "other")[1] == 2
    reader = Counting()
    cached = CachedReader(reader, Cache(tmp_path / FILE))
    cached.read(["Wh", "Who?B", ""], ["o?Bob ate.", "ob ate.", "Who?Bob ate."])
    assert reader.reads == 3


def test_lone_surrogates_can_be_cached(tmp_path: Path) -> None:
    cached = CachedReader(Counting(), Cache(tmp_path / FILE))
    assert cached.read(["\ud800"], ["\udfff ab"]) == cached.read(["\ud800"], ["\udfff ab"])


@pytest.mark.parametrize("damage", ["garbage", "middle", "empty", "text"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / FILE
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE readings (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        rows = [(blake2b(bytes([i % 256, i // 256]), digest_size=16).digest(), b"x" * 40) for i in range(5000)]
        connection.executemany("INSERT INTO readings VALUES (?, ?)", rows)
    connection.close()
    whole = path.read_bytes()
    damaged = {
        "garbage": os.urandom(5000),
        "middle": whole[:4096] + b"\xff" * 60_000 + whole[64_096:],
        "empty": b"",
        "text": b"not a database, " * 1000,
    }
    path.write_bytes(damaged[damage])
    expected = Counting().read(ASKED, TOLD)
    assert read(path)[0] == expected
    assert read(path) == (expected, 0)
    assert (tmp_path / f"{FILE}.damaged").exists() == (damage != "empty")


def test_a_row_of_another_form_is_read_anew(tmp_path: Path) -> None:
    read(tmp_path / FILE)
    for value in (b"", b"short", b"\xff" * 36):
        with sqlite3.connect(tmp_path / FILE) as connection:
            connection.execute("UPDATE readings SET value = ?", (value,))
        connection.close()
        assert read(tmp_path / FILE) == (Counting().read(ASKED, TOLD), 2)


def test_its_size_is_bounded(tmp_path: Path) -> None:
    cache = Cache(tmp_path / FILE, most_bytes=200_000)
    for batch in range(40):
        cache.put({blake2b(bytes([batch, i])).digest()[:16]: bytes(36) for i in range(250)})
    cache.close()
    assert (tmp_path / FILE).stat().st_size < 300_000
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT count(*) FROM readings").fetchone()[0] > 1000
    connection.close()


def test_a_cache_that_cannot_be_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert read(tmp_path / "file" / FILE) == (Counting().read(ASKED, TOLD), 2)


def test_a_folder_in_its_place_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert read(tmp_path / FILE) == (Counting().read(ASKED, TOLD), 2)


def test_a_file_that_cannot_be_written_is_read_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(tmp_path / FILE)
    real = sqlite3.connect

    def readonly(path: Path, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(f"{path.as_uri()}?mode=ro", uri=True, **options)
        return connection

    monkeypatch.setattr(sqlite3, "connect", readonly)
    reader, cache = Counting(), Cache(tmp_path / FILE)
    cached = CachedReader(reader, cache)
    for reads in (1, 2):  # what is known is found; what is new is read each time
        assert cached.read(["Who?", "New?"], ["Bob ate."] * 2) == Counting().read(["Who?", "New?"], ["Bob ate."] * 2)
        assert reader.reads == reads
    cache.close()


def test_a_locked_file_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docqn.readers.cache._PATIENCE", 0.05)
    read(tmp_path / FILE)
    with sqlite3.connect(tmp_path / FILE, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        reader, cache = Counting(), Cache(tmp_path / FILE)
        assert CachedReader(reader, cache).read(["New?"], ["Bob."]) == Counting().read(["New?"], ["Bob."])
        cache.close()
        other.execute("ROLLBACK")
    other.close()


def _fill(path: Path, process: int) -> None:
    cached = CachedReader(Counting(), Cache(path))
    for i in range(30):
        cached.read([f"{i}?", f"{process} {i}?"], ["Bob ate."] * 2)


def test_processes_share_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(tmp_path / FILE, process)) for process in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    reader = Counting()
    asked = [f"{i}?" for i in range(30)] + [f"{process} {i}?" for process in range(2) for i in range(30)]
    CachedReader(reader, Cache(tmp_path / FILE)).read(asked, ["Bob ate."] * len(asked))
    assert reader.reads == 0


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCQN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert folder() == Path("/somewhere/docqn")
    monkeypatch.setenv("DOCQN_CACHE", "/elsewhere")
    assert Cache().path == Path("/elsewhere") / FILE
