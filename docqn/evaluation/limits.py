"""The most that policies may observe and read of each document: so many tokens, or a share of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from docqn.errors import DocqnError

_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


class TokenLimit(NamedTuple):
    """One of both, or neither: no limit."""

    tokens: int | None = None
    share: float | None = None

    @classmethod
    def of(cls, said: str | int | None) -> TokenLimit:
        """As `--max-tokens` and the settings of results say it."""
        if said is None:
            return cls()
        text = str(said).strip()
        if text.isdecimal() and int(text):
            return cls(tokens=int(text))
        found = _SHARE.fullmatch(text)
        if found and 0 < float(found[1]) <= 100:
            return cls(share=float(found[1]) / 100)
        raise DocqnError(f"--max-tokens {said}: is neither a number of tokens, as in 500, nor a share, as in 10%")

    def __str__(self) -> str:
        """For people; empty without a limit."""
        if self.share is not None:
            return f"{self.said} of the tokens"
        return f"{self.tokens:,} tokens" if self.tokens else ""

    @property
    def said(self) -> str | int | None:
        """The same however it was written."""
        return self.tokens if self.share is None else f"{100 * self.share:g}%"
