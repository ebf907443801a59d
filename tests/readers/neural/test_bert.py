"""Weights of several families of models, and the ONNX graph, against BERT's equations."""

import json
from pathlib import Path

import numpy as np
import pytest

from docqn.arrays import Array, save_arrays
from docqn.errors import DocqnError
from docqn.readers.neural.bert import BertConfig, load_bert
from docqn.readers.neural.bert_graph import bert_graph, bert_weights, quantised
from docqn.readers.neural.session import Session
from tests.readers.neural.naive_bert import naive_scores
from tests.readers.tiny import CONFIG, HEADS, bert_arrays, ranker_arrays, write_model

IDS = [2, 5, 9, 30, 3, 7, 8, 9, 10, 3]
SEGMENTS = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]


def scores(folder: Path, *, int8: bool = False, ids: list[int] = IDS) -> Array:
    """[tokens, 2]: start and end logits by the graph."""
    config, weights = load_bert(folder)
    session = Session(bert_graph(config, weights, int8=int8), folder)
    row = np.array([ids])
    feed = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.array([SEGMENTS])}
    (found,) = session.run([feed])
    return np.stack([found["start_logits"][0], found["end_logits"][0]], axis=1)


def as_roberta(arrays: dict[str, Array]) -> dict[str, Array]:
    """The same network as a RoBERTa: one segment, positions from 2."""
    found = {name.replace("bert.", "roberta."): array for name, array in arrays.items()}
    positions = found["roberta.embeddings.position_embeddings.weight"]
    padding = np.full((2, positions.shape[1]), 9, np.float32)
    found["roberta.embeddings.position_embeddings.weight"] = np.concatenate([padding, positions])
    segments = found["roberta.embeddings.token_type_embeddings.weight"]
    found["roberta.embeddings.token_type_embeddings.weight"] = segments[:1]
    return found


def as_distilbert(arrays: dict[str, Array]) -> dict[str, Array]:
    """The same network as a DistilBERT, which has no segments: the first one's vector is added to the positions."""
    names = {
        "bert.": "distilbert.",
        "encoder.layer": "transformer.layer",
        "attention.self.query": "attention.q_lin",
        "attention.self.key": "attention.k_lin",
        "attention.self.value": "attention.v_lin",
        "attention.output.dense": "attention.out_lin",
        "attention.output.LayerNorm": "sa_layer_norm",
        "intermediate.dense": "ffn.lin1",
        "output.dense": "ffn.lin2",
    }
    found = {}
    for name, array in arrays.items():
        for theirs, new in names.items():
            name = name.replace(theirs, new)
        found[name.replace("output.LayerNorm", "output_layer_norm")] = array
    segments = found.pop("distilbert.embeddings.token_type_embeddings.weight")
    positions = "distilbert.embeddings.position_embeddings.weight"
    return found | {positions: found[positions] + segments[0]}


def test_the_graph_computes_bert(tmp_path: Path) -> None:
    expected = naive_scores(bert_arrays(), IDS, SEGMENTS, HEADS)
    assert scores(write_model(tmp_path)) == pytest.approx(expected, abs=1e-4)


def test_other_spellings_of_the_names(tmp_path: Path) -> None:
    arrays = {
        name.removeprefix("bert.").replace("LayerNorm.weight", "LayerNorm.gamma"): array
        for name, array in bert_arrays().items()
    }
    expected = naive_scores(bert_arrays(), IDS, SEGMENTS, HEADS)
    assert scores(write_model(tmp_path, arrays)) == pytest.approx(expected, abs=1e-4)


def test_electra(tmp_path: Path) -> None:
    arrays = {name.replace("bert.", "electra."): array for name, array in bert_arrays().items()}
    expected = naive_scores(bert_arrays(), IDS, SEGMENTS, HEADS)
    assert scores(write_model(tmp_path, arrays, model_type="electra")) == pytest.approx(expected, abs=1e-4)
    write_model(tmp_path, arrays, model_type="camembert", type_vocab_size=1)
    with pytest.raises(DocqnError, match=r"not the weights that config\.json tells of"):
        load_bert(tmp_path)


@pytest.mark.parametrize("kind", ["roberta", "xlm-roberta", "camembert"])
def test_roberta(tmp_path: Path, kind: str) -> None:
    write_model(tmp_path, as_roberta(bert_arrays()), model_type=kind, type_vocab_size=1, max_position_embeddings=66)
    config, _ = load_bert(tmp_path)
    assert config.longest == 64
    session = Session(bert_graph(*load_bert(tmp_path), int8=False), tmp_path)
    row = np.array([IDS])
    (found,) = session.run([{"input_ids": row, "attention_mask": row * 0 + 1, "token_type_ids": row * 0}])
    expected = naive_scores(bert_arrays(), IDS, [0] * len(IDS), HEADS)
    assert found["start_logits"][0] == pytest.approx(expected[:, 0], abs=1e-4)


def test_distilbert(tmp_path: Path) -> None:
    theirs = {"hidden_size": "dim", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads"}
    theirs |= {"intermediate_size": "hidden_dim", "hidden_act": "activation"}
    arrays = as_distilbert(bert_arrays())
    write_model(tmp_path, arrays)
    config = {theirs.get(name, name): value for name, value in CONFIG.items() if name != "type_vocab_size"}
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "distilbert"}))
    session = Session(bert_graph(*load_bert(tmp_path), int8=False), tmp_path)
    assert "token_type_ids" not in session.inputs
    expected = naive_scores(bert_arrays(), IDS, [0] * len(IDS), HEADS)
    (found,) = session.run([{"input_ids": np.array([IDS]), "attention_mask": np.array([IDS]) * 0 + 1}])
    assert found["end_logits"][0] == pytest.approx(expected[:, 1], abs=1e-4)


def test_a_padded_batch_is_as_one_by_one(tmp_path: Path) -> None:
    session = Session(bert_graph(*load_bert(write_model(tmp_path)), int8=False), tmp_path)
    short, long = IDS[:6], IDS
    rows = np.array([[*short, 0, 0, 0, 0], long])
    mask = np.array([[1] * 6 + [0] * 4, [1] * 10])
    (both,) = session.run([{"input_ids": rows, "attention_mask": mask, "token_type_ids": np.array([SEGMENTS] * 2)}])
    for row, ids in enumerate((short, long)):
        expected = naive_scores(bert_arrays(), ids, SEGMENTS[: len(ids)], HEADS)
        assert both["start_logits"][row, : len(ids)] == pytest.approx(expected[:, 0], abs=1e-4)


def test_int8_is_close(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    exact = scores(folder)
    assert 0 < np.abs(scores(folder, int8=True) - exact).max() < 0.1 * np.abs(exact).max()


def test_quantised_lines_have_their_own_scales() -> None:
    matrix = np.array([[1.0, -200.0], [0.5, 100.0], [0.0, 0.0]], np.float32)
    for axis in (0, 1):
        whole, scale = quantised(matrix, axis)
        assert (
            np.abs(whole * np.expand_dims(scale, axis) - matrix).max() <= np.expand_dims(scale, axis).max() / 2 + 1e-6
        )
        assert whole.min() >= -127


@pytest.mark.parametrize("arrays", [bert_arrays(), ranker_arrays() | bert_arrays(1)], ids=["span", "judging"])
def test_weights_are_read_again_from_the_graph(tmp_path: Path, arrays: dict[str, Array]) -> None:
    config, weights = load_bert(write_model(tmp_path, arrays))
    exact = bert_weights(bert_graph(config, weights, int8=False))
    assert exact.keys() == weights.keys()
    assert all(np.array_equal(exact[name], weight) for name, weight in weights.items())
    rough = bert_weights(bert_graph(config, weights, int8=True))
    assert rough.keys() == weights.keys()
    for name, weight in weights.items():
        whole = name.startswith("layers.") and name.endswith(".weight") and weight.ndim == 2
        step = np.abs(weight).max(1, keepdims=True) / 127 if whole or name == "embeddings.word.weight" else 0
        assert (np.abs(rough[name] - weight) <= step / 2 + 1e-7).all()
        assert np.array_equal(rough[name], weight) == isinstance(step, int)


def test_answerability_is_given_where_it_was_trained(tmp_path: Path) -> None:
    config, weights = load_bert(write_model(tmp_path, ranker_arrays()))
    assert "span.weight" not in weights
    assert {"pooler.weight", "classifier.bias"} <= weights.keys()
    weights |= {"span.weight": np.zeros((2, 16), np.float32), "span.bias": np.zeros(2, np.float32)}
    assert "answerable" in Session(bert_graph(config, weights, int8=True), tmp_path).outputs


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"model_type": "gpt2"}, "models of type 'gpt2' cannot be read"),
        ({"hidden_act": "relu"}, "the activation 'relu'"),
        ({"num_attention_heads": 3}, "its sizes are not those of a model"),
        ({"num_hidden_layers": 3}, "not the weights that config.json tells of"),
        ({"vocab_size": 7}, "embeddings.word.weight is"),
        ({"hidden_size": "16"}, "its sizes are not those of a model"),
    ],
)
def test_a_folder_of_something_else(tmp_path: Path, config: dict[str, object], reason: str) -> None:
    with pytest.raises(DocqnError, match=reason) as raised:
        load_bert(write_model(tmp_path, None, **config))
    assert "\n" not in str(raised.value)


def test_files_that_are_missing_or_damaged(tmp_path: Path) -> None:
    with pytest.raises(DocqnError, match="cannot be read"):
        load_bert(tmp_path)
    write_model(tmp_path)
    weights = (tmp_path / "model.safetensors").read_bytes()
    for damaged in (b"", weights[:100], weights[: len(weights) // 2], b"\xff" * 500):
        (tmp_path / "model.safetensors").write_bytes(damaged)
        with pytest.raises(DocqnError, match=r"model\.safetensors"):
            load_bert(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(DocqnError, match=r"has no model\.safetensors"):
        load_bert(tmp_path)
    save_arrays(tmp_path / "model.safetensors", {"other": np.zeros(3, np.float32)}, {})
    with pytest.raises(DocqnError, match="not the weights"):
        load_bert(tmp_path)
    for broken in ("{", "[]", '{"model_type": "bert"}', "\udcff"):
        (tmp_path / "config.json").write_bytes(broken.encode("utf-8", "surrogateescape"))
        with pytest.raises(DocqnError, match=r"config\.json|models of type"):
            load_bert(tmp_path)


def test_sizes() -> None:
    assert BertConfig(8, 1, 1, 8, 10, 514, 1, 2).longest == 512
