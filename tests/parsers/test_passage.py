from docqn.build import Block
from docqn.parsers.passage import Passage


def test_white_space_collapses_and_each_line_is_marked_where_it_begins() -> None:
    passage = Passage()
    passage.add("  one  two ", 3)
    passage.add("three", 4)
    passage.space()
    passage.add("four", 4)
    passage.line_break()
    passage.add(" five", 6)
    assert passage.block() == Block("one two three four\nfive", 0, 3, lines=((8, 4), (19, 6)))


def test_pieces_without_space_between_them_are_one_word() -> None:
    passage = Passage()
    passage.add("wa", 1)
    passage.add("\u200b", 1)
    passage.add("ter", 2)
    assert passage.block() == Block("water", 0, 1, lines=((2, 2),))


def test_literal_lines_keep_their_spaces_but_not_blank_lines_around_them() -> None:
    passage = Passage()
    passage.add_literal("\n  a\n    b\n\nc \n\n", 5)
    assert passage.block() == Block("a\n    b\n\nc", 0, 6, lines=((2, 7), (9, 9)))


def test_entities_are_decoded_and_line_feeds_are_spaces() -> None:
    passage = Passage()
    passage.add_entities("a &amp;\nb&nbsp;&lt;", 1)
    assert passage.block() == Block("a & b <", 0, 1, lines=((4, 2),))


def test_a_heading_is_one_line_and_nothing_is_an_empty_block() -> None:
    passage = Passage()
    passage.space()
    assert passage.block() == Block("")
    passage.add("a", 1)
    passage.line_break()
    passage.add("b", 2)
    assert passage.block(level=2) == Block("a b", 2, 1)
