"""DOCX, EPUB and JATS to finished Documents, beside the shortest way to their bare text with the usual libraries.

The rivals neither divide sentences and tokens nor nest anything. Rows of the same format show how time grows with size.
"""

from collections.abc import Callable, Iterable
from io import BytesIO
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

from benchmarks import Row, race
from docqn.parsers import docx, epub, jats

SIZES = (200, 2000, 10_000)  # paragraphs
WORDS = """tea leaf water cup garden harvest green black trade ship port tax river hill morning old often never the a of
in""".split()
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def run(seed: int) -> Iterable[Row]:
    """Each format at each size."""
    contestants: list[
        tuple[str, Callable[[list[str]], bytes], Callable[[bytes], object], Callable[[bytes], object], str]
    ] = [
        ("DOCX", write_docx, lambda data: docx.parse(data, "x"), read_docx, "python-docx"),
        ("EPUB", write_epub, lambda data: epub.parse(data, "x"), read_epub, "zipfile and lxml.html"),
        ("JATS", write_jats, lambda data: jats.parse(data, "x"), read_jats, "lxml.etree"),
    ]
    for name, write, ours, theirs, rival in contestants:
        for size in SIZES:
            texts = paragraphs(size, Random(seed))
            data = write(texts)
            mine, other = race(lambda: ours(data), lambda: theirs(data), rounds=3)  # noqa: B023
            work = f"{name}, {size:,} paragraphs, {sum(map(len, texts)) / 1e6:.2g} MB of text"
            yield Row(work, mine, rival, other)


def paragraphs(count: int, random: Random) -> list[str]:
    """Texts of some sentences; each tenth is a heading."""
    return [
        " ".join(random.choices(WORDS, k=4)).title()
        if i % 10 == 0
        else " ".join(" ".join(random.choices(WORDS, k=random.randint(5, 25))).capitalize() + "." for _ in range(4))
        for i in range(count)
    ]


def packed(members: dict[str, str]) -> bytes:
    """A zip archive."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def write_docx(texts: list[str]) -> bytes:
    """With three runs a paragraph, as Word writes."""

    def paragraph(i: int, text: str) -> str:
        third = len(text) // 3
        parts = text[:third], text[third : 2 * third], text[2 * third :]
        style = "Heading1" if i % 10 == 0 else "Normal"
        properties = f'<w:pPr><w:pStyle w:val="{style}"/><w:spacing w:after="120"/></w:pPr>'
        look = '<w:rPr><w:rFonts w:ascii="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr>'
        runs = "".join(f'<w:r w:rsidR="00AB12CD">{look}<w:t xml:space="preserve">{part}</w:t></w:r>' for part in parts)
        return f'<w:p w:rsidR="00AB12CD" w:rsidRDefault="00AB12CD">{properties}{runs}</w:p>'

    body = "".join(paragraph(i, text) for i, text in enumerate(texts))
    main = f'<Override PartName="/word/document.xml" ContentType="{MAIN_TYPE}"/>'
    parts = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    relation = f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{parts}{main}</Types>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relation}</Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
        }
    )


PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def read_docx(data: bytes) -> str:
    """The text of all paragraphs."""
    from docx import Document

    return "\n".join(paragraph.text for paragraph in Document(BytesIO(data)).paragraphs)


def chapters(texts: list[str]) -> list[str]:
    """HTML bodies of 100 paragraphs each."""
    html = [f"<h2>{text}</h2>" if i % 10 == 0 else f"<p>{text}</p>" for i, text in enumerate(texts)]
    return ["\n".join(html[i : i + 100]) for i in range(0, len(html), 100)]


def write_epub(texts: list[str]) -> bytes:
    """A book of several documents."""
    bodies = chapters(texts)
    items = "".join(
        f'<item id="i{i}" href="{i}.xhtml" media-type="application/xhtml+xml"/>' for i in range(len(bodies))
    )
    spine = "".join(f'<itemref idref="i{i}"/>' for i in range(len(bodies)))
    return packed(
        {
            "META-INF/container.xml": '<container><rootfile full-path="x.opf"/></container>',
            "x.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **{
                f"{i}.xhtml": f"<html><head><title>x</title></head><body>{body}</body></html>"
                for i, body in enumerate(bodies)
            },
        }
    )


def read_epub(data: bytes) -> str:
    """The text of all documents."""
    from lxml import html

    with ZipFile(BytesIO(data)) as archive:
        documents = [archive.read(name) for name in archive.namelist() if name.endswith(".xhtml")]
    return "\n".join(html.fromstring(document).text_content() for document in documents)


def write_jats(texts: list[str]) -> bytes:
    """An article with citations."""
    parts = [
        f"{'</sec>' if i else ''}<sec><title>{text}</title>\n" if i % 10 == 0 else f"<p>{text[:-1]} {CITATION}.</p>\n"
        for i, text in enumerate(texts)
    ]
    return f'<article dtd-version="1.1"><front/><body>{"".join(parts)}</sec></body></article>'.encode()


CITATION = '[<xref ref-type="bibr" rid="b1">1</xref>]'


def read_jats(data: bytes) -> str:
    """All text."""
    from lxml import etree

    return "".join(etree.fromstring(data).itertext())
