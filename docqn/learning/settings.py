"""Settings of a training: a frozen dataclass whose fields can be changed by `key=value`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from docqn.errors import DocqnError

T = TypeVar("T")

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def changed(settings: T, changes: Sequence[str]) -> T:
    """The settings with these `key=value` in place of their own values; the type of a value is that of the old one."""
    known = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for change in changes:
        key, sign, value = change.partition("=")
        if key not in known or not sign:
            raise DocqnError(f"{change!r} is not key=value with one of the settings {', '.join(known)}")
        values[key] = _parsed(key, value, known[key])
    return dataclasses.replace(settings, **values)  # type: ignore[type-var]


def replaced(settings: T, values: Mapping[str, Any], source: object) -> T:
    """The settings with these in place of their own values; `source` says where they stand."""
    known = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}  # type: ignore[arg-type]
    taken = {}
    for key, value in values.items():
        if isinstance(known.get(key), float) and type(value) is int:
            value = float(value)
        if key not in known or type(value) is not type(known[key]):
            raise DocqnError(f"{source}: {key} = {value!r} is not a setting, or not of its type")
        taken[key] = value
    return dataclasses.replace(settings, **taken)  # type: ignore[type-var]


def _parsed(key: str, value: str, old: object) -> object:
    try:
        if isinstance(old, bool):
            return (*_TRUE, *_FALSE).index(value.lower()) < len(_TRUE)
        if isinstance(old, int):
            return int(value)
        if isinstance(old, float):
            return float(value)
    except ValueError as error:
        raise DocqnError(f"{key}={value}: {value!r} is not {type(old).__name__}") from error
    return value
