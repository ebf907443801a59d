"""Word documents (DOCX)."""

import re
from typing import TYPE_CHECKING

from docqn.build import build_document, sole_top_heading
from docqn.document import NONE, Document
from docqn.errors import ParseError

if TYPE_CHECKING:
    from docqn.parsers.archives import Archive
    from docqn.parsers.word.body import BodyReader
    from docqn.parsers.word.styles import Styles

SUFFIXES = (".docx", ".docm", ".dotx", ".dotm")

MAIN_PARTS = ("word/document.xml", "word/document2.xml")  # the second is what Word on the web writes
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # how the files of Word before 2007 begin, and encrypted ones
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_OLD_WORD = "WordDocument".encode("utf-16-le")
# What programs fill in for a title.
_NO_TITLE = re.compile(r"untitled|(word )?document ?\d*|title|.*\.(docx?|dot[xm]?|rtf|odt)", re.IGNORECASE)


def likelihood(data: bytes) -> float:
    """Certain for an archive with the main part of a Word document."""
    from docqn.parsers.archives import likelihood_by_member

    if data.startswith(_OLE):  # for the sake of the message
        return 0.5 if _ENCRYPTED in data or _OLD_WORD in data else 0.0
    return max(likelihood_by_member(data, part) for part in MAIN_PARTS)


def parse(data: bytes, source: str) -> Document:
    """The document in the main part; headers, footers, notes and comments are other parts and left out."""
    from docqn.parsers.archives import Archive, resolve
    from docqn.parsers.word.headings import arrange
    from docqn.parsers.word.styles import Styles
    from docqn.parsers.xml import tree

    _refuse_old(data, source)
    archive = Archive(data, source)
    main = _target(archive, "", "officeDocument") or MAIN_PARTS[0]
    style_part = _target(archive, main, "styles") or resolve(main, "styles.xml")
    styles = Styles(tree(archive.read(style_part), source) if style_part in archive else None)
    reader = _read_body(archive.read(main), source, styles)
    title, blocks = arrange(reader.found)
    if not title and not any(block.text for block in blocks):
        raise ParseError(source, "holds no text")
    if reader.pages.now == 1:  # nothing in the document says where its pages are
        blocks = [block._replace(page=NONE, pages=()) for block in blocks]
    if not title and sole_top_heading(blocks) is None:
        title = _noted_title(archive)
    return build_document(blocks, source=source, format="docx", title=title, language=styles.language)


def _refuse_old(data: bytes, source: str) -> None:
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise ParseError(source, "is encrypted with a password; save it without one")
        raise ParseError(source, "is a file of Word before 2007; save it as .docx")


def _target(archive: "Archive", part: str, kind: str) -> str:
    """The part that one part, or the whole for no part, refers to as its styles or the like; empty if none is named."""
    from docqn.parsers.archives import resolve
    from docqn.parsers.xml import tree

    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    if relations in archive:
        for relation in tree(archive.read(relations), archive.source).iter("Relationship"):
            if relation.get("Type", "").endswith(f"/{kind}") and relation.get("TargetMode") != "External":
                return resolve(part, relation.get("Target", ""))
    return ""


def _read_body(part: bytes, source: str, styles: "Styles") -> "BodyReader":
    """All that the main part holds. Where a field never ends, fields' marks are ignored: it would hide the rest."""
    from docqn.parsers.word.body import NAMESPACES, BodyReader
    from docqn.parsers.xml import scan

    reader = scan(part, source, lambda: BodyReader(source, styles), NAMESPACES)
    if reader.fields.are_open():
        reader = scan(part, source, lambda: BodyReader(source, styles, with_fields=False), NAMESPACES)
    if not reader.has_body:
        raise ParseError(source, "has no document body in its main part; save it anew with Word")
    return reader


def _noted_title(archive: "Archive") -> str | None:
    """The title among the document's properties, unless a program made it up."""
    from docqn.parsers.xml import tree

    properties = _target(archive, "", "core-properties")
    if properties not in archive:
        return None
    title = tree(archive.read(properties), archive.source).findtext("title") or ""
    title = title.strip().removeprefix("Microsoft Word - ")
    return None if _NO_TITLE.fullmatch(title) else title or None
