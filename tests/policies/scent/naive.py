"""What an index tells of each paragraph, as one would first write it down: paragraph by paragraph, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import log, log1p

from hypothesis import strategies as st

from docqn.build import Block, build_document
from docqn.document import NONE, PARAGRAPH, SENTENCE, Document
from docqn.policies.scent.features import Rarity
from docqn.policies.words import words_of
from docqn.text.stems import stem, stem_of
from tests.trees import block_lists, texts

WORDS = "river rivers Nile nile lakes Lake 1920 7 flows flowing U.S. Egypt café of the it. end. Why? x".split()
_sentences = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
_levels = st.sampled_from([0, 0, 0, 1, 2, 3])
_worded = st.lists(st.tuples(_sentences, _levels).map(lambda both: Block(*both)), max_size=12)
documents = (_worded | block_lists).map(lambda blocks: build_document(blocks, source="x", format="test", title="Lakes"))
questions = texts | st.lists(st.sampled_from([*WORDS, "How many", "When", "Who", "which", "unicorn"]), max_size=8).map(
    " ".join
)


def paragraphs_of(document: Document) -> list[int]:
    return [node for node in range(len(document)) if document.kind[node] == PARAGRAPH]


def sentences_of(document: Document, paragraph: int) -> list[int]:
    """Of a paragraph without sentences it is the only one."""
    return [child for child in document.children(paragraph) if document.kind[child] == SENTENCE] or [paragraph]


def stems_of(document: Document, node: int) -> list[str]:
    return [found for token in document.tokens_of(node) if (found := stem_of(token)) is not None]


def headings_above(document: Document, node: int) -> Iterator[int]:
    while (node := int(document.parent[node])) != NONE:
        yield node


def digits_of(document: Document, paragraph: int) -> int:
    return sum(token[0].isdigit() for token in document.tokens_of(paragraph))


def capitals_of(document: Document, paragraph: int) -> int:
    """Those that begin no sentence."""
    return sum(t[0].isupper() for one in sentences_of(document, paragraph) for t in document.tokens_of(one)[1:])


def naive_features(document: Document, question: str, rarity: Rarity) -> list[dict[str, float]]:
    """One dictionary a paragraph."""
    nodes = paragraphs_of(document)
    there = {one for node in range(len(document)) for one in stems_of(document, node)}
    asked = [stem(word) for word in words_of(question)]
    distinct = [one for one in dict.fromkeys(asked) if one in there]
    idf = {}
    for one in distinct:
        holding = sum(one in stems_of(document, node) for node in nodes)
        idf[one] = log(1 + (len(nodes) - holding + 0.5) / (holding + 0.5))
    mean = sum(len(stems_of(document, node)) for node in nodes) / max(len(nodes), 1)

    def share(found: set[str]) -> float:
        return sum(rarity(one) for one in distinct if one in found) / (sum(map(rarity, distinct)) + 1e-9)

    rows = []
    for place, node in enumerate(nodes):
        stems, tokens = stems_of(document, node), document.tokens_of(node)
        above = {one for heading in headings_above(document, node) for one in stems_of(document, heading)}
        sentences = [stems_of(document, one) for one in sentences_of(document, node)]
        saturation = 1.5 * (0.25 + 0.75 * len(stems) / max(mean, 1e-9))
        gains = [idf[one] * stems.count(one) / (stems.count(one) + saturation) for one in distinct]
        rows.append({
            "bm25": sum(gains) / (sum(idf.values()) + 1e-9),
            "covered_here": sum(idf[one] for one in distinct if one in stems) / (sum(idf.values()) + 1e-9),
            "covered": share({*stems}),
            "heading": share(above),
            "with_heading": share(above | {*stems}),
            "sentence": max(share({*sentence}) for sentence in sentences),
            "bigrams": log1p(sum(pair in [*pairwise(asked)] for one in sentences for pair in pairwise(one))),
            "length": log1p(len(tokens)),
            "short": float(len(tokens) < 15),
            "position": place / len(nodes),
            "order": log1p(place),
            "digits": log1p(digits_of(document, node)),
            "capitals": log1p(capitals_of(document, node)),
        })  # fmt: skip
    for place, row in enumerate(rows):
        row["before"] = rows[place - 1]["covered"] if place else 0.0
        row["after"] = rows[place + 1]["covered"] if place + 1 < len(rows) else 0.0
        for name in ("bm25", "covered", "with_heading", "sentence"):
            row[f"{name}_to_best"] = row[name] - max(other[name] for other in rows)
        for name in ("bm25", "covered"):
            row[f"is_best_{name}"] = float(row[f"{name}_to_best"] >= -1e-9)
        row["digits_asked"] = row["digits"] * _asks(question, NUMBERS)
        row["capitals_asked"] = row["capitals"] * _asks(question, NAMES)
    return rows


NUMBERS = [f"how {much}" for much in "many much long old far tall high often".split()]
NUMBERS += "when year date century number percent".split()
NAMES = "who whose whom name names named which where called".split()


def _asks(question: str, phrases: list[str]) -> bool:
    """Whether one of the phrases stands there, not as a part of words."""
    spaced = "".join(char if char.isalnum() or char in " _" else f" {char} " for char in question.lower())
    return any(f" {phrase} " in f" {spaced} " for phrase in phrases)
