"""The Gymnasium environment: its contract by Gymnasium's own checks, its content against the vector environment."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

from docqn.document import NONE
from docqn.environment.actions import ACTIONS, ANSWER, STOP
from docqn.environment.gymnasium_env import ENVIRONMENT_ID, DocumentNavigation
from docqn.environment.observation import LONGEST
from docqn.environment.pairs import Pair, environment_of
from tests.documents import document, sections

DOWN, RIGHT = ACTIONS.index("Down"), ACTIONS.index("Right")
CAKES = document(["## Intro", "Alice went to Paris in 1920. She liked it.", "## Food", "Bob ate 17 cakes. Then more."])
PAIRS = [
    Pair("How many cakes did Bob eat?", CAKES, answers=(6,)),
    Pair("Where did Alice go?", CAKES, answers=(2,)),
    Pair("What came?", document(sections(3)), answers=()),
]


def made(**settings: Any) -> DocumentNavigation:
    environment = gymnasium.make(ENVIRONMENT_ID, **{"pairs": PAIRS, **settings}).unwrapped
    assert isinstance(environment, DocumentNavigation)
    return environment


@pytest.mark.parametrize("start", ["root", "uniform-backward"])
@pytest.mark.parametrize("coupled", [False, True])
def test_gymnasium_finds_nothing_wrong(coupled: bool, start: str) -> None:
    check_env(made(coupled=coupled, start=start, render_mode="ansi"))


def test_gymnasium_finds_what_is_wrong() -> None:
    environment = made()
    environment.observation_space = spaces.Dict({})
    with pytest.raises((AssertionError, UserWarning)):
        check_env(environment)


def test_its_name_with_the_module_is_enough() -> None:
    name = f"docqn.environment.gymnasium_env:{ENVIRONMENT_ID}"
    script = "import gymnasium, sys; gymnasium.make(sys.argv[1], pairs=[])"
    done = subprocess.run([sys.executable, "-c", script, name], capture_output=True, text=True, timeout=60)
    assert "needs at least one pair" in done.stderr


def test_an_episode_is_that_of_the_vector_environment() -> None:
    environment = made(limit=20)
    vector = environment_of(PAIRS, limit=20)
    states = vector.start(np.array([0]))
    _, info = environment.reset(options={"pair": 0})
    for action in [DOWN, RIGHT, DOWN, ANSWER, 0, 1, STOP]:
        assert info["action_mask"].tolist() == vector.legal(states)[0].tolist()
        states, outcome = vector.step(states, np.array([action]))
        observation, reward, terminated, truncated, info = environment.step(np.int64(action))
        assert (info["node"], info["step"]) == (states.node[0], states.step[0])
        assert (reward, terminated, truncated) == (outcome.reward[0], outcome.stopped[0], outcome.truncated[0])
        assert observation["predicted"] == states.predicted[0]


@pytest.mark.parametrize("action", [-1, len(ACTIONS), 2.5, None])
def test_what_is_no_action_is_an_error_and_changes_nothing(action: Any) -> None:
    environment = made()
    environment.reset(options={"pair": 0})
    environment.step(np.int64(DOWN))
    with pytest.raises(ValueError, match="is not one of the 7 actions"):
        environment.step(action)
    *_, info = environment.step(np.int64(RIGHT))
    assert (info["node"], info["step"]) == (CAKES.next_sibling[1], 2)


def test_an_observation_tells_words_features_and_the_readers_answer() -> None:
    environment = made()
    words = list(environment.vocabulary)

    def spelt(numbers: Any) -> str:
        return " ".join(words[number] for number in numbers if number != NONE)

    environment.reset(options={"pair": 0})
    for action in (DOWN, RIGHT, DOWN):
        environment.step(np.int64(action))
    observation, *_ = environment.step(np.int64(ANSWER))
    assert spelt(observation["question"]) == "How many cakes did Bob eat ?"
    assert spelt(observation["words"]) == "Tea Food Bob ate 17 cakes . Then more ."
    assert spelt(observation["answer"]) == "17"
    assert observation["prediction"][2] == len("Bob ate 17 cakes . Then more .".split())
    assert observation["node"][0] == 4
    assert observation["words"].shape == (LONGEST,)


def test_rendering_says_where_the_cursor_is() -> None:
    environment = made(render_mode="ansi")
    environment.reset(options={"pair": 1})
    environment.step(np.int64(DOWN))
    environment.step(np.int64(DOWN))
    environment.step(np.int64(ANSWER))
    assert environment.render() == (
        "Where did Alice go?\n"
        "Tea › Intro\n"
        "paragraph 2: Alice went to Paris in 1920 . She liked it .\n"
        f"step 3 of 30; the reader says 'Paris' (logit {environment._prediction().logit:.2f})\n"  # type: ignore[union-attr]
        "may UpL, UpR, Down, Answer, Stop"
    )


def test_pairs_are_drawn_and_a_wrong_one_is_an_error() -> None:
    environment = made()
    drawn = {environment.reset(seed=seed)[1]["pair"] for seed in range(40)}
    assert drawn == {0, 1, 2}
    with pytest.raises(IndexError):
        environment.reset(options={"pair": 3})
    with pytest.raises(ValueError, match="at least one pair"):
        DocumentNavigation([])
