"""Names of devices, and what works beside them."""

import multiprocessing
import os

import pytest
import torch

from docqn.errors import DocqnError
from docqn.learning.hardware import device_of, workers_beside


def test_names() -> None:
    assert device_of("cpu") == torch.device("cpu")
    assert device_of("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert workers_beside(torch.device("cpu")) == 0


def test_processes_beside_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = torch.device("cuda")
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn", "fork"])
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(7)), raising=False)
    assert workers_beside(gpu) == 5
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    assert workers_beside(gpu) == 1
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert workers_beside(gpu) == 0


@pytest.mark.parametrize("name", ["quick", "cuda:99", "cpu:x"])
def test_what_is_not_there_is_one_line(name: str) -> None:
    with pytest.raises(DocqnError, match=f"cannot compute on '{name}'") as raised:
        device_of(name)
    assert "\n" not in str(raised.value)
