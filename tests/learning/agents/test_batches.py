"""What is told of words, against the table that they are looked up in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docqn.learning.agents.batches import Lookup
from docqn.readers.neural.words import WordTable
from docqn.text.characters import characters
from docqn.text.vectors import Words
from tests.learning.agents.small import CPU

KNOWN = {"river": [1.5, -2.0], "lake": [0.25, 4.0]}
BUCKETS = 5


def table() -> WordTable:
    vectors = np.array(list(KNOWN.values()), np.float16)
    return WordTable(Words(list(KNOWN), BUCKETS), vectors, np.zeros((BUCKETS, 2), np.float16))


def check(lookup: Lookup, spelt: Sequence[str], words: list[int]) -> None:
    given, bucket, signs = (part.numpy() for part in lookup.of(np.array(words, np.int64)))
    assert [str(part.dtype) for part in (given, bucket, signs)] == ["float32", "int64", "int64"]
    assert given.tolist() == [KNOWN.get(spelt[word].lower(), [0, 0]) for word in words]
    numbers = table().words.numbers([spelt[word] for word in words])
    unknown = [spelt[word].lower() not in KNOWN for word in words]
    assert bucket.tolist() == np.where(unknown, numbers - len(KNOWN), -1).tolist()
    assert signs.tolist() == characters([spelt[word] for word in words]).tolist()


def test_words_are_told_by_their_vector_or_bucket_and_their_characters() -> None:
    first, second = ["the", "River", "lake", "Zambezi"], ["lake", "tea", "of", "extraordinarily-long-word", "RIVER"]
    lookup = Lookup(table(), first, CPU)
    other = lookup.over(second)
    for _ in range(2):  # neither takes anything from the other
        check(lookup, first, [3, 1, 0, 2])
        check(other, second, [4, 3, 2, 1, 0])
    check(lookup, first, [])
