"""Answer questions from long documents by walking their structure.

The public names load on first use, so that `import docqn` costs nothing.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Document", "ParseError", "parse"]

if TYPE_CHECKING:
    from docqn.document import Document
    from docqn.errors import ParseError
    from docqn.parsers import parse
else:
    _HOMES = {"Document": "docqn.document", "ParseError": "docqn.errors", "parse": "docqn.parsers"}

    def __getattr__(name: str) -> object:
        """The public name, from the module that defines it."""
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
