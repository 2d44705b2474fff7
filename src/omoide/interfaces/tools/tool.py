"""What a tool is: a function over a memory with a schema, a description for a model, and errors that say what to do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from omoide.clock import system_clock, to_datetime
from omoide.domain import Agenda, Node
from omoide.domain.decay import currency_note
from omoide.domain.quotation import labelled, one_line, redaction_note
from omoide.domain.trust import acting
from omoide.errors import InvalidInput, MissingExtra
from omoide.interfaces.documents import serialise
from omoide.interfaces.signature import Parameter
from omoide.memory import Memory

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The result of a tool: text for a model, data for a program."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


Progress = Callable[[float, float | None, str], None]
"""Told how much is done, of how much if that is known, and what is being done."""


def _ignore(done: float, total: float | None, message: str) -> None:
    """The progress of a call that nobody follows."""


@dataclass(frozen=True)
class Tool:
    """A tool. `reads`: it changes nothing. `destroys`: it cannot be undone."""

    name: str
    description: str
    function: Callable[..., ToolAnswer]
    reads: bool
    destroys: bool
    returns: Any = None  # the type of its data, where a program may rely on one
    strict: bool = True  # an unknown argument is an error; otherwise it is ignored
    verb: str = ""  # the method of Memory that it calls
    covers: tuple[str, ...] = ()  # the parameters of the verb that its arguments stand for

    @property
    def title(self) -> str:
        """The name for people, in the lists of their clients."""
        return self.name.replace("_", " ").title()

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The arguments as JSON schema, without titles: a model would pay for them."""
        return dict(_compact(self._model.model_json_schema()))

    @cached_property
    def output(self) -> dict[str, Any] | None:
        """The JSON schema of the data, if it has a type."""
        if self.returns is None:
            return None
        from pydantic import TypeAdapter

        return dict(_compact(TypeAdapter(self.returns).json_schema()))

    def __call__(
        self, memory: Memory, arguments: Mapping[str, Any] | None = None, progress: Progress | None = None
    ) -> ToolAnswer:
        """Checks the arguments and runs the tool. An error says what is wrong, so that the next call can be right."""
        given = self._checked(dict(arguments or {}))
        if self._has_progress:
            given["progress"] = progress or _ignore
        with acting(operation=f"tool {self.name}"):
            return self.function(memory, **given)

    def _checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        from pydantic import ValidationError

        try:
            found = self._model.model_validate(arguments)
        except ValidationError as error:
            raise InvalidInput(f"{self.name}: " + "; ".join(map(self._explained, error.errors()))) from None
        return {name: getattr(found, name) for name in type(found).model_fields}

    def _explained(self, error: Any) -> str:
        where = ".".join(str(part) for part in error["loc"]) or "arguments"
        known = list(self.schema.get("properties", {}))
        if error["type"] == "extra_forbidden":
            near = get_close_matches(where, known, n=1)
            return f"there is no argument {where}" + (f", did you mean {near[0]}?" if near else f"; known are {known}")
        if error["type"] == "missing":
            meaning = self.schema["properties"].get(where, {}).get("description", "")
            return f"{where} is missing" + (f" ({meaning})" if meaning else "")
        shown = repr(error["input"])
        return f"{where}: {error['msg'].lower()}, got {shown if len(shown) < 80 else shown[:77] + '…'}"

    @property
    def _has_progress(self) -> bool:
        return "progress" in inspect.signature(self.function).parameters

    @cached_property
    def _model(self) -> type[BaseModel]:
        try:
            from pydantic import ConfigDict, create_model
        except ImportError as error:
            raise MissingExtra('agent tools need pydantic: `pip install "omoide[mcp]"`') from error

        _, *own = inspect.signature(self.function, eval_str=True).parameters.values()
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.default is inspect.Parameter.empty else each.default)
            for each in own
            if each.name != "progress"
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid" if self.strict else "ignore"), **fields)


def tool(
    verb: str = "",
    covers: tuple[str, ...] = (),
    *,
    reads: bool = False,
    destroys: bool = False,
    returns: Any = None,
    strict: bool = True,
) -> Callable[[Callable[..., ToolAnswer]], Tool]:
    """Makes a tool of a function: a model sees its name, its docstring and its annotated arguments."""

    def made(function: Callable[..., ToolAnswer]) -> Tool:
        description = inspect.cleandoc(function.__doc__ or "")
        return Tool(function.__name__, description, function, reads, destroys, returns, strict, verb, covers)

    return made


def verb_tool(
    name: str,
    verb: str,
    arguments: Mapping[str, str],
    answer: Callable[[Any], ToolAnswer],
    description: str,
    *,
    reads: bool = False,
    required: tuple[str, ...] = (),
    about: Mapping[str, str] | None = None,
) -> Tool:
    """Makes a tool of a verb.

    Args:
        name: The tool's name.
        verb: The method of Memory.
        arguments: The tool's arguments, each with the parameter of the verb that it stands for.
        answer: Makes the answer from what the method returns.
        description: What the model reads.
        reads: It changes nothing.
        required: Arguments that the tool requires though the method has a default.
        about: Descriptions of arguments that a model needs in other words than the docstring's.
    """
    from omoide.interfaces.verbs import BY_METHOD

    source = BY_METHOD[verb]

    def function(memory: Memory, **given: Any) -> ToolAnswer:
        named = {arguments[each]: value for each, value in given.items()}
        return answer(source.call(memory, named))

    own = {each.name: each for each in source.signature.parameters}
    parameters = [inspect.Parameter("memory", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Memory)]
    for argument, parameter in arguments.items():
        text = (about or {}).get(argument, own[parameter].help)
        parameters.append(_argument(argument, own[parameter], text, argument in required))
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return Tool(name, description, function, reads, False, verb=verb, covers=tuple(arguments.values()))


def _argument(name: str, parameter: Any, text: str, required: bool) -> inspect.Parameter:

    kind = parameter.kind
    base: Any = Number if kind.base == "integer" and not kind.many else value_type(parameter)
    if kind.base == "integer" and kind.optional and not kind.many:
        base = base | None
    needed = required or parameter.required
    default = inspect.Parameter.empty if needed else json_default_of(parameter)
    found = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    return found.replace(annotation=Annotated[base, Field(description=text)])


def _compact(schema: Any, parts: Mapping[str, Any] | None = None) -> Any:
    """Without titles, and with every definition where it is used: not every client follows references."""
    if isinstance(schema, Mapping):
        parts = schema.get("$defs", parts)
        if "$ref" in schema and parts:
            inner = parts[str(schema["$ref"]).rpartition("/")[2]]
            schema = {**inner, **{name: value for name, value in schema.items() if name != "$ref"}}
        schema = _without_null(schema)
        named = {name: _compact(value, parts) for name, value in schema.items() if name not in ("title", "$defs")}
        if "properties" in schema:  # an argument may be called title
            named["properties"] = {name: _compact(value, parts) for name, value in schema["properties"].items()}
        return named
    if isinstance(schema, list):
        return [_compact(each, parts) for each in schema]
    return schema


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An optional argument is one that is not required; a model need not read "or null" as well."""
    body = dict(schema)
    kinds = [each for each in body.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1 and len(body["anyOf"]) == 2:
        del body["anyOf"]
        body = {**kinds[0], **body}
        if body.get("default", 0) is None:
            del body["default"]
    return body


# How a model writes arguments, and how memories are written for a model.


_LONGEST = 600  # characters of one memory in a list; get_memory shows it whole
_AGES = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))
_DAYS_BACK = {"today": 0, "yesterday": 1, "last_week": 7, "last_month": 30, "last_year": 365}
_PRINTED_ID = re.compile(r"\[?\s*(?:id\s*:\s*)?(\d{1,18})\s*\]?", re.IGNORECASE)


# ── arguments ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _number(given: Any) -> Any:
    """Accepts `[id:7]`: results print ids like that, so models send them back like that."""
    found = _PRINTED_ID.fullmatch(given.strip()) if isinstance(given, str) else None
    return int(found[1]) if found else given


def _joined(given: Any) -> Any:
    is_list = isinstance(given, list | tuple) and all(isinstance(each, str) for each in given)
    return ", ".join(given) if is_list else given


Number = Annotated[int, BeforeValidator(_number)]
Id = Annotated[Number, Field(ge=1, description="The N of [id:N] in a result.")]
CommaSeparated = Annotated[str, BeforeValidator(_joined)]
Tags = Annotated[CommaSeparated, Field(description="Comma-separated keywords.")]
Limit = Annotated[int, Field(ge=1, le=50, description="How many at most.")]
EntityName = Annotated[
    str, Field(description="A name or alias.", validation_alias=AliasChoices("entity_name", "name", "entity"))
]


def split(tags: str | None) -> list[str]:
    return [word for each in (tags or "").split(",") if (word := each.strip())]


def instant(text: str | None, field: str, now: datetime | None = None) -> datetime | None:
    """Reads `last_week`, `last_month`, `YYYY-MM-DD` or an ISO time; a date begins at its midnight, UTC."""
    if text is None:
        return None
    now = now or to_datetime(system_clock())
    word = text.strip().lower().replace(" ", "_").replace("-", "_")
    if word in _DAYS_BACK:
        back = now - timedelta(days=_DAYS_BACK[word])
        return back if _DAYS_BACK[word] > 1 else back.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        known = ", ".join(_DAYS_BACK)
        raise InvalidInput(f"{field}: expected {known}, YYYY-MM-DD or an ISO time, got {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def memory_line(node: Node, *, now: datetime | None = None) -> str:
    """A memory in one line, its id first: `[id:7] Otto lives in Berlin (fact, 3 days ago)`."""
    now = now or to_datetime(system_clock())
    text = " ".join(node.full_text.split())
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"[id:{node.id}] {labelled(node, text)} ({', '.join(_remarks(node, now))})"


def _remarks(node: Node, now: datetime) -> Iterable[str]:
    yield node.kind
    yield age(node.event_at, now)
    if note := currency_note(node, now):
        yield note
    if node.state != "live":
        yield node.state


def memory_lines(nodes: Sequence[Node], nothing: str) -> str:
    """One line per memory, or `nothing`."""
    shown = "\n".join(memory_line(node) for node in nodes)
    return "\n".join(filter(None, (shown, redaction_note(shown)))) or nothing


def age(then: datetime, now: datetime) -> str:
    """today, 3 days ago, 2 months ago; for the future, the date."""
    days = (now - then).days
    if days < 0:
        return f"on {then:%Y-%m-%d}"
    for length, word in _AGES:
        if days >= length:
            count = days // length
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "today"


def agenda(found: Agenda) -> str:
    """One line per entry: `2026-09-26 (Sat): [id:7] The dentist is on the 26th`, with its state unless it is coming."""
    states = {"coming": "", "moved": " (moved)", "cancelled": " (cancelled)", "past": " (past)"}
    shown = (f"{each.when}: [id:{each.id}] {one_line(each.text)}{states[each.state]}" for each in found)
    return "\n".join(shown) or "nothing is known of that time"


def brief(node: Node) -> dict[str, Any]:
    """The fields of a memory that a program needs first."""
    body = serialise(node)
    wanted = ("id", "kind", "text", "event_at", "confidence", "origin", "session", "tags", "state")
    return {name: body[name] for name in wanted} | {"confidence": round(float(body["confidence"]), 4)}


def proposed(node: Node) -> ToolAnswer | None:
    """The answer to a change of the user's words, which waits as a proposal; None if the change was made."""
    if node.written is None or node.written.verb != "proposed":
        return None
    number, said = node.written.others[0], one_line(node.text)
    text = (
        f"not changed: the user said [id:{node.id}] {said}. Your change waits as proposal {number}; tell the "
        f"user, who can accept it (omoide review accept {number})"
    )
    return ToolAnswer(text, {"memory": brief(node), "proposal": number})


def outcome(node: Node, verb: str) -> str:
    """What writing a memory did: "stored as [id:7]; it replaces [id:3]"."""
    written = node.written
    if written is not None and written.verb in ("confirmed", "known"):
        return f"already known as [id:{node.id}]; confirmed"
    told = {"superseded": "replaces", "ended": "ends", "contradicted": "contradicts"}
    others = ", ".join(f"[id:{id}]" for id in written.others) if written is not None else ""
    tail = f"; it {told[written.verb]} {others}" if written is not None and others else ""
    return f"{verb} as [id:{node.id}]{tail}"


# Pydantic types of parameters, for the models of HTTP and the schemas of agent tools.


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
