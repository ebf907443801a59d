"""Fuzz the Markdown parser."""

from pathlib import Path
from random import Random

from docqn.parsers.markdown import likelihood, parse
from fuzz import fuzz, mutated

WORDS = [
    *b"# ## ###### - * + 1. 2) > >> ``` ~~~ --- === +++ ... *** **".split(),
    *b"__ ~~ ` `` \\ | |-|- :-: [ ] [] ( ) ]( ![ < > <!-- -->".split(),
    *b"<p> </p> <h2> <table> <tr> <th> <td> </table> <pre>".split(),
    *b"<script> <br> <img <?php <![CDATA[ ]]> &amp; &#0; &#x1F600;".split(),
    *b"[^a] [^a]: [a]: http://x.org <http://x> title: \xc2\xad \xe2\x80\x8b \xff \x00".split(),
    b"\n", b"\n\n", b"  \n", b"\r", b"\r\n", b"\t", b"    ",
    b"\x0c", b"\n- ", b"\n> ", b"\n    ", b"\n# ", b"\n---\n", b"- [x] ",
]  # fmt: skip
SEEDS = [
    (Path(__file__).parents[1] / "tests" / "data" / "manual.md").read_bytes(),
    b"+++\ntitle = 'T'\n+++\n\n[^1]: a\n\n    b\n\n<table>\n"
    b"<tr><th colspan=2>x</th></tr>\n\n<tr><td>y</td></tr></table>\n",
]


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, SEEDS, mutate)
