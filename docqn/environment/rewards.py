"""The paper's reward."""

import numpy as np
from numpy.typing import NDArray

MOVE = -0.02
ANSWER = -0.06
CORRECT_STOP = 2.0


def stop_reward(distance: NDArray[np.int64], largest_index: NDArray[np.int32]) -> NDArray[np.float32]:
    """2 in an answer paragraph; elsewhere 1 − |n(u) − n(u*)| / max n, for the nearest answer u*."""
    largest = np.maximum(largest_index, 1)
    return np.where(distance == 0, CORRECT_STOP, 1 - np.minimum(distance, largest) / largest).astype(np.float32)
