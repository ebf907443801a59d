"""PDF: what was typeset comes out as it went in. The typesetter, which knows what it set, is the oracle."""

import random
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import detect, parse_bytes
from docqn.parsers.pdf import likelihood, parse
from docqn.parsers.pdf_pages.lines import DIVIDED
from docqn.parsers.pdf_pages.reader import tidied
from tests.parsers.pdf_files import PIECES, WORDS, Bookmark, PdfFile, assemble, width
from tests.parsers.pdf_typesetter import Typesetter, article, fill, manual, sentences

PROSE = "The quick agents of the archive went along the river to see whether the bridge was open, and it was."


def blocks(document: Document) -> list[tuple[int, str, int]]:
    """Level, text and page of headings and paragraphs."""
    assert violations(document) == []
    nodes = [u for u in range(1, len(document)) if document.kind[u] != SENTENCE]
    return [(int(document.level[u]), document.text_of(u), int(document.page[u])) for u in nodes]


def headings(document: Document) -> list[tuple[int, str]]:
    return [(level, text) for level, text, _ in blocks(document) if level]


def paragraphs(document: Document) -> list[str]:
    return [text for level, text, _ in blocks(document) if not level]


def running(found: list[tuple[int, str, int]]) -> list[tuple[int, str]]:
    """Headings, and the text between them as one."""
    groups = groupby(found, lambda block: block[0])
    return [(level, " ".join(text for _, text, _ in group)) for level, group in groups]


def read(file: PdfFile) -> Document:
    return parse(file.bytes(), "papers/x.pdf")


def page_with(*lines: str) -> PdfFile:
    """A file of one page with these lines, one below the other."""
    file = PdfFile()
    file.page()
    for i, line in enumerate(lines):
        file.text(72, 100 + 12 * i, line)
    return file


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("make", [article, lambda piece: Typesetter(columns=1, piece=piece, space=0, indent=15)])
def test_gives_back_what_was_typeset(make: Callable[[str], Typesetter], piece: str) -> None:
    page = fill(make(piece), seed=1, sections=4)
    assert blocks(read(page.file)) == page.blocks


@pytest.mark.parametrize("seed", range(12))
def test_gives_back_columns_of_any_shape(seed: int) -> None:
    chance = random.Random(seed)
    indent, space = chance.choice(((14.0, 0.0), (0.0, 8.0)))
    page = Typesetter(
        columns=chance.choice((1, 2, 3)),
        size=chance.choice((8.0, 9.5, 11.0)),
        leading=chance.choice((1.1, 1.2, 1.4)),
        gutter=chance.choice((14.0, 24.0)),
        justified=chance.random() < 0.7,
        hyphens=chance.random() < 0.5,
        outline=chance.random() < 0.5,
        head=chance.choice(("", "Annals of the Parish, vol. {}")),
        heading_sizes=(15.0, 13.0, 12.0),
        indent=indent,
        space=space,
    )
    page = fill(page, seed, sections=9)
    found = blocks(read(page.file))
    if indent:
        assert found == page.blocks
    else:  # where a column ends with a sentence, nothing tells whether the paragraph does
        assert running(found) == running(page.blocks)
        assert len(found) - len(page.blocks) <= 2


@pytest.mark.parametrize("outline", [True, False])
def test_running_heads_and_page_numbers_go(outline: bool) -> None:
    page = manual()
    page.outline = outline
    fill(page, seed=3, sections=8)
    document = read(page.file)
    assert len(page.file.pages) > 5
    assert blocks(document) == page.blocks
    assert document.title == "The Complete Manual"
    assert "Manual" not in " ".join(paragraphs(document))


def test_a_paragraph_over_pages_is_one_and_its_sentences_know_their_page() -> None:
    page = Typesetter(space=0, indent=12)
    text = sentences(random.Random(5), 200)
    page.paragraph(text)
    document = read(page.file)
    assert blocks(document) == [(0, text, 1)]
    last = int(document.page[document.kind == SENTENCE][-1])
    assert last == len(page.file.pages) > 1
    assert (document.page[1:-1] <= document.page[2:]).all()


def test_lines_drawn_across_columns_are_divided() -> None:
    page, chance = Typesetter(columns=2, space=0, indent=12, hyphens=True), random.Random(2)
    while len(page.file.pages) < 3:
        page.paragraph(sentences(chance, chance.randint(1, 8)))
    for operations in page.file.pages:  # row by row, as some programs draw; PDFium then sees lines over both columns
        operations.sort(key=lambda operation: -float(re.findall(r"([\d.]+) Tm", operation)[0]))
    assert blocks(read(page.file)) == page.blocks


def test_rows_of_a_table_are_not_divided() -> None:
    file = PdfFile()
    file.page()
    for i in range(20):
        for x, cell in ((72, f"Region number {i}"), (250, f"{i * 37} inhabitants"), (420, f"founded in {1800 + i}")):
            file.text(x, 100 + 14 * i, cell)
    rows = paragraphs(read(file))
    assert rows == [f"Region number {i} {i * 37} inhabitants founded in {1800 + i}" for i in range(20)]


def test_what_was_drawn_late_is_put_in_its_place() -> None:
    page = fill(article(), seed=4, sections=3)
    for operations in page.file.pages:
        half = len(operations) // 3
        operations[:] = operations[half:] + operations[:half]
    assert blocks(read(page.file)) == page.blocks


def test_headings_over_both_columns_part_the_page() -> None:
    page = Typesetter(PdfFile("Floods of the river"), columns=2, space=0, indent=12)
    chance = random.Random(6)
    for part in ("Before the flood", "After the flood"):
        page.column, page.floor = 0, page.top + 30
        page.file.text(72, page.floor, part, 16, "Times-Bold")
        page.blocks.append((1, part, 1))
        page.floor = page.top = page.floor + 10
        text = sentences(chance, 8)
        for column in (0, 1):  # of one length, as balanced columns are
            page.column, page.top = column, page.floor
            page.paragraph(text)
    assert blocks(read(page.file)) == page.blocks


# What headings look like


def test_numbers_tell_the_level_and_contents_are_no_headings() -> None:
    page = Typesetter(PdfFile("Some rules"), heading_sizes=(12.0, 12.0, 12.0))
    page.file.text(72, 90, "Contents", 12, "Times-Bold")
    entries = [("1 Start", 2), ("1.1 Middle", 2), ("1.1.1 Detail", 3), ("2 Finish", 4)]
    for i, (title, number) in enumerate(entries):
        page.file.text(72, 120 + 14 * i, title + " . " * 30 + str(number), 10, "Times-Bold")
    page.top = 300
    for level, title in ((1, "1 Start"), (2, "1.1 Middle"), (3, "1.1.1 Detail"), (1, "2 Finish")):
        page.heading(title, level)
        page.paragraph(sentences(random.Random(1), 6))
    document = read(page.file)
    assert headings(document) == [
        (1, "Contents"),
        (1, "1 Start"),
        (2, "1.1 Middle"),
        (3, "1.1.1 Detail"),
        (1, "2 Finish"),
    ]
    assert paragraphs(document)[:2] == ["1 Start … 2", "1.1 Middle … 2"]


def test_levels_go_by_size_where_there_are_no_numbers() -> None:
    page = Typesetter(heading_sizes=(18.0, 14.0, 10.0))
    for level, title in ((1, "Rivers"), (2, "Great rivers"), (3, "Their sources"), (2, "Small rivers"), (1, "Lakes")):
        page.heading(title, level)
        page.paragraph(sentences(random.Random(level), 5))
    assert headings(read(page.file)) == [(level, text) for level, text, _ in page.blocks if level]


def test_a_chapter_label_joins_the_heading_below() -> None:
    page = Typesetter()
    for number, title in ((1, "Loomings"), (2, "The Carpet-Bag")):
        page.top += 40
        page.file.text(72, page.top, f"Chapter {number}", 16, "Times-Bold")
        page.file.text(72, page.top + 30, title, 20, "Times-Bold")
        page.top += 60
        page.paragraph(sentences(random.Random(number), 8))
    assert headings(read(page.file)) == [(1, "Chapter 1 Loomings"), (1, "Chapter 2 The Carpet-Bag")]


def test_names_in_bold_letters_of_code_are_headings_but_bold_code_is_not() -> None:
    page = Typesetter(PdfFile("All about agents"))
    for name in ("agent.destroy()", "agent.sockets"):
        page.top += 24
        page.file.text(72, page.top, name, 10, "Courier-Bold")
        page.top += 6
        page.paragraph(sentences(random.Random(1), 5))
        page.top += 20
        for i, word in enumerate(("class Agent", "return 1", "pass")):
            page.file.text(72, page.top + 11 * i, word, 9, "Courier-Bold" if i else "Courier")
        page.top += 40
    assert headings(read(page.file)) == [(1, "agent.destroy()"), (1, "agent.sockets")]


def test_bold_lines_right_below_each_other_at_different_margins_are_apart() -> None:
    """As in a manual of options."""
    page, chance = Typesetter(PdfFile("tool")), random.Random(2)
    for larger, smaller, option in (("OPTIONS", "Changing files", "--keep"), ("FILES", "Own files", "--own")):
        page.top += 20
        for line, (left, text) in enumerate(((72, larger), (87, smaller), (108, option))):
            page.file.text(left, page.top + 12 * line, text, 10 if line else 11, "Times-Bold")
        page.top += 28
        page.paragraph(sentences(chance, 4))
    found = read(page.file)
    assert headings(found) == [(1, "OPTIONS"), (2, "Changing files"), (1, "FILES"), (2, "Own files")]
    assert {"--keep", "--own"} < set(paragraphs(found))


def test_bold_words_captions_and_table_heads_are_no_headings() -> None:
    file = page_with(*[PROSE] * 3)
    file.text(72, 160, "Figure 1: the bridge, from the river", 10, "Times-Bold")
    file.text(72, 200, "Note", 10, "Times-Bold")
    file.text(95, 200, "that " + PROSE[:60])
    for x, head in ((72, "Place"), (250, "Year"), (420, "Cost")):
        file.text(x, 240, head, 10, "Times-Bold")
    assert headings(read(file)) == []


def test_numbered_lines_are_headings_of_a_text_in_one_face() -> None:
    page = Typesetter()
    for i, title in enumerate(("Scope", "Terms", "Rules", "Fees"), start=1):
        page.top += 20
        page.file.text(72, page.top, f"{i} {title}", 10)
        page.paragraph(sentences(random.Random(i), 6))
    assert headings(read(page.file)) == [(1, "1 Scope"), (1, "2 Terms"), (1, "3 Rules"), (1, "4 Fees")]


# Bookmarks


def outlined(bookmarks: list[Bookmark], lines: list[tuple[float, str]]) -> Document:
    """A page with lines at heights, and the bookmarks."""
    file = PdfFile("A title for this")
    file.page()
    for top, line in lines:
        file.text(72, top, line)
    file.bookmarks = bookmarks
    return read(file)


def test_bookmarks_make_headings_of_the_lines_they_name() -> None:
    lines = [(100.0, "1. Rivers of"), (112.0, "the North"), (140.0, PROSE), (200.0, "1.1 Sources"), (220.0, PROSE)]
    document = outlined([Bookmark("Rivers of the North", 1, 0, 90), Bookmark("1.1 Sources", 2, 0, 190)], lines)
    assert blocks(document) == [(1, "1. Rivers of the North", 1), (0, PROSE, 1), (2, "1.1 Sources", 1), (0, PROSE, 1)]


def test_a_heading_is_spelt_as_in_its_bookmark_where_a_narrow_column_divides_it() -> None:
    lines = [(100.0, "agent.connect(opti"), (112.0, "ons[, callback"), (124.0, "])"), (150.0, PROSE)]
    lines += [
        (200.0, "The well-"),
        (212.0, "known agents"),
        (250.0, PROSE),
        (300.0, "Non-regular ones"),
        (340.0, PROSE),
    ]
    titles = "agent.connect(options[, callback])", "The well-known agents", "Nonregular ones"
    marks = [Bookmark(title, 1, 0, 90 + 100 * i) for i, title in enumerate(titles)]
    assert blocks(outlined(marks, lines)) == [
        (1, "agent.connect(options[, callback])", 1),
        (0, PROSE, 1),
        (1, "The well-known agents", 1),
        (0, PROSE, 1),
        (1, "Non-regular ones", 1),
        (0, PROSE, 1),
    ]


@pytest.mark.parametrize(
    "line", ["Exercise 5.7: Swimming", "Swimming3", "2 SWIMMING", "Chapter 4. Swimming", "IV. Swimming"]
)
def test_a_bookmark_finds_its_line_despite_labels_and_marks(line: str) -> None:
    document = outlined([Bookmark("Other", 1, 0, 200), Bookmark("Swimming", 1, 0, 90)], [(100, line), (140, PROSE)])
    assert blocks(document)[0] == (1, line, 1)


def test_a_bookmark_that_names_no_line_makes_a_section_where_it_leads() -> None:
    above, below = PROSE, PROSE.replace("quick", "slow")
    marks = [Bookmark("Part", 1, -1, None), Bookmark("Above", 2, 0, 90), Bookmark("Below", 2, 0, 180)]
    document = outlined(marks, [(100, above), (200, below)])
    assert blocks(document) == [(1, "Part", 1), (2, "Above", 1), (0, above, 1), (2, "Below", 1), (0, below, 1)]


def test_the_same_title_again_goes_to_its_own_line() -> None:
    lines = [(100.0, "Remarks"), (120.0, PROSE), (300.0, "Remarks"), (320.0, PROSE)]
    document = outlined([Bookmark("Remarks", 1, 0, 290), Bookmark("Remarks", 1, 0, 90)], lines)
    assert [text for level, text, _ in blocks(document) if level] == ["Remarks", "Remarks"]
    assert [level for level, _, _ in blocks(document)] == [1, 0, 1, 0]


def test_an_outline_in_circles_is_read_once() -> None:
    file = page_with(PROSE)
    file.bookmarks = [Bookmark("One", 1, 0, 90), Bookmark("Two", 1, 0, 90)]
    data = re.sub(rb"/Prev (\d+) 0 R", rb"/Next \1 0 R", file.bytes())
    assert [text for _, text in headings(parse(data, "x.pdf"))] == ["One", "Two"]


# Text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("the house was remark-", "ably large for its time"), "the house was remarkably large for its time"),
        (("well-known words, a well-", "known house stood there"), "well-known words, a well-known house stood there"),
        (("it was built by Mr Meyer-", "Landrut in the year"), "it was built by Mr Meyer-Landrut in the year"),
        (
            ("throughout the town and through-", "out the land they went"),
            "throughout the town and throughout the land they went",
        ),
        (("see http://example.org/a/", "b.html for more of it"), "see http://example.org/a/b.html for more of it"),
        (("work in-progress and in-", "progress is on-", "going"), "work in-progress and in-progress is on-going"),
        (("the COMMANDS, COM-", "MANDS and SUB-", "COMMANDS"), "the COMMANDS, COMMANDS and SUB-COMMANDS"),
        (("the eﬃcient ofﬁce ﬂew", "away from the house"), "the efficient office flew away from the house"),
    ],
)
def test_lines_become_running_text(lines: tuple[str, ...], text: str) -> None:
    assert paragraphs(read(page_with(*lines))) == [text]


def test_a_word_may_be_divided_before_smaller_letters_of_code() -> None:
    file, rest = page_with(PROSE + " COMMANDS"), "with so many words about it that they reach the end of this line"
    parts = [("COM-", "MANDS."), ("Infin-", "ity."), ("rest-", "ful.")]
    for i, (first, last) in enumerate(parts):
        top = 150 + 60 * i
        file.text(72, top, f"It is said here, {rest}, see {first}")
        file.text(72, top + 12, last, 8.5, "Courier")
        file.text(72, top + 30, PROSE)
    found = [text.rsplit(" ", 1)[1] for text in paragraphs(read(file)) if text.startswith("It is")]
    assert found == ["COMMANDS.", "Infinity.", "restful."]


@pytest.mark.parametrize("hyphen", ["\ufffe", "\u2010"])
def test_hyphens_at_line_ends_divide(hyphen: str) -> None:
    assert tidied("Infin" + hyphen) == "Infin" + DIVIDED
    assert tidied("naïve fin" + hyphen) == "naïve fin" + DIVIDED


def test_a_heading_of_two_lines_is_spaced_like_the_text() -> None:
    file = PdfFile("Much ado")
    file.page()
    file.text(72, 90, "A heading that is broken, though it is", 15, "Times-Bold")
    file.text(72, 117, "not so long", 15, "Times-Bold")
    for i in range(8):
        file.text(72, 150 + 18 * i, PROSE)
    assert headings(read(file)) == [(1, "A heading that is broken, though it is not so long")]


def test_list_items_are_paragraphs() -> None:
    file = PdfFile()
    file.page()
    rest = "and so many words about it that they reach as far as the end of this line does,"
    items = [
        f"{mark} the {name} thing {rest}"
        for mark, name in (("•", "first"), ("•", "second"), ("1.", "next"), ("2.", "last"))
    ]
    file.text(72, 100, "These things are to be considered by all who come here:")
    for i, item in enumerate(items):
        file.text(90, 114 + 24 * i, item)
        file.text(100, 126 + 24 * i, "and what goes on below it")
    assert paragraphs(read(file))[1:] == [f"{item} and what goes on below it" for item in items]


def test_code_keeps_its_lines() -> None:
    file = page_with(PROSE, PROSE)
    for i, line in enumerate(("def add(a, b):", "return a + b", "print(add(1, 2))")):
        file.text(72 + 18 * (i == 1), 140 + 11 * i, line, 9, "Courier")
    assert paragraphs(read(file))[-1] == "def add(a, b):\nreturn a + b\nprint(add(1, 2))"


def test_code_in_wide_letters_is_no_table() -> None:
    file = page_with(*["little filial title, till it will fill its lilt illicitly still, if it is initial, " * 2] * 6)
    code = [f"wwmmww{i}(wwmmww)" for i in range(4)]
    for i, line in enumerate(code):
        file.text(72, 200 + 11 * i, line, 9, "Courier")
    assert paragraphs(read(file))[-1] == "\n".join(code)


@pytest.mark.parametrize("codes", [(0,), (0, 3), (0, 3, 5)])
def test_smaller_words_of_code_do_not_part_a_paragraph(codes: tuple[int, ...]) -> None:
    """As manuals have them; where a line is in several sizes, its own is not that of its first word."""
    file, words = page_with(), ["some", "elements", "contain", "the", "others", "that", "may", "match"]
    for row in range(5):
        x = 72.0
        for i, word in enumerate(words * 2):
            small = row == 2 and i % len(words) in codes
            font = "Courier" if small else "Times-Roman"
            file.text(x, 100 + 12 * row, word, 8.5 if small else 10, font)
            x += width(word, 8.5 if small else 10, font) + 3
    assert paragraphs(read(file)) == [" ".join(words * 10)]


def test_larger_lines_are_not_continued_on_the_next_page() -> None:
    """As the heads of functions in a manual: what stands below is smaller, and is no footnote all the same."""
    page, chance = Typesetter(space=12, foot="", justified=False, outline=True), random.Random(3)
    page.heading("Functions")
    page.heading("In their order", 2)
    heads = [f"int {word} (const char * name, unsigned int * size, void * buffer, int flags)" for word in WORDS[:4]]
    for head in heads:
        page.top += 20
        page.file.text(72, page.top, head, 11, spread=9)
        page.top += 20
        for _ in range(3):
            page.paragraph(sentences(chance, 3))
        page.file.page()
        page.top = page.margin
    assert [text for text in paragraphs(read(page.file)) if text.startswith("int ")] == heads


def test_footnotes_do_not_part_a_paragraph() -> None:
    page, chance = Typesetter(space=0, indent=12, foot=""), random.Random(8)
    texts = []
    while len(page.file.pages) < 3:
        texts.append(sentences(chance, 6))
        page.paragraph(texts[-1])
    notes = [sentences(chance, 1) for _ in page.file.pages]
    for operations, text in zip(page.file.pages, notes, strict=True):
        note = page_with()
        note.text(72, 745, text, 7)
        operations += note.pages[0]
    found = paragraphs(read(page.file))
    assert [text for text in found if text not in notes] == texts
    assert set(notes) <= set(found)


def test_pages_that_are_turned_are_read_upright() -> None:
    file = PdfFile(rotate=90)
    file.page()
    for i in range(8):  # upwards on the page, thus level when it is shown turned
        file.text(700, 100 + 12 * i, PROSE[:59], 10, turn=True)
    file.text(72, 72, "Stamp", 10)
    assert paragraphs(read(file)) == [" ".join([PROSE[:59]] * 8)]


# Title


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("A Guide to Rivers", "A Guide to Rivers"),
        ("", "The Great Book"),
        ("untitled", "The Great Book"),
        ("Microsoft Word - final2.docx", "The Great Book"),
        ("Microsoft Word - A Guide to Rivers", "A Guide to Rivers"),
        ("C:\\texts\\rivers.tex", "The Great Book"),
        ("12345", "The Great Book"),
    ],
)
def test_title(given: str, title: str) -> None:
    file = PdfFile(given)
    file.page()
    file.text(150, 90, "The Great Book", 22, "Times-Bold")
    file.text(180, 120, "by A. N. Author", 12)
    for i in range(6):
        file.text(72, 200 + 12 * i, PROSE)
    document = read(file)
    assert document.title == title
    assert headings(document) == ([] if title == "The Great Book" else [(1, "The Great Book")])


def test_without_any_title_the_file_names_it() -> None:
    assert read(page_with(PROSE, PROSE)).title == "x"


# Whatever comes


def test_looks_like_a_pdf() -> None:
    data = page_with(PROSE).bytes()
    assert likelihood(data) == 1
    assert likelihood(b"\n" * 500 + data) == 1
    assert likelihood(b"\n" * 2000 + data) == 0
    assert likelihood(b"<html>") == 0
    assert detect(data, "report") == "pdf"
    assert parse_bytes(data, "report").format == "pdf"


def encrypted(filter: str) -> bytes:
    dictionary = f"<< /Filter /{filter} /V 1 /R 2 /O ({'a' * 32}) /U ({'b' * 32}) /P -4 >>"
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>", 20: dictionary}
    return assemble(objects, {}, "/Root 1 0 R /Encrypt 20 0 R /ID [(aaaa) (aaaa)]")


def drawing(content: bytes) -> bytes:
    """A file whose one page has this content."""
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 11 0 R >>"
    tree = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>", 10: page}
    return assemble(tree, {11: content}, "/Root 1 0 R")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.4\n%%EOF", "damaged"),
        (page_with(PROSE).bytes()[:500], "damaged"),
        (PdfFile().bytes(), "without pages"),
        (drawing(b"0 0 100 100 re f"), "holds no text, only images"),
        (encrypted("Standard"), "is encrypted and asks for a password"),
        (encrypted("Strange"), "is encrypted in a way"),
        (drawing(b"q " * 20_000_000), "more than 32 MB"),
    ],
    ids=["empty", "cut", "no pages", "no text", "password", "other encryption", "bomb"],
)
def test_what_cannot_be_read_is_said_on_one_line(data: bytes, problem: str) -> None:
    with pytest.raises(ParseError, match=problem) as raised:
        parse(data, "x.pdf")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("size", [(1e9, 1e9), (0.0, 0.0), (1e-9, 5.0)])
def test_absurd_page_sizes(size: tuple[float, float]) -> None:
    file = page_with(PROSE)
    file.size = size
    assert violations(read(file)) == []


def test_many_bookmarks_and_deep_ones() -> None:
    file = page_with(PROSE)
    file.bookmarks = [Bookmark(f"b {i}", 1 + i % 400, 0, 100.0) for i in range(4000)]
    assert len(headings(read(file))) == 4000


def test_a_page_in_absurdly_many_pieces_is_passed_over() -> None:
    file = PdfFile()
    file.page()
    file.pages[0] = [f"BT /F0 6 Tf 1 0 0 1 72 {700 - i % 600} Tm (x) Tj ET" for i in range(30_001)]
    file.page()
    file.text(72, 100, PROSE)
    assert paragraphs(read(file)) == [PROSE]


SOUND = [fill(article(), 1, pages=1).file, fill(manual(), 1, pages=2).file]
for _file in SOUND:
    _file.packed = False
SOUND_BYTES = [_file.bytes() for _file in SOUND]


@settings(max_examples=150)
@given(st.data())
def test_damaged_files_give_a_sound_tree_or_an_error(data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(SOUND_BYTES)))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=12))
    with suppress(ParseError):
        assert violations(parse(bytes(content), "x.pdf")) == []


def test_threads_take_turns() -> None:
    data = fill(manual(), 2, pages=3).file.bytes()
    expected = parse(data, "x.pdf").text
    texts: list[str] = []
    threads = [threading.Thread(target=lambda: texts.append(parse(data, "x.pdf").text)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [expected] * 4


def test_every_node_has_a_page_and_none_a_line() -> None:
    document = read(fill(article(), 1, sections=2).file)
    assert (document.line == NONE).all()
    assert (document.page[(document.kind == PARAGRAPH) | (document.kind == SECTION)] >= 1).all()
