"""export and import: everything a memory holds, what other systems hold, and pages for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.cli.backup import Overwrite
from omoide.interfaces.cli.output import Answer, progress
from omoide.interfaces.cli.parts import Document, cell, columns, line
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType

    from omoide.memory import Memory

_PERCENT = 100
_OUTCOMES = ("added", "updated", "same", "skipped")
_FATES = ("added", "same", "forgotten")
_FORMATS = ("jsonl", "markdown", "sqlite")
_FEW = 10
FOREIGN = "openclaw, mem0, letta, mcp, markdown, chatgpt, claude, claude-code, codex, turns"  # imported when used


@verb
def export(
    call: Call,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="Where it goes: a file, or a folder of pages.", show_default=False)
    ],
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="jsonl, markdown or sqlite.")] = "jsonl",
    embeddings: Annotated[bool, typer.Option("--embeddings", help="The vectors too; they can be made again.")] = False,
    audience: Annotated[
        str, typer.Option("--audience", metavar="WHO", help="Of pages: shared leaves out what is private.")
    ] = "private",
    overwrite: Overwrite = False,
) -> Answer:
    """Write everything, history included, as lines of JSON; or as Markdown to read; or as plain SQLite tables.

    Example: omoide export memory.jsonl
    """
    if format not in _FORMATS:
        raise InvalidInput(f"format: expected {', '.join(_FORMATS)}, got {format!r}")
    if (audience != "private" and format != "markdown") or (embeddings and format != "jsonl"):
        raise InvalidInput("--audience is for markdown, --embeddings for jsonl")
    with call.open() as memory, progress("exporting", _PERCENT, hidden=call.json) as so_far:

        def told(done: int, of: int) -> None:
            so_far(_PERCENT * done // max(1, of))

        if format == "markdown":
            return Answer(document(memory.admin.export_markdown(path, audience=audience, progress=told)), _written)
        if format == "sqlite":
            return Answer(document(memory.admin.export_sqlite(path, overwrite=overwrite)), _exported)
        made = memory.admin.export(path, embeddings=embeddings, overwrite=overwrite, progress=told)
    return Answer(document(made), _exported)


@verb
def import_(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file, a folder or a ZIP archive.", show_default=False)],
    format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help=f"Seen from the content; or {FOREIGN}.")
    ] = None,
    mine: Annotated[
        bool, typer.Option("--mine", help="They are my conversations: what I say there is my word, and may teach.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would happen.")] = False,
) -> Answer:
    """Take in what was exported, or the memories of another system. Twice changes nothing.

    Example: omoide import conversations.json --dry-run
    """
    from omoide.transfer import detect_format, import_source

    own = format is None and detect_format.is_omoide_export(import_source.open_source(path))
    if own and (mine or dry_run):
        raise InvalidInput("an export of Omoide is taken as it is: without --mine and --dry-run")
    with _opened(call, dry_run) as memory, progress("importing", _PERCENT, hidden=call.json) as so_far:

        def told(done: int, of: int) -> None:
            so_far(_PERCENT * done // max(1, of))

        if own:
            return Answer(document(memory.admin.import_(path, progress=told)), _imported)
        taken = memory.admin.import_from(path, format, mine=mine, dry_run=dry_run, progress=told)
    return Answer(document(taken), _taken)


def _opened(call: Call, dry_run: bool) -> Memory:
    """To look leaves no file behind: where none is, everything would be new."""
    if not dry_run:
        return call.open(create=True)
    try:
        return call.open()
    except NotFound:
        return replace(call, db=":memory:").open(create=True)


def _written(found: Document) -> str:
    return (
        f"{found['path']} · {found['entities']:,} entities, {found['days']:,} days · "
        f"{found['changed']:,} changed, {found['removed']:,} removed"
    )


def _taken(found: Document) -> RenderableType:
    """What became what, and what did not, with the first of each."""
    from rich.console import Group

    table = columns("", *_FATES)
    for kind, counts in found["counts"].items():
        table.add_row(cell(kind), *(cell(f"{counts[each]:,}" if each in counts else "") for each in _FATES))
    would = ", nothing was written" if found["dry_run"] else ""
    rows: list[RenderableType] = [line((f"{found['format']}: {found['path']}{would}", "bold")), table]
    rows += [line((f"  {kind}: {words}", ""), (f"  {where}", "dim")) for kind, where, words in found["examples"][:_FEW]]
    for reason, count in found["skipped"].items():
        where = next(place for why, place in found["left_out"] if why == reason)
        rows.append(line((f"left out {count:,}: {reason}", "yellow"), (f"  first: {where}", "dim")))
    return Group(*rows)


def _exported(found: Document) -> str:
    counts = ", ".join(f"{name} {count:,}" for name, count in found["counts"].items() if count)
    return f"{found['path']} · {found['bytes'] / 1e6:,.1f} MB · {counts or 'nothing'}"


def _imported(found: Document) -> RenderableType:
    from rich.console import Group

    table = columns("", *_OUTCOMES)
    for name, counts in found["counts"].items():
        table.add_row(cell(name), *(cell(f"{counts[each]:,}" if each in counts else "") for each in _OUTCOMES))
    lines: list[RenderableType] = [table]
    if found["moved"]:
        told = ", ".join(f"{table} {there} → {here}" for table, there, here in found["moved"])
        lines.append(line((f"ids that were taken here became others: {told} …", ""), clip=False))
    if found["forgotten"]:
        lines.append(line((f"{found['forgotten']:,} memories were left out: forgotten on request", ""), clip=False))
    return Group(*lines)
