"""When to say that the documents do not hold an answer: below a threshold of probability.

`tools/measure_abstaining.py` measures the best one for a reader, by putting questions to wrong documents too, and keeps
it in `thresholds.json` by the reader's fingerprint. A reader of somebody else may bring its own, `abstains_below`.
"""

from __future__ import annotations

import json
from pathlib import Path

from docqn.readers import Reader

KEPT = Path(__file__).with_name("thresholds.json")
CALIBRATED = 0.5  # below it a calibrated reader is more often wrong than right


def threshold(reader: Reader) -> float:
    """The reader's own, the one that was measured for it, or that of a calibrated one."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return float(getattr(reader, "abstains_below", kept.get(reader.fingerprint, CALIBRATED)))


def keep(reader: Reader, threshold: float) -> None:
    """Write down what was measured."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    kept[reader.fingerprint] = threshold
    KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
