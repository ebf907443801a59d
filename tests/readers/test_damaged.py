"""Whatever is wrong with a reader's folder, ours or somebody else's, it reads or it is one line."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docqn import readers
from docqn.errors import DocqnError
from docqn.onnx_graph import Graph
from docqn.readers.neural.export import export
from docqn.readers.neural.folder import rewrite_config
from tests.readers.test_readers import PASSAGE, QUESTION, faults
from tests.readers.tiny import bert_arrays, ranker_arrays, write_model, write_tokenizer

JUNK: tuple[Any, ...] = (None, [], "x", -1, 10**30)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of somebody else and a reader of ours with all that it can have."""
    place = tmp_path_factory.mktemp("folders")
    write_model(place / "foreign")
    export(write_model(place / "judging", bert_arrays() | ranker_arrays()), place / "own", int8=True)
    rewrite_config(place / "own", {"calibration": {"bias": 1.0, "answerable": 1.0, "best": 1.0, "mass": 1.0}})
    return place


@pytest.mark.parametrize("name", ["foreign/config.json", "foreign/tokenizer.json", "own/config.json"])
def test_any_value_may_be_anything(folders: Path, name: str) -> None:
    path = folders / name
    whole = path.read_text()
    told = []
    try:
        for place in places(json.loads(whole)):
            for junk in JUNK:
                path.write_text(json.dumps(replaced(json.loads(whole), place, junk)))
                try:
                    (reading,) = readers.reader(str(path.parent)).read([QUESTION], [PASSAGE])
                    assert faults(reading, PASSAGE) == []
                except DocqnError as error:
                    told.append(str(error))
    finally:
        path.write_text(whole)
    assert len(told) > 50
    assert not any("\n" in line for line in told)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where values are in a JSON value, of long ones only the first."""
    yield at
    if isinstance(value, dict):
        for key in list(value)[:12]:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for i in range(min(len(value), 2)):
            yield from places(value[i], (*at, i))


def replaced(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    found = deepcopy(value)
    inner = found
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = new
    return found


@pytest.mark.parametrize("shape", [("batch", 2), ("batch", "length", 3), (1,)])
def test_models_that_do_something_else(tmp_path: Path, shape: tuple[int | str, ...]) -> None:
    """A classifier, a tagger, and a number: two outputs, but not those of a span reader."""
    graph = Graph()
    ids = graph.node("Cast", graph.input("input_ids", np.int64, ("batch", "length")), to=1)
    total = graph.node("ReduceSum", ids, graph.constant([1]), keepdims=1)
    value = {
        2: graph.node("Concat", total, total, axis=1),
        3: graph.node("Concat", *[graph.node("Unsqueeze", ids, graph.constant([2]))] * 3, axis=2),
        1: graph.node("Reshape", total, graph.constant([-1])),
    }[len(shape)]
    for name in ("a", "b"):
        graph.output(value, name, np.float32, shape)
    (tmp_path / "model.onnx").write_bytes(graph.model())
    write_tokenizer(tmp_path)
    with pytest.raises(DocqnError, match="not a question-answering model: its output is"):
        readers.reader(str(tmp_path)).read([QUESTION], [PASSAGE])
