"""The agent's network as five ONNX graphs, each run as often as there is something new for it: words, questions, nodes
from the state of the node above, answers, and the head."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from docqn.arrays import Array
from docqn.environment.actions import ACTIONS
from docqn.environment.readings import PREDICTION_FEATURES
from docqn.onnx_layers import Layers

WORDS, QUESTION, NODE, ANSWER, HEAD = "words", "question", "node", "answer", "head"
STATES = ("hidden", "cell", "highest", "weight", "total")  # what a node hands on
F4, I4, I8 = np.float32, np.int32, np.int64


def graphs(weights: Mapping[str, Array]) -> dict[str, bytes]:
    """The graphs by name, as the bytes of ONNX files."""
    return {
        WORDS: _words(Layers(weights)),
        QUESTION: _question(Layers(weights)),
        NODE: _node(Layers(weights)),
        ANSWER: _answer(Layers(weights)),
        HEAD: _head(Layers(weights)),
    }


def _words(layers: Layers) -> bytes:
    """Vectors [w, d] and characters [w, longest] of words → [w, told]."""
    graph, weights = layers.graph, layers.weights
    given = graph.input("given", F4, ("words", weights["words.learnt.weight"].shape[1]))
    character = graph.input("character", I8, ("words", "longest"))
    width = weights["words.filters.weight"].shape[2]
    signs = graph.node("Gather", layers.constant(weights["words.character.weight"]), character)
    told = graph.node(
        "Conv",
        graph.node("Transpose", signs, perm=[0, 2, 1]),
        layers.constant(weights["words.filters.weight"]),
        layers.constant(weights["words.filters.bias"]),
        pads=[width // 2, width // 2],
    )
    highest = graph.node("ReduceMax", graph.node("Relu", told), graph.constant([2]), keepdims=0)
    graph.output(graph.node("Concat", given, highest, axis=1), "told", F4, ("words", "told"))
    return graph.model()


def _question(layers: Layers) -> bytes:
    """The words [time, told] of a question of at least one → its encoding [1, d], and the words' weights [time]."""
    graph = layers.graph
    words = graph.input("words", F4, ("time", _told(layers)))
    if "question.inner.weight" in layers.weights:
        states = layers.hidden(layers.hidden(words, "question.inner"), "question.outer")
    else:
        states = layers.bilstm(words, "question.recurrent")
    logits = layers.linear(layers.hidden(states, "question.attention.hidden"), "question.attention.weigh")
    attention = graph.node("Softmax", logits, axis=0)  # [time, 1]
    encoded = graph.node("MatMul", layers.transposed(attention), states)
    graph.output(encoded, "question", F4, (1, "d"))
    graph.output(graph.node("Squeeze", attention, graph.constant([1])), "attention", F4, ("time",))
    return graph.model()


def _node(layers: Layers) -> bytes:
    """Own words [time, nodes, told] of nodes that have some, how many [nodes], and what those above handed on → what
    these hand on, and the logits [time, nodes] of the words."""
    graph = layers.graph
    width = layers.weights["observation.attention.hidden.weight"].shape[1]
    lstm = "observation.lstm.weight_ih_l0" in layers.weights
    words = graph.input("words", F4, ("time", "nodes", _told(layers)))
    length = graph.input("length", I4, ("nodes",))
    hidden = graph.input("hidden", F4, ("nodes", width))
    cell = graph.input("cell", F4, ("nodes", width if lstm else 0))
    highest = graph.input("highest", F4, ("nodes",))
    weight = graph.input("weight", F4, ("nodes",))
    total = graph.input("total", F4, ("nodes", width))

    first, third = graph.constant([0]), graph.constant([2])
    if lstm:
        before = (graph.node("Unsqueeze", state, first) for state in (hidden, cell))
        all_states, last, last_cell = layers.lstm(words, "observation.lstm", length, *before)
        states = graph.node("Squeeze", all_states, graph.constant([1]))
        carried, carried_cell = (graph.node("Squeeze", state, first) for state in (last, last_cell))
    else:
        inner = graph.node("Relu", graph.node("Add", layers.linear(words, "observation.inner"), hidden))
        states = layers.hidden(inner, "observation.outer")
        carried, carried_cell = "", cell  # the mean of the words, below
    logits = graph.node(
        "Squeeze",
        layers.linear(layers.hidden(states, "observation.attention.hidden"), "observation.attention.weigh"),
        third,
    )  # [time, nodes]

    time = graph.node("Squeeze", graph.node("Shape", words, start=0, end=1))
    rows = graph.node("Range", graph.constant(np.array(0)), time, graph.constant(np.array(1)))
    real = graph.node("Less", graph.node("Unsqueeze", rows, graph.constant([1])), graph.node("Cast", length, to=7))
    known = graph.node("Where", real, logits, graph.constant(-1e4))
    now = graph.node("Max", highest, graph.node("ReduceMax", known, first, keepdims=0))
    old = graph.node("Exp", graph.node("Sub", highest, now))
    new = graph.node("Where", real, graph.node("Exp", graph.node("Sub", known, now)), graph.constant(0.0))
    summed = graph.node("ReduceSum", graph.node("Mul", graph.node("Unsqueeze", new, third), states), first, keepdims=0)
    weights = graph.node("Add", graph.node("Mul", old, weight), graph.node("ReduceSum", new, first, keepdims=0))
    totals = graph.node("Add", graph.node("Mul", graph.node("Unsqueeze", old, graph.constant([1])), total), summed)
    if not carried:
        carried = graph.node("Div", totals, graph.node("Unsqueeze", weights, graph.constant([1])))
    for value, name in zip((carried, carried_cell, now, weights, totals), STATES, strict=True):
        graph.output(value, f"{name}_after", F4, ("nodes",) if name in ("highest", "weight") else ("nodes", "d"))
    graph.output(logits, "logits", F4, ("time", "nodes"))
    return graph.model()


def _answer(layers: Layers) -> bytes:
    """Words [time, answers, told] of answers that have some, and how many [answers] → last states [answers, d]."""
    graph = layers.graph
    words = graph.input("words", F4, ("time", "answers", _told(layers)))
    length = graph.input("length", I4, ("answers",))
    _, last, _ = layers.lstm(words, "answer", length)
    graph.output(graph.node("Squeeze", last, graph.constant([0])), "answer", F4, ("answers", "d"))
    return graph.model()


def _head(layers: Layers) -> bytes:
    """Question, observation and answer [states, d], φz [states, 3] and φn [states, 23 or 27] → Q-values [states, 7]."""
    graph, weights = layers.graph, layers.weights
    question = graph.input("question", F4, ("states", weights["question.attention.hidden.weight"].shape[1]))
    observation = graph.input("observation", F4, ("states", weights["observation.attention.hidden.weight"].shape[1]))
    answer = graph.input("answer", F4, ("states", weights["answer.weight_hh_l0"].shape[1]))
    prediction = graph.input("prediction", F4, ("states", PREDICTION_FEATURES))
    width = weights["value_hidden.weight"].shape[1] - weights["joint.weight"].shape[0]
    features = graph.input("features", F4, ("states", width))
    told = graph.node("Concat", question, observation, answer, prediction, axis=1)
    joint = graph.node("Concat", layers.hidden(told, "joint"), features, axis=1)
    value = layers.linear(layers.hidden(joint, "value_hidden"), "value")
    advantage = layers.linear(layers.hidden(joint, "advantage_hidden"), "advantage")
    mean = graph.node("ReduceMean", advantage, graph.constant([1]), keepdims=1)
    q = graph.node("Sub", graph.node("Add", value, advantage), mean)
    graph.output(q, "q", F4, ("states", len(ACTIONS)))
    return graph.model()


def _told(layers: Layers) -> int:
    return int(layers.weights["answer.weight_ih_l0"].shape[1])
