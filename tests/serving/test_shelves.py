"""Many documents: the index on disk, what it finds, and what goes wrong with files."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docqn.document import PARAGRAPH, Document
from docqn.errors import DocqnError, ParseError
from docqn.parsers.sources import read
from docqn.policies.words import words_of
from docqn.serving import shelves, sources
from docqn.serving.documents import FOLDER
from docqn.serving.index import FILE, Index
from docqn.serving.shelves import CANDIDATES, Library
from docqn.serving.sources import contents
from tests.documents import document

ANIMALS = "cat dog hen cow pig fox owl bee ant elk".split()
FIGURES = "one two three four five six seven eight nine ten".split()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of ten documents, one an animal; the one on foxes mentions cats too."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "farm"
    folder.mkdir()
    for animal, figure in zip(ANIMALS, FIGURES, strict=True):
        text = (
            f"# The {animal}\n\n## Food\n\nThe {animal} eats {figure} cakes.\n\n## Age\n\nIt is {figure} years old.\n"
        )
        (folder / f"{animal}.md").write_text(text)
        os.utime(folder / f"{animal}.md", (1e9, 1e9))  # long ago
    with (folder / "fox.md").open("a") as file:
        file.write("\nA fox is afraid of a dog and of no cat.\n")
    os.utime(folder / "fox.md", (1e9, 1e9))
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each source was parsed or fetched from the cache."""
    found: Counter[str] = Counter()
    parse = Library._parsed

    def count(self: Library, data: bytes, name: str) -> Document:
        found[Path(name).stem] += 1
        return parse(self, data, name)

    monkeypatch.setattr(Library, "_parsed", count)
    return found


def titles(made: Library, question: str) -> list[str]:
    return [document.title for document in made.shelf(question).documents]


def test_few_documents_are_all_worth_a_look(files: Path) -> None:
    shelf = Library([files / "cat.md", "farm/d*.md"]).shelf("What does the hen eat?")
    assert [document.title for document in shelf.documents] == ["The cat", "The dog"]
    assert (shelf.asked, shelf.tokens) == (2, sum(len(document.token) for document in shelf.documents))


def test_of_many_the_best_are_looked_at(files: Path) -> None:
    made = Library([files])
    assert titles(made, "What does the hen eat?")[0] == "The hen"
    assert {*titles(made, "Is a cat afraid?")} == {"The cat", "The fox"}
    shelf = made.shelf("How many cakes?")
    assert len(shelf.documents) == CANDIDATES
    whole = [Library([path]).shelf("?").tokens for path in files.iterdir()]
    assert (shelf.asked, shelf.tokens) == (10, sum(whole))


def test_words_of_headings_count(files: Path) -> None:
    (files / "rat.md").write_text("# Rodents\n\n## Tails\n\nThey are long.\n")
    assert titles(Library([files]), "Which tails have rodents?")[0] == "Rodents"


def test_no_word_at_all_still_gives_a_document(files: Path) -> None:
    assert len(titles(Library([files]), "Zzz?")) == 1
    assert len(titles(Library([files]), "?")) == 1


def test_the_index_is_kept_and_follows_the_files(files: Path, parsed: Counter[str]) -> None:
    Library([files]).shelf("What does the hen eat?")
    assert {*parsed} == {*ANIMALS}
    parsed.clear()
    assert titles(Library([files]), "What does the hen eat?") == ["The hen"]
    assert {*parsed} == {"hen"}  # to be navigated, not for the index

    (files / "hen.md").write_text("# The hen\n\nIt is gone.\n")
    (files / "cow.md").unlink()
    (files / "yak.md").write_text("# The yak\n\nIt likes a hen.\n")
    parsed.clear()
    made = Library([files])
    assert {*titles(made, "hen")} == {"The hen", "The yak"}
    assert {*parsed} == {"hen", "yak"}
    assert made.shelf("hen").asked == 10
    assert titles(made, "cow cakes")[0] != "The cow"


def test_a_touched_file_is_not_parsed_again(files: Path, parsed: Counter[str]) -> None:
    Library([files]).shelf("hen")
    parsed.clear()
    os.utime(files / "cow.md", (2e9, 2e9))
    Library([files]).shelf("hen")
    assert "cow" not in parsed


def test_a_change_that_the_clock_does_not_show_is_seen(files: Path) -> None:
    path = files / "cow.md"
    path.write_text("# Cow\n\nIt has a calf.\n")
    assert titles(Library([files]), "calf") == ["Cow"]
    times = path.stat()
    path.write_text("# Cow\n\nIt has a bull.\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert titles(Library([files]), "bull") == ["Cow"]


def test_documents_that_cannot_be_read_are_left_out_and_told(files: Path) -> None:
    (files / "bad.md").write_bytes(b"\0\1\2\3" * 99)
    for _ in range(2):  # also where the index knows of it
        shelf = Library([files]).shelf("hen")
        assert shelf.asked == 10
        assert [note for note in shelf.notes if "bad.md" in note] == shelf.notes != []
    few = Library([files / "bad.md", files / "hen.md"]).shelf("hen")
    assert (few.asked, len(few.notes)) == (1, 1)
    with pytest.raises(ParseError, match=r"bad\.md"):
        Library([files / "bad.md"]).shelf("hen")
    for number in range(9):
        (files / f"{number}.txt").write_bytes(b"\0\1\2\3" * 99)
    with pytest.raises(DocqnError, match="none of the 9 documents can be read"):
        Library(["farm/*.txt"]).shelf("hen")


def test_documents_can_be_given(files: Path, cache_folder: Path) -> None:
    given = [document([f"## {animal}", f"It is a {animal}."], title=animal) for animal in ANIMALS]
    assert titles(Library(given), "owl") == ["owl"]
    assert {*titles(Library([*given, files / "owl.md"]), "owl")} == {"owl", "The owl"}
    assert not (cache_folder / FILE).exists()


def test_without_a_cache_no_index_is_kept(files: Path, cache_folder: Path) -> None:
    assert titles(Library([files], cache=False), "hen") == ["The hen"]
    assert list(cache_folder.iterdir()) == []


@pytest.mark.parametrize("damage", ["garbage", "middle", "another table"])
def test_a_damaged_index_is_made_anew(files: Path, cache_folder: Path, damage: str) -> None:
    made = Library([files])
    made.shelf("hen")
    made.close()
    path = cache_folder / FILE
    data = path.read_bytes()
    if damage == "garbage":
        path.write_bytes(os.urandom(len(data)))
    elif damage == "middle":
        path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    else:
        path.unlink()
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE document (other TEXT)")
        connection.close()
    for _ in range(2):
        with_index = Library([files])
        assert titles(with_index, "hen") == ["The hen"]
        with_index.close()
    assert damage == "another table" or path.with_name(f"{FILE}.damaged").exists()


def test_a_full_disk_leaves_the_index_in_memory(
    files: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Index.enter

    def full(self: Index, *arguments: Any, **named: Any) -> Any:
        if self.path is not None:
            raise sqlite3.OperationalError("database or disk is full")
        return real(self, *arguments, **named)

    monkeypatch.setattr(Index, "enter", full)
    shelf = Library([files]).shelf("hen")
    assert [document.title for document in shelf.documents] == ["The hen"]
    assert any("database or disk is full" in note for note in shelf.notes)


def test_an_index_that_is_full_forgets_what_was_asked_longest_ago(tmp_path: Path) -> None:
    index = Index(tmp_path / FILE)
    made = document([" ".join(f"word{number}" for number in range(3000))])
    ids = []
    for number in range(12):
        ids.append(index.enter(f"{number}", "key", None, made).id)
        index.best("word1", ids[-1:], 1)
    index.best("word1", ids[:1], 1)
    index.most_bytes = 150_000
    index.forget()
    left = [number for number in range(12) if index.known(f"{number}", "key", None)]
    assert 0 in left  # asked last
    assert 0 < len(left) < 12
    assert 1 not in left
    index.close()


def naive_best(question: str, documents: list[Document]) -> list[int]:
    """Documents by the number of the question's words in the best paragraph."""
    words = set(words_of(question))
    counts = []
    for made in documents:
        paragraphs = [made.text_of(node) for node in np.flatnonzero(made.kind == PARAGRAPH).tolist()]
        counts.append(max(len(words.intersection(words_of(text))) for text in paragraphs))
    return [number for number, count in enumerate(counts) if count]


def test_every_document_with_a_word_of_the_question_is_found(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(40)] + ['quo"te', "naïve", "AND", "don't"]
    documents = [
        document([" ".join(rng.choice(words, 5)), " ".join(rng.choice(words, 8))], title="x") for _ in range(30)
    ]
    index = Index(None)
    ids = [index.enter(f"{number}", "key", None, made).id for number, made in enumerate(documents)]
    for _ in range(50):
        question = " ".join(rng.choice(words, 3))
        found = index.best(question, ids, 99)
        assert sorted(ids.index(id) for id in found) == naive_best(question, documents), question
        assert {*index.best(question, ids[:9], 99)} == {*found} & {*ids[:9]}
    index.close()


def test_a_file_that_changes_while_it_is_read(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, left = files / "cow.md", [2]

    def changing(source: str) -> bytes:
        data = read(source)
        if left[0]:
            left[0] -= 1
            with path.open("a") as file:
                file.write("More.\n")
        return data

    monkeypatch.setattr(sources, "read", changing)
    assert contents(str(path)) == path.read_bytes()
    left[0] = 99
    with pytest.raises(ParseError, match="changes while it is being read"):
        contents(str(path))


def work(folder: Path, cache: str, results: Any) -> None:
    os.environ["DOCQN_CACHE"] = cache
    made = Library([folder])
    found = [titles(made, f"What does the {animal} eat?")[0] for animal in ANIMALS]
    results.put((found == [f"The {animal}" for animal in ANIMALS], made.shelf("hen").notes))


def test_several_processes_build_the_same_index(files: Path, cache_folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=work, args=(files, str(cache_folder), results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    assert [results.get(timeout=60) for _ in workers] == [(True, [])] * 3
    for worker in workers:
        worker.join()
    results.close()
    results.join_thread()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address(files: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(files)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_a_document(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Library([f"{address}/cow.md"])
    assert [(one.title, one.source) for one in made.shelf("?").documents] == [("The cow", f"{address}/cow.md")]
    with pytest.raises(ParseError, match="404"):
        Library([f"{address}/nothing.md"]).shelf("?")
    monkeypatch.setattr(sources, "_MOST_FETCHED", 5)
    with pytest.raises(ParseError, match="larger than"):
        Library([f"{address}/cow.md"]).shelf("?")


@pytest.mark.parametrize("source", ["http://127.0.0.1:1/x.md", "http://[", "https://no such host/x"])
def test_an_address_that_cannot_be_fetched_is_one_line(source: str) -> None:
    with pytest.raises(ParseError, match="cannot be fetched") as raised:
        Library([source]).shelf("?")
    assert "Errno" not in str(raised.value)


def test_a_folder_that_cannot_be_made_for_the_index_is_told_in_words(
    files: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCQN_CACHE", str(place := cache_folder / "file"))
    place.write_text("a file, not a folder")
    made = Library([files])
    notes = made.shelf("hen").notes
    index = f"{place / FILE}: cannot be used (File exists); one is kept in memory instead"
    assert notes == [index, f"{place / FOLDER}: parsed documents cannot be kept there (Not a directory)"]


def test_progress_is_told(files: Path) -> None:
    told: list[tuple[int, int]] = []
    Library([files], progress=lambda done, all: told.append((done, all))).shelf("hen")
    assert told == [(done, 10) for done in range(11)]


def test_the_candidates_are_few() -> None:
    assert len(ANIMALS) > shelves.CANDIDATES


def test_a_document_that_another_process_has_entered_keeps_its_number(tmp_path: Path) -> None:
    ours, theirs = Index(tmp_path / FILE), Index(tmp_path / FILE)
    made = document(["Some words stand here."])
    first = ours.enter("tea", "key", None, made)
    assert theirs.enter("tea", "key", None, made) == first
    changed = theirs.enter("tea", "another", None, document(["Other things."]))
    assert changed.id == first.id
    assert ours.best("things", [first.id], 9) == [first.id]
    assert ours.best("words", [first.id], 9) == []
    ours.close()
    theirs.close()
