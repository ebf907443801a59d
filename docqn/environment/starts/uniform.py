"""f_U: with probability 0.2 a sentence, else another node; uniform among those."""

import numpy as np
from numpy.typing import NDArray

from docqn.document import SENTENCE
from docqn.environment.mdp import Environment

SENTENCES = 0.2


def sample(environment: Environment, task: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
    trees = environment.trees
    document = environment.tasks.document[task]
    node = np.empty(len(task), np.int32)
    among_sentences = rng.random(len(task)) < SENTENCES
    among_sentences &= np.diff(trees.sentences[1])[document] > 0
    for chosen, (rows, first) in ((among_sentences, trees.sentences), (~among_sentences, trees.others)):
        of = document[chosen]
        node[chosen] = rows[rng.integers(first[of], first[of + 1])] - trees.first[of]
    return node


def probabilities(environment: Environment, task: int) -> NDArray[np.float64]:
    trees = environment.trees
    document = environment.tasks.document[task]
    sentences = trees.kind[trees.first[document] : trees.first[document + 1]] == SENTENCE
    if not sentences.any():
        return np.full(len(sentences), 1 / len(sentences))
    shares: NDArray[np.float64] = np.where(sentences, SENTENCES / sentences.sum(), (1 - SENTENCES) / (~sentences).sum())
    return shares
