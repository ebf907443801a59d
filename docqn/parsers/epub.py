"""EPUB books: their documents in reading order, nested as their table of contents says."""

from typing import TYPE_CHECKING

from docqn.build import Block, build_document
from docqn.document import NONE, Document
from docqn.errors import ParseError
from docqn.parsers.decoding import MOST_TEXT

if TYPE_CHECKING:
    from docqn.parsers.archives import Archive
    from docqn.parsers.book.contents import Contents, Entry, Page
    from docqn.parsers.book.package import Package
    from docqn.parsers.book.places import Place

SUFFIXES = (".epub",)

_MIMETYPE = b"mimetypeapplication/epub+zip"  # the first member, in the first bytes
_MIMETYPE_AT = 30
_CONTAINER = "META-INF/container.xml"


def likelihood(data: bytes) -> float:
    """Certain for an archive with an EPUB's type or its container file."""
    from docqn.parsers.archives import likelihood_by_member

    if data.startswith(b"PK") and data.startswith(_MIMETYPE, _MIMETYPE_AT):
        return 1.0
    return likelihood_by_member(data, _CONTAINER)


def parse(data: bytes, source: str) -> Document:
    """The book. Its cover and pages that only list its contents are left out."""
    from docqn.parsers.archives import Archive
    from docqn.parsers.book.chapters import Chapters, Part, without_empty
    from docqn.parsers.book.contents import read_contents
    from docqn.parsers.book.package import read_package
    from docqn.parsers.book.pages import number_pages

    archive = Archive(data, source)
    package = read_package(archive)
    contents = read_contents(archive, package)
    chapters = Chapters(package.title)
    parts: list[Part] = []
    length, page = 0, NONE
    for document in _documents(archive, package, contents):
        entries, pages = contents.entries.get(document, ()), contents.pages.get(document, ())
        blocks, places = _read(archive, document, {item.place for item in (*entries, *pages)})
        length += sum(len(block.text) for block in blocks)
        if length > MOST_TEXT:
            raise ParseError(source, f"holds more than {MOST_TEXT >> 20} MB of text; split it")
        blocks, page = number_pages(blocks, sorted((_place(item, places), item.number) for item in pages), page)
        begins = [(_block(_place(entry, places)), entry) for entry in entries]
        parts += chapters.arrange(blocks, sorted(begins, key=lambda begin: begin[0]))
    if not any(part.block.text and not part.is_added for part in parts):
        raise ParseError(source, "holds no text")
    kept = without_empty(parts)
    return build_document(kept, source=source, format="epub", title=package.title, language=package.language)


def _documents(archive: "Archive", package: "Package", contents: "Contents") -> list[str]:
    """The documents to read. One that is said to be a table of contents is read all the same if chapters are in it."""
    found = [document for document in package.documents if document in archive]
    if not found:
        raise ParseError(archive.source, "names no document that is in it; get the file again")
    kept = [
        document
        for document in found
        if document not in package.left_out or len(contents.entries.get(document, ())) > 1
    ]
    return kept or found


def _read(archive: "Archive", document: str, wanted: set[str]) -> "tuple[list[Block], dict[str, Place]]":
    """A document's blocks, and where the wanted places are in them."""
    from docqn.parsers.book.places import as_html, find
    from docqn.parsers.webpage.charset import decode_html
    from docqn.parsers.webpage.walk import Walker

    places = sorted(wanted)
    xhtml = decode_html(archive.read(document), f"{archive.source} ({document})")
    page = Walker(as_html(xhtml, places))
    page.walk()
    return find(page.blocks, places)


def _place(item: "Entry | Page", places: "dict[str, Place]") -> "Place":
    """Where something begins; a place that the document does not have is taken for its beginning."""
    return places.get(item.place, (0, 0))


def _block(place: "Place") -> int:
    """The block that a chapter begins with; a heading cannot begin within a paragraph."""
    return place[0] + (place[1] > 0)
