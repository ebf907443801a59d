"""Start distributions: their shares against the formulas in fractions, and their samples against the shares."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from docqn import plugins
from docqn.document import NONE, PARAGRAPH, SECTION, SENTENCE, TITLE
from docqn.environment import starts
from docqn.environment.mdp import Environment
from docqn.environment.starts import sample_states, start_distribution
from docqn.environment.starts.mixture import Mixture
from docqn.errors import DocqnError
from tests.environment.naive import World, environment, small_worlds

Formula = Callable[[World], list[Fraction]]

FORMULAS: dict[str, Formula] = {
    "root": lambda world: [Fraction(node == 0) for node in range(len(world.parent))],
    "uniform": World.f_u,
    "backward": World.f_b,
    "uniform-backward": lambda world: [(u + b) / 2 for u, b in zip(world.f_u(), world.f_b(), strict=True)],
    "mixture:root=1,uniform=3": lambda world: [(Fraction(i == 0) + 3 * u) / 4 for i, u in enumerate(world.f_u())],
}


class FirstBelow:
    """A distribution of somebody else, known by this module's name: the first node below the title, or the title."""

    @staticmethod
    def sample(environment: Environment, task: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        first, document = environment.trees.first, environment.tasks.document[task]
        return np.minimum(first[document + 1] - first[document] - 1, 1).astype(np.int32)  # type: ignore[no-any-return]

    @staticmethod
    def probabilities(environment: Environment, task: int) -> np.ndarray:
        shares = np.zeros(np.diff(environment.trees.first)[environment.tasks.document[task]])
        shares[min(1, len(shares) - 1)] = 1
        return shares


def _first_below(world: World) -> list[Fraction]:
    below = min(1, len(world.parent) - 1)
    return [Fraction(node == below) for node in range(len(world.parent))]


FORMULAS[f"{__name__}:FirstBelow"] = _first_below
FORMULAS[f"mixture:root=1,{__name__}:FirstBelow=1"] = lambda world: [
    (Fraction(i == 0) + share) / 2 for i, share in enumerate(_first_below(world))
]
BUILT_IN = plugins.names(starts.__name__, "probabilities")


def answered(world: World) -> World:
    """The world with its first and last paragraph as answers."""
    paragraphs = [node for node, kind in enumerate(world.kinds) if kind == PARAGRAPH]
    return replace(world, answers=sorted({*paragraphs[:1], *paragraphs[-1:]}))


WORLDS = [answered(world) for world in small_worlds(6)]
LARGER = World(
    [NONE, 0, 1, 2, 2, 1, 5, 0, 7], [TITLE, SECTION, PARAGRAPH, 3, 3, PARAGRAPH, SENTENCE, SECTION, SECTION], [5]
)


def test_every_distribution_has_its_formula_here() -> None:
    assert {*BUILT_IN} == {name for name in FORMULAS if ":" not in name}


@pytest.mark.parametrize("name", FORMULAS)
def test_shares_are_those_of_the_formula(name: str) -> None:
    env = environment(WORLDS)
    distribution = start_distribution(name)
    for task, world in enumerate(WORLDS):
        assert distribution.probabilities(env, task) == pytest.approx([float(p) for p in FORMULAS[name](world)])


@pytest.mark.parametrize("name", FORMULAS)
def test_samples_have_these_shares(name: str) -> None:
    worlds = [LARGER, WORLDS[0], WORLDS[-1], replace(LARGER, answers=[2, 5]), replace(LARGER, answers=[])]
    env = environment(worlds)
    draws = 20_000
    task = np.repeat(np.arange(len(worlds)), draws)
    node = start_distribution(name).sample(env, task, np.random.default_rng(1))
    for i, world in enumerate(worlds):
        share = np.bincount(node[task == i], minlength=len(world.parent)) / draws
        expected = np.array([float(p) for p in FORMULAS[name](world)])
        assert (np.abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / draws)).all()


@pytest.mark.parametrize("name", FORMULAS)
def test_the_seed_decides(name: str) -> None:
    env = environment([LARGER])
    one, same = (_states(name, env, seed=3) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, same, strict=True))


def _states(name: str, env: Environment, seed: int, count: int = 20_000) -> tuple[np.ndarray, ...]:
    return tuple(sample_states(start_distribution(name), env, np.zeros(count, np.int64), np.random.default_rng(seed)))


def test_steps_are_uniform_from_the_shortest_path_to_the_last_before_the_limit() -> None:
    env = environment([replace(LARGER, limit=12)])
    _, node, step, _ = _states("uniform", env, seed=5)
    assert (step[node == 0] == 0).all()
    for u in range(1, len(LARGER.parent)):
        counts = np.bincount(step[node == u], minlength=12)
        first = LARGER.shortest_path(u)
        assert counts[:first].sum() == 0
        assert len(counts) == 12
        share = counts[first:] / counts.sum()
        assert share == pytest.approx(np.full(12 - first, 1 / (12 - first)), abs=0.06)


def test_a_node_beyond_the_limit_begins_at_the_last_step() -> None:
    env = environment([replace(LARGER, limit=2)])
    _, node, step, _ = _states("uniform", env, seed=5)
    assert (step[node > 0] == 1).all()


@pytest.mark.parametrize("coupled", [False, True])
def test_the_prediction_is_at_hand_in_one_of_seven_paragraphs_and_sentences(coupled: bool) -> None:
    env = environment([replace(LARGER, coupled=coupled)])
    _, node, _, predicted = _states("uniform", env, seed=5)
    readable = np.isin(node, [u for u, kind in enumerate(LARGER.kinds) if kind in (PARAGRAPH, SENTENCE)])
    assert not predicted[~readable].any()
    assert predicted[readable].mean() == pytest.approx(0 if coupled else 1 / 7, abs=0.02)


def test_a_mixture_needs_known_parts_and_weights() -> None:
    for wrong in (
        "mixture",
        "mixture:",
        "mixture:root",
        "mixture:root=x",
        "mixture:root=-1",
        "mixture:root=nan",
        "mixture:root=0",
    ):
        with pytest.raises(DocqnError, match="mixture"):
            start_distribution(wrong)
    with pytest.raises(DocqnError, match="nowhere"):
        start_distribution("mixture:nowhere=1")


def test_a_part_of_a_mixture_with_nothing_to_draw_does_no_harm() -> None:
    env = environment([LARGER])
    mixture = Mixture([start_distribution("root"), start_distribution("backward")], [1, 0])
    assert (mixture.sample(env, np.zeros(50, np.int64), np.random.default_rng(0)) == 0).all()
