"""Markdown to finished Documents, beside markdown-it-py's parse of the same text with the same rules.

The rival neither divides sentences and tokens nor nests anything. The last rows show that time only grows with size.
"""

from collections.abc import Iterable
from random import Random

from markdown_it import MarkdownIt

from benchmarks import Row, race
from docqn.parsers import markdown

AIM = 3.0
LINEAR = 1.5  # times what a text five times smaller lets expect
MEGABYTE = 1_000_000
WORDS = """tea leaf water cup garden harvest green black trade ship port tax river hill morning old often never the a of
in was and with from""".split()


def run(seed: int) -> Iterable[Row]:
    """Texts of several kinds beside the rival, then larger ones beside smaller ones."""
    rules = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for name, text in (
        ("a mixed text, 100 KB", mixed(MEGABYTE // 10, seed)),
        ("a mixed text, 1 MB", mixed(MEGABYTE, seed)),
        ("prose without marks, 1 MB", "".join(prose(Random(seed)) for _ in range(MEGABYTE // 300))),
        ("one long list, 1 MB", "".join(f"- {line}\n" for line in mixed(MEGABYTE, seed).split("\n") if line)),
    ):
        data = text.encode()
        ours, theirs = race(lambda: markdown.parse(data, "x.md"), lambda: rules.parse(text), rounds=3)  # noqa: B023
        yield Row(name, ours, "markdown-it-py", theirs, at_most=AIM)

    small, large = (mixed(size, seed).encode() for size in (4 * MEGABYTE, 20 * MEGABYTE))
    seconds, longer = (race(lambda: markdown.parse(data, "x.md"), rounds=1)[0] for data in (small, large))  # noqa: B023
    yield Row("a mixed text, 20 MB", longer, "5 × 4 MB", 5 * seconds, at_most=LINEAR)

    few, many = (b"# Heading\n" * count for count in (200_000, 1_000_000))
    seconds, longer = (race(lambda: markdown.parse(data, "x.md"), rounds=1)[0] for data in (few, many))  # noqa: B023
    yield Row("a million headings", longer, "5 × 200,000", 5 * seconds, at_most=LINEAR)


def mixed(size: int, seed: int) -> str:
    """A text of about so many characters with the marks that manuals have, in about their proportion."""
    random = Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        part = random.choices((heading, prose, items, table, code), (3, 10, 4, 1, 2))[0](random)
        parts.append(part)
        length += len(part)
    return "".join(parts)


def heading(random: Random) -> str:
    """A heading with a blank line."""
    return "#" * random.randint(1, 4) + " " + sentence(random, 4).rstrip(".") + "\n\n"


def prose(random: Random) -> str:
    """A paragraph of a few wrapped sentences, without marks."""
    text = " ".join(sentence(random) for _ in range(4)).split()
    return "\n".join(" ".join(text[i : i + 14]) for i in range(0, len(text), 14)) + "\n\n"


def items(random: Random) -> str:
    """A list whose items have links, code and emphasis."""
    texts = (sentence(random) for _ in range(random.randint(2, 6)))
    marked = (f"- **{random.choice(WORDS)}** [{text}](http://example.org/a) and `code`.\n" for text in texts)
    return "".join(marked) + "\n"


def table(random: Random) -> str:
    """A table of three columns."""
    rows = "".join(f"| {' | '.join(random.choices(WORDS, k=3))} |\n" for _ in range(8))
    return f"| Name | Kind | Place |\n|---|:-:|--:|\n{rows}\n"


def code(random: Random) -> str:
    """A fenced block."""
    lines = "".join(f"    {random.choice(WORDS)} = {random.randint(0, 99)}\n" for _ in range(6))
    return f"```python\ndef tea():\n{lines}```\n\n"


def sentence(random: Random, words: int = 12) -> str:
    """So many words, more or less."""
    return " ".join(random.choices(WORDS, k=random.randint(words // 2, 2 * words))).capitalize() + "."
