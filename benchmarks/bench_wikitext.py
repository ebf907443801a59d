"""Wikitext to finished Documents, beside mwparserfromhell's parse and `strip_code()` of the same page.

The rival neither divides sentences and tokens nor nests anything, and drops lists' and tables' structure.
"""

from collections.abc import Iterable
from random import Random

import mwparserfromhell

from benchmarks import Row, race
from benchmarks.bench_markdown import LINEAR, MEGABYTE, WORDS, sentence
from docqn.parsers import wikitext

BOX = "{{Infobox place\n| name = Port\n| population = 1,234<ref>Census</ref>\n}}\n"


def run(seed: int) -> Iterable[Row]:
    """Pages of several sizes."""
    for size, name in ((MEGABYTE // 10, "100 KB"), (MEGABYTE, "1 MB")):
        text = page(size, seed)
        data = text.encode()
        ours, theirs = race(
            lambda: wikitext.parse(data, "x.wiki"),  # noqa: B023
            lambda: mwparserfromhell.parse(text).strip_code(),  # noqa: B023
            rounds=3,
        )
        yield Row(f"a page of {name}", ours, "mwparserfromhell", theirs, at_most=1)

    small, large = (page(size, seed).encode() for size in (4 * MEGABYTE, 20 * MEGABYTE))
    seconds, longer = (race(lambda: wikitext.parse(data, "x.wiki"), rounds=1)[0] for data in (small, large))  # noqa: B023
    yield Row("a page of 20 MB", longer, "5 × 4 MB", 5 * seconds, at_most=LINEAR)


def page(size: int, seed: int) -> str:
    """A page of about so many characters with links, templates, notes, lists and tables."""
    random = Random(seed)
    parts = [BOX]
    length = 0
    while length < size:
        part = random.choices((heading, paragraph, items, table), (3, 10, 2, 1))[0](random)
        parts.append(part)
        length += len(part)
    return "".join(parts)


def heading(random: Random) -> str:
    """A heading of the second or third level."""
    signs = "=" * random.randint(2, 3)
    return f"\n{signs} {random.choice(WORDS).title()} {signs}\n"


def paragraph(random: Random) -> str:
    """Sentences with links, emphasis, notes and templates."""
    return " ".join(marked(random) for _ in range(4)) + "\n\n"


def items(random: Random) -> str:
    """A list."""
    return "".join(f"* {marked(random)}\n" for _ in range(4))


def table(random: Random) -> str:
    """A table of two columns."""
    rows = "".join(f"|-\n| {random.randint(1000, 2000)} || [[{random.choice(WORDS)}]]\n" for _ in range(5))
    return f'{{| class="wikitable"\n! Year !! Name\n{rows}|}}\n'


def marked(random: Random) -> str:
    """A sentence with a mark or two."""
    word = random.choice(WORDS)
    mark = random.choice(
        (
            f"[[{word}]]",
            f"[[{word}|{word}s]]",
            f"'''{word}'''",
            f"{{{{convert|{random.randint(1, 99)}|km|mi}}}}",
            f'{word}<ref name="{word}">{{{{cite book|last={word}|title=The {word}|year=1999}}}}</ref>',
        )
    )
    return f"{sentence(random).rstrip('.')} {mark} {word}."
