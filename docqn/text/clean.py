"""Cleaning of extracted text before it becomes a node; offsets are taken afterwards."""

import re

# Lone surrogates (not encodable), controls other than tab and line breaks, soft hyphens, zero-width spaces and BOMs.
INVISIBLE = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff]")


def clean(text: str) -> str:
    """Drop characters that nobody sees and that break words or encodings."""
    return text if text.isprintable() else INVISIBLE.sub("", text)


def collapse(text: str) -> str:
    """Clean text on one line: every run of white space becomes one space."""
    return " ".join(clean(text).split())
