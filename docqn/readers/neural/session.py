"""ONNX models run by onnxruntime: one input at a time on each of a few threads.

A padded batch would save nothing on a CPU (measured: it costs a tenth more), and its int8 activations would share one
scale, so that a reading depended on what else is read with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docqn.arrays import Array
from docqn.errors import DocqnError

THREADS = 2
_SILENT = 4  # what goes wrong is told once, by the exception


class Session:
    """A loaded model."""

    def __init__(self, model: bytes, path: Path, threads: int = THREADS) -> None:
        """`path` is only named in errors."""
        import onnxruntime

        onnxruntime.set_default_logger_severity(_SILENT)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # each run stays on its caller's thread
        options.log_severity_level = _SILENT
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its errors have no common base but this
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DocqnError(f"{path}: onnxruntime cannot load it ({reason[:200]})") from error
        self.path = path
        self.inputs = {value.name for value in self._session.get_inputs()}
        self.outputs = [value.name for value in self._session.get_outputs()]
        self._threads = threads

    def run(self, feeds: Sequence[Mapping[str, Array]]) -> list[dict[str, Array]]:
        """The outputs for each set of inputs. Inputs that the model does not have are left out."""
        if len(feeds) < 2 or self._threads < 2:
            return [self._run(feed) for feed in feeds]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._run, feeds))

    def _run(self, feed: Mapping[str, Array]) -> dict[str, Array]:
        known = {name: array for name, array in feed.items() if name in self.inputs}
        try:
            return dict(zip(self.outputs, self._session.run(None, known), strict=True))
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise DocqnError(f"{self.path}: does not run ({reason[:200]})") from error
