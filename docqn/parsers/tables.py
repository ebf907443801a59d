"""A table's row as one paragraph, the same for every format."""

from collections.abc import Sequence

BETWEEN_CELLS = " | "


def row_text(heads: Sequence[str], cells: Sequence[str]) -> str:
    """`Head: cell | Head: cell`, each on one line. Empty cells are left out; a cell without a head stands alone."""
    return row_with_offsets(heads, cells)[0]


def row_with_offsets(heads: Sequence[str], cells: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """The row's text, and where in it each cell begins: with what divides it from the one before and its head, and by
    itself. An empty one begins where the next part does."""
    parts: list[str] = []
    offsets = []
    end = 0  # of the text so far
    for column, cell in enumerate(cells):
        begin = end + len(BETWEEN_CELLS) if parts else end
        if not cell:
            offsets.append((begin, begin))
            continue
        head = heads[column].rstrip(" :") if column < len(heads) else ""
        part = f"{head}: {cell}" if head and head != cell else cell
        parts.append(part)
        offsets.append((end, begin + len(part) - len(cell)))
        end = begin + len(part)
    return BETWEEN_CELLS.join(parts), offsets
