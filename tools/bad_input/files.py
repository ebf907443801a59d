"""Files that nobody should have to read: one function a format, each gives names of what is wrong and the bytes."""

from collections.abc import Callable, Iterator
from io import BytesIO
from random import Random
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from tests.parsers.pdf_files import Bookmark, PdfFile, assemble

File = tuple[str, Callable[[], bytes]]

SENTENCE = "The tea of the hill gardens is picked before the rain, and dried on the same day. "
PARAGRAPH = SENTENCE * 5
ACCENTS = "Café, naïve, Übergrößenträger. "
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LAUGHS = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
BOMB = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'
THIEF = '<!DOCTYPE x [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>'


class Scale(NamedTuple):
    """How bad."""

    nestings: int = 10_000
    headings: int = 1_000_000
    bytes: int = 200 << 20


class Marks(NamedTuple):
    """How a format that is text writes things."""

    head: str  # of the file
    heading: str
    paragraph: str
    opened: str  # what may nest
    closed: str
    foot: str = ""


TEXTS = {
    "html": Marks(
        "<!doctype html><meta charset=utf-8><title>Tea</title>", "<h2>Tea</h2>\n", "<p>{}</p>\n", "<div>", "</div>"
    ),
    "wikitext": Marks("", "== Tea ==\n", "{}\n\n", "{{{{tea|", "}}}}"),
    "markdown": Marks("", "## Tea\n\n", "{}\n\n", "> ", ""),
    "text": Marks("", "Tea\n===\n\n", "{}\n\n", "((", "))"),
    "jats": Marks(
        '<?xml version="1.0" encoding="utf-8"?>{}<article><body>',
        "<sec><title>Tea</title></sec>\n",
        "<p>{}</p>\n",
        "<sec><title>Tea</title>",
        "</sec>",
        "</body></article>",
    ),
    "docx": Marks(
        f'<?xml version="1.0" encoding="utf-8"?>{{}}<w:document xmlns:w="{W}"><w:body>',
        '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Tea</w:t></w:r></w:p>\n',
        "<w:p><w:r><w:t>{}</w:t></w:r></w:p>\n",
        "<w:sdt><w:sdtContent>",
        "</w:sdtContent></w:sdt>",
        "</w:body></w:document>",
    ),
    "epub": Marks(
        '<?xml version="1.0" encoding="utf-8"?>{}<html xmlns="http://www.w3.org/1999/xhtml"><body>',
        "<h2>Tea</h2>\n",
        "<p>{}</p>\n",
        "<div>",
        "</div>",
        "</body></html>",
    ),
}
ARCHIVES = {
    "docx": (
        "word/document.xml",
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": f'<Relationships><Relationship Id="r" Type="{OFFICE}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        },
    ),
    "epub": (
        "a.xhtml",
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="x.opf"/></container>',
            "x.opf": '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
        },
    ),
}
SUFFIX = {"html": "html", "wikitext": "wiki", "markdown": "md", "text": "txt", "jats": "xml"}


def bad_files(format: str, scale: Scale) -> Iterator[File]:
    """What is wrong, and a function that makes the file."""
    yield "empty", lambda: b""
    yield "random bytes", lambda: Random(0).randbytes(min(scale.bytes, 1 << 20))
    yield from _pdfs(scale) if format == "pdf" else _texts(format, scale)


def _texts(format: str, scale: Scale) -> Iterator[File]:
    """Files of formats that are text, in an archive or not."""
    marks = TEXTS[format]

    def file(content: str, encoding: str = "utf-8", dtd: str = "") -> bytes:
        data = f"{marks.head.replace('{}', dtd)}{content}{marks.foot}".encode(encoding)
        return _archive(format, data) if format in ARCHIVES else data

    paragraph = marks.paragraph.format(PARAGRAPH)
    opened, closed = marks.opened.format(), marks.closed.format()
    yield "in another encoding than it says", lambda: file(marks.paragraph.format(ACCENTS * 20), "cp1252")
    yield "no headings", lambda: file(paragraph * 1000)
    yield (
        f"{scale.nestings:,} nestings",
        lambda: file(opened * scale.nestings + (paragraph if "<" in opened else SENTENCE) + closed * scale.nestings),
    )
    yield (
        f"{scale.nestings:,} nestings, never closed",
        lambda: file((opened + SENTENCE * (format == "text")) * scale.nestings + paragraph),
    )
    yield f"{scale.bytes >> 20} MB", lambda: file(paragraph * (scale.bytes // len(paragraph)))
    yield "60 MB", lambda: file(paragraph * (int(0.3 * scale.bytes) // len(paragraph)))
    yield f"{scale.headings:,} headings, and nothing else", lambda: file(marks.heading * scale.headings)
    if format in ("jats", *ARCHIVES):
        yield "entities that grow", lambda: file(marks.paragraph.format("&l9;"), dtd=BOMB)
        yield "an entity that names a file", lambda: file(marks.paragraph.format("&l9;"), dtd=THIEF)
    if format in ARCHIVES:
        whole = file(paragraph)
        yield "a zip bomb", lambda: _archive(format, bytes(scale.bytes), ZIP_DEFLATED)
        yield "cut in half", lambda: whole[: len(whole) // 2]


def _archive(format: str, content: bytes, compression: int = ZIP_STORED) -> bytes:
    name, members = ARCHIVES[format]
    file = BytesIO()
    with ZipFile(file, "w", compression) as archive:
        for other, text in members.items():
            archive.writestr(other, text)
        archive.writestr(name, content)
    return file.getvalue()


def _pdfs(scale: Scale) -> Iterator[File]:
    whole = _pdf(20).bytes()
    yield "random bytes after its first line", lambda: b"%PDF-1.7\n" + Random(0).randbytes(min(scale.bytes, 1 << 20))
    yield "cut in half", lambda: whole[: len(whole) // 2]
    yield "no headings", lambda: whole
    yield "encrypted with a password", _encrypted
    yield f"bookmarks nested {scale.nestings:,} deep", lambda: _bookmarked(range(1, scale.nestings + 1))
    yield f"pages nested {scale.nestings:,} deep", lambda: _nested_pages(scale.nestings)
    yield f"{scale.bytes >> 20} MB", lambda: _pdf(scale.bytes // 4600, packed=False).bytes()
    yield f"{scale.headings:,} bookmarks", lambda: _bookmarked([1] * scale.headings)
    yield f"{scale.headings // 10:,} headings by their looks, and nothing else", lambda: _headings(scale.headings // 10)
    yield "a stream that grows to a thousand times its size", lambda: _stream_bomb(scale.bytes * 5)


def _pdf(pages: int, packed: bool = True) -> PdfFile:
    file = PdfFile(packed=packed)
    file.page()
    for line in range(38):
        file.text(72, 90 + 16 * line, SENTENCE.strip(), 10)
    file.pages *= pages
    return file


def _bookmarked(levels: range | list[int]) -> bytes:
    file = _pdf(2)
    file.bookmarks = [Bookmark(f"Tea {i}", level, 1, None) for i, level in enumerate(levels)]
    return file.bytes()


def _headings(count: int) -> bytes:
    file = PdfFile()
    for number in range(count):
        if number % 30 == 0:
            file.page()
        file.text(72, 90 + 20 * (number % 30), f"{number + 1} Tea", 14, "Helvetica-Bold")
    return file.bytes()


def _nested_pages(depth: int) -> bytes:
    objects = {1: "<< /Type /Catalog /Pages 10 0 R >>", 9: "<< >>"}
    for number in range(10, 10 + depth):
        objects[number] = f"<< /Type /Pages /Count 1 /Kids [{number + 1} 0 R] /Parent {number - 1} 0 R >>"
    box = (
        "/MediaBox [0 0 600 800] /Resources << /Font << /F0 << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >>"
    )
    last = 10 + depth
    objects[last] = f"<< /Type /Page /Parent {last - 1} 0 R {box} /Contents {last + 1} 0 R >>"
    return assemble(objects, {last + 1: b"BT /F0 1 Tf 1 5 Td (The tea of the hill gardens.) Tj ET"})


def _encrypted() -> bytes:
    keys = "/Filter /Standard /V 1 /R 2 /P -4 /O <" + "41" * 32 + "> /U <" + "42" * 32 + ">"
    file = _pdf(1).bytes()
    return file.replace(b"trailer << ", f"trailer << /ID [<41> <41>] /Encrypt << {keys} >> ".encode())


def _stream_bomb(size: int) -> bytes:
    box = "/MediaBox [0 0 600 800] /Resources << >>"
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        3: f"<< /Type /Page /Parent 2 0 R {box} /Contents 4 0 R >>",
        9: "<< >>",
    }
    return assemble(objects, {4: b" " * size})
