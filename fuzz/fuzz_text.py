"""Fuzz the plain text parser."""

from pathlib import Path
from random import Random

from docqn.parsers.text import likelihood, parse
from fuzz import fuzz, mutated

WORDS = [
    *b"1. 1.1 2. 2.1.3 I. II. IV A. B. Chapter Part Appendix".split(),
    *b"Section Contents CAPITALS Title === --- ~~~ ^^^^ * - o (a)".split(),
    *b"[Page ...... \xe2\x80\x90 \xe6\x9d\xb1 \xc2\xa0 \xe2\x80\xa8 \xff \x00 _\x08a \x1b[1m".split(),
    b"\n", b"\n\n", b"\n\n\n", b"\r", b"\r\n", b"\t", b"        ",
    b"\x0c", b"\n\x0c", b"-\n", b".\n", b":\n", b"[Page 3]\n", b"\n=====\n",
]  # fmt: skip
SEEDS = [
    (Path(__file__).parents[1] / "tests" / "data" / "manual.txt").read_bytes(),
    b"Animals\n\tMammals\n\t\tDogs\n\t\tCats\n\tBirds\n\t\tParrots\nPlants\n\tOaks\n",
    b"NAME\n       tea - makes it\n\nOPTIONS\n       -m     with milk\n",
    b"TEA\n\nCHAPTER I.\n\nThe Leaf\n\nIt was.\n\nCHAPTER II.\n\nThe Cup\n\nIt is.\n",
]


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, SEEDS, mutate)
