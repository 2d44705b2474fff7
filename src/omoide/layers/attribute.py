"""Checked fields of a kind: what is peculiar to it is validated once, when it is written."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields
from difflib import get_close_matches
from reprlib import repr as shown
from typing import Any

from omoide.errors import InvalidInput
from omoide.layers.node import Node, own_fields

Check = Callable[[Any], Any]
"""Returns the value as it is stored, or raises ValueError with what was expected."""


def attribute(check: Check, default: Any = None) -> Any:
    """A field of a kind, absent from the file while it has its default."""
    return field(default=default, metadata={"check": check})


def validated(kind: type[Node], given: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a kind, checked, without those that say nothing beyond the default."""
    known = _known(kind)
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(known) or 'none of its own'}"
            raise InvalidInput(f"a {kind.kind} has no field {name!r}{hint}")
        if value is None:
            continue
        try:
            checked = known[name].metadata["check"](value)
        except ValueError as error:
            raise InvalidInput(f"{kind.kind}.{name}: {error}, got {shown(value)}") from error
        if checked != known[name].default:
            kept[name] = checked
    return kept


_KNOWN: dict[str, dict[str, Field[Any]]] = {}


def _known(kind: type[Node]) -> dict[str, Field[Any]]:
    if kind.kind not in _KNOWN:
        own = own_fields(kind)
        _KNOWN[kind.kind] = {item.name: item for item in fields(kind) if item.name in own}
    return _KNOWN[kind.kind]


def words(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or "\x00" in value:
        raise ValueError("expected a non-empty text")
    value.encode()  # half a surrogate pair is a ValueError too
    return value


def one_of(*choices: str) -> Check:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return str(value)

    return check


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected True or False")
    return value


def count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("expected a whole number from 0")
    return value


def number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError("expected a number from 0")
    return float(value)


def share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("expected a number from 0 to 1")
    return float(value)


def document(value: Any) -> Any:
    """Anything JSON can hold."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected something JSON can hold ({error})") from error
    return value


def items(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise ValueError("expected a list")
    return tuple(document(list(value)))


def value_of(said: Mapping[str, Any]) -> str:
    """What may change about a fact or preference: of "Ana is the user's partner" it is Ana."""
    value = said.get("object") or said.get("value") or ""
    return str(said.get("subject") or "") if value == "user" else str(value)
