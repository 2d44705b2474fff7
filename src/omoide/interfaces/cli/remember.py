"""remember, and what may be said of a memory afterwards: correct, update, confirm, reinforce, demote."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Text = Annotated[str, typer.Argument(metavar="TEXT", help="The sentence; - reads standard input.", show_default=False)]
NewText = Annotated[str | None, typer.Argument(metavar="TEXT", help="The new wording; - reads standard input.")]
Kind = Annotated[str, typer.Option("--kind", help="fact, opinion, note, preference, procedure, skill, pattern …")]
Importance = Annotated[int, typer.Option("--importance", metavar="1..10", help="How much it matters.")]
NewImportance = Annotated[int | None, typer.Option("--importance", metavar="1..10", help="How much it matters.")]
From = Annotated[str | None, typer.Option("--valid-from", metavar="TIME", help="Since when it is true.")]
Until = Annotated[str | None, typer.Option("--valid-until", metavar="TIME", help="Until when it is true.")]
Sources = Annotated[list[int] | None, typer.Option("--source", metavar="ID", help="An episode it was learned from.")]
Origin = Annotated[str, typer.Option("--origin", help="Whose word it is: user, agent, document, tool:NAME …")]
Since = Annotated[str | None, typer.Option("--at", metavar="TIME", help="Since when the new wording is true.")]


@verb
def remember(
    call: Call,
    text: Text,
    kind: Kind = "fact",
    tag: options.Tags = None,
    confidence: options.Confidence = 1.0,
    importance: Importance = 5,
    field: options.Fields = None,
    session: options.Session = None,
    at: options.At = None,
    valid_from: From = None,
    valid_until: Until = None,
    source: Sources = None,
    origin: Origin = "user",
    details: options.Details = None,
    sensitive: options.Sensitive = False,
    audience: options.Audience = "private",
    key: options.Key = None,
) -> Answer:
    """Keep a sentence as knowledge: a fact, or another kind with its own fields.

    Example: omoide remember "The app runs on Vercel's hobby plan" --tag vercel

    Example: omoide remember "Short answers" --kind preference --field category=communication --field strength=0.9
    """
    with call.open(create=True) as memory:
        node = memory.remember(
            options.words(text),
            kind=kind,
            tags=tag or (),
            confidence=confidence,
            importance=importance,
            session=session,
            at=options.when(at),
            valid_from=options.when(valid_from),
            valid_until=options.when(valid_until),
            sources=source or (),
            origin=origin,
            details=options.details(details),
            sensitive=sensitive,
            audience=audience,
            key=key,
            **options.named(field, memory.remember),
        )
        return Answer(document(node), view.saved)


@verb
def correct(call: Call, id: options.Id, text: Text, at: Since = None, field: options.Fields = None) -> Answer:
    """Replace a memory by a better one; the old one stays in the history.

    Example: omoide correct 7 "The app runs on Vercel's pro plan"
    """
    with call.open() as memory:
        fields = options.named(field, memory.correct)
        return Answer(document(memory.correct(id, options.words(text), at=options.when(at), **fields)), view.saved)


@verb
def update(
    call: Call,
    id: options.Id,
    text: NewText = None,
    tag: options.Tags = None,
    importance: NewImportance = None,
    field: options.Fields = None,
) -> Answer:
    """Change a memory in place: its wording, tags (all of them), importance or fields.

    Example: omoide update 7 --tag vercel --tag billing --importance 8
    """
    with call.open() as memory:
        words = None if text is None else options.words(text)
        fields = options.named(field, memory.review.update)
        return Answer(
            document(memory.review.update(id, words, tags=tag or None, importance=importance, **fields)), view.saved
        )


@verb
def confirm(call: Call, id: options.Id) -> Answer:
    """It is so: full confidence from now on, and no fading.

    Example: omoide confirm 7
    """
    with call.open() as memory:
        return Answer(document(memory.review.confirm(id)), view.saved)


@verb
def reinforce(call: Call, id: options.Id) -> Answer:
    """This memory helped: it ranks higher.

    Example: omoide reinforce 7
    """
    with call.open() as memory:
        return Answer(document(memory.review.reinforce(id)), view.saved)


@verb
def demote(call: Call, id: options.Id) -> Answer:
    """This memory was stale or beside the point: it ranks lower.

    Example: omoide demote 7
    """
    with call.open() as memory:
        return Answer(document(memory.review.demote(id)), view.saved)
