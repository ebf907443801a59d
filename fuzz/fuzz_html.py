"""Fuzz the HTML parser. `DOCQN_PAGES=folder` takes pages from there as further seeds."""

import os
from pathlib import Path
from random import Random

from docqn.parsers.html import likelihood, parse
from fuzz import fuzz, mutated

WORDS = [
    *b"<p> </p> <div> </div> <section> <h1> </h1> <h2> </h2> <h3> <ul> </ul> <li> </li> <dl> <dt>".split(),
    *b"<dd> </dl> <table> </table> <thead> <tr> </tr> <td> </td> <th> <caption> <pre> </pre> <br>".split(),
    *b"<hr> <blockquote> <b> </b> <a> </a> <span> <sup> </sup> <label> <button> <select> <option> <svg>".split(),
    *b"<svg/> <template> <script> </script> <style> <title> </title> <textarea> <noscript> <iframe> <!-- -->".split(),
    *b"<!--> <![CDATA[ ]]> <nav> </nav> <main> </main> <article> <aside> <footer> <header> <".split(),
    *b"> / & ' \" = &amp; &#65; &#x1F600; &lt [1] \xc2\xb6 \xc2\xad \xe2\x80\x8b \xff \x00".split(),
    b" hidden", b" class=reference", b" class='navbox'", b" id=siteSub", b" id=bodyContent",
    b" role=heading aria-level=3", b" style='display:none'", b" colspan=3", b" rowspan=99", b" class=cookie-banner",
    b" class=infobox", b"<a href='#x'>", b"<td><b>x</b></td>", b"<meta charset=shift_jis>", b"<meta charset=utf-16>",
    b"<?xml version='1.0'?>", b"<!DOCTYPE html [", b"<img class=tex alt='x'>", b"<base><body hidden>", b"\n",
    b"\n\n", b"\r\n", b"\r", b"\t", b"\x0c", b"        ",
]  # fmt: skip
DATA = Path(__file__).parents[1] / "tests" / "data"
SEEDS = [
    *(page.read_bytes() for page in sorted(DATA.glob("*.html"))),
    b"<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>]><html><p/><![CDATA[x]]><table><tr><td rowspan=2>a</table>",
    "<meta charset=iso-8859-1><nav><a href=a>é</a></nav><main><h1>T</h1><p>b<br><br>c</main>".encode("latin-1"),
]
MOST_PAGES = 200


def seeds() -> list[bytes]:
    """Those at hand, and some of the folder's."""
    folder = os.environ.get("DOCQN_PAGES")
    pages = sorted(Path(folder).rglob("*.html")) if folder else []
    return SEEDS + [page.read_bytes() for page in Random(0).sample(pages, min(MOST_PAGES, len(pages)))]


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, seeds(), mutate)
