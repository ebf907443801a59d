"""The full state of a training in one safetensors file: float32 weights, their average, and Adam's moments.

Data order, negatives and dropout are functions of (seed, step), so that the step number is all else that is needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from docqn.errors import DocqnError
from docqn.learning.readers.settings import Schedule

STATE = "state.safetensors"
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Master:
    """float32 copies of a model's trained weights, behind a model whose matrices may be of lower precision.

    Gradients of the model go to the float32 ones as soon as they are made, so that several batches add up in float32.
    """

    def __init__(
        self, model: nn.Module, settings: Schedule, *, head: str = "", head_factor: float = 1.0,
        lower: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        """`head` begins the names of weights that learn faster; `lower` turns the model's matrices to bf16."""
        trained = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
        self.weights = {name: weight.detach().clone().float() for name, weight in trained.items()}
        if lower is not None:
            lower()
        self.working = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
        self.ema = {name: weight.clone() for name, weight in self.weights.items()}
        self.settings = settings
        for name, weight in self.weights.items():
            weight.grad = torch.zeros_like(weight)
            self.working[name].register_post_accumulate_grad_hook(_collector(weight))  # type: ignore[no-untyped-call]
        heads = {name for name in self.weights if head and name.startswith(head)}
        others = [weight for name, weight in self.weights.items() if name not in heads]
        groups = [
            ([weight for weight in others if weight.dim() > 1], settings.weight_decay, 1.0),
            ([weight for weight in others if weight.dim() == 1], 0.0, 1.0),
            ([self.weights[name] for name in self.weights if name in heads], 0.0, head_factor),
        ]
        self.adam = torch.optim.AdamW(
            [{"params": part, "weight_decay": decay, "factor": factor} for part, decay, factor in groups if part],
            betas=(0.9, 0.999),
            fused=True,
        )

    def update(self, step: int) -> float:
        """Clip, update, average, and copy to the model; returns the gradient's norm."""
        weights = list(self.weights.values())
        norm = torch.nn.utils.clip_grad_norm_(weights, self.settings.clip, foreach=True).item()
        for group in self.adam.param_groups:
            group["lr"] = self.settings.rate_at(step) * group["factor"]
        self.adam.step()
        decay = min(self.settings.ema, (1 + step) / (10 + step))
        torch._foreach_lerp_(list(self.ema.values()), weights, 1 - decay)
        self._copy_down()
        torch._foreach_zero_([weight.grad for weight in weights if weight.grad is not None])
        return norm

    @torch.no_grad()
    def _copy_down(self) -> None:
        torch._foreach_copy_(list(self.working.values()), list(self.weights.values()))

    def save(self, path: Path, meta: dict[str, Any]) -> None:
        """Write everything to a temporary file, then rename it."""
        tensors: dict[str, Tensor] = {}
        for name, weight in self.weights.items():
            tensors[f"weights/{name}"] = weight.detach()
            tensors[f"ema/{name}"] = self.ema[name]
            for key, value in self.adam.state.get(weight, {}).items():
                tensors[f"adam.{key}/{name}"] = value
        part = path.with_suffix(".part")
        save_file(tensors, part, {"meta": json.dumps(meta)})
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(path)

    @torch.no_grad()
    def load(self, path: Path) -> dict[str, Any]:
        """Take up what `save` wrote; returns its `meta`."""
        try:
            with safe_open(path, "pt") as file:
                names = set(file.keys())
                for name, weight in self.weights.items():
                    weight.copy_(file.get_tensor(f"weights/{name}"))
                    self.ema[name].copy_(file.get_tensor(f"ema/{name}"))
                    self.adam.state[weight] = {
                        key: file.get_tensor(f"adam.{key}/{name}").to(weight.device, copy=True)
                        for key in _MOMENTS
                        if f"adam.{key}/{name}" in names
                    }
                meta: dict[str, Any] = json.loads(file.metadata()["meta"])
        except (SafetensorError, OSError, RuntimeError, KeyError, TypeError, ValueError) as error:
            raise DocqnError(f"{path}: not the state of this training, or damaged ({error})") from error
        self._copy_down()
        return meta


def _collector(weight: Tensor) -> Callable[[Tensor], None]:
    """Moves a parameter's gradient to its float32 copy."""

    def collect(parameter: Tensor) -> None:
        assert weight.grad is not None
        assert parameter.grad is not None
        weight.grad.add_(parameter.grad)
        parameter.grad = None

    return collect
