"""φn: what the network is told of a node besides its words."""

import numpy as np
from numpy.typing import NDArray

from docqn.environment.trees import Trees

Floats = NDArray[np.float32]

CLIP = 8  # largest depth and height that is told apart
NODE_FEATURES = 2 * (CLIP + 1) + 5


def node_features(trees: Trees, place: NDArray[np.int64], node: NDArray[np.int32], step: NDArray[np.int32]) -> Floats:
    """[n, 23]: step; depth and height, one-hot; distances to the first and last sibling, its own and its parent's."""
    n = len(place)
    rows = np.arange(n)
    above = place - node + np.maximum(trees.parent[place], 0)
    features = np.zeros((n, NODE_FEATURES), np.float32)
    features[:, 0] = step
    features[rows, 1 + np.minimum(trees.depth[place], CLIP)] = 1
    features[rows, 2 + CLIP + np.minimum(trees.height[place], CLIP)] = 1
    features[:, -4] = trees.siblings_before[place]
    features[:, -3] = trees.siblings_after[place]
    features[:, -2] = trees.siblings_before[above]
    features[:, -1] = trees.siblings_after[above]
    return features
