"""Reads a method's signature and docstring: what every interface is generated from.

Annotations are read as text, not evaluated: importing the types that a signature names would make the command line
slow to start.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args, get_origin

REQUIRED: Any = inspect.Parameter.empty

_NAMES = {
    "str": "text",
    "int": "integer",
    "float": "number",
    "bool": "flag",
    "Any": "json",
    "Path": "path",
    "datetime": "time",
    "Mapping": "object",
    "dict": "object",
}
_UNIONS = {
    frozenset({"text", "time"}): "time",
    frozenset({"text", "path"}): "path",
    frozenset({"integer", "text"}): "id_or_name",
    frozenset({"flag", "choice"}): "flag_or_choice",
}
_POSITIONS: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "rest",
    inspect.Parameter.VAR_KEYWORD: "fields",
    inspect.Parameter.KEYWORD_ONLY: "named",
}
_COLLECTIONS = ("Collection", "Iterable", "Sequence", "list", "tuple")
_SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Examples?|Note):\s*$")
_ARGUMENT = re.compile(r"^\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Kind:
    """What values a parameter takes.

    `base` is one of text, integer, number, flag, time, path, choice, object, texts (a list), json,
    id_or_name, flag_or_choice (true, false or one of the choices) or unknown.
    """

    base: str
    many: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: Kind
    default: Any
    help: str
    position: str  # positional, named, rest (*paths) or fields (**attributes)

    @property
    def required(self) -> bool:
        return self.default is REQUIRED and self.position in ("positional", "named")


@dataclass(frozen=True)
class Signature:
    """A method as its interfaces need it."""

    method: Callable[..., Any]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        _, *own = inspect.signature(self.method).parameters.values()
        help = self.sections.get("Args", {})
        aliases = getattr(self.method, "__globals__", {})
        return tuple(_parameter(each, help.get(each.name, ""), aliases) for each in own)

    @cached_property
    def text(self) -> str:
        return inspect.cleandoc(self.method.__doc__ or "")

    @cached_property
    def summary(self) -> str:
        """The first paragraph, on one line, without its full stop."""
        return " ".join(self.text.split("\n\n")[0].split()).removesuffix(".")

    @cached_property
    def description(self) -> str:
        """Everything before the first section."""
        lines = []
        for line in self.text.splitlines():
            if _SECTION.match(line):
                break
            lines.append(line)
        return "\n".join(lines).strip()

    @cached_property
    def sections(self) -> dict[str, dict[str, str]]:
        """The named entries of each section; an entry without a name has an empty one."""
        found: dict[str, dict[str, str]] = {}
        section, name = "", ""
        for line in self.text.splitlines():
            if match := _SECTION.match(line):
                section, name = match[1], ""
                found[section] = {}
            elif section and line.strip():
                indent = len(line) - len(line.lstrip())
                entry = _ARGUMENT.match(line.strip()) if indent <= 4 else None
                if entry:
                    name = entry[1]
                    found[section][name] = entry[2]
                else:
                    found[section][name] = f"{found[section].get(name, '')} {line.strip()}".strip()
        return found

    @property
    def returns(self) -> str:
        return str(inspect.signature(self.method).return_annotation)


def kind_of(annotation: str, aliases: Mapping[str, Any] | None = None) -> Kind:
    """The kind of value that an annotation names; `aliases` are the global names of its module."""
    members = list(_members(ast.parse(annotation, mode="eval").body))
    optional = any(isinstance(each, ast.Constant) and each.value is None for each in members)
    kinds = [_single(each, aliases or {}) for each in members if not isinstance(each, ast.Constant)]
    bases = {each.base for each in kinds}
    many = any(each.many for each in kinds)
    for union, base in _UNIONS.items():
        if bases == union:
            return Kind(base, many, optional, tuple(choice for each in kinds for choice in each.choices))
    if len(bases) != 1:
        return Kind("unknown")
    return Kind(bases.pop(), many, optional, kinds[0].choices)


def _members(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp):
        yield from _members(node.left)
        yield from _members(node.right)
    else:
        yield node


def _single(node: ast.expr, aliases: Mapping[str, Any]) -> Kind:
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node).removeprefix("builtins.")
    if name in _COLLECTIONS and isinstance(node, ast.Subscript):
        inner = kind_of(ast.unparse(node.slice), aliases)
        base = inner.base if not inner.many else "texts" if inner.base == "text" else "json"
        return Kind(base, many=True, choices=inner.choices)
    if name == "Literal" and isinstance(node, ast.Subscript):
        return Kind("choice", choices=_choices(ast.literal_eval(node.slice)))
    if name in _NAMES:
        return Kind(_NAMES[name])
    if get_origin(alias := aliases.get(name)) is Literal:
        return Kind("choice", choices=get_args(alias))
    return Kind("unknown")


def _choices(found: Any) -> tuple[str, ...]:
    return found if isinstance(found, tuple) else (found,)


def _parameter(found: inspect.Parameter, help: str, aliases: Mapping[str, Any]) -> Parameter:
    position = _POSITIONS.get(found.kind, "positional")
    kind = Kind("object") if position == "fields" else kind_of(str(found.annotation), aliases)
    if position == "rest":
        kind = Kind(kind.base, many=True)
    return Parameter(found.name, kind, found.default, help, position)
