"""What tests of the HTML parser ask of a page."""

from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.invariants import violations
from docqn.parsers.html import parse


def parsed(page: str | bytes) -> Document:
    document = parse(page.encode() if isinstance(page, str) else page, "page.html")
    assert violations(document) == []
    return document


def texts(document: Document, kind: int = PARAGRAPH) -> list[str]:
    return [document.text_of(node) for node in range(len(document)) if document.kind[node] == kind]


def paragraphs(page: str) -> list[str]:
    return texts(parsed(page))


def outline(document: Document) -> list[tuple[int, str]]:
    """Depth and heading of each section."""
    return [
        (int(document.depth[node]), document.text_of(node))
        for node in range(len(document))
        if document.kind[node] == SECTION
    ]


def sections(page: str) -> list[tuple[int, str]]:
    return outline(parsed(page))


def lines(page: str, kind: int = SENTENCE) -> list[tuple[int, str]]:
    document = parsed(page)
    return [
        (int(document.line[node]), document.text_of(node))
        for node in range(len(document))
        if document.kind[node] == kind
    ]
