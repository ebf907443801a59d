"""PDF to finished Document, beside pypdfium2's extraction of the bare text of the same pages (`get_text_bounded`).

The files are made for the purpose: a two-column article with a text object a line, as TeX makes them, the same with one
a word and one a glyph, and a manual with bookmarks. The last row sets 2,000 pages beside as many times 100.
"""

from collections.abc import Iterable
from functools import partial

import pypdfium2

from benchmarks import Row, race
from docqn.parsers.pdf import parse
from tests.parsers.pdf_typesetter import article, fill, manual

AIM = 2.0  # times the extraction
LONG, SHORT = 2000, 100  # pages


def run(seed: int) -> Iterable[Row]:
    """Time each kind of file."""
    files = {
        "article, 20 pages": fill(article(), seed, pages=20),
        "article, 20 pages, a text object a word": fill(article("word"), seed, pages=20),
        "article, 10 pages, a text object a glyph": fill(article("glyph"), seed, pages=10),
        f"manual, {SHORT} pages": fill(manual(), seed, pages=SHORT),
    }
    for work, page in files.items():
        data = page.file.bytes()
        ours, theirs = race(partial(parse, data, "x.pdf"), partial(extract, data))
        yield Row(work, ours, "pypdfium2", theirs, at_most=AIM)

    long, short = (fill(manual(), seed, pages=pages).file.bytes() for pages in (LONG, SHORT))
    ours, theirs = race(lambda: parse(long, "x.pdf"), lambda: parse(short, "x.pdf"), rounds=2)
    yield Row(f"manual, {LONG:,} pages", ours, f"{LONG // SHORT} × {SHORT} pages", theirs * LONG / SHORT, at_most=1.5)


def extract(data: bytes) -> list[str]:
    """The text of all pages, as pypdfium2 gives it."""
    pdf = pypdfium2.PdfDocument(data)
    texts = []
    for page in pdf:
        text_page = page.get_textpage()
        texts.append(text_page.get_text_bounded())
        text_page.close()
        page.close()
    pdf.close()
    return texts
