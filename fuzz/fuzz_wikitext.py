"""Fuzz the wikitext parser."""

from pathlib import Path
from random import Random

from docqn.parsers.wikitext import likelihood, parse
from fuzz import fuzz, mutated

WORDS = [
    *b"{{ }} {{{ }}} {{{{{ }}}}} [[ ]] [ ] | || ! !! {| |}".split(),
    *b"|- |+ = == ====== * # ; : '' ''' ''''' ---- __TOC__ ~~~~ {{!}}".split(),
    *b"<ref> </ref> <ref/> <!-- --> <nowiki> </nowiki> <pre>".split(),
    *b"</pre> <math> <br> <p> <poem> </poem> <gallery> <td> <li>".split(),
    *b"File: Image: Category: de: thumb 20px convert".split(),
    *b"quote Infobox lang| label1= data1= colspan=9 rowspan='3' #REDIRECT".split(),
    *b"[http://x mailto: {{DISPLAYTITLE: &amp; &#124; \xf3\xb0\x80\x83 \xf3\xb0\x84\xa1 \xff \x00".split(),
    b"\n", b"\n\n", b"\r\n", b"\n== ", b"\n{|\n", b"\n|}\n", b"\n|-\n", b"\n| ", b"\n! ", b"\n* ", b"\n ",
]  # fmt: skip
SEEDS = [
    (Path(__file__).parents[1] / "tests" / "data" / "manual.wiki").read_bytes(),
    b"{|\n! A\n! rowspan=2 | B\n|-\n| 1 || 2\n{|\n| inner\n|}\n|}\n"
    b"<poem>\na\nb\n</poem>\n<gallery>\nFile:a.jpg|b\n</gallery>\n",
]


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, SEEDS, mutate)
