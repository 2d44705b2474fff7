"""observe: what happened, one event from the command line or many from a file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.jsonl import observe_file
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Role = Annotated[str | None, typer.Option("--role", help="Who acted: user, agent, system or tool:NAME; default user.")]
Speaker = Annotated[str | None, typer.Option("--speaker", metavar="NAME", help="Who spoke, by name.")]
Channel = Annotated[str | None, typer.Option("--channel", metavar="NAME", help="Where: chat, mail, a terminal …")]
Type = Annotated[str | None, typer.Option("--type", help="conversation, action, observation, decision …")]
Outcome = Annotated[str | None, typer.Option("--outcome", help="How it ended: success, failure, partial.")]
Parent = Annotated[int | None, typer.Option("--parent", metavar="ID", help="The episode this one is part of.")]
Task = Annotated[str | None, typer.Option("--task", metavar="NAME", help="The task it belongs to.")]
Origin = Annotated[str | None, typer.Option("--origin", help="Whose word it is; default the role.")]


@verb
def observe(
    call: Call,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The words; - reads standard input.")] = None,
    jsonl: Annotated[
        str | None, typer.Option("--jsonl", metavar="FILE", help="Many: one JSON object a line; - for standard input.")
    ] = None,
    role: Role = None,
    speaker: Speaker = None,
    session: options.Session = None,
    channel: Channel = None,
    at: options.At = None,
    type: Type = None,
    tag: options.Tags = None,
    outcome: Outcome = None,
    parent: Parent = None,
    details: options.Details = None,
    task: Task = None,
    origin: Origin = None,
    sensitive: options.Sensitive = False,
    audience: options.Audience = "private",
    key: options.Key = None,
) -> Answer:
    """Keep one turn, action, tool result or event.

    Example: omoide observe "Never suggest Docker, I hate it." --session s1

    Example: git log -1 | omoide observe - --role tool:git --outcome success

    Example: omoide observe --jsonl chat.jsonl --session s1 (options fill in what a line leaves out)
    """
    if (text is None) == (jsonl is None):
        raise InvalidInput("observe takes a TEXT (or - for standard input), or --jsonl FILE")
    turn: dict[str, Any] = {
        "role": role,
        "speaker": speaker,
        "session": session,
        "channel": channel,
        "at": options.when(at),
        "type": type,
        "tags": tag,
        "outcome": outcome,
        "parent": parent,
        "details": options.details(details),
        "task": task,
        "origin": origin,
        "sensitive": sensitive,
        "audience": audience,
        "key": key,
    }
    given = {name: value for name, value in turn.items() if value is not None}
    if jsonl is not None:
        return observe_file(call, jsonl, given)
    assert text is not None
    with call.open(create=True) as memory:
        return Answer(document(memory.observe(options.words(text), **given)), view.saved)
