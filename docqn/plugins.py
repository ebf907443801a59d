"""Parts by name: a built-in is a module of its package, a third party's is `package.module:Name`."""

import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

from docqn.errors import DocqnError


@cache
def names(package: str, having: str) -> tuple[str, ...]:
    """The built-in parts: names of the package's modules that define `having`."""
    paths = importlib.import_module(package).__path__
    modules = (info.name for info in pkgutil.iter_modules(paths))
    return tuple(n.replace("_", "-") for n in modules if hasattr(importlib.import_module(f"{package}.{n}"), having))


def find(package: str, name: str, having: str) -> Any:
    """The part with this name; `having` is what every part of the package defines."""
    module, _, attribute = name.partition(":")
    if not attribute and name in (known := names(package, having)):
        return importlib.import_module(f"{package}.{name.replace('-', '_')}")
    if not attribute:
        kinds = package.rpartition(".")[2]
        own = "name your own as package.module:Name"
        raise DocqnError(f"{name!r} is not among the {kinds}; choose {', '.join(known)}, or {own}")
    part = _imported(name, module, attribute)
    if not hasattr(part, having):
        raise DocqnError(f"{name!r} does not define {having!r}")
    return part


def make(package: str, name: str, factory: str, having: Sequence[str] = ()) -> Any:
    """A part that needs making: `name` of a built-in or `package.module:Name`, either with `:argument` after it.

    A third party's Name defines the factory as a built-in's module does, or it is the factory itself: a class, say.
    What it makes has these attributes.
    """
    made = _made(package, name, factory)
    if missing := [attribute for attribute in having if not hasattr(made, attribute)]:
        raise DocqnError(f"{name!r} makes no {factory}: it has no {missing[0]!r}")
    return made


def _made(package: str, name: str, factory: str) -> Any:
    head, _, argument = name.partition(":")
    if not argument or head in names(package, factory):
        return getattr(find(package, head, factory), factory)(argument)
    attribute, _, argument = argument.partition(":")
    part = _imported(name, head, attribute)
    if not hasattr(part, factory) and not callable(part):
        raise DocqnError(f"{name!r} does not define {factory!r}")
    make: Any = getattr(part, factory, part)
    return make(argument) if argument or make is not part else make()


def _imported(name: str, module: str, attribute: str) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # so that a file in the folder where one works will do
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise DocqnError(f"{name!r} cannot be imported: {error}") from error
