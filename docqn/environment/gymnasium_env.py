"""`docqn/DocumentNavigation-v0`: one cursor as a Gymnasium environment, over the same MDP as many.

    import docqn.environment.gymnasium_env  # registers it
    import gymnasium
    from docqn.environment.pairs import Pair

    pair = Pair("How many days?", docqn.parse("handbook.pdf"), answers=(17,))
    environment = gymnasium.make("docqn/DocumentNavigation-v0", pairs=[pair])

`gymnasium.make("docqn.environment.gymnasium_env:docqn/DocumentNavigation-v0", …)` needs no import of it.
Words are numbers of the environment's `vocabulary`, and −1 where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from docqn import readers
from docqn.document import KINDS, NONE, SECTION
from docqn.environment.actions import ACTIONS
from docqn.environment.features import NODE_FEATURES, node_features
from docqn.environment.mdp import TRAINING_LIMIT
from docqn.environment.observation import LONGEST, WORDS, observed_parents, observed_words
from docqn.environment.pairs import Pair, environment_of
from docqn.environment.readings import PREDICTION_FEATURES, Readings, prediction_features
from docqn.environment.starts import sample_states, start_distribution
from docqn.environment.vocabulary import Vocabulary
from docqn.readers import Reader, Reading
from docqn.text.tokens import token_spans

Observation = dict[str, Any]
Info = dict[str, Any]

ENVIRONMENT_ID = "docqn/DocumentNavigation-v0"
LARGEST = 1e6  # of a logit or an entropy, so that the space has bounds


class DocumentNavigation(gymnasium.Env[Observation, np.int64]):
    """Find the answer to a question in a document. An episode is about one of the pairs, drawn at random or given by
    `reset(options={"pair": i})`; it begins at a node drawn from the start distribution."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium says so)

    def __init__(
        self,
        pairs: Sequence[Pair],
        reader: str | Reader = "lexical",
        limit: int = TRAINING_LIMIT,
        coupled: bool = False,
        start: str = "root",
        render_mode: str | None = None,
    ) -> None:
        if not pairs:
            raise ValueError("an environment needs at least one pair")
        self.render_mode = render_mode
        self.pairs = pairs
        self.environment = environment_of(pairs, limit=limit, coupled=coupled)
        self.vocabulary = Vocabulary(
            {id(pair.document): pair.document for pair in pairs}.values(), (pair.question for pair in pairs)
        )
        self._readings = Readings(readers.reader(reader) if isinstance(reader, str) else reader, pairs)
        self._start = start_distribution(start)
        self._parents = observed_parents(self.environment.trees)
        self._states = self.environment.start(np.zeros(1, np.int64))
        self._longest = max(1, *(len(token_spans(pair.question)) for pair in pairs))

        largest = max(limit, int(np.diff(self.environment.trees.first).max()))  # of a step or a distance
        words = len(self.vocabulary) - 1
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = spaces.Dict(
            {
                "question": spaces.Box(NONE, words, (self._longest,), np.int32),
                "words": spaces.Box(NONE, words, (LONGEST,), np.int32),
                "node": spaces.Box(0, largest, (NODE_FEATURES,), np.float32),
                "predicted": spaces.Discrete(2),
                "prediction": spaces.Box(-LARGEST, LARGEST, (PREDICTION_FEATURES,), np.float32),
                "answer": spaces.Box(NONE, words, (WORDS,), np.int32),
            }
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begin an episode."""
        super().reset(seed=seed)
        task = (options or {}).get("pair")
        task = self.np_random.integers(len(self.pairs)) if task is None else range(len(self.pairs))[task]
        self._states = sample_states(self._start, self.environment, np.array([task], np.int64), self.np_random)
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Take an action; an illegal one changes nothing but costs its price."""
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not one of the {len(ACTIONS)} actions")
        self._states, outcome = self.environment.step(self._states, np.array([action], np.int64))
        ended = bool(outcome.stopped[0]), bool(outcome.truncated[0])
        return self._observation(), float(outcome.reward[0]), *ended, self._info()

    def render(self) -> str:
        """The question, where the cursor stands, what the reader says, and what may be done."""
        pair, node = self._pair, int(self._states.node[0])
        document = pair.document
        path = " › ".join(document.text_of(above) for above in document.path(node) if document.kind[above] <= SECTION)
        words = document.tokens_of(node)
        legal = self.environment.legal(self._states)[0]
        lines = [
            pair.question,
            path,
            f"{KINDS[document.kind[node]]} {document.index[node]}: {' '.join(words[:WORDS])}",
            f"step {self._states.step[0]} of {self.environment.limit}; {_said(self._prediction())}",
            f"may {', '.join(action for action, may in zip(ACTIONS, legal, strict=True) if may)}",
        ]
        return "\n".join(lines)

    @property
    def _pair(self) -> Pair:
        return self.pairs[int(self._states.task[0])]

    def _prediction(self) -> Reading | None:
        return self._readings.at(self.environment, self._states)[0]

    def _observation(self) -> Observation:
        trees, states = self.environment.trees, self._states
        place, document = self.environment.place(states), self.environment.tasks.document[states.task]
        words, _ = observed_words(trees, self._parents, place, document)
        z = self._prediction()
        return {
            "question": self.vocabulary.numbers(self._pair.question, self._longest),
            "words": _renumbered(words[0], self.vocabulary.of_documents[document[0]]),
            "node": node_features(trees, place, states.node, states.step)[0],
            "predicted": np.int64(z is not None),
            "prediction": np.clip(prediction_features([z])[0], -LARGEST, LARGEST),
            "answer": self.vocabulary.numbers(z.text if z else "", WORDS),
        }

    def _info(self) -> Info:
        node = int(self._states.node[0])
        return {
            "action_mask": self.environment.legal(self._states)[0].astype(np.int8),
            "pair": int(self._states.task[0]),
            "node": node,
            "node_index": int(self._pair.document.index[node]),
            "step": int(self._states.step[0]),
        }


def _renumbered(words: NDArray[np.int32], number: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(words == NONE, NONE, number[words]).astype(np.int32)


def _said(reading: Reading | None) -> str:
    return "not read" if reading is None else f"the reader says {reading.text!r} (logit {reading.logit:.2f})"


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(ENVIRONMENT_ID, entry_point=f"{__name__}:{DocumentNavigation.__name__}")
