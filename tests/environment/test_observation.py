"""Observations and node features against plain objects, on small trees and on deep ones."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, TITLE
from docqn.environment.features import NODE_FEATURES, node_features
from docqn.environment.observation import LONGEST, WORDS, observed_parents, observed_words
from tests.environment.naive import World, environment, small_worlds
from tests.trees import random_parents


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A tree of any shape with up to 25 words a node; leaves are paragraphs, or sentences at times."""
    parent = draw(random_parents(most=40))
    kinds = _kinds(parent, draw(st.booleans()))
    lengths = draw(st.lists(st.integers(0, 25), min_size=len(parent), max_size=len(parent)))
    words = [[100 * node + i for i in range(length)] for node, length in enumerate(lengths)]
    for node, kind in enumerate(kinds):  # a paragraph's words are those of its sentences
        below = [child for child, up in enumerate(parent) if up == node]
        if kind == PARAGRAPH and below:
            words[node] = [word for child in below for word in words[child]]
    return World(parent, kinds, words=words)


def _kinds(parent: list[int], sentences: bool) -> list[int]:
    inner = set(parent)
    kinds = [TITLE] + [SECTION if node in inner else PARAGRAPH for node in range(1, len(parent))]
    for node in range(1, len(parent)):
        below = [child for child, up in enumerate(parent) if up == node]
        if sentences and below and all(kinds[child] == PARAGRAPH and child not in inner for child in below):
            kinds[node] = PARAGRAPH
            for child in below:
                kinds[child] = SENTENCE
    return kinds


@given(st.lists(worlds(), min_size=1, max_size=3))
def test_observations_hold_the_first_words_of_each_node_on_the_path(worlds: list[World]) -> None:
    _check_observations(worlds)


def _check_observations(worlds: list[World]) -> None:
    env = environment(worlds)
    place = np.arange(len(env.trees.kind))
    document = np.repeat(np.arange(len(worlds), dtype=np.int32), np.diff(env.trees.first))
    words, length = observed_words(env.trees, observed_parents(env.trees), place, document)
    assert words.shape == (len(place), LONGEST)
    for row, count, (world, node) in zip(words, length, _nodes(worlds), strict=True):
        expected = world.path_words(node)
        assert row[:count].tolist() == expected
        assert (row[count:] == NONE).all()


@given(worlds())
def test_an_observation_is_that_of_the_parent_and_the_words_of_the_node(world: World) -> None:
    env = environment([world])
    parents = observed_parents(env.trees)
    for node in range(1, len(world.parent)):
        above = world.path_words(int(parents[node]))
        assert world.path_words(node) == above + world.words[node][:WORDS]


@given(st.lists(worlds(), min_size=1, max_size=3), st.integers(0, 99))
def test_features_of_any_tree(worlds: list[World], step: int) -> None:
    _check_features(worlds, step)


def test_features_of_every_small_tree() -> None:
    _check_features(list(small_worlds(6)), 7)


def test_observations_of_every_small_tree() -> None:
    """With fewer, as many and more words than are seen of each node."""
    for shortest in (0, WORDS):
        _check_observations([_worded(world, shortest) for world in small_worlds(6)])


def _worded(world: World, shortest: int) -> World:
    """The world with `shortest` words in its title, one more in the next node, and so on; a paragraph's are those of
    its sentences."""
    words = [[100 * node + i for i in range(shortest + node)] for node in range(len(world.parent))]
    for node in range(len(words)):
        if world.kinds[node] == PARAGRAPH and world.nodes[node].children:
            words[node] = [word for child in world.nodes[node].children for word in words[child.number]]
    return replace(world, words=words)


def _check_features(worlds: list[World], step: int) -> None:
    env = environment(worlds)
    node = np.concatenate([np.arange(len(world.parent), dtype=np.int32) for world in worlds])
    features = node_features(env.trees, np.arange(len(node)), node, np.full(len(node), step, np.int32))
    assert features.shape == (len(node), NODE_FEATURES)
    assert features.tolist() == [world.features(node, step) for world, node in _nodes(worlds)]


def _nodes(worlds: list[World]) -> list[tuple[World, int]]:
    return [(world, node) for world in worlds for node in range(len(world.parent))]


@pytest.mark.parametrize("depth", [8, 9, 12])
def test_depth_and_height_are_clipped(depth: int) -> None:
    chain = World([NONE, *range(depth)], [TITLE] + [SECTION] * depth)
    features = node_features(
        environment([chain]).trees, np.array([depth]), np.array([depth], np.int32), np.zeros(1, np.int32)
    )
    assert features[0, 1 + 8] == 1
    assert features[0, 1 + 9] == 1
