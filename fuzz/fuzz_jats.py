"""Fuzz the JATS parser."""

from random import Random

from docqn.parsers.jats import likelihood, parse
from fuzz import fuzz, mutated

TAGS = """abstract alternatives app article article-title back boxed-text break caption def-item disp-formula fig fn
fn-group front label list list-item mml:math mml:mfrac p preformat ref-list sec sub-article sup table tbody td term
tex-math th thead title title-group tr xref""".split()
WORDS = [
    *(f"<{tag}>".encode() for tag in TAGS),
    *(f"</{tag}>".encode() for tag in TAGS),
    *(f"<{tag}/>".encode() for tag in TAGS),
    b"<xref ref-type='bibr'>1</xref>", b"<td rowspan='3' colspan='9'>", b"<entry namest='a' nameend='b' morerows='2'>",
    b"&nbsp;", b"&x;", b"&#1;", b"<![CDATA[", b"]]>", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"<?xml encoding='utf-16'?>",
    b"\xff",
]  # fmt: skip
SEED = b"""<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.1//EN" "x.dtd">
<article dtd-version="1.1" xml:lang="en"><front><article-meta>
<title-group><article-title>Tea</article-title><subtitle>and
coffee</subtitle></title-group>
<abstract><sec><title>Aim</title><p>One [<xref ref-type="bibr">1</xref>]. Two.</p></sec></abstract>
</article-meta></front>
<body><p>Before.</p><sec><label>1.</label><title>First</title><p>10<sup>6</sup> of
<inline-formula><alternatives><tex-math>$x$</tex-math>
<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mn>2</mml:mn></mml:mfrac></mml:math></alternatives></inline-formula>
<list><list-item><label>a)</label><p>item</p></list-item></list></p>
<table-wrap><label>Table 1</label><caption><p>Sizes</p></caption>
<table><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr></thead>
<tbody><tr><td>1</td><td>2</td></tr></tbody></table></table-wrap>
<boxed-text><sec><title>Box</title><p>in</p></sec></boxed-text><p>after</p></sec></body>
<back><ack><p>Thanks</p></ack><ref-list><ref/></ref-list></back></article>"""


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, [SEED, SEED.decode().encode("utf-16")], mutate)
