"""What matches, against the same said of one state and one word after the other."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from docqn.corpora.ragged import Ragged
from docqn.environment.match import MATCH_FEATURES, Match
from docqn.environment.observation import observed_parents
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.wording import Wording
from docqn.text.stems import stem_of
from tests.documents import document
from tests.environment.naive import World, environment
from tests.environment.test_observation import worlds

WORDS = "teach Teaching teachers city Cities the of which a ? 1990 1990s river Rivers rivalry Café cafes x u.s.".split()
word_numbers = st.integers(0, len(WORDS) - 1)


@given(st.data(), st.lists(worlds(), min_size=1, max_size=3))
def test_features_of_any_states(data: st.DataObject, worlds: list[World]) -> None:
    words = data.draw(st.lists(word_numbers, min_size=1, max_size=30))
    for world in worlds:
        world.words = [[words[number % len(words)] for number in node] for node in world.words]
    questions = [data.draw(st.lists(word_numbers, max_size=6)) for _ in worlds]
    env = environment(worlds)
    wording = Wording(env, WORDS, Ragged.of(questions), [])
    nodes = [(task, node) for task, world in enumerate(worlds) for node in range(len(world.parent))]
    chosen = data.draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=20))
    task, node = (np.array(part, np.int64) for part in zip(*chosen, strict=True))

    match = Match(wording, observed_parents(env.trees))
    for _ in range(2):  # stems that are known already make no difference
        features = match.of(task, env.trees.first[task] + node)
        assert features.dtype == np.float32
        expected = [_naive(worlds[at], questions[at], u) for at, u in chosen]
        assert features == pytest.approx(np.array(expected), abs=1e-6)


def _naive(world: World, question: list[int], node: int) -> list[float]:
    def stems(words: list[int]) -> list[str]:
        return [found for word in words if (found := stem_of(WORDS[word])) is not None]

    asked = set(stems(question))

    def share(words: list[int]) -> float:
        return len(asked & {*stems(words)}) / len(asked) if asked else 0.0

    path = world.observed(node)
    own = world.words[node][:20]
    above = world.words[path[-2]][:20] if len(path) > 1 else []
    return [
        share(own),
        share(world.path_words(node)),
        share(above),
        log(1 + sum(found in asked for found in stems(own))),
    ]


def test_a_matching_section_is_told_from_another() -> None:
    found = _of_all("How many days of annual leave do teachers get?", ["## Leaves of teaching", "Ten.", "## Pay"])
    below = [0, 0.5, 0.5]  # of day, annual, leave, teach; the paragraph and its sentence
    assert found[:, :3].tolist() == [[0, 0, 0], [0.5, 0.5, 0], below, below, [0, 0, 0]]
    assert found[:, 3] == pytest.approx([0, log(3), 0, 0, 0])


def _of_all(question: str, blocks: list[str]) -> NDArray[np.float32]:
    """The features of all nodes."""
    pairs = [Pair(question, document(blocks))]
    env = environment_of(pairs)
    place = np.arange(len(pairs[0].document))
    return Match(Wording.of_pairs(pairs, env), observed_parents(env.trees)).of(0 * place, place)


def test_of_no_states() -> None:
    env = environment_of([pair := Pair("Who?", document(["One."]))])
    match = Match(Wording.of_pairs([pair], env), observed_parents(env.trees))
    assert match.of(np.zeros(0, np.int64), np.zeros(0, np.int64)).shape == (0, MATCH_FEATURES)
