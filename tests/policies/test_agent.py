"""The trained agent's folder: what it tells, what it weighs, and what is not one."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docqn import readers
from docqn.build import build_document
from docqn.environment.actions import ANSWER
from docqn.environment.pairs import Pair
from docqn.errors import DocqnError
from docqn.policies import Setting, policy, trained
from docqn.policies.neural.export import export
from docqn.readers.lexical import LexicalReader
from docqn.readers.neural.folder import write_folder
from docqn.text.tokens import token_spans
from tests.policies.test_policies import PAIRS, SETTING
from tests.policies.tiny_agent import write_agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_agent(tmp_path_factory.mktemp("agent"))


def test_each_step_tells_values_and_a_weight_for_every_word(agent: Path) -> None:
    for trace, pair in zip(policy(f"agent:{agent}").traces(PAIRS, SETTING), PAIRS, strict=True):
        for step in trace.steps:
            assert step.q_values is not None
            assert step.question_attention is not None
            assert step.observation_attention is not None
            assert len(step.q_values) == 7
            assert len(step.question_attention) == len(token_spans(pair.question))
            if step.node == 0:
                assert len(step.observation_attention) == len(pair.document.tokens_of(0))
            for weights in (step.question_attention, step.observation_attention):
                assert not weights or sum(weights) == pytest.approx(1, abs=0.01)


def test_a_coupled_agent_never_answers(tmp_path: Path) -> None:
    for trace in policy(f"agent:{write_agent(tmp_path, 'docqn-coupled-small')}").traces(PAIRS, SETTING):
        assert all(step.action != ANSWER for step in trace.steps)


def test_what_was_made_before_there_was_a_setting_of_what_matches_is_walked_as_ever(tmp_path: Path) -> None:
    folder = write_agent(tmp_path)
    expected = policy(f"agent:{folder}").traces(PAIRS, SETTING)
    said = json.loads((tmp_path / "run-docqn-small-lstm" / "settings.json").read_text())
    del said["settings"]["match"]
    (tmp_path / "run-docqn-small-lstm" / "settings.json").write_text(json.dumps(said))
    export(tmp_path / "run-docqn-small-lstm", tmp_path / "older")
    config = json.loads((tmp_path / "older" / "config.json").read_text())
    assert config["settings"].pop("match") is False
    (tmp_path / "older" / "config.json").write_text(json.dumps(config))
    for ours, theirs in zip(policy(f"agent:{tmp_path / 'older'}").traces(PAIRS, SETTING), expected, strict=True):
        assert [step.q_values for step in ours.steps] == [step.q_values for step in theirs.steps]


def test_an_agent_may_be_told_what_matches(tmp_path: Path) -> None:
    folder = write_agent(tmp_path, match=True)
    assert json.loads((folder / "config.json").read_text())["settings"]["match"] is True
    for trace in policy(f"agent:{folder}").traces(PAIRS, SETTING):
        assert all(step.q_values is not None and len(step.q_values) == 7 for step in trace.steps)


def test_without_a_mask_it_may_stay_in_place(agent: Path) -> None:
    traces = policy(f"agent:{agent}").traces(PAIRS, Setting(LexicalReader(), masked=False, limit=5))
    assert all(len(trace.steps) <= 5 for trace in traces)


def test_documents_without_words_are_walked_too(agent: Path) -> None:
    empty = build_document([], source="x", format="test", title="…")
    (trace,) = policy(f"agent:{agent}").traces([Pair("", empty)], SETTING)
    assert trace.stop_node == 0


def test_the_folder_tells_how_the_agent_was_made(agent: Path) -> None:
    config = json.loads((agent / "config.json").read_text())
    assert config["training"]["preset"] == "docqn-small"
    assert config["scores"] == {"dev, in training": {"accuracy": 0.5}}
    card = (agent / "README.md").read_text()
    assert "docqn train corpus --split train --preset docqn-small --set seed=1 --reader lexical --vectors v.txt" in card
    assert "accuracy: 0.5" in card


def test_it_tells_how_it_was_trained_and_an_ensemble_of_its_parts(agent: Path, tmp_path: Path) -> None:
    name = f"agent:{agent}"
    one = policy(name)
    assert trained(one).keys() == {name}
    facts = trained(one)[name]
    assert (facts["preset"], facts["seed"], facts["reader"], facts["corpus"]) == ("docqn-small", 1, "lexical", "f")
    assert "command" not in facts
    assert trained(policy(f"ensemble:bm25,{name}")) == trained(one)
    assert trained(policy("bm25")) == {}
    nameless = shutil.copytree(agent, tmp_path / "nameless")
    config = json.loads((nameless / "config.json").read_text())
    (nameless / "config.json").write_text(json.dumps({**config, "training": {"preset": "docqn-small"}}))
    assert trained(policy(f"agent:{nameless}")) == {}


def test_folders_of_readers_and_agents_are_told_apart(agent: Path, tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match=r"is the folder of an agent \(--policy agent:"):
        readers.reader(str(agent))
    with pytest.raises(DocqnError, match="is not the folder of a reader"):
        readers.reader(f"rasor:{agent}")
    with pytest.raises(DocqnError, match="is the folder of an agent"):
        readers.reader(f"transformer:{agent}")
    write_folder(tmp_path / "reader", "rasor", {"model.onnx": b"model"}, {})
    with pytest.raises(DocqnError, match="is not the folder of an agent"):
        policy(f"agent:{tmp_path / 'reader'}")


def test_what_is_wrong_with_a_folder_is_one_line(agent: Path, tmp_path: Path) -> None:
    for argument, reason in (("", "needs a folder"), (f":{tmp_path / 'none'}", "cannot be read")):
        with pytest.raises(DocqnError, match=reason):
            policy(f"agent{argument}")
    other = write_agent(tmp_path)
    config = json.loads((other / "config.json").read_text())
    for change, reason in (
        ({"widths": {}}, "lacks the width"),
        ({"settings": []}, "settings are damaged"),
        ({"settings": {}}, "setting 'coupled' is missing"),
        ({"docqn": "agent 99"}, "has the format 'agent 99'"),
    ):
        (other / "config.json").write_text(json.dumps(config | change))
        with pytest.raises(DocqnError, match=reason):
            policy(f"agent:{other}").traces(PAIRS, SETTING)
    (other / "config.json").write_text(json.dumps(config))
    (other / "node.onnx").write_bytes(b"no model")
    with pytest.raises(DocqnError, match=r"node\.onnx: is damaged or was exchanged"):
        policy(f"agent:{other}")


def test_it_needs_no_torch(agent: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from docqn.policies import Setting, policy\n"
        "from docqn.readers.lexical import LexicalReader\n"
        "from docqn.environment.pairs import Pair\n"
        "from docqn.build import Block, build_document\n"
        "document = build_document([Block('A', 2), Block('One stands here.')], source='x', format='t', title='T')\n"
        f"(trace,) = policy('agent:{agent}').traces([Pair('Who?', document)], Setting(LexicalReader()))\n"
        "print(len(trace.steps) > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
