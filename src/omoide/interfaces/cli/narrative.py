"""narrate, narratives, where and continuity: where things stand, told and asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import options, view
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, columns, day, flat, line
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType

Text = Annotated[
    str | None,
    typer.Argument(
        metavar="[TEXT]", help="The sentence; without one it is made from what was said.", show_default=False
    ),
]
Nodes = Annotated[list[int] | None, typer.Option("--node", metavar="ID", help="A memory it connects; repeatable.")]
Topic = Annotated[str | None, typer.Option("--topic", help="What it is about.")]
Told = Annotated[str | None, typer.Option("--session", metavar="NAME", help="The conversation; default the latest.")]
After = Annotated[int | None, typer.Option("--previous", metavar="ID", help="The narrative it follows.")]
Of = Annotated[int | None, typer.Option("--of", metavar="ID", help="Only the one that this memory belongs to.")]
OfSession = Annotated[str | None, typer.Option("--session", metavar="NAME", help="Only of this conversation.")]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")]
Begins = Annotated[
    str | None, typer.Option("--session", metavar="NAME", help="The conversation that begins now, passed over.")
]
Channel = Annotated[str | None, typer.Option("--channel", help="Only what was said there.")]
Budget = Annotated[int, typer.Option("--budget", metavar="TOKENS", help="How long it may be.")]
File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="Written, or brought up to date; without one it is printed.", show_default=False
    ),
]
Goal = Annotated[str | None, typer.Option("--goal", help="What is to be done: memories are chosen for it.")]
Read = Annotated[bool, typer.Option("--read", help="Only take up what was added to the file; leave it as it is.")]


@verb
def narrate(
    call: Call, text: Text = None, node: Nodes = None, topic: Topic = None, session: Told = None, previous: After = None
) -> Answer:
    """Say in one sentence where things stand, or have it made from what was said since the last time.

    Example: omoide narrate "Chose Vercel for the app; the deploy waits for Otto" --topic deploy

    Example: omoide narrate --session s1
    """
    with call.open() as memory:
        told = memory.narrative.write(text, nodes=node or (), topic=topic, session=session, previous=previous)
    if told is None:
        call.note("nothing to tell: nothing was said since the last narrative")
    return Answer({"narrative": document(told)}, lambda found: view.saved(found["narrative"]) if told else "")


@verb
def narratives(call: Call, session: OfSession = None, topic: Topic = None, of: Of = None, limit: Limit = 20) -> Answer:
    """Where things stood, the latest first; or the one that a memory belongs to, with its neighbours.

    Example: omoide narratives --topic deploy

    Example: omoide narratives --of 7
    """
    with call.open() as memory:
        if of is not None:
            found = memory.narrative.get(of)
            chain = [] if found is None else [found.next, found.narrative, found.previous]
            told = [each for each in chain if each is not None]
        else:
            told = memory.narrative.list(limit, session=session, topic=topic)
    if not told:
        call.note("no narratives yet; they are told when a session ends, or with `omoide narrate`")
    return Answer({"narratives": document(told)}, _listed)


@verb
def where(
    call: Call,
    session: Begins = None,
    channel: Channel = None,
    budget: Budget = 500,
    at: options.AskedAt = None,
    audience: options.Audience = "private",
    consent: Annotated[bool, typer.Option("--consent", help="Also what is sensitive.")] = False,
) -> Answer:
    """Where was I? The last session, how it stood, what is still open and what became known since.

    Example: omoide where
    """
    with call.open() as memory:
        found = memory.narrative.recap(
            session=session,
            channel=channel,
            at=options.when(at),
            budget=budget,
            audience=audience,
            consent=consent,
        )
    if not found:
        call.note("nothing was said yet")
    return Answer({**document(found), "text": found.text, "markdown": found.markdown}, lambda told: str(told["text"]))


@verb
def continuity(
    call: Call,
    file: File = None,
    goal: Goal = None,
    budget: Budget = 1_000,
    read: Read = False,
    audience: options.Audience = "private",
) -> Answer:
    """Write CONTINUITY.md: what to know before going on. What others wrote around our part stays, and is taken up.

    Example: omoide continuity CONTINUITY.md --goal "migrate billing"

    Example: omoide continuity CONTINUITY.md --read
    """
    if file is None and read:
        raise InvalidInput("--read needs the FILE to read")
    page = _page(file, must=read)
    with call.open(embedder=goal is not None and not read) as memory:
        taken = memory.narrative.import_continuity(page) if page.strip() else []
        made = page if read else memory.narrative.export_continuity(page, goal=goal, budget=budget, audience=audience)
    if file is not None and made != page:
        file.write_text(made, "utf-8")
    found = {
        "file": None if file is None else str(file),
        "changed": made != page,
        "taken_up": document(taken),
        "page": made,
    }
    return Answer(found, _continued)


def _page(file: Path | None, must: bool) -> str:
    try:
        return "" if file is None else file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if must:
            raise
        return ""
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not UTF-8: {error}") from error


def _continued(found: Document) -> str:
    if found["file"] is None:
        return str(found["page"])
    state = "brought up to date" if found["changed"] else "unchanged"
    taken = "".join(f"\ntaken up: {view.saved(each)}" for each in found["taken_up"])
    return f"{found['file']} {state}{taken}"


def _listed(found: Document) -> RenderableType:
    table = columns("id", "day", "session", "topic", "narrative")
    for each in found["narratives"]:
        row = (
            f"[id:{each['id']}]",
            day(each["event_at"]),
            each["session"] or "",
            each["topic"] or "",
            flat(each["text"]),
        )
        table.add_row(*(line((value, "")) for value in row))
    return table if found["narratives"] else ""
