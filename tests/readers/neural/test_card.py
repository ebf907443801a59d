"""The model card says how a reader came to be, so that it can be made again."""

import shlex
from typing import Any

import pytest

from docqn.readers.neural.card import card, command

TRAINING: dict[str, Any] = {
    "reader": "transformer",
    "from": "mini lm",
    "squad": "train-v1.1.json.gz",
    "corpus": "schools",
    "splits": ["train", "more"],
    "left_out": False,
    "settings": {"rate": 6e-05, "steps": 100, "seed": 3} | {f"setting_{number}": number for number in range(9)},
}


def test_the_command_has_every_setting_and_a_shell_reads_it() -> None:
    lines = command(TRAINING)
    assert all(len(line) <= 120 for line in lines)
    words = shlex.split("\n".join(lines).replace("\\\n", ""))
    assert words[:3] == ["docqn", "reader", "train"]
    options = list(zip(words[3::2], words[4::2], strict=True))
    assert ("--start", "mini lm") in options
    assert [value for name, value in options if name == "--split"] == ["train", "more"]
    assert {value for name, value in options if name == "--set"} == {
        f"{name}={value}" for name, value in TRAINING["settings"].items()
    }


def test_earlier_trainings_come_first_and_curves_are_readable() -> None:
    earlier = {"training": {**TRAINING, "from": "first"}, "data": {"squad": "abc"}}
    config = {"training": TRAINING, "data": {"squad": "def"}, "history": [earlier], "licences": ["SQuAD: CC BY-SA 4.0"]}
    config["scores"] = {"dev": {"best_of_k": [1.5, 2.5], "reliability": [[9, 0.1, 0.2], [3, 0.8, 0.9]]}}
    found = card({"reader": "transformer", **config})
    assert found.index("## Training 1") < found.index("--start first") < found.index("## Training 2")
    assert "- best of k: 1.5, 2.5" in found
    assert "- reliability: 9 0.1 0.2, 3 0.8 0.9" in found
    assert "- SQuAD: CC BY-SA 4.0" in found


CALIBRATED: dict[str, Any] = {"pairs": 7, "readings": 50, "right": 9, "corpus": "schools", "split": "train", "seed": 3}


@pytest.mark.parametrize(
    ("held_out", "left_out", "seen"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_it_says_what_the_calibration_was_fitted_to(held_out: bool, left_out: bool, seen: bool) -> None:
    """And whether the training had seen it."""
    told = {**CALIBRATED, "held_out": held_out, "left_out": left_out, "source": None}
    found = card({"reader": "transformer", "calibration": {"bias": 1.0, "best": 0.5}, "calibrated": told})
    assert ("The training had seen these questions" in found) == seen
    kind = "questions that trainings leave out" if held_out else "questions"
    assert (
        f"Fitted to 50 readings, 9 of them right: the closest paragraphs of 7 pairs of schools train ({kind};" in found
    )
    found = card({"reader": "transformer", "calibration": {"bias": 1.0}, "calibrated": told | {"source": "TriviaQA"}})
    assert f"({kind} from TriviaQA; seed 3)" in found


def test_a_model_of_somebody_else() -> None:
    found = card({"reader": "transformer", "training": {"from": "bert-large"}})
    assert "- from: bert-large" in found
    assert "docqn reader train" not in found
