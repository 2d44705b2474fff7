"""export and import: everything a memory holds, as lines of JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from omoide.interfaces.cli.backup import Overwrite
from omoide.interfaces.cli.output import Answer, progress
from omoide.interfaces.cli.parts import Document, cell, columns, line
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType

_PERCENT = 100
_OUTCOMES = ("added", "updated", "same", "skipped")


@verb
def export(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="Where it goes.", show_default=False)],
    embeddings: Annotated[bool, typer.Option("--embeddings", help="The vectors too; they can be made again.")] = False,
    overwrite: Overwrite = False,
) -> Answer:
    """Write everything, history included, as lines of JSON.

    Example: omoide export memory.jsonl
    """
    with call.open() as memory, progress("exporting", _PERCENT, hidden=call.json) as so_far:
        made = memory.export(
            path,
            embeddings=embeddings,
            overwrite=overwrite,
            progress=lambda done, of: so_far(_PERCENT * done // max(1, of)),
        )
    return Answer(document(made), _exported)


@verb
def import_(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="What export has written.", show_default=False)],
) -> Answer:
    """Take in what was exported: as it was into a new memory, else joined to what is here. Twice changes nothing.

    Example: omoide import memory.jsonl --db new.db
    """
    with call.open(create=True) as memory, progress("importing", _PERCENT, hidden=call.json) as so_far:
        taken = memory.import_(path, progress=lambda done, of: so_far(_PERCENT * done // max(1, of)))
    return Answer(document(taken), _imported)


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
