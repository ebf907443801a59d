import re
import time
from collections.abc import Callable
from contextlib import suppress
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import text, wikitext
from docqn.parsers.markdown import likelihood, parse

MANUAL = Path(__file__).parents[1] / "data" / "manual.md"


def parsed(text: str) -> Document:
    document = parse(text.encode(), "notes.md")
    assert violations(document) == []
    return document


def of_kind(document: Document, kind: int) -> list[str]:
    return [document.text_of(node) for node in range(len(document)) if document.kind[node] == kind]


def paragraphs(text: str) -> list[str]:
    return of_kind(parsed(text), PARAGRAPH)


def sections(text: str) -> list[tuple[int, str]]:
    """Depth and heading of each section."""
    document = parsed(text)
    return [
        (int(document.depth[node]), document.text_of(node))
        for node in range(len(document))
        if document.kind[node] == SECTION
    ]


def lines(text: str, kind: int = SENTENCE) -> list[tuple[int, str]]:
    document = parsed(text)
    return [
        (int(document.line[node]), document.text_of(node))
        for node in range(len(document))
        if document.kind[node] == kind
    ]


@pytest.fixture(scope="module")
def manual() -> Document:
    return parse(MANUAL.read_bytes(), "manual.md")


def test_manual_has_the_outline_that_its_author_gave_it(manual: Document) -> None:
    assert manual.title == "Larkspur Weather Station"
    assert manual.line[0] == 9
    headings = [(int(manual.depth[n]), manual.text_of(n)) for n in range(len(manual)) if manual.kind[n] == SECTION]
    assert headings == [
        (1, "What is in the box"),
        (1, "Setting up"),
        (2, "Choosing a place"),
        (2, "Mounting the mast"),
        (2, "Switching on"),
        (1, "Reading the display"),
        (1, "Care"),
        (2, "Every month"),
        (2, "Every year"),
        (2, "Technical data"),
    ]


def test_manual_keeps_words_and_drops_marks(manual: Document) -> None:
    texts = of_kind(manual, PARAGRAPH)
    assert "the display and its mains adapter" in texts
    assert "The spare is there because everybody loses one." in texts
    assert "The station on its mast, with the rain cup on top" in texts
    assert "Lamp: yellow | Meaning: it is still searching | What to do: wait for 2 minutes" in texts
    assert "Quantity: Wind | Range: 0 to 50 m/s" in texts
    assert "T=18.4 H=61\nW=3.2 R=0.0" in texts
    assert "☐ Wipe the rain cup" in texts
    assert "☑ Look for spiders in the wind wheel" in texts
    assert any(text.endswith("Use alkaline lithium cells below −10 °C.") for text in texts)
    assert texts[-2:] == [
        "Write to the makers if something is unclear.",
        "In the open. Each wall takes about ten metres away.",
    ]
    assert not re.search(r"Printed on|mailto|radio|\*\*|~~", manual.text)


def test_manual_gives_each_sentence_its_line(manual: Document) -> None:
    source = MANUAL.read_text().split("\n")
    checked = 0
    for node in range(len(manual)):
        first = manual.text_of(node).split()[0].strip("☐☑")
        if manual.kind[node] == SENTENCE and first.isalpha():
            assert first in source[manual.line[node] - 1]
            checked += 1
    assert checked > 30


# Blocks


def test_headings_of_both_kinds_nest_by_level() -> None:
    text = "# A #\n\nB\n---\n\n#### C\n\n##   D ##\n\nE\nand e\n===\n"
    assert sections(text) == [(1, "A"), (2, "B"), (3, "C"), (2, "D"), (1, "E and e")]


def test_a_sole_top_heading_is_the_title() -> None:
    document = parsed("Badge\n\n# *Tea*\n\n## Leaf\n")
    assert (document.title, int(document.line[0])) == ("Tea", 3)
    assert of_kind(document, PARAGRAPH) == ["Badge"]


def test_a_heading_in_a_quote_or_list_is_no_section() -> None:
    assert sections("## A\n\n> # Quoted\n\n- # Listed\n\n## B\n") == [(1, "A"), (1, "B")]
    assert paragraphs("> # Quoted\n\n- # Listed\n") == ["Quoted", "Listed"]


def test_each_item_and_each_paragraph_in_it_is_a_paragraph() -> None:
    text = "- a\n  b\n\n  c\n  1. d\n  2. e\n\n     > f\n- g\n+ h\n"
    assert paragraphs(text) == ["a b", "c", "d", "e", "f", "g", "h"]


def test_task_boxes_are_one_character() -> None:
    text = "- [ ] a\n- [x] *b*\n- [X] c\n- [y] d\n- [ ]\n\n[ ] e\n"
    assert paragraphs(text) == ["☐ a", "☑ b", "☑ c", "[y] d", "[ ]", "[ ] e"]


def test_rows_keep_their_heads() -> None:
    text = "| A | *B* |\n|:--|--:|\n| 1 | `x\\|y` |\n| | [l](u) |\n| 3 |\n"
    assert lines(text, PARAGRAPH) == [(3, "A: 1 | B: x|y"), (4, "B: l"), (5, "A: 3")]


def test_heads_without_rows_are_kept() -> None:
    assert paragraphs("|A|B|\n|-|-|\n\nend") == ["A | B", "end"]


def test_two_tables_do_not_share_heads() -> None:
    assert paragraphs("|A|\n|-|\n|1|\n\n|B|\n|-|\n|2|\n") == ["A: 1", "B: 2"]


def test_code_is_one_paragraph_with_its_lines() -> None:
    text = "```python\n\ndef f():\n\n    return 1\n```\n\n    a\n      b\n\nend"
    assert paragraphs(text) == ["def f():\n\n    return 1", "a\n  b", "end"]
    assert lines(text) == [(3, "def f():"), (5, "return 1"), (8, "a"), (9, "b"), (11, "end")]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert paragraphs("a\n\n~~~\n# b\n") == ["a", "# b"]


def test_footnotes_stay_where_they_are_and_their_marks_go() -> None:
    text = "One[^1] two[^note]. Not[^none].\n\n[^1]: First\n    goes on.\n\n    Again.\n[^note]: Second.\n"
    assert paragraphs(text) == ["One two. Not[^none].", "First goes on.", "Again.", "Second."]
    assert lines(text, PARAGRAPH) == [(1, "One two. Not[^none]."), (3, "First goes on."), (6, "Again."), (7, "Second.")]


def test_definitions_and_comments_are_left_out() -> None:
    text = "[a]: http://x.org 'T'\n<!-- c\n\nd -->\n[A] and ![b][a] <!-- e -->f\n"
    assert paragraphs(text) == ["A and b f"]


def test_a_document_of_nothing_but_definitions_is_an_error() -> None:
    with pytest.raises(ParseError, match=r"^notes.md: holds no text"):
        parsed("[a]: http://x.org\n\n<!-- nothing -->\n")


# Inline


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("*a* **b** _c_ __d__ ~~e~~ `f` ``g`h``", "a b c d e f g`h"),
        ("[a *b*](u 't') <http://x.org> ![c `d`](u)", "a b http://x.org c d"),
        ("&amp; &lt;x&gt; &#x41;&nbsp;b \\*c\\*", "& <x> A b *c*"),
        ("a  \nb\\\nc\nd", "a\nb\nc d"),
        ("a<br>b<br/>c <b>d</b> <img src=x alt='e &amp; f'>", "a\nb\nc d e & f"),
        ("snake_case 2*3*4 a_b", "snake_case 234 a_b"),
        ("soft\u00adhyphen zero\u200bwidth &shy;x", "softhyphen zerowidth x"),
        ("`a\nb` [c\nd](u\n'v') e", "a b c d e"),
        ("a   b\tc", "a b c"),
    ],
)
def test_inline_marks_go_and_words_stay(source: str, text: str) -> None:
    assert paragraphs(source) == [text]


def test_a_very_long_line_is_read_in_parts_and_pictures_in_it_do_not_matter() -> None:
    text = "start ![pic](data:image/png;base64," + "A" * 100_000 + ") *end*. " + "word " * 20_000
    (paragraph,) = paragraphs(text)
    assert paragraph == "start pic end. " + " ".join(["word"] * 20_000)


# HTML


def test_raw_html_has_headings_paragraphs_and_rows() -> None:
    text = (
        '## A\n\n<h3 align="center">B</h3>\n<p>c <b>d</b>\ne.<br>f &lt; <img alt="g"></p>\n'
        "<table><tr><th>H</th><th>I</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n\n"
        "<details><summary>More</summary>\n\nMarkdown *inside*\n\n</details>\n\n<script>\nx()\n\ny()\n</script>\n"
        "<pre>\n  k\n    l\n</pre>\n"
    )
    assert sections(text) == [(1, "A"), (2, "B")]
    assert lines(text, PARAGRAPH) == [
        (4, "c d e.\nf < g"),
        (7, "H: 1 | I: 2"),
        (10, "More"),
        (12, "Markdown inside"),
        (22, "k\n    l"),
    ]


def test_each_sentence_of_a_row_in_raw_html_has_its_own_line() -> None:
    text = (
        "<table>\n<tr>\n<th>H</th>\n<th>I</th>\n</tr>\n<tr>\n<td>\na &lt; b</td>\n<td><b>One.\nTwo</b>\nit is.<br>\n"
        "Three.</td>\n</tr>\n<tr><td colspan=2>Wide.\nEnd.</td></tr>\n</table>\n"
    )
    assert lines(text, PARAGRAPH) == [(8, "H: a < b | I: One. Two it is. Three."), (14, "H: Wide. End.")]
    assert lines(text) == [
        (8, "H: a < b | I: One."),
        (10, "Two it is."),
        (12, "Three."),
        (14, "H: Wide."),
        (15, "End."),
    ]


# Front matter


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: Tea\n---", "Tea"),
        ("---\nlayout: x\ntitle: 'It''s tea'  \nlist:\n  - a\n- b\n# c\n\n---", "It's tea"),
        ('---\ntitle: "A \\"cup\\": one"\n...', 'A "cup": one'),
        ("---\ntitle: Tea # a comment\n---", "Tea"),
        ("---\ntitle: >-\n  Long\n  tea\nlayout: x\n---", "Long tea"),
        ('+++\ntitle = "Tea"\n[extra]\ntitle = "no"\n+++', "Tea"),
    ],
)
def test_front_matter_gives_the_title_and_goes(front: str, title: str) -> None:
    document = parsed(front + "\n\nText.\n")
    assert document.title == title
    assert of_kind(document, PARAGRAPH) == ["Text."]
    assert document.line[1] == front.count("\n") + 3


@pytest.mark.parametrize("value", ["\x1c", "''", '""', "# none"])
def test_front_matter_with_an_empty_title_gives_none(value: str) -> None:
    text = "Enough words that a control character does not make the whole of them binary."
    document = parsed(f"---\ntitle: {value}\n---\n\n{text}\n")
    assert document.title == "notes"
    assert of_kind(document, PARAGRAPH) == [text]


@pytest.mark.parametrize("text", ["---\n\nA rule, then text\n\n---\n\nmore", "---\ntitle: never closed\n\nmore"])
def test_a_rule_is_no_front_matter(text: str) -> None:
    assert paragraphs(text)[-1] == "more"
    assert parsed(text).title == "notes"


def test_a_heading_that_repeats_the_front_matter_title_is_the_title() -> None:
    assert sections("---\ntitle: Tea\n---\n# tea\n## Leaf\n") == [(1, "Leaf")]


# Lines, against an independent oracle: every word of a generated document is unique


SHAPES = ["{}", "{}", "{}", "*{}*", "**{}**", "`{}`", "[{}](u)", "[{}](u\n't')", "![{}](u)", "<b\n class=x>{}</b>"]


@st.composite
def unique_words(draw: st.DrawFn) -> str:
    numbers = count()

    def bare() -> str:
        return f"w{next(numbers)}"

    def word() -> str:
        return bare() + draw(st.sampled_from(["", "", "", ".", ".", ","]))

    def inline() -> str:
        spaced = draw(st.sampled_from([" ", " ", "\n", "  \n", "\\\n"]))
        shape = draw(st.sampled_from(SHAPES))
        return shape.format(f"{word()}{spaced.strip(chr(92)) if '`' in shape or '[' in shape else spaced}{word()}")

    def text() -> str:
        return draw(st.sampled_from([" ", "\n"])).join(inline() for _ in range(draw(st.integers(1, 4))))

    def block(depth: int) -> str:
        kind = draw(st.integers(0, 8))
        if kind == 0:
            return "#" * draw(st.integers(1, 4)) + f" {word()} *{word()}*"
        if kind == 1:
            return f"{word()} {word()}\n" + draw(st.sampled_from(["===", "---"]))
        if kind == 2:
            return "```\n" + "\n".join(f"{word()} {word()}" for _ in range(draw(st.integers(1, 3)))) + "\n```"
        if kind == 3:
            heads = f"| {bare()} | {bare()} |\n|---|---|\n"
            return heads + "\n".join(f"| {bare()} | *{bare()}* |" for _ in range(draw(st.integers(1, 3))))
        if kind == 4:
            return f"<p>{word()}\n{word()} <b>{word()}</b><br>\n{word()}</p>"
        if kind == 5 and depth < 3:
            return indented(block(depth + 1), "> ", "> ")
        if kind in (6, 7) and depth < 3:
            mark = draw(st.sampled_from(["- ", "1. ", "*   "]))
            gap = draw(st.sampled_from(["\n", "\n\n"]))
            return gap.join(indented(block(depth + 1), mark, " " * len(mark)) for _ in range(draw(st.integers(1, 3))))
        return text()

    def indented(inner: str, first: str, rest: str) -> str:
        head, *tail = inner.split("\n")
        return "\n".join([first + head, *((rest + line).rstrip() if line else rest.rstrip() for line in tail)])

    return "\n\n".join(block(0) for _ in range(draw(st.integers(1, 6))))


@settings(max_examples=80)
@given(unique_words(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_node_has_the_line_of_its_first_word(text: str, end: str) -> None:
    line_of = {word: number for number, line in enumerate(text.split("\n"), 1) for word in re.findall(r"w\d+", line)}
    document = parsed(text.replace("\n", end))
    seen = set()
    for node in range(1, len(document)):
        words = re.findall(r"w\d+", document.text_of(node))
        seen.update(words)
        if ": " in document.text_of(node):  # a row, which begins with its head
            words = re.findall(r": (w\d+)", document.text_of(node))
        assert document.line[node] == line_of[words[0]], document.text_of(node)
    assert seen >= line_of.keys() - set(re.findall(r"w\d+", document.title))


# Words, against markdown-it's own rendering

WORDS = """a b c. d-e f_g *a* **b *c* d** _x_ ~~y~~ `z` ``q ` r`` [l](u) [m][n] ![i](u) &amp; &lt; \\* \\_ # ## ### - +
* 1. 2) > > > ``` ~~~ --- === | |-|-| :--- <b> </b> <i> <a <!-- --> http://x.org <http://y.org> [n]: [ ] ( ) ! ** __ ` "
' ~""".split()
SPACES = [" ", "  ", "    ", "\t", "\n", "\n", "\n\n", "\n\n", "\n    ", "\n  ", "  \n", "\\\n"]
FRAGMENTS = st.sampled_from(WORDS + SPACES)


def rendered_words(text: str) -> list[str]:
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    html = re.sub(r'<img [^>]*?alt="([^"]*)"[^>]*>', r" \1 ", html)
    html = re.sub(
        r"<!--.*?-->", "", re.sub(r"</?(?!b>|i>|em>|strong>|s>|a|code>)\w+[^<>]*>", " ", html), flags=re.DOTALL
    )
    return re.findall(r"\w+", unescape(re.sub(r"</?\w+[^<>]*>", "", html)))


@settings(max_examples=120)
@given(st.lists(FRAGMENTS, min_size=1, max_size=30).map("".join))
def test_words_are_those_that_markdown_it_renders(text: str) -> None:
    if "<" in text:  # raw HTML is read by rules of our own
        text = re.sub(r"<(?!http)", "", text)
    expected = rendered_words(text)
    if not expected:
        return
    document = parsed("Q\n\n" + text) if text[:3] in ("---", "+++") else parsed(text + "\n\nQ")
    shown = " ".join([document.title, *of_kind(document, SECTION), *of_kind(document, PARAGRAPH)])
    assert sorted(set(re.findall(r"\w+", shown)) - {"Q", "notes"}) == sorted(set(expected) - {"Q", "notes"})


# Whatever comes


@settings(max_examples=100)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(str.encode),
        st.lists(FRAGMENTS, max_size=60).map("".join).map(str.encode),
    )
)
def test_any_bytes_give_a_sound_document_or_a_parse_error(data: bytes) -> None:
    assert 0 <= likelihood(data) <= 1
    with suppress(ParseError):
        document = parse(data, "x.md")
        assert violations(document) == []
        assert document.page.tolist() == [NONE] * len(document)


HARD = {
    "headings": lambda n: "# h\n" * (n // 4),
    "nested quotes": lambda n: ">" * n + " a",
    "deep lazy quotes": lambda n: ">" * 40 + " a\n" + "b\n" * (n // 8),
    "nested lists": lambda n: "- " * (n // 2) + "a",
    "nested footnotes": lambda n: "[^a]: " * (n // 6) + "a",
    "emphasis": lambda n: "*a _b **c " * (n // 10),
    "brackets": lambda n: "[" * (n // 8),
    "links": lambda n: "[a](" * (n // 8),
    "pictures": lambda n: "![a](" * (n // 8),
    "backticks": lambda n: "a ` b `` c ``` " * (n // 15),
    "comments": lambda n: "x <!-- " * (n // 7),
    "tags": lambda n: '<a b="' * (n // 6),
    "definitions": lambda n: "[a]: b\n" * (n // 7) + "\nend",
    "one wide row": lambda n: "|a" * (n // 6) + "|\n" + "|-" * (n // 6) + "|\n" + "|1" * (n // 6) + "|\n",
}


@pytest.mark.parametrize("hard", HARD)
def test_hard_input_takes_time_in_proportion(hard: str) -> None:
    make: Callable[[int], str] = HARD[hard]
    start = time.process_time()
    document = parse(make(30_000).encode(), "x.md")
    assert time.process_time() - start < 5
    assert violations(document) == []


def test_what_lies_too_deep_keeps_its_words() -> None:
    assert paragraphs("- " * 60 + "one\n\nend")[-2:] == ["one", "end"]
    assert paragraphs("> " * 60 + "one\n" + "> " * 60 + "two\n\nend") == ["one two", "end"]


# What it looks like


def test_markdown_is_recognised_by_its_content() -> None:
    data = MANUAL.read_bytes()
    assert likelihood(data) > max(0.6, text.likelihood(data), wikitext.likelihood(data))
    assert likelihood(b"# Tea\n\nSome [link](http://x.org).\n") > text.likelihood(data)


def test_prose_and_binary_data_are_not_markdown() -> None:
    assert likelihood(b"Only some prose. It has two sentences - and a dash.\n") <= 0.1
    assert likelihood(b"PK\x03\x04" + bytes(range(256))) == 0
