"""Answer questions from long documents by walking their structure.

The public names load on first use, so that `import docqn` costs nothing.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["DocqnError", "Document", "Navigator", "ParseError", "Result", "ask", "parse"]

if TYPE_CHECKING:
    from docqn.document import Document
    from docqn.errors import DocqnError, ParseError
    from docqn.parsers import parse
    from docqn.serving.navigator import Navigator, ask
    from docqn.serving.result import Result
else:
    _HOMES = {
        "DocqnError": "docqn.errors",
        "Document": "docqn.document",
        "Navigator": "docqn.serving.navigator",
        "ParseError": "docqn.errors",
        "Result": "docqn.serving.result",
        "ask": "docqn.serving.navigator",
        "parse": "docqn.parsers",
    }

    def __getattr__(name: str) -> object:
        """The public name, from the module that defines it."""
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
