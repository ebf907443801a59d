"""BERT in torch: both ways through it agree, with each other and with the equations and the ONNX graph."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from docqn.network.attention import _padded_attention, packed_attention
from docqn.network.bert import SpanReader
from docqn.network.dropout import ByteDropout
from docqn.readers.neural.bert import load_bert
from docqn.readers.neural.bert_graph import bert_graph
from docqn.readers.neural.session import Session
from tests.readers.neural.naive_bert import naive_scores, naive_states
from tests.readers.tiny import HEADS, bert_arrays, ranker_arrays, write_model

LENGTHS = [10, 6, 1, 13]
IDS = [torch.arange(length) * 3 % 40 for length in LENGTHS]
SEGMENTS = [(torch.arange(length) >= length // 2).long() for length in LENGTHS]


@pytest.fixture
def reader(tmp_path: Path) -> SpanReader:
    torch.manual_seed(0)
    return SpanReader.of(*load_bert(write_model(tmp_path)))


def test_it_computes_bert(reader: SpanReader) -> None:
    found = reader.packed(torch.cat(IDS), torch.cat(SEGMENTS), LENGTHS)
    at = 0
    for ids, segments in zip(IDS, SEGMENTS, strict=True):
        expected = naive_scores(bert_arrays(), ids.tolist(), segments.tolist(), HEADS)
        part = slice(at, at + len(ids))
        assert found.start[part].tolist() == pytest.approx(expected[:, 0].tolist(), abs=1e-4)
        assert found.end[part].tolist() == pytest.approx(expected[:, 1].tolist(), abs=1e-4)
        at += len(ids)


def test_a_padded_batch_gives_what_packed_sequences_give(reader: SpanReader) -> None:
    packed = reader.packed(torch.cat(IDS), torch.cat(SEGMENTS), LENGTHS)
    ids = torch.nn.utils.rnn.pad_sequence(IDS, batch_first=True, padding_value=7)
    segments = torch.nn.utils.rnn.pad_sequence(SEGMENTS, batch_first=True)
    mask = torch.arange(ids.shape[1]) < torch.tensor(LENGTHS)[:, None]
    padded = reader(ids, mask.long(), segments)
    assert torch.allclose(padded.start[mask], packed.start, atol=1e-5)
    assert torch.allclose(padded.end[mask], packed.end, atol=1e-5)
    assert torch.allclose(padded.answerable, packed.answerable, atol=1e-5)


def test_the_way_of_gpus_gives_what_the_way_of_processors_gives() -> None:
    qkv = torch.randn(sum(LENGTHS), 3 * 8, generator=torch.Generator().manual_seed(5), requires_grad=True)
    found, expected = _padded_attention(qkv, LENGTHS, 2), packed_attention(qkv, LENGTHS, 2)
    assert torch.allclose(found, expected, atol=1e-6)
    weight = torch.randn(found.shape, generator=torch.Generator().manual_seed(6))
    slopes = [torch.autograd.grad((mixed * weight).sum(), qkv)[0] for mixed in (found, expected)]
    assert torch.allclose(slopes[0], slopes[1], atol=1e-6)


def test_onnx_gives_what_torch_gives(reader: SpanReader, tmp_path: Path) -> None:
    weights = {name: weight.numpy() for name, weight in reader.state_dict().items()}
    for int8, tolerance in ((False, 1e-5), (True, 0.15)):
        session = Session(bert_graph(reader.config, weights, int8=int8), tmp_path)
        for ids, segments in zip(IDS, SEGMENTS, strict=True):
            mask = torch.ones_like(ids)[None]
            with torch.inference_mode():
                expected = reader(ids[None], mask, segments[None])
            feed = {"input_ids": ids[None].numpy(), "token_type_ids": segments[None].numpy()}
            (found,) = session.run([feed | {"attention_mask": mask.numpy()}])
            assert found["start_logits"] == pytest.approx(expected.start.numpy(), abs=tolerance)
            assert found["end_logits"] == pytest.approx(expected.end.numpy(), abs=tolerance)
            assert found["answerable"] == pytest.approx(expected.answerable.numpy(), abs=tolerance)


def test_a_cross_encoder_keeps_its_judgement(tmp_path: Path) -> None:
    arrays = ranker_arrays()
    reader = SpanReader.of(*load_bert(write_model(tmp_path, arrays)))
    ids, segments = IDS[0], SEGMENTS[0]
    first = naive_states(arrays, ids.tolist(), segments.tolist(), HEADS)[0]
    pooled = np.tanh(arrays["bert.pooler.dense.weight"] @ first + arrays["bert.pooler.dense.bias"])
    expected = arrays["classifier.weight"] @ pooled + arrays["classifier.bias"]
    assert reader.packed(ids, segments, [len(ids)]).answerable.tolist() == pytest.approx(expected.tolist(), abs=1e-4)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    config, weights = load_bert(write_model(tmp_path))
    with pytest.raises(ValueError, match="unknown"):
        SpanReader.of(config, weights | {"more": np.zeros(1, np.float32)})


def test_lower_precision_is_close(reader: SpanReader) -> None:
    exact = reader.packed(torch.cat(IDS), torch.cat(SEGMENTS), LENGTHS)
    reader.lower_precision()
    rough = reader.packed(torch.cat(IDS), torch.cat(SEGMENTS), LENGTHS)
    assert rough.start.dtype == torch.float32
    assert 0 < (rough.start - exact.start).abs().max() < 0.2


def test_attention_and_its_gradient_are_torchs() -> None:
    torch.manual_seed(0)
    qkv = torch.randn(sum(LENGTHS), 24, dtype=torch.double, requires_grad=True)
    weight = torch.randn(sum(LENGTHS), 8, dtype=torch.double)
    mixed = packed_attention(qkv, LENGTHS, 2)
    parts = []
    for part in torch.split(qkv, LENGTHS):
        query, key, value = part.view(len(part), 3, 2, 4).permute(1, 2, 0, 3)
        heads = functional.scaled_dot_product_attention(query, key, value)
        parts.append(heads.transpose(0, 1).reshape(len(part), 8))
    theirs = torch.cat(parts)
    assert torch.allclose(mixed, theirs)
    (ours,) = torch.autograd.grad((mixed * weight).sum(), qkv)
    (expected,) = torch.autograd.grad((theirs * weight).sum(), qkv)
    assert torch.allclose(ours, expected)


def test_dropout_keeps_the_mean_and_depends_on_its_seed() -> None:
    x = torch.ones(1000, 100)
    first = ByteDropout(0.2, 5)(x)
    assert torch.equal(first, ByteDropout(0.2, 5)(x))
    assert not torch.equal(first, ByteDropout(0.2, 6)(x))
    assert (first == 0).float().mean().item() == pytest.approx(51 / 256, abs=0.01)
    assert first.mean().item() == pytest.approx(1, abs=0.01)
    assert ByteDropout(0.2, 5)(torch.ones(3, dtype=torch.bfloat16)).dtype == torch.bfloat16
