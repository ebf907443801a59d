"""JATS and NLM XML: scientific articles."""

import re

from docqn.build import build_document
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.decoding import check_length, guess_encoding

SUFFIXES = (".nxml", ".jats", ".xml")

_SAMPLE = 1 << 16
_WRAPPERS = ("pmc-articleset", "OAI-PMH")  # what archives send articles in
_PROLOG_ITEM = re.compile(r"(?:<\?.*?\?>|<!--.*?-->|<![^-][^>\[]*(?:\[.*?\]\s*)?>)\s*", re.DOTALL)
_OPEN = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)([^>]*)")
_DOCTYPE = re.compile(r"<!DOCTYPE\s[^>\[]*\b(?:JATS|NLM)\b", re.IGNORECASE)
_PARTS = re.compile(r"<(?:[\w.-]+:)?(?:front|front-stub|article-meta|journal-meta)[\s>]")


def likelihood(data: bytes) -> float:
    """Certain for a root `article` that says it is JATS or NLM, or has their parts; other XML is something else."""
    encoding = guess_encoding(data[:_SAMPLE])
    sample = data[:_SAMPLE].decode(encoding, "replace").lstrip() if encoding else ""
    root = _OPEN.match(sample, _prolog_end(sample))
    if root is None or root[1] not in ("article", *_WRAPPERS):
        return 0.0
    told = _DOCTYPE.search(sample, 0, root.start()) or "dtd-version=" in root[2] or _PARTS.search(sample, root.end())
    return 1.0 if told else 0.0


def parse(data: bytes, source: str) -> Document:
    """The article, with its title as the document's."""
    from docqn.parsers.articles.reader import ArticleReader
    from docqn.parsers.xml import scan

    check_length(data, source)
    reader = scan(data, source, lambda: ArticleReader(source))
    if not reader.blocks:
        raise ParseError(source, "holds no article text")
    return build_document(reader.blocks, source=source, format="jats", language=reader.language)


def _prolog_end(sample: str) -> int:
    """Where the root element begins, after declaration, comments and document type."""
    at = 0
    while item := _PROLOG_ITEM.match(sample, at):
        at = item.end()
    return at
