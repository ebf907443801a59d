import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import markdown, wikitext
from docqn.parsers.source_text import MOST_LINES
from docqn.parsers.text import likelihood, parse

MANUAL = Path(__file__).parents[1] / "data" / "manual.txt"
PROSE = "This is a paragraph of some length, so that it is not taken for a title, and it ends like a sentence.\n"


def parsed(text: str) -> Document:
    document = parse(text.encode(), "notes.txt")
    assert violations(document) == []
    return document


def nodes(document: Document, kind: int) -> list[str]:
    return [document.text_of(node) for node in range(len(document)) if document.kind[node] == kind]


def paragraphs(text: str) -> list[str]:
    return nodes(parsed(text), PARAGRAPH)


def sections(text: str) -> list[tuple[int, str]]:
    """Depth and heading of each section."""
    document = parsed(text)
    return [(int(document.depth[n]), document.text_of(n)) for n in range(len(document)) if document.kind[n] == SECTION]


@pytest.fixture(scope="module")
def manual() -> Document:
    return parse(MANUAL.read_bytes(), "manual.txt")


def test_manual_has_the_outline_that_its_author_gave_it(manual: Document) -> None:
    assert manual.title == "LARKSPUR WEATHER STATION"
    found = [
        (int(manual.depth[n]), int(manual.page[n]), manual.text_of(n))
        for n in range(len(manual))
        if manual.kind[n] == SECTION
    ]
    assert found == [
        (1, 1, "Contents"),
        (1, 1, "1. What is in the box"),
        (1, 1, "2. Setting up"),
        (2, 1, "2.1 Choosing a place"),
        (2, 2, "2.2 Mounting the mast"),
        (1, 2, "3. Reading the display"),
        (1, 3, "4. Care"),
        (1, 3, "Appendix A: Technical data"),
        (1, 3, "Appendix B: Address"),
    ]


def test_manual_goes_on_over_pages_without_their_heads(manual: Document) -> None:
    texts = nodes(manual, PARAGRAPH)
    assert any(
        text.endswith("Where neither can be had, choose the place for the wind and move the display instead.")
        for text in texts
    )
    assert any("and the measurement is taken again" in text for text in texts)
    assert "3. Set the sensor on top, with the arrow pointing north." in texts
    assert "a mast in three pieces, of which the top piece is the one with the red ring" in texts
    assert "Larkspur makers\n7 Harbour Lane\nWellmouth" in texts
    assert not re.search(r"Page \d|Version 2", manual.text)


def test_manual_gives_each_node_its_line_and_page(manual: Document) -> None:
    source = MANUAL.read_text().replace("\f", "").split("\n")
    starts = [number for number, line in enumerate(MANUAL.read_text().split("\n"), 1) if "\f" in line]
    for node in range(len(manual)):
        line = int(manual.line[node])
        assert manual.text_of(node).split()[0] in source[line - 1]
        assert manual.page[node] == 1 + sum(start <= line for start in starts)


# Headings


def numbered(*headings: str) -> str:
    return "\n".join(f"{heading}\n\n{PROSE}" for heading in headings)


def test_numbered_headings_nest_by_their_numbers() -> None:
    text = numbered("1 One", "1.1 Two", "1.1.1 Three", "1.2 Four", "2 Five", "2.1 Six", "3. Seven.")
    assert sections(text) == [
        (1, "1 One"),
        (2, "1.1 Two"),
        (3, "1.1.1 Three"),
        (2, "1.2 Four"),
        (1, "2 Five"),
        (2, "2.1 Six"),
        (1, "3. Seven."),
    ]


@pytest.mark.parametrize(
    ("headings", "depths"),
    [
        (["I. One", "II. Two", "III. Three", "IV. Four"], [1, 1, 1, 1]),
        (["A. One", "B. Two", "C. Three"], [1, 1, 1]),
        (["I. One", "A. Two", "B. Three", "II. Four", "A. Five", "B. Six"], [1, 2, 2, 1, 2, 2]),
        (["I. One", "1. Two", "2. Three", "II. Four", "1. Five", "2. Six"], [1, 2, 2, 1, 2, 2]),
        (["Chapter 1", "Chapter 2"], [1, 1]),
        (["PART ONE", "Chapter 1: Tea", "Chapter 2: Milk", "PART TWO", "Chapter 3: Cups"], [1, 2, 2, 1, 2]),
        (["Part III", "Section 2 Salt", "Section 3 Pepper"], [1, 2, 2]),
        (["Chapter 4. Tea", "4.1 Leaf", "4.2 Cup", "Appendix A", "A.1 Water", "A.2 Milk"], [1, 2, 2, 1, 2, 2]),
        (["1. One", "2. Two", "Appendix A: Three", "References"], [1, 1, 1, 1]),
        (["ACT I", "Scene 1. A street.", "Scene 2. A room.", "ACT II", "Scene 1. Again."], [1, 2, 2, 1, 2]),
    ],
)
def test_numbers_and_words_make_headings(headings: list[str], depths: list[int]) -> None:
    assert sections(PROSE + "\n" + numbered(*headings)) == list(zip(depths, headings, strict=True))


def test_underlined_headings() -> None:
    text = (
        "=====\nTitle\n=====\n\nOne\n===\n\n" + PROSE + "\nTwo\n---\n" + PROSE + "More here.\nThree\n~~~~~\n" + PROSE
        + "\nFour\n====\n\n" + PROSE + "\nA line with a rule below.\n--------------------------\n\nEnd.\n"
    )  # fmt: skip
    document = parsed(text)
    assert document.title == "Title"
    assert document.line[0] == 2
    assert sections(text) == [(1, "One"), (2, "Two"), (3, "Three"), (1, "Four")]


def test_lines_in_capitals_are_headings_if_there_are_several() -> None:
    text = f"TITLE\n\nFIRST PART\n\n{PROSE}\nSECOND PART\nOF TWO\n\n{PROSE}"
    assert parsed(text).title == "TITLE"
    assert sections(text) == [(1, "FIRST PART"), (1, "SECOND PART OF TWO")]
    assert sections(f"{PROSE}\nONLY ONE\n\n{PROSE}") == []
    assert sections(f"{PROSE}\nNO!\n\n{PROSE}\nSTOP.\n\n{PROSE}") == []


def test_a_manual_page() -> None:
    text = "TEA(1)          Manual          TEA(1)\n\nNAME\n       tea - makes it\n\nOPTIONS\n       -m     with milk\n"
    assert sections(text) == [(1, "NAME"), (1, "OPTIONS")]
    overstruck = "N\bNA\bAM\bME\bE\n       tea\n\nS\bSE\bEE\bE\n       _\bc_\bu_\bp\n"
    assert paragraphs(overstruck) == ["tea", "cup"]


def test_indentation_nests() -> None:
    text = "Animals\n\n  Mammals\n\n    Dogs bark.\n\n  Birds\n\n    Parrots talk.\n\nPlants\n\n    Oaks grow.\n"
    assert sections(text) == [(1, "Animals"), (2, "Mammals"), (2, "Birds"), (1, "Plants")]
    outline = "Animals\n\tMammals\n\t\tDogs\n\t\tCats\n\tBirds\n\t\tParrots\nPlants\n\tOaks\n"
    assert sections(outline) == [(1, "Animals"), (2, "Mammals"), (2, "Birds"), (1, "Plants")]
    assert paragraphs(outline) == ["Dogs", "Cats", "Parrots", "Oaks"]


def test_short_lines_are_headings_only_if_all_agree() -> None:
    text = "\n".join(f"{title}\n\n{PROSE}" for title in ("Of tea", "Of milk", "Of cups"))
    assert sections(f"{PROSE}\n{text}") == [(1, "Of tea"), (1, "Of milk"), (1, "Of cups")]
    assert sections(f"{PROSE}\n{text}\nwith sugar,\n\nand lemon,\n\n{PROSE}") == []


def test_numbered_lists_are_no_headings() -> None:
    loose = f"{PROSE}\n1. Apples\n\n2. Pears\n\n3. Plums\n\n{PROSE}"
    tight = f"{PROSE}\n1. Apples\n2. Pears\n3. Plums\n\n{PROSE}"
    for text in (loose, tight):
        assert sections(text) == []
        assert "2. Pears" in paragraphs(text)


def test_a_list_within_numbered_sections_does_not_take_their_place() -> None:
    steps = "1. Apples\n\n2. Pears\n\n3. Plums\n\n"
    text = numbered("1. One", "2. Two") + "\n" + steps + numbered("3. Three")
    assert sections(text) == [(1, "1. One"), (1, "2. Two"), (1, "3. Three")]


def test_a_table_of_contents_is_no_heading() -> None:
    contents = "Contents\n\n1. One\n\n1.1 Two\n\n2. Three\n\n"
    document = parsed(contents + numbered("1. One", "1.1 Two", "2. Three"))
    lines = [int(document.line[n]) for n in range(len(document)) if document.kind[n] == SECTION]
    assert lines == [1, 9, 13, 17]


@pytest.mark.parametrize("first", ["It rained.", "Dear Anna,", "- tea", "From: Anna\nTo: Bob\nDate: today"])
def test_first_lines_that_are_no_title(first: str) -> None:
    document = parsed(f"{first}\n\n{PROSE}")
    assert (document.title, int(document.line[0])) == ("notes", NONE)


def test_the_first_line_is_the_title_if_it_reads_like_one() -> None:
    document = parsed(f"On tea\n\n{PROSE}")
    assert (document.title, int(document.line[0])) == ("On tea", 1)
    assert parsed("On tea\n").title == "notes"


# Paragraphs


def test_wrapped_lines_are_joined_and_others_end_with_a_break() -> None:
    text = (
        "It is a long line of prose which goes on to the very margin of the page\n"
        "and on the next line, until it ends. And then a short line ends here.\n\n"
        "Larkspur makers\n7 Harbour Lane\nWellmouth\n"
    )
    first, second = paragraphs(text)
    assert first.count("\n") == 0
    assert "margin of the page and on" in first
    assert second == "Larkspur makers\n7 Harbour Lane\nWellmouth"


def test_a_line_a_paragraph_where_lines_are_long() -> None:
    text = "".join(f"Paragraph {n} " + "goes on and on " * 12 + "to its end.\n" for n in range(4))
    assert [paragraph[:11] for paragraph in paragraphs(text)] == [f"Paragraph {n}" for n in range(4)]


def test_first_lines_that_are_indented_begin_paragraphs() -> None:
    line = "and this is a line of the story that is as long as the page is wide."
    text = f"    He came in. {line}\n{line}\n{line}\n    She went out. {line}\n{line}\n"
    assert [paragraph[:8] for paragraph in paragraphs(text)] == ["He came ", "She went"]


def test_list_items_are_paragraphs() -> None:
    text = "Needed:\n* tea, of which there\n  is enough\n* milk\n  - cold\n  - warm\n* cups\n\n"
    assert paragraphs(text) == ["Needed:", "tea, of which there is enough", "milk", "cold", "warm", "cups"]
    assert paragraphs("(a) one\n(b) two\n\n1) x\n2) y\n") == ["(a) one", "(b) two", "1) x", "2) y"]


def test_a_wrapped_line_that_looks_like_an_item_is_none() -> None:
    text = "This is a sentence that somebody wrapped so that the number is at\n3. The next one.\n"
    assert len(paragraphs(text)) == 1


def test_words_divided_at_line_ends_are_joined_where_the_text_shows_how() -> None:
    text = (
        "The measurement and the well-known number are in this text, and the mea-\n"
        "surement is joined since it is a word; but the well-\n"
        "known number keeps its hyphen, and so do 1990-\n2000 and Anglo-\nSaxon.\n"
    )
    (paragraph,) = paragraphs(text)
    assert "the measurement is joined" in paragraph
    assert "the well-known number keeps its hyphen, and so do 1990-2000 and Anglo-Saxon." in paragraph


def test_columns_stay_as_they_are() -> None:
    text = "Lamp      Meaning\ngreen     found\nred       weak\n"
    assert paragraphs(text) == ["Lamp      Meaning\ngreen     found\nred       weak"]


def test_rules_are_left_out_and_nothing_else_is_an_error() -> None:
    assert paragraphs(f"{PROSE}\n* * * * *\n\n-----\n\n{PROSE}") == [PROSE.strip()] * 2
    with pytest.raises(ParseError, match=r"^notes.txt: holds no words$"):
        parsed("-----\n\n* * *\n")


def test_wide_characters_are_joined_without_a_space() -> None:
    assert paragraphs("東京は日本の\n首都である。\n") == ["東京は日本の首都である。"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind(end: str) -> None:
    document = parsed(f"On tea\n\n{PROSE}\n1. One\n\n{PROSE}\n2. Two\n\n{PROSE}".replace("\n", end))
    assert document.line.tolist()[:4] == [1, 3, 3, 5]
    assert nodes(document, SECTION) == ["1. One", "2. Two"]


def test_form_feeds_count_pages() -> None:
    document = parsed("\fOne is here.\n\fTwo is here. And\nthree.\f\fFour.\n")
    found = [
        (int(document.line[n]), int(document.page[n]), document.text_of(n))
        for n in range(len(document))
        if document.kind[n] == PARAGRAPH
    ]
    assert found == [(1, 1, "One is here."), (2, 2, "Two is here. And three."), (3, 4, "Four.")]
    assert set(parsed("One.\n").page.tolist()) == {NONE}


def test_running_heads_need_pages_and_leave_the_first_and_chapters() -> None:
    body = "\n\n".join(f"Sentence {n} of this page is here, and it is of some length." for n in range(4))
    pages = [f"Book of Tea\n\nChapter {n}\n\n{body}\n\n- {n} -\n" for n in range(1, 5)]
    texts = parsed("\f".join(pages))
    assert texts.text.count("Book of Tea") == 1
    assert nodes(texts, SECTION) == [f"Chapter {n}" for n in range(1, 5)]
    assert "- 3 -" not in texts.text


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(ParseError, match=r"lines, more than the 4,000,000 that docqn reads; split it$"):
        parsed("\n" * (MOST_LINES + 1))


# Lines, against an independent oracle: every word of a generated text is unique


BLOCKS: list[Callable[[Callable[[], str], Callable[[], str]], str]] = [
    lambda title, prose: title().upper(),
    lambda title, prose: (text := title().upper()) + "\n" + "=" * max(3, len(text)),
    lambda title, prose: "1. " + title().upper(),
    lambda title, prose: "2. " + title().upper(),
    lambda title, prose: "1.1 " + title().upper() + "\n" + prose(),
    lambda title, prose: "Chapter 2\n" + title().upper(),
    lambda title, prose: "  " + prose(),
    lambda title, prose: prose(),
    lambda title, prose: prose().replace("\n", "\n    "),
    lambda title, prose: "* " + prose().replace("\n", "\n* "),
    lambda title, prose: "\f" + prose(),
    lambda title, prose: prose().replace("\n", "\f"),
    lambda title, prose: title().replace(" ", "    "),
]


@st.composite
def unique_words(draw: st.DrawFn) -> str:
    numbers = count(draw(st.integers(0, 3)))

    def words(least: int, most: int) -> str:
        return " ".join(f"{'WVwv'[next_ % 4]}{next_}" for next_ in islice(numbers, draw(st.integers(least, most))))

    def prose() -> str:
        ends = draw(st.lists(st.sampled_from(["", "", ".", ":", ","]), max_size=3))
        return "\n".join(words(8, 14) + end for end in [*ends, "."])

    parts = draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8))
    return draw(st.sampled_from(["\n\n", "\n", "\n\n\n"])).join(part(lambda: words(1, 4), prose) for part in parts)


@settings(max_examples=80)
@given(unique_words())
def test_every_node_has_the_line_and_page_of_its_first_word(text: str) -> None:
    feeds = [match.start() for match in re.finditer("\f", text) if text[: match.start()].strip("\f")]
    place = {
        match[0].upper(): (text.count("\n", 0, match.start()) + 1, sum(feed < match.start() for feed in feeds) + 1)
        for match in re.finditer(r"[WwVv]\d+", text)
    }
    document = parsed(text)
    seen = set()
    for node in range(len(document)):
        found = [word.upper() for word in re.findall(r"[WwVv]\d+", document.text_of(node))]
        seen.update(found)
        if found and document.line[node] != NONE:
            line, page = place[found[0]]
            if not document.text_of(node).startswith(("Chapter", "chapter")):
                assert document.line[node] == line
            assert document.page[node] == (page if "\f" in text else NONE)
    assert seen == place.keys()


# Whatever comes

WORDS = """a Word word. TITLE 1. 1.1 2. I. II. A. Contents - * (a) ===== ----- ~~~ .... é 東 http://x""".split()
SPACES = [
    " ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "\f",
    "[Page 1]",
    "a   b",
    "x\b",
    "\x1b[1m",
    "\u2028",
    "\x85",
    "Chapter 1",
]
PIECES = st.sampled_from(WORDS + SPACES)


@settings(max_examples=80)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(str.encode),
        st.lists(PIECES, max_size=60).map("".join).map(str.encode),
    )
)
def test_any_bytes_give_a_sound_document_or_a_parse_error(data: bytes) -> None:
    assert likelihood(data) in (0, 0.1)
    with suppress(ParseError):
        assert violations(parse(data, "x.txt")) == []


@settings(max_examples=80)
@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_no_word_is_lost(text: str) -> None:
    plain = re.sub(r"x\x08|\x08|\x1b\[1m", "", text)
    with suppress(ParseError):
        document = parse(text.encode(), "x.txt")
        expected = set(re.findall(r"[^\W\d_]{2,}", plain)) - {"Page"}
        assert expected <= set(re.findall(r"[^\W\d_]{2,}", document.text))


HARD = {
    "headings": lambda n: "1. Heading\n\nText here.\n\n" * (n // 24),
    "numbers": lambda n: "".join(f"{i}. Heading\n\nText is here and goes on.\n\n" for i in range(1, n // 40)),
    "chapters": lambda n: "Chapter 1\n\n" * (n // 11),
    "contents": lambda n: "Contents\n\n" * (n // 10),
    "pages": lambda n: "a\n\f" * (n // 3),
    "feet": lambda n: "text\n[Page 1]\n" * (n // 14),
    "short lines": lambda n: "a\n" * (n // 2),
    "items": lambda n: "- a\n" * (n // 4),
    "hyphens": lambda n: "abc-\ndef\n" * (n // 9),
    "one line": lambda n: "x" * n,
    "blank": lambda n: "\n" * n + "a",
    "deep": lambda n: "".join(" " * i + "A\n" for i in range(int((2 * n) ** 0.5))),
    "underlines": lambda n: "Title\n=====\n" * (n // 12),
}


@pytest.mark.parametrize("hard", HARD)
def test_hard_input_takes_time_in_proportion(hard: str) -> None:
    make: Callable[[int], str] = HARD[hard]
    start = time.process_time()
    document = parse(make(30_000).encode(), "x.txt")
    assert time.process_time() - start < 5
    assert violations(document) == []


def test_text_is_what_nothing_else_is() -> None:
    for data in (MANUAL.read_bytes(), PROSE.encode()):
        assert likelihood(data) > max(markdown.likelihood(data), wikitext.likelihood(data))
    assert likelihood(bytes(range(256)) * 4) == 0
    assert nodes(parsed(PROSE), SENTENCE) == [PROSE.strip()]
