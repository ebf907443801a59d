"""Names of devices."""

import pytest
import torch

from docqn.errors import DocqnError
from docqn.learning.hardware import device_of, workers_beside


def test_names() -> None:
    assert device_of("cpu") == torch.device("cpu")
    assert device_of("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
    assert workers_beside(torch.device("cpu")) == 0


@pytest.mark.parametrize("name", ["quick", "cuda:99", "cpu:x"])
def test_what_is_not_there_is_one_line(name: str) -> None:
    with pytest.raises(DocqnError, match=f"cannot compute on '{name}'") as raised:
        device_of(name)
    assert "\n" not in str(raised.value)
