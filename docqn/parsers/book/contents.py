"""The table of contents and the list of pages of an EPUB book."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import unquote

from docqn.document import NONE
from docqn.parsers.archives import Archive, resolve
from docqn.parsers.book.package import LEFT_OUT, Package
from docqn.parsers.xml import tree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class Entry(NamedTuple):
    """A chapter and where it begins: a document, and a place in it or else its beginning."""

    label: str
    document: str
    place: str
    level: int  # from 1


class Page(NamedTuple):
    """A page of the printed book and where it begins."""

    number: int  # NONE for those with Roman numerals
    document: str
    place: str


Item = TypeVar("Item", Entry, Page)


class Contents(NamedTuple):
    """What a book says of its chapters and pages, by document, in order."""

    entries: dict[str, list[Entry]]
    pages: dict[str, list[Page]]


def read_contents(archive: Archive, package: Package) -> Contents:
    """From the navigation document of EPUB 3, or else from the NCX file. Adds to the documents that are left out."""
    entries: list[Entry] = []
    pages: list[Entry] = []
    if package.navigation in archive:
        for nav in tree(archive.read(package.navigation), archive.source).iter("nav"):
            links = list(_links(nav, package.navigation))
            kinds = nav.get("type", "").split()
            if "toc" in kinds:
                entries = entries or links
            elif "page-list" in kinds:
                pages = pages or links
            elif "landmarks" in kinds:
                package.left_out |= _landmarks(nav, package.navigation)
        package.left_out.add(package.navigation)
    if package.ncx in archive and not entries:
        root = tree(archive.read(package.ncx), archive.source)
        entries = list(_points(root, package.ncx, "navMap", "navPoint"))
        pages = list(_points(root, package.ncx, "pageList", "pageTarget"))
    return Contents(_by_document(_placed(entries)), _by_document(map(_page, pages)))


def _links(nav: "Element", base: str) -> Iterator[Entry]:
    """The links of a list and of the lists within it, and the texts without a link that head a list."""
    for element, depth in _walk(nav, "ol", until=("a", "span", "nav")):
        if element.tag in ("a", "span"):
            label = " ".join("".join(element.itertext()).split())
            yield _entry(label, base, element.get("href", ""), depth)


def _points(root: "Element", base: str, kind: str, tag: str) -> Iterator[Entry]:
    """The same in an NCX file."""
    for part in root.iterfind(kind):
        for element, depth in _walk(part, tag, until=("navLabel", "content")):
            content = element.find("content")
            if element.tag == tag and content is not None:
                label = element.findtext("navLabel/text") or element.get("value") or ""
                yield _entry(" ".join(label.split()), base, content.get("src", ""), depth)


def _walk(root: "Element", deeper: str, until: tuple[str, ...]) -> Iterator[tuple["Element", int]]:
    """All elements below, and how many of the tag `deeper` they are in or are; not those in the tags of `until`."""
    waiting = [(child, 0) for child in reversed(root)]
    while waiting:
        element, depth = waiting.pop()
        depth += element.tag == deeper
        yield element, depth
        if element.tag not in until:
            waiting += [(child, depth) for child in reversed(element)]


def _entry(label: str, base: str, reference: str, depth: int) -> Entry:
    document = resolve(base, reference) if reference.partition("#")[0] else base if reference else ""
    return Entry(label, document, unquote(reference.partition("#")[2]), max(depth, 1))


def _placed(entries: list[Entry]) -> list[Entry]:
    """Entries that lead nowhere head those after them: they begin where the next one does."""
    placed: list[Entry] = []
    for entry in reversed(entries):
        if not entry.document and placed:
            entry = entry._replace(document=placed[-1].document, place=placed[-1].place)
        if entry.label and entry.document:
            placed.append(entry)
    return placed[::-1]


def _by_document(items: Iterable[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.document, []).append(item)
    return found


def _page(entry: Entry) -> Page:
    """Roman numerals, of pages before the first, are no numbers here."""
    number = int(entry.label) if entry.label.isascii() and entry.label.isdecimal() and len(entry.label) < 7 else 0
    return Page(number or NONE, entry.document, entry.place)


def _landmarks(nav: "Element", base: str) -> set[str]:
    """Whole documents that are covers or tables of contents."""
    links = [link for link in nav.iter("a") if set(link.get("type", "").split()) & set(LEFT_OUT)]
    return {resolve(base, link.get("href", "")) for link in links if "#" not in link.get("href", "")}
