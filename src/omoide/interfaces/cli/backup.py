"""backup and restore: verified copies of the file."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide.interfaces.cli.output import Answer, progress
from omoide.interfaces.cli.parts import Document, counted
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there under that name.")]
_PERCENT = 100


@verb
def backup(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes.", show_default=False)],
    overwrite: Overwrite = False,
) -> Answer:
    """Copy the memory while it is in use, and verify the copy.

    Example: omoide backup ~/backups/memory.db
    """
    with call.open() as memory, progress("copying", _PERCENT, hidden=call.json) as so_far:
        made = memory.admin.backup(
            path, overwrite=overwrite, progress=lambda done, of: so_far(_PERCENT * done // max(1, of))
        )
    return Answer(document(made), _made)


@verb
def restore(
    call: Call,
    backup: Annotated[str, typer.Argument(metavar="BACKUP", help="The copy.", show_default=False)],
    to: Annotated[str | None, typer.Option("--to", metavar="FILE", help="Where to; default the memory itself.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also over a file that is open or newer than the copy.")
    ] = False,
) -> Answer:
    """Verify a backup and put it in the memory's place; what stands there is put aside, never deleted.

    Example: omoide restore ~/backups/memory.db
    """
    from omoide.transfer.sqlite_files import restore_backup as put_in_place

    return Answer(document(put_in_place(backup, to if to is not None else call.db, force=force)), _restored)


def _made(found: Document) -> str:
    return f"{found['path']} · {counted(found['nodes'], 'node')} · {found['bytes'] / 1e6:,.1f} MB · verified"


def _restored(found: Document) -> str:
    aside = f"\nwhat stood there is now {found['aside']}" if found["aside"] else ""
    return f"{found['path']} · {counted(found['nodes'], 'node')} · verified{aside}"
