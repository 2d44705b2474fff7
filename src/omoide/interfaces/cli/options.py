"""Options that several verbs have, and how their words become values."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, NoReturn

import typer

from omoide.clock import system_clock, to_datetime
from omoide.errors import InvalidInput

Id = Annotated[int, typer.Argument(metavar="ID", help=r"The number in \[id:…].", show_default=False)]
At = Annotated[str | None, typer.Option("--at", metavar="TIME", help="When it happened; ISO 8601, default now.")]
AskedAt = Annotated[str | None, typer.Option("--at", metavar="TIME", help='When it is asked, for "last week".')]
Session = Annotated[str | None, typer.Option("--session", metavar="NAME", help="The conversation it belongs to.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="May be given several times.")]
Details = Annotated[str | None, typer.Option("--details", metavar="JSON", help="Anything else worth keeping.")]
Fields = Annotated[
    list[str] | None,
    typer.Option("--field", metavar="NAME=VALUE", help="A field of its kind; the value is JSON or else a text."),
]
Confidence = Annotated[float, typer.Option("--confidence", metavar="0..1", help="How sure it is.")]
Sensitive = Annotated[bool, typer.Option("--sensitive", help="Given to a prompt only with consent.")]
Audience = Annotated[str, typer.Option("--audience", metavar="private|shared", help="Who may be told.")]
Key = Annotated[str | None, typer.Option("--key", help="The same key twice is stored once.")]
ForTask = Annotated[
    int | None, typer.Option("--task", metavar="ID", help="Credit what is handed out with how this task ends.")
]
Recipe = Annotated[
    str,
    typer.Option(
        "--recipe",
        metavar="NAME",
        help="The plan of the search: everyday, deep, before_task, session_start, reciprocal, keyword, "
        "kira, koshi, yodoca or loki.",
    ),
]


def when(text: str | None) -> datetime | str | None:
    """A time as people type it: without a zone it is meant in the zone of this machine."""
    if text is None:
        return None
    try:
        typed = datetime.fromisoformat(text)
        return typed.astimezone() if typed.tzinfo is None else typed
    except (ValueError, OverflowError, OSError):
        return text  # Memory says what is wrong with it


def asked(text: str | None) -> datetime | str:
    """When a question is asked, in the asker's own zone: "yesterday" begins at their midnight."""
    return when(text) or to_datetime(system_clock()).astimezone()


def words(text: str) -> str:
    """The text itself; for `-`, what comes in on standard input, without its last line break."""
    if text != "-":
        return text
    try:
        read = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not UTF-8: {error}") from error
    return read.removesuffix("\n").removesuffix("\r")


def details(text: str | None) -> Any:
    """What --details holds."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--details is not JSON: {error}") from error


def named(pairs: Sequence[str] | None, verb: Callable[..., Any]) -> dict[str, Any]:
    """The name=value pairs of --field. What the verb takes itself is not a field."""
    own = inspect.signature(verb).parameters
    found: dict[str, Any] = {}
    for pair in pairs or ():
        name, equals, text = pair.partition("=")
        if not name or not equals:
            raise InvalidInput(f"--field {pair!r}: expected name=value")
        if name in own:
            raise InvalidInput(f"--field {name}: no kind has such a field; it is the verb's own, see --help")
        found[name] = _value(text)
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        return text


def _not_json(name: str) -> NoReturn:
    raise ValueError(name)


Host = Annotated[str, typer.Option(help="Where to listen; what is not loopback is open to your network.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="0 is any that is free.")]
Token = Annotated[
    str, typer.Option(envvar="OMOIDE_TOKEN", help="What clients must send; one is made and shown if none is given.")
]
Origin = Annotated[list[str] | None, typer.Option(help="A web page's origin that may call; repeatable.")]
