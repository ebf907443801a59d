"""A table's row as one paragraph, the same for every format."""

from collections.abc import Sequence

BETWEEN_CELLS = " | "


def row_text(heads: Sequence[str], cells: Sequence[str]) -> str:
    """`Head: cell | Head: cell`, each on one line. Empty cells are left out; a cell without a head stands alone."""
    return BETWEEN_CELLS.join(_before(heads, column, cell) + cell for column, cell in enumerate(cells) if cell)


def cell_offsets(heads: Sequence[str], cells: Sequence[str]) -> list[int]:
    """Where in the row's text each cell's own text begins; for an empty one, where the next part does."""
    offsets, offset = [], 0
    for column, cell in enumerate(cells):
        before = len(_before(heads, column, cell)) if cell else 0
        offsets.append(offset + before)
        offset += before + len(cell) + len(BETWEEN_CELLS) if cell else 0
    return offsets


def _before(heads: Sequence[str], column: int, cell: str) -> str:
    """What stands before a cell's text."""
    head = heads[column].rstrip(" :") if column < len(heads) else ""
    return f"{head}: " if head and head != cell else ""
