"""Parts by name: a built-in is a module of its package, a third party's is `package.module:Name`."""

import importlib
import pkgutil
from typing import Any

from docqn.errors import DocqnError


def names(package: str, having: str) -> list[str]:
    """The built-in parts: names of the package's modules that define `having`."""
    paths = importlib.import_module(package).__path__
    modules = [info.name for info in pkgutil.iter_modules(paths)]
    return [n.replace("_", "-") for n in modules if hasattr(importlib.import_module(f"{package}.{n}"), having)]


def find(package: str, name: str, having: str) -> Any:
    """The part with this name; `having` is what every part of the package defines."""
    module, _, attribute = name.partition(":")
    if not attribute and name in (known := names(package, having)):
        return importlib.import_module(f"{package}.{name.replace('-', '_')}")
    kind = package.rpartition(".")[2].removesuffix("s")
    if not attribute:
        raise DocqnError(f"no {kind} is named {name!r}; choose {', '.join(known)}, or name your own as package.module:Name")
    try:
        part = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise DocqnError(f"{kind} {name!r} cannot be imported: {error}") from error
    if not hasattr(part, having):
        raise DocqnError(f"{kind} {name!r} does not define {having!r}")
    return part
