"""What the HTML parser makes of a folder of pages, as Markdown tables: `python tools/survey_html.py FOLDER`.

Counts over all pages; then, on pages chosen by seed, every heading and its nesting beside those that BeautifulSoup
finds on its own, and every word of the content that is in no paragraph of ours.
"""

import argparse
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from bs4 import BeautifulSoup, Comment, Tag

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers.html import parse

SITE_BANNER = "siteSub"  # a heading by its tag alone
LEVELS = ("h1", "h2", "h3", "h4", "h5")
CONTENT = "bodyContent"
LEFT_OUT: tuple[dict[str, Any], ...] = (  # of the content: banners, its origin, hidden data, boxes of links, notes
    {"id": "siteSub"}, {"class": "soslink"}, {"class": "printfooter"}, {"class": "persondata"}, {"id": "persondata"},
    {"class": "navbox"}, {"class": "NavFrame"}, {"class": "references"}, {"class": "reference"},
)  # fmt: skip
NO_TEXT = ["script", "style", "noscript", "template", "select", "button", "textarea", "svg"]
WORD = re.compile(r"\w+")
UNSEEN = re.compile(r"<!--.*?-->|<script.*?</script>", re.DOTALL)
HEADING_TAG = re.compile(rf"<h[2-5]\b(?![^>]*{SITE_BANNER})")

Heading = tuple[int, str, str]  # level, text, and the text of the heading that it stands under


class Counts(NamedTuple):
    """What one page holds."""

    name: str
    problem: str = ""
    levels: tuple[int, ...] = ()  # of its headings
    paragraphs: int = 0
    sentences: int = 0
    words: int = 0
    depth: int = 0
    tags: int = 0  # `h2` to `h5` in its source, but for the banner


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compared", type=int, default=40, help="pages that are compared one by one (default 40)")
    parser.add_argument("--seed", type=int, default=0, help="that these are chosen by (default 0)")
    options = parser.parse_args()
    pages = sorted(options.folder.rglob("*.html"))
    if not pages:
        sys.exit(f"{options.folder}: no .html files in this folder")
    with ProcessPoolExecutor() as pool:
        counted = list(pool.map(count, pages, chunksize=50))
    print(f"{datetime.now(UTC):%Y-%m-%d}, `python tools/survey_html.py {options.folder.name}`\n")
    print("\n".join(summary(counted)))
    chosen = sorted(Random(options.seed).sample(pages, min(options.compared, len(pages))))
    print("\n".join(comparison(chosen, options.seed)))


def count(page: Path) -> Counts:
    """The counts of a page."""
    try:
        document = parse(page.read_bytes(), page.name)
    except ParseError as error:
        return Counts(page.name, str(error))
    kinds = np.bincount(document.kind, minlength=SENTENCE + 1)
    return Counts(
        page.name,
        "; ".join(violations(document)),
        tuple(document.level[document.kind == SECTION].tolist()),
        int(kinds[PARAGRAPH]),
        int(kinds[SENTENCE]),
        len(WORD.findall(document.text)),
        int(document.depth.max()),
        len(HEADING_TAG.findall(UNSEEN.sub("", page.read_text("utf-8", "replace")))),
    )


def summary(counted: Sequence[Counts]) -> Iterable[str]:
    """The table over all pages."""
    good = [counts for counts in counted if not counts.problem]
    yield "| pages | parsed | failed | without headings |"
    yield "|--:|--:|--:|--:|"
    yield f"| {len(counted):,} | {len(good):,} | {len(counted) - len(good):,} | {sum(not c.levels for c in good):,} |"
    yield f"\n{sum(c.tags for c in good):,} tags from h2 to h5; {sum(not c.tags for c in good)} pages without any"
    yield from (f"\n{counts.name}: {counts.problem}" for counts in counted if counts.problem)
    by_level = Counter(level for counts in good for level in counts.levels)
    yield "\n| a page has | mean | median | most | all pages |"
    yield "|---|--:|--:|--:|--:|"
    rows = {f"headings h{level}": [c.levels.count(level) for c in good] for level in sorted(by_level)}
    rows |= {
        "headings": [len(c.levels) for c in good],
        "paragraphs": [c.paragraphs for c in good],
        "sentences": [c.sentences for c in good],
        "words": [c.words for c in good],
    }
    for name, values in rows.items():
        middle = f"{statistics.mean(values):,.1f} | {statistics.median(values):,.0f} | {max(values):,}"
        yield f"| {name} | {middle} | {sum(values):,} |"
    depths = [c.depth for c in good]
    yield f"| depth of the tree | {statistics.mean(depths):.1f} | {statistics.median(depths):.0f} | {max(depths)} | |"


def comparison(pages: Sequence[Path], seed: int) -> Iterable[str]:
    """Each difference from the independent extraction."""
    headings = missing = words = 0
    lines = []
    for page in pages:
        soup = BeautifulSoup(page.read_bytes(), "lxml")
        document = parse(page.read_bytes(), page.name)
        theirs, ours = their_headings(soup), our_headings(document)
        headings += len(theirs)
        lines += [f"- {page.name}: only theirs: {heading}" for heading in theirs if heading not in ours]
        lines += [f"- {page.name}: only ours: {heading}" for heading in ours if heading not in theirs]
        if sorted(ours) == sorted(theirs) and ours != theirs:
            lines.append(f"- {page.name}: in another order")
        wanted = Counter(WORD.findall(visible(soup)))
        lost = wanted - Counter(WORD.findall(document.text))
        words += wanted.total()
        missing += lost.total()
        if lost:
            lines.append(f"- {page.name}: words that are not in the document: {dict(lost)}")
    yield f"\n{len(pages)} pages chosen by seed {seed}: {headings} headings, {words:,} words of content, of which"
    yield f"{missing} are not in the documents; {len(lines)} differences:\n"
    yield from lines


def our_headings(document: Document) -> list[Heading]:
    """Level, text and parent's text of all headings."""
    return [
        (int(document.level[node]), squeezed(document.text_of(node)), squeezed(document.text_of(document.parent[node])))
        for node in range(len(document))
        if document.kind[node] == SECTION
    ]


def their_headings(soup: BeautifulSoup) -> list[Heading]:
    """The same from the soup: a heading stands under the nearest one before it of a lower level."""
    top = soup.find("h1")
    open_headings = [(0, squeezed(top.get_text()) if top else "")]
    found = []
    for tag in soup.find_all(LEVELS):
        if tag is top or tag.get("id") == SITE_BANNER:
            continue
        level, text = int(tag.name[1]), squeezed(tag.get_text())
        while open_headings[-1][0] >= level:
            open_headings.pop()
        found.append((level, text, open_headings[-1][1]))
        open_headings.append((level, text))
    return found


def visible(soup: BeautifulSoup) -> str:
    """The text of the content that a browser shows."""
    content = soup.find(id=CONTENT) or soup.body or soup
    for attributes in LEFT_OUT:
        for tag in content.find_all(attrs=attributes):  # type: ignore[call-overload]
            tag.extract()
    hidden = [tag for tag in content.find_all(style=re.compile(r"display:\s*none")) if isinstance(tag, Tag)]
    for tag in [*content.find_all(NO_TEXT), *hidden, *content.find_all(string=lambda text: isinstance(text, Comment))]:
        tag.extract()
    for tag in content.find_all("sup"):
        before = tag.previous_sibling
        raised = squeezed(tag.get_text()).lstrip("-+−–").isdecimal()
        if raised and isinstance(before, str) and before[-1:].isdecimal():
            tag.insert_before("^")  # as the parser does: 10^6
    for tag in content.find_all(["br", "p", "div", "li", "td", "th", "tr", "dd", "dt", "h1", "h2", "h3", "h4", "h5"]):
        tag.insert_before(" ")
        tag.append(" ")
    return content.get_text()


def squeezed(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


if __name__ == "__main__":
    main()
