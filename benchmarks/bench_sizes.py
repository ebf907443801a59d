"""Every format at sizes up to 20 MB of text, each beside four times the time of a quarter: time grows only with size.

Processor time, so that what else runs does not count. PDF by its pages: `python -m benchmarks pdf`.
"""

from collections.abc import Callable, Iterable
from random import Random
from time import process_time

from benchmarks import Row
from benchmarks.bench_archives import paragraphs, write_docx, write_epub, write_jats
from benchmarks.bench_markdown import LINEAR, MEGABYTE
from docqn.parsers import parse_bytes

SIZES = tuple(20 * MEGABYTE // part for part in (64, 16, 4, 1))


def run(seed: int) -> Iterable[Row]:
    """Each format from small to large."""
    texts = paragraphs(20 * MEGABYTE // 250, Random(seed))
    for format, write in WRITERS.items():
        before = 0.0
        for size in SIZES:
            data = write(up_to(texts, size))
            start = process_time()
            parse_bytes(data, "x", format)
            seconds = process_time() - start
            work = f"{format}, {size / MEGABYTE:.3g} MB"
            yield Row(work, seconds, "4 × a quarter", 4 * before, at_most=LINEAR) if before else Row(work, seconds)
            before = seconds


def up_to(texts: list[str], size: int) -> list[str]:
    """The first of the texts, of so many characters together."""
    for i, text in enumerate(texts):
        size -= len(text)
        if size <= 0:
            return texts[: i + 1]
    raise ValueError("there are not enough texts")


def marked(heading: str, paragraph: str) -> Callable[[list[str]], bytes]:
    """Writes texts, each tenth of which is a heading."""
    return lambda texts: "".join(
        (paragraph if i % 10 else heading).format(text) for i, text in enumerate(texts)
    ).encode()


WRITERS: dict[str, Callable[[list[str]], bytes]] = {
    "html": marked("<h2>{}</h2>\n", "<p>{}</p>\n"),
    "markdown": marked("## {}\n\n", "{}\n\n"),
    "text": marked("{}\n===\n\n", "{}\n\n"),
    "wikitext": marked("== {} ==\n", "{}\n\n"),
    "docx": write_docx,
    "epub": write_epub,
    "jats": write_jats,
}
