"""Lines and words of generated pages, against oracles that know nothing of the parser."""

import re
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html

from docqn.document import PARAGRAPH, SECTION
from tests.parsers.pages import parsed, texts

# Every word of a generated page is unique, so its line is known

SHAPES = [
    "{} {}", "{}\n{}", "{} <b>{}</b>", "<a\n href='x'>{}</a> {}", "<i>{}\n</i>{}", "{}<!-- a\nb --> {}", "{}<br>\n{}",
    "{}<sup><a href='#n'>1</a></sup> {}", "<span class='x\ny'>{}</span> {}", "{} <span hidden>a\nb</span> {}",
    "{}&nbsp;{}", "{}&mdash;{}", "<script>\n</script>{} {}", "{} <img alt='a\nb'>{}", "\n{}\n{}\n",
    "<em>\n<b>{}</b>\n{}</em>",
]  # fmt: skip


@st.composite
def unique_words(draw: st.DrawFn) -> str:
    numbers = count()

    def word() -> str:
        return f"w{next(numbers)}" + draw(st.sampled_from(["", "", "", ".", ","]))

    def bare() -> str:
        return f"w{next(numbers)}"

    def end() -> str:
        return draw(st.sampled_from(["", "\n", "\n\n"]))

    def inline() -> str:
        return draw(st.sampled_from(SHAPES)).format(word(), word())

    def text() -> str:
        return draw(st.sampled_from([" ", "\n"])).join(inline() for _ in range(draw(st.integers(1, 3))))

    def block(depth: int) -> str:
        kind = draw(st.integers(0, 9))
        if kind == 0:
            level = draw(st.integers(2, 6))
            return f"<h{level}>{end()}{bare()} {bare()}</h{level}>"
        if kind == 1:
            return (
                "<pre>\n"
                + "\n".join(f" {bare()}  <b>{bare()}</b>" for _ in range(draw(st.integers(1, 3))))
                + "\n</pre>"
            )
        if kind == 2:
            rows = (
                f"<tr>{end()}<td>{bare()}</td>{end()}<td>{bare()}\n</td></tr>" for _ in range(draw(st.integers(1, 3)))
            )
            return f"<table>{end()}<tr><th>{bare()}</th>\n<th>{bare()}</th></tr>\n" + end().join(rows) + "</table>"
        if kind == 3:
            return f"<dl>{end()}<dt>{bare()}{end()}<dd>{text()}</dl>"
        if kind in (4, 5) and depth < 3:
            inner = [f"<li>{block(depth + 1)}" for _ in range(draw(st.integers(1, 3)))]
            return "<ul>" + end().join(inner) + end() + "</ul>"
        if kind in (6, 7) and depth < 3:
            tag = draw(st.sampled_from(["div", "section", "blockquote", "figure", "center"]))
            return f"<{tag}>{end()}{block(depth + 1)}{end()}{block(depth + 1)}</{tag}>"
        return f"<p>{text()}" + draw(st.sampled_from(["</p>", ""]))

    return "".join(f"{block(0)}{end()}" for _ in range(draw(st.integers(1, 6))))


@settings(max_examples=150)
@given(unique_words(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_node_has_the_line_of_its_first_word(page: str, end: str) -> None:
    line_of = {word: number for number, line in enumerate(page.split("\n"), 1) for word in re.findall(r"w\d+", line)}
    document = parsed(page.replace("\n", end))
    seen = set()
    for node in range(1, len(document)):
        text = document.text_of(node)
        words = re.findall(r"w\d+", text)
        seen.update(words)
        if document.kind[node] == PARAGRAPH and " | " in text:  # a row, which begins with its head
            words = re.findall(r": (w\d+)", text)
            assert document.line[node] == line_of[words[0]], text
        elif words and ": " not in text:
            assert document.line[node] == line_of[words[0]], text
        elif words:  # a term
            assert document.line[node] in (line_of[words[0]], line_of[words[1]]), text
    assert seen >= line_of.keys()


# Words in their order, against lxml's own text

PIECES = """<p> </p> <div> </div> <ul> <li> </li> </ul> <ol> </ol> <h2> </h2> <h3> </h3> <b> </b> <i> </i> <span>
</span> <section> </section> <blockquote> </blockquote> <br> <hr> <dl> <dd> </dd> </dl> <pre> </pre> &amp; &lt; &eacute;
<a&#32;href=x> </a> <!--&#32;x&#32;--> <table> <tr> <td> </td> </tr> </table>""".replace("&#32;", "\0").split()
FRAGMENTS = st.one_of(st.sampled_from([piece.replace("\0", " ") for piece in PIECES]), st.sampled_from("abcdefghij"))


@settings(max_examples=200)
@given(st.lists(FRAGMENTS, min_size=1, max_size=40))
def test_no_word_is_lost_or_added_however_tags_are_jumbled(fragments: list[str]) -> None:
    page = "<body>Begin " + " ".join(fragments) + " end"
    tree = lxml_html.fromstring(page)
    etree.strip_elements(tree, etree.Comment, with_tail=False)
    expected = re.findall(r"\w+", " ".join(tree.itertext()))
    document = parsed(page)
    found = re.findall(r"\w+", " ".join([*texts(document, SECTION), *texts(document)]))
    assert sorted(found) == sorted(expected)


CONTAINERS = st.sampled_from(["div", "section", "ul", "blockquote"])


@settings(max_examples=100)
@given(st.recursive(st.sampled_from("abcdefgh"), lambda inner: st.tuples(CONTAINERS, st.lists(inner, min_size=1))))
def test_words_keep_their_order(tree: object) -> None:
    def written(node: object) -> str:
        if isinstance(node, tuple):
            tag, inner = node
            return f"<{tag}>" + "".join(map(written, inner)) + f"</{tag}>"
        return f"<p>{node}</p>"

    page = "<p>x</p>" + written(tree)
    assert texts(parsed(page)) == re.findall(r">(\w)<", page)
