"""The policy that is used where none is named: `forage`, with the scent that comes with the package."""

from __future__ import annotations

from docqn.errors import DocqnError
from docqn.policies import Policy
from docqn.policies import policy as policy_named


def policy(argument: str = "") -> Policy:
    """The default; it takes no argument."""
    if argument:
        raise DocqnError("the default policy takes no argument")
    return policy_named("forage")
