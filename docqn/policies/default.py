"""The policy that is used where none is named: the trained agent that comes with the package, where one does; else the
best paragraphs are retrieved and read."""

from __future__ import annotations

from pathlib import Path

from docqn.errors import DocqnError
from docqn.policies import Policy
from docqn.policies import policy as policy_named

FOLDER = Path(__file__).parents[1] / "models" / "agent"
WITHOUT = "read-best"


def policy(argument: str = "") -> Policy:
    """The default; it takes no argument."""
    if argument:
        raise DocqnError("the default policy takes no argument")
    return policy_named(f"agent:{FOLDER}" if FOLDER.is_dir() else WITHOUT)
