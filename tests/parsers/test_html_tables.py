from itertools import product

import pytest

from docqn.document import PARAGRAPH
from tests.parsers.pages import lines, paragraphs, sections


def row(*cells: str, tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


HEADS = row("A", "B", tag="th")


def test_rows_keep_their_heads() -> None:
    page = f"<table>{HEADS}{row('1', '2')}{row('', '3')}{row('4', '')}{row('', '')}</table>"
    assert paragraphs(page) == ["A: 1 | B: 2", "B: 3", "A: 4"]


def test_rows_have_the_line_of_their_first_cell() -> None:
    page = "<table>\n<tr>\n<th>A</th>\n<th>B</th></tr>\n<tr>\n<td></td>\n<td>\n1\n</td></tr>\n<tr><td>2<td>3</table>"
    assert lines(page, PARAGRAPH) == [(8, "B: 1"), (10, "A: 2 | B: 3")]


def test_a_sentence_that_begins_with_a_cell_has_its_line() -> None:
    page = f"<table>{HEADS}<tr><td>One. Two.\n<td>Three.\nFour.\n<td><td>\nFive.</table>"
    expected = [(1, "A: One."), (1, "Two."), (2, "| B: Three."), (3, "Four."), (5, "| Five.")]
    assert lines(page) == expected


def test_end_tags_may_be_missing() -> None:
    page = "<p>x<table><caption>c<thead><tr><th>A<th>B<tbody><tr><td>1<td>2<tr><td>3<td>4<tfoot><tr><td>5<td>6</table>y"
    assert paragraphs(page) == ["x", "c", "A: 1 | B: 2", "A: 3 | B: 4", "A: 5 | B: 6", "y"]


@pytest.mark.parametrize(
    "heads",
    [
        row("A", "B", tag="th"),
        f"<thead>{row('A', 'B')}</thead>",
        f"<thead>{row('A', 'B', tag='th')}</thead><tbody>",
        row("<b>A</b>", "<strong>B</strong>"),
        row(" <font size=1><b>A</b></font> ", "<p><b><a href=x>B</a></b></p>"),
        "<colgroup><col><col></colgroup><tr><th scope=col>A<th scope=col>B",
        "<tr><th><div>A</div></th><th><p>B</p></th></tr>",
        "<tr><th>A<sup><a href='#n'>[1]</a></sup><th>B<br>",
        "<tr><th><span style='display:none'>9</span>A<th>B:",
    ],
)
def test_heads_are_found_however_they_are_marked(heads: str) -> None:
    assert paragraphs(f"<table>{heads}{row('1', '2')}{row('3', '4')}</table>") == ["A: 1 | B: 2", "A: 3 | B: 4"]


@pytest.mark.parametrize(
    "rows",
    [
        row("1", "2") + row("3", "4"),
        row("<b>1</b>", "2") + row("3", "<b>4</b>"),
        row("1", "2") + row("<b>3</b>", "<b>4</b>"),  # a row of totals
        row("<b>1</b> or", "<b>2</b> or") + row("3", "4"),
    ],
)
def test_rows_without_heads_are_their_cells(rows: str) -> None:
    assert [text.replace(" or", "") for text in paragraphs(f"<table>{rows}</table>")] == ["1 | 2", "3 | 4"]


def test_a_head_of_a_row_says_what_its_cell_is() -> None:
    page = "<table><tr><th>May</th><td>rain</td></tr><tr><th>June:</th><td>sun</td></tr></table>"
    assert paragraphs(page) == ["May: rain", "June: sun"]
    assert paragraphs(f"<table>{row('May:', 'rain')}{row('June:', 'sun')}</table>") == ["May: rain", "June: sun"]
    page = "<table><tr><th>When<th>What<tr><th>May<td>rain<tr><th>June<td>sun</table>"
    assert paragraphs(page) == ["When: May | What: rain", "When: June | What: sun"]


def test_heads_above_heads() -> None:
    page = (
        "<table><tr><th rowspan=2>Year<th colspan=2>Trade<tr><th>Tea<th>Coffee"
        "<tr><td>1<td>2<td>3<tr><td>4<td>5<td>6</table>"
    )
    assert paragraphs(page) == ["Year: 1 | Trade Tea: 2 | Trade Coffee: 3", "Year: 4 | Trade Tea: 5 | Trade Coffee: 6"]


def test_a_merged_cell_is_said_in_each_row() -> None:
    page = f"<table>{HEADS}<tr><td rowspan=2>1<td>2<tr><td>3<tr><td colspan=2>4</table>"
    assert paragraphs(page) == ["A: 1 | B: 2", "A: 1 | B: 3", "4"]


def test_a_second_row_of_heads_replaces_the_first() -> None:
    page = f"<table>{HEADS}{row('1', '2')}{row('C', 'D', tag='th')}{row('3', '4')}</table>"
    assert paragraphs(page) == ["A: 1 | B: 2", "C: 3 | D: 4"]


def test_a_head_across_the_table_is_a_paragraph() -> None:
    page = f"<table>{HEADS}<tr><th colspan=2>Group</th></tr>{row('1', '2')}</table>"
    assert paragraphs(page) == ["Group", "A: 1 | B: 2"]


def test_heads_without_rows_are_kept() -> None:
    assert paragraphs(f"<table>{HEADS}</table>x") == ["A | B", "x"]


def test_two_tables_do_not_share_heads() -> None:
    page = f"<table>{HEADS}{row('1', '2')}</table><table>{row('3', '4')}{row('5', '6')}</table>"
    assert paragraphs(page) == ["A: 1 | B: 2", "3 | 4", "5 | 6"]


def test_what_a_cell_holds_is_one_line() -> None:
    page = (
        f"<table>{HEADS}{row('<p>1</p><p>2</p>', '<ul><li>3<li>4.<li>5</ul>')}{row('x<br>y z', '6<br>Seven')}</table>"
    )
    assert paragraphs(page) == ["A: 1; 2 | B: 3; 4. 5", "A: x y z | B: 6, Seven"]


def test_long_cells_stay_paragraphs_after_their_heads() -> None:
    long = "<p>" + "word " * 70 + "</p>"
    page = f"<table>{HEADS}{row('1', '2')}{row(long + '<p>3</p>', '4')}</table>"
    assert paragraphs(page) == ["A: 1 | B: 2", "A: " + " ".join(["word"] * 70), "3", "B: 4"]


def test_a_heading_in_a_cell_is_a_heading() -> None:
    page = f"<h1>T</h1><table>{row('<h2>X</h2><p>1', '<h2>Y</h2><p>2')}</table>"
    assert sections(page) == [(1, "X"), (1, "Y")]
    assert paragraphs(page) == ["1", "2"]


def test_a_table_that_lays_out_the_page_makes_no_rows() -> None:
    cells = row("<p>a<p>b", "<ul><li>c<li>d</ul>")
    assert paragraphs(f"<table>{cells}</table>") == list("abcd")
    assert paragraphs(f"<table role=presentation>{row('a', 'b')}{row('c', 'd')}</table>") == list("abcd")
    assert paragraphs(f"<table>{row('a')}{row('b<p>c')}</table>") == list("abc")


def test_a_table_within_a_table() -> None:
    inner = f"<table>{HEADS}{row('1', '2')}{row('3', '4')}</table>"
    assert paragraphs(f"<table>{row('x', inner)}{row('y', 'z')}</table>") == [
        "x",
        "A: 1 | B: 2",
        "A: 3 | B: 4",
        "y | z",
    ]
    inner = "<table><tr><td>1</td></tr></table>"
    assert paragraphs(f"<table>{HEADS}{row(inner, '2')}</table>") == ["A: 1 | B: 2"]


def test_marks_that_only_decorate_a_quotation_go() -> None:
    page = f"<table>{row('“', 'Tea is hot.', '”')}{row('', '— Li', '')}</table>"
    assert paragraphs(page) == ["Tea is hot.", "— Li"]


def test_a_list_in_a_cell_does_not_end_with_the_row() -> None:
    assert paragraphs("<ul><li>a<table><tr><td>b<ul><li>c</table><li>d</ul>") == ["a", "b", "c", "d"]


@pytest.mark.parametrize("span", ["0", "-1", "x", "", "1000000000", "99999999999999", "٣"])
def test_odd_spans_do_no_harm(span: str) -> None:
    page = f"<table>{HEADS}<tr><td colspan='{span}'>1<td rowspan='{span}'>2</td></tr>{row('3')}</table>"
    found = paragraphs(page)
    assert found[0].startswith("A: 1")
    assert found[-1].startswith("A: 3")


def test_all_cells_of_a_grid_stand_under_their_heads() -> None:
    """Beside a naive reading: a cell's head is that of its number, as no cell is merged."""
    for columns, rows in product((2, 3, 7), (1, 2, 9)):
        heads = [f"h{column}" for column in range(columns)]
        cells = [[f"c{line}-{column}" for column in range(columns)] for line in range(rows)]
        page = f"<table>{row(*heads, tag='th')}{''.join(row(*line) for line in cells)}</table>"
        assert paragraphs(page) == [
            " | ".join(f"{head}: {cell}" for head, cell in zip(heads, line, strict=True)) for line in cells
        ]
