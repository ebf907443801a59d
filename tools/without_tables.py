"""Copies of a folder of HTML pages without tables, and with --captions without image boxes and galleries either:
`python tools/without_tables.py FOLDER OUT [--captions]`. docs/results.md says what for."""

import argparse
from pathlib import Path

from lxml import html

TABLES = "//table"
CAPTIONS = """//div[contains(concat(' ', @class, ' '), ' thumb ') or contains(@class, 'thumbcaption')
                    or contains(@class, 'gallery')]"""


def main() -> None:
    """Go through the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--captions", action="store_true", help="take out image boxes and galleries too")
    options = parser.parse_args()
    paths = [TABLES, CAPTIONS] if options.captions else [TABLES]
    for path in sorted(options.folder.rglob("*.html")):
        copy = options.out / path.relative_to(options.folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(without(path.read_bytes(), paths))


def without(page: bytes, paths: list[str]) -> bytes:
    """The page without the elements at these paths."""
    document = html.document_fromstring(page)
    for path in paths:
        for element in document.xpath(path):
            if element.getparent() is not None:
                element.drop_tree()
    copy: bytes = html.tostring(document, encoding="utf-8", doctype="<!DOCTYPE html>")
    return copy


if __name__ == "__main__":
    main()
