"""Pydantic types of parameters, for the models of HTTP and the schemas of agent tools."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from omoide.interfaces.signature import Parameter

LARGEST = 2**53 - 1  # every reader of JSON keeps it exact
_BOUNDS = {"limit": (1, 1000), "budget": (1, 1_000_000), "days": (1, 3650), "completed": (0, 1_000_000)}
_BOUNDS |= {"importance": (1, 10), "least_tasks": (1, 1_000_000_000)}
_BASES: dict[str, Any] = {
    "text": str,
    "number": float,
    "flag": bool,
    "time": str,
    "path": str,
    "object": dict[str, Any],
    "json": Any,
    "texts": list[str],
    "id_or_name": int | str,
}


def value_type(parameter: Parameter, text: Any = str) -> Any:
    """The type of a parameter: a list where it takes many, with None where it is optional. `text` is that of a text."""
    kind = parameter.kind
    found = text if kind.base == "text" else single_type(parameter)
    if kind.many:
        one, found = found, list_of(found)
        if kind.base == "integer" and kind.optional and parameter.position == "positional":
            found = one | found  # one id or several
    return found | None if kind.optional and found is not Any else found


def _whole(given: Any) -> Any:
    """JSON has one kind of number: 5.0 is 5."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


def list_of(item: Any) -> Any:
    return list[item]


def single_type(parameter: Parameter) -> Any:
    """The type of one value."""
    kind = parameter.kind
    if kind.base == "unknown":
        raise TypeError(f"no interface can take the parameter {parameter.name}; list it in omissions.py")
    if kind.base == "integer":
        low, high = _BOUNDS.get(parameter.name, (0, LARGEST))
        return Annotated[int, Field(ge=low, le=high), BeforeValidator(_whole)]
    if kind.base == "flag_or_choice":
        return Annotated[bool, Field(strict=True)] | Literal[kind.choices]
    return Literal[kind.choices] if kind.base == "choice" else _BASES[kind.base]


def json_default_of(parameter: Parameter) -> Any:
    """The default as JSON has it: an empty list for an empty tuple."""
    if parameter.position == "fields":
        return {}
    return [] if parameter.position == "rest" or parameter.default == () else parameter.default
