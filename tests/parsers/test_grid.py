from hypothesis import assume, given
from hypothesis import strategies as st

from docqn.parsers.grid import LONGEST_HEAD, MOST_COLUMNS, Cell, Grid

cells = st.builds(Cell, st.text("abc", max_size=2), st.integers(1, 3), st.integers(1, 3))


@given(st.lists(st.lists(cells, min_size=1, max_size=4), max_size=6))
def test_merged_cells_are_laid_as_by_filling_a_plane(rows: list[list[Cell]]) -> None:
    plane: dict[tuple[int, int], str] = {}
    for r, row in enumerate(rows):
        column = 0
        for cell in row:
            while (r, column) in plane:
                column += 1
            for down in range(cell.rows):
                for across in range(cell.columns):
                    assume((r + down, column + across) not in plane)
                    plane[r + down, column + across] = "" if across else cell.text
    grid = Grid()
    for r, row in enumerate(rows):
        texts = [text for (at, _), text in sorted(plane.items()) if at == r and text]
        assert grid.row(row) == " | ".join(texts)


def test_heads_stand_before_the_cells_of_their_columns() -> None:
    grid = Grid()
    assert grid.row([Cell("Name"), Cell("Age:")], heads=True) == ""
    assert grid.row([Cell("Ann"), Cell("7")]) == "Name: Ann | Age: 7"
    assert grid.row([Cell("Bo"), Cell("")]) == "Name: Bo"
    assert grid.last() == ""


def test_heads_in_several_rows_are_joined() -> None:
    grid = Grid()
    grid.row([Cell("City", 1, 2), Cell("Size", 2)], heads=True)
    grid.row([Cell("people"), Cell("area")], heads=True)
    assert grid.row([Cell("Oslo"), Cell("1"), Cell("2")]) == "City: Oslo | Size people: 1 | Size area: 2"


def test_heads_between_rows_hold_from_there_on() -> None:
    grid = Grid()
    grid.row([Cell("A"), Cell("B")], heads=True)
    grid.row([Cell("1"), Cell("2")])
    assert grid.row([Cell("Part two", 2)], heads=True) == "Part two"
    assert grid.row([Cell("3"), Cell("4")]) == "A: 3 | B: 4"
    grid.row([Cell("C"), Cell("D")], heads=True)
    assert grid.row([Cell("5"), Cell("6")]) == "C: 5 | D: 6"


def test_heads_without_rows_are_not_lost() -> None:
    grid = Grid()
    grid.row([Cell("A", 2), Cell("B")], heads=True)
    assert grid.last() == "A | B"


def test_what_is_said_again_is_bounded() -> None:
    grid = Grid()
    grid.row([Cell("x" * LONGEST_HEAD, MOST_COLUMNS * 10, 10**6)], heads=True)
    grid.row([Cell("y" * LONGEST_HEAD, 1, 10**6) for _ in range(2000)])
    written = sum(len(grid.row([Cell("z")])) for _ in range(1000))
    assert written < 20 * 2000 * 3 * LONGEST_HEAD


def test_long_heads_are_no_heads() -> None:
    grid = Grid()
    grid.row([Cell("x" * (LONGEST_HEAD + 1)), Cell("B")], heads=True)
    assert grid.row([Cell("1"), Cell("2")]) == "1 | B: 2"
