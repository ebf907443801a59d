"""Tables as text, Markdown and HTML."""

from docqn.evaluation.tables import Table, html, markdown, number, plain

TABLE = Table("Tea & more", ["policy", "accuracy"], [["a|b", "1.0"], ["<c>", "12.5"]], "A note.")


def test_columns_of_names_stand_to_the_left() -> None:
    two = Table("t", ["policy", "paper's", "x"], [["a", "Agent", "1"]], names=2)
    assert plain(two).splitlines()[-1] == "a       Agent    1"
    assert "| --- | --- | --: |" in markdown(two)
    assert "<td class=name>a</td><td class=name>Agent</td><td>1</td>" in html(two)


def test_plain() -> None:
    assert plain(TABLE) == "Tea & more\n\npolicy  accuracy\na|b          1.0\n<c>         12.5\n\nA note."
    assert plain(TABLE._replace(note="")).endswith("12.5")


def test_markdown() -> None:
    assert markdown(TABLE) == (
        "### Tea & more\n\n| policy | accuracy |\n| --- | --: |\n| a\\|b | 1.0 |\n| \\<c> | 12.5 |\n\nA note.\n"
    )


def test_markdown_stays_on_a_line() -> None:
    text = markdown(Table("a\nb <i>", ["x"], [["two\nlines"]], "<b>"))
    assert text == "### a b \\<i>\n\n| x |\n| --- |\n| two lines |\n\n\\<b>\n"


def test_html_escapes() -> None:
    text = html(TABLE)
    assert "<h3>Tea &amp; more</h3>" in text
    assert "<td class=name>&lt;c&gt;</td>" in text
    assert "<p class=note>A note.</p>" in text


def test_numbers() -> None:
    assert (number(3.14159), number(3.14159, 3), number(None)) == ("3.1", "3.142", "–")
