"""Tensors in a safetensors file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from docqn.errors import DocqnError
from docqn.files import replacing


def write_tensors(path: Path, tensors: Mapping[str, Tensor], meta: Mapping[str, Any]) -> None:
    """Write them, whole or not at all, from whatever device they are on; `meta` as JSON."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with replacing(path) as part:
        try:
            save_file(held, part, {"meta": json.dumps(meta)})
        except SafetensorError as error:  # such as a full disk
            raise DocqnError(f"{path}: cannot be written ({error})") from error
