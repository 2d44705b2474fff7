"""What a tool is: a function over a memory, with a schema, a description written for a model and errors that teach."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from omoide.errors import InvalidInput, MissingExtra
from omoide.memory import Memory

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: words for a model that reads, data for a program that looks things up."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


Progress = Callable[[float, float | None, str], None]
"""Hears how much is done, of how much if that is known, and what is being done."""


def _silent(done: float, total: float | None, message: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Tool:
    """`reads` changes nothing; `destroys` cannot be taken back."""

    name: str
    description: str
    function: Callable[..., Answer]
    reads: bool
    destroys: bool
    returns: Any = None  # the shape of its data, where a program may rely on one
    strict: bool = True  # an argument that it does not have is a mistake, and not dropped

    @property
    def title(self) -> str:
        """For people, in the lists of their clients."""
        return self.name.replace("_", " ").title()

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The arguments as JSON schema, without the titles that every reader would pay for."""
        return dict(_bare(self._model.model_json_schema()))

    @cached_property
    def output(self) -> dict[str, Any] | None:
        """The same of what it answers with, for programs."""
        if self.returns is None:
            return None
        from pydantic import TypeAdapter

        return dict(_bare(TypeAdapter(self.returns).json_schema()))

    def __call__(
        self, memory: Memory, arguments: Mapping[str, Any] | None = None, progress: Progress | None = None
    ) -> Answer:
        """Checks the arguments and does it. What is wrong with them is said so that the next try is right."""
        given = self._checked(dict(arguments or {}))
        if self._tells:
            given["progress"] = progress or _silent
        return self.function(memory, **given)

    def _checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        from pydantic import ValidationError

        try:
            found = self._model.model_validate(arguments)
        except ValidationError as error:
            raise InvalidInput(f"{self.name}: " + "; ".join(map(self._lesson, error.errors()))) from None
        return {name: getattr(found, name) for name in type(found).model_fields}

    def _lesson(self, error: Any) -> str:
        place = ".".join(str(part) for part in error["loc"]) or "arguments"
        known = list(self.schema.get("properties", {}))
        if error["type"] == "extra_forbidden":
            near = get_close_matches(place, known, n=1)
            return f"there is no argument {place}" + (f", did you mean {near[0]}?" if near else f"; there are {known}")
        if error["type"] == "missing":
            meaning = self.schema["properties"].get(place, {}).get("description", "")
            return f"{place} is missing" + (f" ({meaning})" if meaning else "")
        shown = repr(error["input"])
        return f"{place}: {error['msg'].lower()}, got {shown if len(shown) < 80 else shown[:77] + '…'}"

    @property
    def _tells(self) -> bool:
        """Whether it is long work that tells how far it is."""
        return "progress" in inspect.signature(self.function).parameters

    @cached_property
    def _model(self) -> type[BaseModel]:
        try:
            from pydantic import ConfigDict, create_model
        except ImportError as error:
            raise MissingExtra('agent tools need pydantic; `pip install "omoide[mcp]"` brings it') from error

        _, *own = inspect.signature(self.function, eval_str=True).parameters.values()
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.default is inspect.Parameter.empty else each.default)
            for each in own
            if each.name != "progress"
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid" if self.strict else "ignore"), **fields)


def tool(
    *, reads: bool = False, destroys: bool = False, returns: Any = None, strict: bool = True
) -> Callable[[Callable[..., Answer]], Tool]:
    """Makes a tool of a function: its name, its docstring and its annotated arguments are what a model sees."""

    def made(function: Callable[..., Answer]) -> Tool:
        said = inspect.cleandoc(function.__doc__ or "")
        return Tool(function.__name__, said, function, reads, destroys, returns, strict)

    return made


def _bare(schema: Any, parts: Mapping[str, Any] | None = None) -> Any:
    """Without titles, and every part where it is used: not every client follows references."""
    if isinstance(schema, Mapping):
        parts = schema.get("$defs", parts)
        if "$ref" in schema and parts:
            inner = parts[str(schema["$ref"]).rpartition("/")[2]]
            schema = {**inner, **{name: value for name, value in schema.items() if name != "$ref"}}
        schema = _without_null(schema)
        named = {name: _bare(value, parts) for name, value in schema.items() if name not in ("title", "$defs")}
        if "properties" in schema:  # an argument may be called title
            named["properties"] = {name: _bare(value, parts) for name, value in schema["properties"].items()}
        return named
    if isinstance(schema, list):
        return [_bare(each, parts) for each in schema]
    return schema


def _without_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """ "Or nothing" is said by not requiring it: a model need not read it for every argument."""
    body = dict(schema)
    kinds = [each for each in body.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1 and len(body["anyOf"]) == 2:
        del body["anyOf"]
        body = {**kinds[0], **body}
        if body.get("default", 0) is None:
            del body["default"]
    return body
