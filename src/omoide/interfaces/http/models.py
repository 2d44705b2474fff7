"""Models of requests and responses, made from the signatures of the verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import getmodule
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, create_model
from pydantic_core import CoreSchema

from omoide.domain import Edge, Entity, Node, Relation, Session
from omoide.domain.edge import EDGE_TYPES
from omoide.domain.entity import ENTITY_TYPES, TYPE_ALIASES
from omoide.domain.kinds import KINDS
from omoide.domain.node import ORIGINS, ROLE_ALIASES, SOURCE_TYPES
from omoide.domain.task import TASK_OUTCOMES
from omoide.interfaces import omissions
from omoide.interfaces.signature import Parameter
from omoide.interfaces.tools.tool import json_default_of, list_of, value_type
from omoide.interfaces.verbs import BY_METHOD, Verb
from omoide.language.text import validate_text
from omoide.memory.overview import Overview
from omoide.memory.review import MOST_HOURS

_ITEMS = {("observe_many", "turns"): ("observe", 10_000)}  # lists whose items are the arguments of another verb


@cache
def request_model(verb: Verb, without: tuple[str, ...] = (), in_query: bool = False) -> type[BaseModel] | None:
    """The parameters of a verb, less those in the path; None if there are none. Unknown names are refused, and so are
    values of another type; in a query everything is text."""
    fields: dict[str, Any] = {
        each.name: _field(verb, each, in_query)
        for each in verb.parameters
        if each.name not in without and not omissions.omitted(verb.method, "http", each.name)
    }
    name = "".join(part.title() for part in verb.method.replace(".", "_").split("_"))
    config = ConfigDict(
        extra="forbid", strict=not in_query, validate_by_name=True, validate_by_alias=True, serialize_by_alias=False
    )
    return create_model(f"{name}Request", __config__=config, **fields) if fields else None


def _field(verb: Verb, parameter: Parameter, in_query: bool) -> tuple[Any, Any]:
    more = _more(verb, parameter)
    default = dict(verb.http_defaults).get(parameter.name, json_default_of(parameter))
    about = Field(
        default=... if parameter.required else default,
        description=parameter.help or None,
        alias=parameter.name.rstrip("_") if parameter.name.endswith("_") else None,
        json_schema_extra=described(more, in_query),
    )
    if (verb.method, parameter.name) in _ITEMS:
        of, most = _ITEMS[verb.method, parameter.name]
        return Annotated[list[request_model(BY_METHOD[of])], Field(max_length=most)], about  # type: ignore[misc]
    return value_type(parameter, _checked(more)), about


def _more(verb: Verb, parameter: Parameter) -> Mapping[str, Any]:
    """What the description says of a value, or of each item of a list, besides its type. The library checks it."""
    name, base = parameter.name, parameter.kind.base
    own = _OTHERS.get(f"{verb.method}.{name}", _OTHERS.get(name))
    if own is not None:
        return own
    return MOMENT if base == "time" else NAME if base in ("text", "id_or_name") else {}


def described(more: Mapping[str, Any], in_query: bool = True) -> Callable[[dict[str, Any]], None]:
    """Adds to the description of a value, also of one that may be null, and of each item of a list."""

    def add(schema: dict[str, Any]) -> None:
        if in_query and {"type": "null"} in schema.get("anyOf", ()):  # in a query nothing is null
            of = [each for each in schema.pop("anyOf") if each != {"type": "null"}]
            schema.update(of[0] if len(of) == 1 else {"anyOf": of})
        for each in (schema, *schema.get("anyOf", ())):
            target = each.get("items", each)
            if "anyOf" not in target and target.get("type") not in ("null", "integer"):
                target.update(more)

    return add


_BLANK = r"\s\u001c-\u001f"  # what Python takes for space
_TOOL = rf"tool:[^{_BLANK}:][^{_BLANK}]{{0,99}}"
_WORDS: Mapping[str, Any] = {"pattern": rf"^[^\u0000]*[^\u0000{_BLANK}][^\u0000]*$"}  # neither empty nor binary
NAME: Mapping[str, Any] = {**_WORDS, "minLength": 1, "maxLength": 500}
MOMENT: Mapping[str, Any] = {"format": "date-time", "pattern": "^(1[89]|2[0-2])[0-9]{2}-"}  # with a time zone
_TAG = {"pattern": rf"^([^\u0000]*[^\u0000{_BLANK}][^\u0000]*)?$", "maxLength": 500}
_ORIGIN = {"pattern": f"^({'|'.join(ORIGINS)}|{_TOOL})$"}
_SHARE = {"minimum": 0, "maximum": 1}
_LINK = {"enum": list(dict.fromkeys((*EDGE_TYPES, *EDGE_TYPES.values())))}
_TYPE = {"enum": [*ENTITY_TYPES, *TYPE_ALIASES]}
_OBSERVED = {"type": ["array", "null"], "items": {"type": "string", **_WORDS}}
_ENTITY = {"name": {"type": "string", **NAME}, "type": {"type": ["string", "null"]}, "observations": _OBSERVED}
_OTHERS: Mapping[str, Mapping[str, Any]] = {
    "audience": {"enum": ["private", "shared"]},
    "kind": {"enum": [name for name in KINDS if name != "episode"]},
    "kinds": {"enum": list(KINDS)},
    "origin": _ORIGIN,
    "role": {"pattern": f"^({'|'.join(('user', 'agent', 'system', *ROLE_ALIASES))}|{_TOOL})$"},
    "recipe": {"enum": Overview.recipes()},
    "source_type": {"enum": list(SOURCE_TYPES)},
    "tasks.record.outcome": {"enum": list(TASK_OUTCOMES)},
    "graph.link.type": _LINK,
    "graph.unlink.type": _LINK,
    "graph.neighbours.relation": _LINK,
    "graph.entity.type": _TYPE,
    "graph.split.type": _TYPE,
    **dict.fromkeys(("text", "query", "page", "goal", "what_was_done", "summary", "description"), _WORDS),
    **{name: {} for name in ("list.text", "tasks.skills.goal", "list.cursor")},
    "tags": _TAG,
    **dict.fromkeys(("confidence", "below"), _SHARE),
    "weight": {"minimum": 0},
    "hours": {"exclusiveMinimum": 0, "maximum": MOST_HOURS},
    "graph.add.entities": {"properties": _ENTITY, "required": ["name"], "additionalProperties": False},
    "graph.add.relations": {"items": {"type": "string", **NAME}, "minItems": 3, "maxItems": 3},
    "tasks.record.actions": {"required": ["action"]},
}

_Words = Annotated[str, AfterValidator(lambda given: validate_text(given))]


def _checked(more: Mapping[str, Any]) -> Any:
    """The type of a text that is checked here, since not every verb looks at each."""
    if more is _ORIGIN:
        return Annotated[str, Field(pattern=_ORIGIN["pattern"])]
    text: Any = _Words if more is NAME or more is _WORDS else str
    return Annotated[text, Field(max_length=more["maxLength"])] if "maxLength" in more else text


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


class FateBody(BaseModel):
    id: int
    fate: list[str]


class RecallBody(BaseModel):
    question: str
    hits: list[HitBody]
    probability: float | None
    note: str
    why_not: list[FateBody] = []


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
