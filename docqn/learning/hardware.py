"""What training computes with: cores, or a GPU where there is one."""

import multiprocessing
import os

import torch

from docqn.errors import DocqnError


def use_threads(threads: int) -> None:
    """Compute with this many threads from now on."""
    torch.set_num_threads(threads)


def device_of(name: str) -> torch.device:
    """`auto` is the GPU if there is one; otherwise torch's names, such as `cpu` and `cuda:1`."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        raise DocqnError(f"cannot compute on {name!r}: {str(error).splitlines()[0]}") from error
    return device


def workers_beside(device: torch.device) -> int:
    """Processes that prepare data: none where the processor is what learns, or where a process cannot be forked."""
    if device.type == "cpu" or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(cores - 2, 1)
