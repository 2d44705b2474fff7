"""What routes answer with, for the description: read from the records that the verbs hand out, so that it is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from omoide.domain import Entity, Node, Relation


class _And:
    """The record's own fields and some more."""

    def __init__(self, **more: dict[str, Any]) -> None:
        self._more = more

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = handler.resolve_ref_schema(handler(schema))
        return {**found, "properties": found["properties"] | self._more, "additionalProperties": True}


_KIND = {"type": "string", "description": "Further fields are those of its kind."}
Memory = Annotated[Node, _And(kind=_KIND)]
Hit = Annotated[Node, _And(kind=_KIND, score={"type": "number"}, why={"type": "string"})]


def of(verb: Callable[..., Any]) -> Any:
    """What a verb hands out, as JSON shows it."""
    return _shown(eval(verb.__annotations__["return"], verb.__globals__))


def _shown(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, Node):
        return Memory
    return list[_shown(get_args(kind)[0])] if get_origin(kind) is list else kind  # type: ignore[misc]


class Refusal(BaseModel):
    error: str


class Recalled(BaseModel):
    hits: list[Hit]
    probability: float | None


class Page(BaseModel):
    markdown: str
    tokens: int


class Known(BaseModel):
    entity: Entity
    relations: list[Relation]
    timeline: list[Memory]


class Said(BaseModel):
    text: str
    data: Any = None


class Described(BaseModel):
    name: str
    description: str
    parameters: dict[str, Any]
