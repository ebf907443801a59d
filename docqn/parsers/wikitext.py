"""Wikitext, as MediaWiki has it: headings, lists, tables and paragraphs, without most templates."""

import re
from collections.abc import Iterator
from itertools import islice

from docqn.build import Block, build_document
from docqn.document import Document
from docqn.errors import ParseError
from docqn.parsers.decoding import guess_encoding
from docqn.parsers.source_text import source_text

SUFFIXES = (".wiki", ".wikitext", ".mediawiki", ".mw")

_PRIVATE = re.compile("[\U000f0000-\U000f01ff]")  # what the scanner marks text with
_TITLE = re.compile(r"\{\{\s*DISPLAYTITLE\s*:([^{}|]*)")
_REDIRECT = re.compile(r"\s*#redirect\s*:?\s*\[\[([^\]|#\n]+)", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>|'{2,}")

_SIGNS = (  # (how sure one makes, what it looks like); the last ones stand in programs too
    (0.08, re.compile(r"^(={2,6})[^=\n]*\w[^=\n]*\1[ \t]*$", re.MULTILINE)),
    (0.4, re.compile(r"\A\s*#redirect\s*\[\[|^\[\[(?:category|file|image):", re.IGNORECASE | re.MULTILINE)),
    (0.2, re.compile(r"\[\[[^\[\]\n|]+\|[^\[\]\n]*\]\]|<(?:ref|nowiki|gallery)\b[^<>]*>|__(?:NO)?TOC__")),
    (0.15, re.compile(r"'''\w[^'\n]*'''")),
    (0.2, re.compile(r"^\{\|[ \t]*(?:\w+=.*)?$", re.MULTILINE)),
    (0.03, re.compile(r"\[\[\w[^\[\]\n|]+\]\]|\{\{\w[^{}\n]+[|\n}]")),
)
_MOST_SIGNS = 4  # of one kind
_SAMPLE = 1 << 15
_LEAST, _MOST = 0.02, 0.95


def likelihood(data: bytes) -> float:
    """Headings between equals signs, links and templates in double brackets and braces make it likely."""
    encoding = guess_encoding(data)
    if encoding is None:
        return 0.0
    sample = data[:_SAMPLE].decode(encoding, "replace").replace("\r\n", "\n")
    doubt = 1.0
    for sure, sign in _SIGNS:
        doubt *= (1 - sure) ** sum(1 for _ in islice(sign.finditer(sample), _MOST_SIGNS))
    return _LEAST + (_MOST - _LEAST) * (1 - doubt)


def parse(data: bytes, source: str) -> Document:
    """The document in wikitext."""
    text = _PRIVATE.sub("", source_text(data, source))
    found = list(_blocks(text))
    named = _TITLE.search(text)
    title = _TAGS.sub("", named[1]).strip() if named else None
    if not title and not any(block.text for block in found):
        raise ParseError(source, "holds no text, only templates and the like")
    return build_document(found, source=source, format="wikitext", title=title)


def _blocks(text: str) -> Iterator[Block]:
    from docqn.parsers.wiki.blocks import blocks, lines
    from docqn.parsers.wiki.scanner import scan

    if redirect := _REDIRECT.match(text):
        yield Block(f"Redirect to {redirect[1].strip()}", 0, text.count("\n", 0, redirect.start(1)) + 1)
    else:
        yield from blocks(lines(scan(text), text))
