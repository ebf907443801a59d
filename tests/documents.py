"""Small documents to test with."""

from collections.abc import Iterable

from docqn.build import Block, build_document
from docqn.document import Document


def document(blocks: Iterable[Block | str], title: str = "Tea", source: str = "tea.txt") -> Document:
    """A document from blocks; text alone is a paragraph, or a heading if it begins with `#`."""
    return build_document(map(_block, blocks), source=source, format="test", title=title)


def _block(block: Block | str) -> Block:
    if isinstance(block, Block):
        return block
    level = len(block) - len(block.lstrip("#"))
    return Block(block.lstrip("# "), level)


def sections(count: int) -> list[str]:
    """So many sections with two paragraphs of two sentences."""
    texts = ("## Part {0}", "Word {0} stands here. It is alone.", "Then came {0} more. They left again.")
    return [text.format(number) for number in range(count) for text in texts]
