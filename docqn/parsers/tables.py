"""A table's row as one paragraph, the same for every format."""

from collections.abc import Sequence

BETWEEN_CELLS = " | "


def row_text(heads: Sequence[str], cells: Sequence[str]) -> str:
    """`Head: cell | Head: cell`, each on one line. Empty cells are left out; a cell without a head stands alone."""
    return row_with_offsets(heads, cells)[0]


def row_with_offsets(heads: Sequence[str], cells: Sequence[str]) -> tuple[str, list[int]]:
    """The row's text, and where in it each cell's own begins; for an empty one, where the next part does."""
    parts: list[str] = []
    offsets = []
    offset = 0
    for column, cell in enumerate(cells):
        if not cell:
            offsets.append(offset)
            continue
        head = heads[column].rstrip(" :") if column < len(heads) else ""
        part = f"{head}: {cell}" if head and head != cell else cell
        parts.append(part)
        offset += len(part)
        offsets.append(offset - len(cell))
        offset += len(BETWEEN_CELLS)
    return BETWEEN_CELLS.join(parts), offsets
