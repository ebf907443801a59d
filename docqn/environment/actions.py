"""The seven actions: five moves, Answer, Stop."""

import numpy as np

from docqn.document import MOVES

ANSWER, STOP = len(MOVES), len(MOVES) + 1
ACTIONS = (*MOVES, "Answer", "Stop")

# [128, 7]: sets of actions as bits of one byte, spelt out. So legality takes a byte a node, not seven.
MASKS = (np.arange(1 << len(ACTIONS))[:, None] >> np.arange(len(ACTIONS)) & 1).astype(bool)
