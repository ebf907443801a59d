"""How many cores training takes."""

import torch


def use_threads(threads: int) -> None:
    """Compute with this many threads from now on."""
    torch.set_num_threads(threads)
