"""Builds commands: from a verb of the table, or from a function that only the command line has."""

from __future__ import annotations

import inspect
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from omoide import settings
from omoide.domain.trust import acting
from omoide.errors import Busy, CannotWrite, EmbedderFailed, InvalidInput
from omoide.interfaces import omissions
from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.signature import Parameter
from omoide.interfaces.verbs import Verb

if TYPE_CHECKING:
    from omoide.memory import Memory

_EMBEDDED_FIRST = 256  # texts that are embedded before a search: about a second, which finding by meaning is worth
_PATIENCE = 10.0  # seconds for that: another process may hold the batch and have died
_STANDARD_INPUT = ("text", "query", "goal", "what_was_done", "error")  # parameters that read it when they are given `-`
_METAVARS = {
    "integer": "N",
    "number": "NUMBER",
    "time": "TIME",
    "json": "JSON",
    "object": "JSON",
    "texts": "JSON",
    "path": "PATH",
}
_TYPES = {"integer": int, "number": float, "flag": bool}

Db = Annotated[
    str | None, typer.Option("--db", metavar="PATH", help="The memory file. Default: $OMOIDE_DB, or your own.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
NoEmbedder = Annotated[bool, typer.Option("--no-embedder", help="Search by words only; load no model.")]
KeyFrom = Annotated[
    str | None,
    typer.Option("--key-from", metavar="SOURCE", help="Where the key is: file:PATH, keyring, keyring:NAME or prompt."),
]


@dataclass(frozen=True, slots=True)
class Call:
    """The options of every command."""

    db: str | None = None
    json: bool = False
    no_embedder: bool = False
    key_from: str | None = None

    def open(self, *, embedder: bool = False, create: bool = False, stays: bool = False) -> Memory:
        """Opens the memory.

        Args:
            embedder: Load the embedder. Only searching needs it: writing leaves texts to be embedded later.
            create: Create a missing file. Only writing may, so that a mistyped name does not look like an empty memory.
            stays: The process stays open and may learn in the background; a single command must not wait for that.
        """
        from omoide.memory import Memory

        return Memory(
            self.db,
            embedder="default" if embedder and not self.no_embedder else None,
            settings=settings.load_settings() if stays else settings.without_idle_learning(settings.load_settings()),
            create=create,
        )

    def open_for(self, verb: Verb) -> Memory:
        return self.open(embedder=verb.opens == "search", create=verb.opens == "write")

    def note(self, text: str) -> None:
        """A remark for people; a program finds the same in the document."""
        if not self.json:
            output.note(text)


Action = Callable[..., Answer]


def verb_command(verb: Verb) -> Callable[..., int]:
    """The command of a verb. Parameters of its action are added to those of the method, or replace them."""
    action: Action = load(verb.action) if verb.action else run_verb
    extra = [each for each in _parameters(action).values() if each.kind is inspect.Parameter.KEYWORD_ONLY]
    replaced = {each.name for each in extra}
    own = [each for each in verb.parameters if not omissions.omitted(verb.method, "cli", each.name)]
    generated = [_typer_parameter(verb, each) for each in own if each.name not in replaced]

    def run(call: Call, **given: Any) -> Answer:
        own_options = {name: given.pop(name) for name in replaced}
        return action(call, verb, _arguments(own, given), **own_options)

    return _command(run, [*generated, *extra], verb_help(verb))


def program_command(function: Action) -> Callable[..., int]:
    """The command of a function that takes a Call and its own options."""
    _, *own = _parameters(function).values()
    return _command(function, own, inspect.cleandoc(function.__doc__ or ""))


def run_verb(call: Call, verb: Verb, arguments: Mapping[str, Any]) -> Answer:
    """What most commands do: open the memory, call the method, show its document."""
    with call.open_for(verb) as memory:
        pending = embed_pending(call, memory) if verb.opens == "search" else None
        return answer(call, verb, verb.for_reader(memory, arguments), verb.call(memory, arguments), pending)


def answer(call: Call, verb: Verb, memory: Memory, result: Any, pending: int | None = None) -> Answer:
    """The answer of a verb; its exit code is 1 when the document says that something failed."""
    from omoide.interfaces.documents import document_of

    document = document_of(verb, memory, result)
    failed = document.get("failed") or document.get("healthy") is False or document.get("clean") is False
    if pending is not None:
        document["pending_embeddings"] = pending
    if verb.empty and not document.get(verb.key or "entries"):
        call.note(verb.empty)
        return Answer(document, lambda _: "")
    return Answer(document, load(verb.view or "view_memories.fields"), exit_code=1 if failed else 0)


def embed_pending(call: Call, memory: Memory) -> int:
    """Embeds texts that have no vector yet, if they are few; returns how many remain. A search works without them."""
    pending = memory.admin.pending_embeddings()
    if 0 < pending <= _EMBEDDED_FIRST:
        try:
            memory.flush(timeout=_PATIENCE)
        except (Busy, CannotWrite, EmbedderFailed) as error:
            call.note(f"searching without new vectors: {error}")
        return memory.admin.pending_embeddings()
    if pending:
        call.note(f"{pending:,} texts have no vector yet and are found by words only; `omoide flush` embeds them")
    return pending


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """The first Ctrl-C or SIGTERM sets the event, so that work stops at its next step; a second one ends it at once."""
    stop = threading.Event()

    def handle(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {each: signal.signal(each, handle) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def load(name: str) -> Any:
    """`module.function` of this package: only what a command needs is imported."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"omoide.interfaces.cli.{module}"), function)


# ── help and parameters ───────────────────────────────────────────────────────────────────────────────────────────


def verb_help(verb: Verb) -> str:
    examples = "".join(f"\n  omoide {each}" for each in verb.examples)
    text = verb.description
    return f"{text}\n\n\b\nExamples:{examples}" if examples else text


def option_name(parameter: Parameter) -> str:
    """`--tag` for `tags`: an option that may be repeated names one value."""
    name = parameter.name.rstrip("_")
    if parameter.kind.many:
        for ending, single in (("ies", "y"), ("ases", "as"), ("s", "")):
            if name.endswith(ending):
                name = name.removesuffix(ending) + single
                break
    return "--" + name.replace("_", "-")


def is_positional(verb: Verb, parameter: Parameter) -> bool:
    required = parameter.position == "positional" and parameter.required
    return required or parameter.position == "rest" or parameter.name in verb.positional


def _typer_parameter(verb: Verb, parameter: Parameter) -> inspect.Parameter:
    kind = parameter.kind
    value: Any = _TYPES.get(kind.base, str)
    if kind.many or parameter.position == "fields":
        value = list[value]
    required = parameter.required or parameter.position == "rest"
    scalar = isinstance(parameter.default, str | int | float) and kind.base != "flag_or_choice"
    default = inspect.Parameter.empty if required else parameter.default if scalar else None
    annotation = value if required or default is not None else value | None
    info = _argument(parameter) if is_positional(verb, parameter) else _option(parameter)
    return _named(parameter.name, Annotated[annotation, info], default)


def _argument(parameter: Parameter) -> Any:
    name = parameter.name.rstrip("_").upper()
    if parameter.kind.many:
        name = option_name(parameter)[2:].upper() + "..."
    help = parameter.help
    if parameter.name in _STANDARD_INPUT:
        help = f"{help} - reads standard input.".lstrip()
    return typer.Argument(metavar=name, help=help, show_default=False)


def _option(parameter: Parameter) -> Any:
    if parameter.position == "fields":
        help = "A field of its kind; the value is JSON or else text."
        return typer.Option("--field", metavar="NAME=VALUE", help=help)
    name, kind = option_name(parameter), parameter.kind
    names = [name, "-n"] if parameter.name == "limit" else [name]
    if kind.base == "flag" and parameter.default is True:
        names = [f"{name}/--no-{name[2:]}"]
    choices = ("true", "false", *kind.choices) if kind.base == "flag_or_choice" else kind.choices
    metavar = None if kind.base == "flag" else "|".join(choices) or _METAVARS.get(kind.base, "TEXT")
    help = f"{parameter.help} May be repeated.".lstrip() if kind.many else parameter.help
    return typer.Option(*names, metavar=metavar, help=help)


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function, eval_str=True).parameters


def _named(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _command(function: Action, own: list[inspect.Parameter], help: str) -> Callable[..., int]:
    """A function with the signature that typer reads: the command's own parameters and those of every command."""

    def command(
        _context: typer.Context, db: str | None, json: bool, no_embedder: bool, key_from: str | None, **given: Any
    ) -> int:
        before: Call = _context.obj
        call = Call(
            db if db is not None else before.db,
            json or before.json,
            no_embedder or before.no_embedder,
            key_from if key_from is not None else before.key_from,
        )
        try:
            with acting("cli"), settings.key_taken_from(call.key_from):
                found = function(call, **given)
            output.say(found, call.json)
        except BrokenPipeError:  # caught here: typer would report a failure
            output.discard_output()
            return 0
        return found.exit_code

    shared = [
        _named("_context", typer.Context, inspect.Parameter.empty),
        *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own),
        _named("db", Db, None),
        _named("json", Json, False),
        _named("no_embedder", NoEmbedder, False),
        _named("key_from", KeyFrom, None),
    ]
    command.__doc__ = help
    command.__signature__ = inspect.Signature(shared)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in shared}
    return command


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _arguments(parameters: list[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the method takes them; what was not given is left to the method's own defaults."""
    taken = {each.name for each in parameters}
    found: dict[str, Any] = {}
    for each in parameters:
        value = given.get(each.name)
        if value is None or value == []:
            continue
        if each.position == "fields":
            found[each.name] = fields(value, taken)
        else:
            found[each.name] = _converted(each, value)
    return found


def _converted(parameter: Parameter, value: Any) -> Any:
    base, option = parameter.kind.base, option_name(parameter)
    if base == "time":
        return local_time(value)
    if base in ("json", "object", "texts"):
        return [from_json(each, option) for each in value] if parameter.kind.many else from_json(value, option)
    if base == "flag_or_choice":
        return {"true": True, "false": False}.get(value, value)
    if base == "id_or_name":
        return int(value) if value.strip().isdecimal() else value
    if parameter.name in _STANDARD_INPUT:
        return read_text(value)
    return value


def local_time(text: str) -> datetime | str:
    """A time as people type it: without a zone it is in the zone of this machine."""
    try:
        typed = datetime.fromisoformat(text)
        return typed.astimezone() if typed.tzinfo is None else typed
    except (ValueError, OverflowError, OSError):
        return text  # Memory says what is wrong with it


def read_text(text: str) -> str:
    """The text itself; for `-` the whole standard input without its last line break."""
    if text != "-":
        return text
    try:
        read = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not UTF-8: {error}") from error
    return read.removesuffix("\n").removesuffix("\r")


def from_json(text: str, option: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{option} is not JSON: {error}") from error


def fields(pairs: list[str], taken: set[str]) -> dict[str, Any]:
    """The NAME=VALUE pairs of --field. A parameter of the command is not a field."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not name or not equals:
            raise InvalidInput(f"--field {pair!r}: expected NAME=VALUE")
        if name in taken:
            raise InvalidInput(f"--field {name}: it is not a field of a kind but an option of the command, see --help")
        found[name] = _json_or_text(text)
    return found


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        return text


def _not_json(name: str) -> NoReturn:
    raise ValueError(name)
