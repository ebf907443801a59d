"""Forests against observations that are made one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docqn.document import NONE
from docqn.environment.forest import Forest, forest, own_words
from docqn.environment.observation import observed_parents
from tests.environment.naive import World, environment
from tests.environment.test_observation import worlds


def _words(wood: Forest, entry: int, own: list[list[int]]) -> list[int]:
    """The observation of a node of the forest: the words of all above it, and its own."""
    above = int(wood.entry(wood.above[entry : entry + 1])[0])
    return (_words(wood, above, own) if above != NONE else []) + own[entry]


@given(st.lists(worlds(), min_size=1, max_size=3), st.data())
def test_the_words_along_a_path_of_the_forest_are_the_observation(worlds: list[World], data: st.DataObject) -> None:
    env = environment(worlds)
    places = [(i, node) for i, world in enumerate(worlds) for node in range(len(world.parent))]
    asked = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=8))
    place = np.array([env.trees.first[i] + node for i, node in asked])
    wood = forest(observed_parents(env.trees), place)
    words, length = own_words(env.trees, wood.place)
    own = [row[:count].tolist() for row, count in zip(words, length, strict=True)]
    assert [_words(wood, at, own) for at in wood.entry(place).tolist()] == [worlds[i].path_words(u) for i, u in asked]


@given(worlds(), st.data())
def test_each_node_is_there_once_and_on_a_later_level_than_the_one_above(world: World, data: st.DataObject) -> None:
    env = environment([world])
    nodes = data.draw(st.lists(st.integers(0, len(world.parent) - 1), max_size=6))
    wood = forest(observed_parents(env.trees), np.array(nodes, np.int64))
    assert len(set(wood.place.tolist())) == len(wood.place)
    assert wood.first[-1] == len(wood.place)
    level = np.searchsorted(wood.first, np.arange(len(wood.place)), side="right") - 1
    above = wood.entry(wood.above)
    assert all(level[u] == (level[up] + 1 if up != NONE else 0) for u, up in enumerate(above.tolist()))
    needed = set()
    for node in nodes:
        while node != NONE:
            needed.add(node)
            node = int(observed_parents(env.trees)[node])
    assert set(wood.place.tolist()) == needed


@given(worlds(), st.data())
def test_what_is_known_is_left_out(world: World, data: st.DataObject) -> None:
    env = environment([world])
    parents = observed_parents(env.trees)
    count = len(world.parent)
    nodes = data.draw(st.lists(st.integers(0, count - 1), max_size=6))
    before = forest(parents, np.array(data.draw(st.lists(st.integers(0, count - 1), max_size=6)), np.int64)).place
    known = np.zeros(count, bool)
    known[before] = True
    wood = forest(parents, np.array(nodes, np.int64), known)
    whole = forest(parents, np.array(nodes, np.int64))
    assert set(wood.place.tolist()) == set(whole.place.tolist()) - set(before.tolist())
    assert all(known[up] or up in wood.place for up in wood.above.tolist() if up != NONE)
