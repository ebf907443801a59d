"""Building, opening and reading a corpus, beside a Python object for every node with its tokens in a list.

The documents are generated. DOCQN_BENCH_PAGES names a folder of HTML pages to take instead; DOCQN_BENCH_DOCUMENTS says
how many, and DOCQN_BENCH_COPIES how often they are repeated, under other names, for the large corpus: every copy is
read, parsed and stored as a document of its own. Memory is the peak of a process and of those that it started.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import active_children
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import Row
from docqn.document import PARAGRAPH, SENTENCE

DOCUMENTS = int(os.environ.get("DOCQN_BENCH_DOCUMENTS", "400"))
COPIES = int(os.environ.get("DOCQN_BENCH_COPIES", "5"))
QUESTIONS = 4  # a document
PAPER = 1.25  # questions a document in the paper's data: 138,537 pairs, 110,647 documents; so in the large corpus
ALIASES = 15
READ = 2_000  # pairs read at random; ten times as many of the large corpus

Measured = dict[str, float]


def run(seed: int) -> Iterator[Row]:
    """Every figure is from a fresh process."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        documents = write_pages(folder / "evidence", random.Random(seed))
        copy_pages(folder / "evidence-1", folder / "evidence", 1, QUESTIONS, seed)
        pairs = copy_pages(folder / "evidence-many", folder / "evidence", COPIES, PAPER, seed)
        ours, theirs = measure("build", folder, "1", "1"), measure("build_objects", folder)
        all_cores = measure("build", folder, "1", "0")
        thousand = documents / 1000
        work = f"build, a thousand of {documents:,} documents"
        yield Row(f"{work}, one process", ours["seconds"] / thousand, "objects", theirs["seconds"] / thousand)
        yield Row(f"{work}, all cores", all_cores["seconds"] / thousand)
        ours, theirs = measure("read", folder, "1", str(READ)), measure("read_objects", folder)
        yield Row("open", ours["open"], "objects", theirs["open"])
        work = f"memory, {READ:,} pairs read of {documents:,} documents"
        yield Row(work, ours["memory"], "objects", theirs["memory"], unit="MB")

        documents *= COPIES
        ours = measure("build", folder, "many", "0")
        yield Row(f"build, {documents:,} documents, {pairs:,} pairs, all cores", ours["seconds"])
        yield Row("the same in processor time, of one core", ours["processor"])
        yield Row(f"memory, building {documents:,} documents", ours["memory"], unit="MB", at_most=2000)
        ours = measure("read", folder, "many", str(10 * READ))
        yield Row(f"open, {documents:,} documents", ours["open"], at_most=1)
        yield Row(
            f"memory, {10 * READ:,} pairs read of {documents:,} documents", ours["memory"], unit="MB", at_most=2000
        )
        yield Row("read a pair, all of its document", 1000 * ours["pair"], unit="ms")


def measure(work: str, *arguments: str | Path) -> Measured:
    """What a function below returns in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.bench_corpus", work, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[1])
    measured: Measured = json.loads(done.stdout)
    return measured


def build(folder: str, size: str, jobs: str) -> Measured:
    """A corpus of docqn, from pages and questions to the finished folder."""
    from docqn.corpora.build import build

    evidence = Path(folder, f"evidence-{size}")
    out = Path(folder, f"corpus-{size}")
    if out.exists():
        out = Path(folder, f"corpus-{size}-again")
    workers_peak = 0.0

    def look(what: str, done: int, all: int) -> None:
        nonlocal workers_peak
        workers_peak = max(workers_peak, sum(peak(worker.pid) for worker in active_children()))

    start = perf_counter()
    build([evidence / "questions.json"], evidence, out, jobs=int(jobs) or None, progress=look)
    seconds = perf_counter() - start
    own, workers = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "processor": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
        "memory": peak() + workers_peak,
    }


def read(folder: str, size: str, number: str) -> Measured:
    """Open the corpus and sum all arrays of the documents of pairs drawn at random."""
    from docqn.corpora.layout import STORED
    from docqn.corpora.store import Corpus

    start = perf_counter()
    split = Corpus(Path(folder, f"corpus-{size}")).split("dev")
    opened = perf_counter()
    for pair in random.Random(0).choices(range(len(split)), k=int(number)):
        document = split[pair].document
        for name in STORED:
            getattr(document, name).sum()
    return {"open": opened - start, "pair": (perf_counter() - opened) / int(number), "memory": peak()}


@dataclass(eq=False)
class Node:
    """A node as an object."""

    text: str
    tokens: list[str]
    kind: int
    index: int
    parent: Node | None
    children: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Pair:
    """A question, its tokens, the tree and the nodes with an answer."""

    question: str
    tokens: list[str]
    root: Node
    answers: list[Node]


def build_objects(folder: str) -> Measured:
    """The same pages parsed by the same parser, but held as objects, with every alias sought in every paragraph."""
    from docqn.parsers import parse
    from docqn.text.answers import normalize_triviaqa
    from docqn.text.tokens import token_spans, token_texts

    evidence = Path(folder, "evidence-1")
    start = perf_counter()
    trees: dict[str, list[Node]] = {}
    pairs = []
    for record in json.loads((evidence / "questions.json").read_text())["Data"]:
        (page,) = record["EntityPages"]
        name = page["Filename"]
        if name not in trees:
            document = parse(evidence / name, "html")
            nodes: list[Node] = []
            for u in range(len(document)):
                parent = nodes[document.parent[u]] if u else None
                node = Node(
                    document.text_of(u), document.tokens_of(u), int(document.kind[u]), int(document.index[u]), parent
                )
                if parent is not None:
                    parent.children.append(node)
                nodes.append(node)
            trees[name] = nodes
        wanted = [f" {normalize_triviaqa(alias)} " for alias in record["Answer"]["Aliases"]]
        answers = []
        for node in trees[name]:
            if node.kind in (PARAGRAPH, SENTENCE):
                text = f" {normalize_triviaqa(node.text)} "
                answers += [node] if any(alias in text for alias in wanted) else []
        question = record["Question"]
        pairs.append(Pair(question, token_texts(question, token_spans(question)), trees[name][0], answers))
    with Path(folder, "objects.pickle").open("wb") as file:
        pickle.dump(pairs, file, pickle.HIGHEST_PROTOCOL)
    return {"seconds": perf_counter() - start, "memory": peak()}


def read_objects(folder: str) -> Measured:
    """Load all objects: there is no reading only some."""
    start = perf_counter()
    with Path(folder, "objects.pickle").open("rb") as file:
        pairs = pickle.load(file)
    assert pairs
    return {"open": perf_counter() - start, "memory": peak()}


def peak(process: int | None = None) -> float:
    """Megabytes that this process, or another one, held at most."""
    try:  # the figure of `resource` counts the parent's, where that is larger
        status = Path(f"/proc/{process or 'self'}/status").read_text()
    except OSError:  # has just ended, or a system without /proc
        return 0 if process else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return sum(map(int, re.findall(r"VmHWM:\s+(\d+)", status))) / 1e3


def write_pages(folder: Path, draw: random.Random) -> int:
    """The pages, given or generated. Returns how many."""
    folder.mkdir()
    if given := os.environ.get("DOCQN_BENCH_PAGES"):
        pages = sorted(Path(given).glob("*.html"))[:DOCUMENTS]
        for page in pages:
            (folder / page.name).write_bytes(page.read_bytes())
        return len(pages)
    letters = "etaoinshrdlucmfwygpbvkxqjz"
    words = ["".join(draw.choices(letters, range(26, 0, -1), k=draw.randint(2, 10))) for _ in range(50_000)]
    likely = [1 / rank for rank in range(1, len(words) + 1)]
    for number in range(DOCUMENTS):
        parts = [f"<!doctype html><title>Page {number}</title><h1>Page {number}</h1>"]
        for block in range(70):
            sentences = (" ".join(draw.choices(words, likely, k=draw.randint(5, 25))).capitalize() for _ in range(3))
            parts.append(f"<p>{'. '.join(sentences)}.</p>")
            if block % 6 == 1:
                parts.append(f"<h{draw.randint(2, 4)}>{' '.join(draw.choices(words, likely, k=3))}</h2>")
        (folder / f"page-{number}.html").write_text("\n".join(parts))
    return DOCUMENTS


def copy_pages(folder: Path, pages: Path, copies: int, each: float, seed: int) -> int:
    """The pages so many times over, and questions, in the mean `each` a page, whose answers are words of it. Returns
    how many."""
    folder.mkdir()
    draw = random.Random(seed)
    records = []
    for rank, page in enumerate(sorted(pages.iterdir())):
        words = re.sub(r"<[^>]*>", " ", page.read_text(errors="replace")).split()
        asked = []
        for _ in range(int((rank + 1) * each) - int(rank * each)):
            places = [draw.randrange(max(len(words) - 3, 1)) for _ in range(ALIASES + 1)]
            aliases = [" ".join(words[place : place + 1 + place % 3]) for place in places]
            asked.append({"Question": f"What is {aliases.pop()}?", "Answer": {"Value": aliases[0], "Aliases": aliases}})
        for copy in range(copies):
            name = f"{page.stem}-{copy}.html"
            os.link(page, folder / name)
            for number, record in enumerate(asked):
                records.append(record | {"QuestionId": f"{name}-{number}", "EntityPages": [{"Filename": name}]})
    (folder / "questions.json").write_text(json.dumps({"Data": records, "Split": "dev"}))
    return len(records)


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
