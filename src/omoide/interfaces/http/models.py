"""Models of requests and responses, made from the signatures of the verbs."""

from __future__ import annotations

from functools import cache
from inspect import getmodule
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, create_model
from pydantic_core import CoreSchema

from omoide.domain import Edge, Entity, Node, Relation, Session
from omoide.interfaces import omissions
from omoide.interfaces.schema import json_default_of, list_of, value_type
from omoide.interfaces.signature import Parameter
from omoide.interfaces.verbs import BY_METHOD, Verb

_ITEMS = {("observe_many", "turns"): ("observe", 10_000)}  # lists whose items are the arguments of another verb


@cache
def request_model(verb: Verb, without: tuple[str, ...] = ()) -> type[BaseModel] | None:
    """The parameters of a verb, less those in the path; None if there are none. Unknown names are refused."""
    fields: dict[str, Any] = {
        each.name: _field(verb, each)
        for each in verb.parameters
        if each.name not in without and not omissions.omitted(verb.method, "http", each.name)
    }
    name = "".join(part.title() for part in verb.method.replace(".", "_").split("_"))
    config = ConfigDict(extra="forbid", validate_by_name=True, validate_by_alias=True, serialize_by_alias=False)
    return create_model(f"{name}Request", __config__=config, **fields) if fields else None


def _field(verb: Verb, parameter: Parameter) -> tuple[Any, Any]:
    default = dict(verb.http_defaults).get(parameter.name, json_default_of(parameter))
    about = Field(
        default=... if parameter.required else default,
        description=parameter.help or None,
        alias=parameter.name.rstrip("_") if parameter.name.endswith("_") else None,
    )
    if (verb.method, parameter.name) in _ITEMS:
        of, most = _ITEMS[verb.method, parameter.name]
        return Annotated[list[request_model(BY_METHOD[of])], Field(max_length=most)], about  # type: ignore[misc]
    return value_type(parameter), about


# ── responses ─────────────────────────────────────────────────────────────────────────────────────────────────────


class _And:
    """A record's own fields and some more."""

    def __init__(self, **more: dict[str, Any]) -> None:
        self._more = more

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = handler.resolve_ref_schema(handler(schema))
        return {**found, "properties": found["properties"] | self._more, "additionalProperties": True}


_KIND = {"type": "string", "description": "Further fields are those of the kind."}
MemoryBody = Annotated[Node, _And(kind=_KIND)]


class RefusalBody(BaseModel):
    error: str


class HitBody(BaseModel):
    id: int
    kind: str
    text: str
    score: float
    why: str
    node: MemoryBody


class RecallBody(BaseModel):
    question: str
    hits: list[HitBody]
    probability: float | None
    note: str


class ContextBody(BaseModel):
    markdown: str
    tokens: int
    budget: int


class PageBody(BaseModel):
    memories: list[MemoryBody]
    next_cursor: str | None


class ProfileBody(BaseModel):
    entity: Entity
    relations: list[Relation]
    timeline: list[MemoryBody]


class ToolAnswerBody(BaseModel):
    text: str
    data: Any = None


class ToolBody(BaseModel):
    name: str
    description: str
    parameters: dict[str, Any]


_RECORDS: dict[str, Any] = {
    "Node": MemoryBody,
    "Entity": Entity,
    "Session": Session,
    "Relation": Relation,
    "Edge": Edge,
    "Recall": RecallBody,
    "Pack": ContextBody,
    "MemoryPage": PageBody,
}
_OTHER_DOCUMENTS = ("review.uncertain",)  # the document says more than the records that the method returns


@cache
def response_model(verb: Verb) -> Any:
    """The model of a verb's document, for the description; None where the records have no model."""
    returned = verb.signature.returns.removeprefix("builtins.")
    many = returned.startswith("list[")
    name = returned.removeprefix("list[").removesuffix("]")
    record = vars(getmodule(verb.signature.method))["Stats"] if name == "Stats" else _RECORDS.get(name)
    if record is None or verb.method in _OTHER_DOCUMENTS or (many and not verb.key):
        return None
    if not many:
        return record
    title = "".join(part.title() for part in verb.method.replace(".", "_").split("_"))
    return create_model(f"{title}Response", **{verb.key: (list_of(record), ...)})  # type: ignore[call-overload]
