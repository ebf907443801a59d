r"""What each part of `forage` is worth, as accuracy at shares of the tokens: for variants of it and seeds of the scent,
with readings that are known beforehand (`tools/read_ahead.py`).

    docqn scent schools --out scents/1 --set seed=1        # and 2 and 3
    python -m tools.forage_curves schools readings --split dev --split verified-dev scents/1 scents/2 scents/3

A variant's accuracy at a share of tokens lies on the line between the two prices around it. `scent` is the policy as it
is; in the others one part is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from docqn.corpora.store import Corpus
from docqn.environment.pairs import Pair
from docqn.policies import forage
from docqn.policies.bm25 import scores as bm25
from docqn.policies.budget import Budget
from docqn.policies.forage import Hunt
from docqn.policies.ranking import ranked
from docqn.policies.scent.index import index_of
from docqn.policies.scent.model import Scent, load
from docqn.readers import Reading
from tools.read_ahead import Found

SHARES = (2.5, 5.0, 7.5, 10.0, 15.0)  # percent of the tokens
PRICES = (64.0, 24.0, 12.0, 8.0, 5.0, 3.0, 2.0, 1.4, 1.0, 0.6, 0.3, 0.1)


class Known(NamedTuple):
    """A pair with all of its readings, and which paragraphs are right."""

    pair: Pair
    readings: dict[int, Reading]
    right: frozenset[int]


Point = tuple[float, float]  # share of the tokens and accuracy, percent


def known(corpus: Path, split: str, reader: Found) -> list[Known]:
    """The pairs with an answer; of a split that people judged, those with support."""
    found = []
    pairs = [Pair.of(example) for example in Corpus(corpus).split(split)]
    judged = any(pair.supporting is not None for pair in pairs)
    for pair in pairs:
        if right := pair.supporting if judged else pair.answers:
            nodes = index_of(pair.document).paragraph.tolist()
            texts = [pair.document.text_of(node) for node in nodes]
            readings = reader.read([pair.question] * len(nodes), texts)
            found.append(Known(pair, dict(zip(nodes, readings, strict=True)), frozenset(right)))
    return found


def foraging(pairs: Sequence[Known], scent: Scent) -> list[Point]:
    """A point for each price."""
    begun = [Hunt.begin(one.pair, scent, Budget(one.pair.document, None)) for one in pairs]
    return [_mean([_hunt(one, start, price) for one, start in zip(pairs, begun, strict=True)]) for price in PRICES]


def _hunt(one: Known, start: Hunt, price: float) -> Point:
    hunt = Hunt(start.paragraph, start.chance, start.cost, start.budget)
    while hunt.choose(price):
        hunt.take(one.readings[hunt.next_node])
    right = hunt.best is not None and hunt.nodes[hunt.best] in one.right
    return 100 * float(hunt.cost[: hunt.at].sum()), 100.0 * right


def retrieving(pairs: Sequence[Known], order: Callable[[Known], Sequence[int]]) -> list[Point]:
    """A point for each number of paragraphs that are read, the best of which counts."""
    orders = [list(order(one))[:16] for one in pairs]
    return [_mean([_best_of(one, nodes[:k]) for one, nodes in zip(pairs, orders, strict=True)]) for k in range(1, 17)]


def _best_of(one: Known, nodes: Sequence[int]) -> Point:
    document = one.pair.document
    cost = sum(int(document.end_token[node] - document.first_token[node]) for node in nodes) / len(document.token)
    best = max(nodes, key=lambda node: one.readings[node].logit, default=-1)
    return 100 * cost, 100.0 * (best in one.right)


def _mean(points: Sequence[Point]) -> Point:
    share, accuracy = np.mean(points, axis=0).tolist()
    return share, accuracy


def by_scent(scent: Scent) -> Callable[[Known], Sequence[int]]:
    """Paragraphs by their scent alone."""

    def order(one: Known) -> Sequence[int]:
        index = index_of(one.pair.document)
        nodes: list[int] = index.paragraph[np.argsort(-scent.chances(index, one.pair.question), kind="stable")].tolist()
        return nodes

    return order


def with_constants(pairs: Sequence[Known], scent: Scent, **constants: float) -> list[Point]:
    """Foraging with other constants."""
    before = {name: getattr(forage, name) for name in constants}
    for name, value in constants.items():
        setattr(forage, name, value)
    try:
        return foraging(pairs, scent)
    finally:
        for name, value in before.items():
            setattr(forage, name, value)


def _interpolated(curve: list[Point]) -> list[float]:
    share, accuracy = np.array(sorted(curve)).T
    found: list[float] = np.interp(np.array(SHARES), share, accuracy).tolist()
    return found


def row(name: str, curves: Sequence[list[Point]]) -> str:
    """Accuracy at each share: the mean over seeds, and the largest distance from it."""
    at = np.array([_interpolated(curve) for curve in curves])
    mean = at.mean(0)
    spread = np.abs(at - mean).max(0)
    cells = [f"{m:.1f}" + (f" ±{s:.1f}" if len(curves) > 1 else "") for m, s in zip(mean, spread, strict=True)]
    return f"| {name} | " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("readings", help="the folder that `tools.read_ahead` wrote")
    parser.add_argument("scents", type=Path, nargs="+")
    parser.add_argument("--split", action="append", required=True)
    options = parser.parse_args(arguments)
    reader, scents = Found(options.readings), [load(folder) for folder in options.scents]
    for split in options.split:
        pairs = known(options.corpus, split, reader)
        print(f"\n{len(pairs):,} pairs of {split}, {len(scents)} seeds\n")
        print("| | " + " | ".join(f"{share:g} %" for share in SHARES) + " |")
        print("|---|" + "--:|" * len(SHARES))
        print(row("scent", [foraging(pairs, scent) for scent in scents]), flush=True)
        variants = {
            "in order of p alone": {"_AGAINST_COST": 0.0},
            "the reader's logit alone decides": {"_TRUST": 0.0},
        }
        for name, constants in variants.items():
            print(row(name, [with_constants(pairs, scent, **constants) for scent in scents]), flush=True)
        print(row("the best of a fixed number by scent", [retrieving(pairs, by_scent(scent)) for scent in scents]))
        print(row("the best of a fixed number by BM25", [retrieving(pairs, lambda one: ranked(one.pair, bm25))]))


if __name__ == "__main__":
    main()
