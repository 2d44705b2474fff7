"""The road from a command line to an exit code: the verb that is called is read, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from omoide import __version__
from omoide.errors import OmoideError
from omoide.interfaces.cli import failure, output
from omoide.interfaces.cli.help import Group, Verb
from omoide.interfaces.cli.verb import Call, Db, Json, NoEmbedder
from omoide.interfaces.cli.verbs import GROUPS, PANELS

_EPILOG = """
Exit codes: 0 done · 1 a fault that doctor left, a conversation that
could not be learned from, an erasure that is not finished, or anything else ·
2 input or usage · 3 not found · 4 busy, try again · 5 the file cannot be used ·
6 an optional part is missing or failed · 130 interrupted

Environment: OMOIDE_DB is the file · OMOIDE_CONFIG a TOML file of settings ·
OMOIDE_… any setting by its name, such as OMOIDE_BUSY_TIMEOUT=5
"""


def application(only: str | None = None) -> typer.Typer:
    """The whole command line, or as much of it as one verb needs."""
    app = typer.Typer(
        name="omoide",
        cls=Group,
        epilog=_EPILOG,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_before)
    for panel, verbs in PANELS.items():
        for name, file in verbs.items():
            if only in (None, name):
                app.command(name, cls=Verb, rich_help_panel=panel)(_held(file, "import_" if name == "import" else name))
    for name, (panel, file, group) in GROUPS.items():
        if only in (None, name):
            words = _held(file, group)
            for each in words.registered_commands:
                each.cls = Verb
            app.add_typer(words, name=name, cls=Group, rich_help_panel=panel)
    return app


def _held(file: str, name: str) -> Any:
    return getattr(import_module(f"omoide.interfaces.cli.{file}"), name)


def _called(arguments: Sequence[str]) -> str | None:
    """The verb of a command line that begins with one, or with options of every verb; None where a page of all verbs or
    a mistake may be meant."""
    rest = iter(arguments)
    for word in rest:
        if word == "--db":
            next(rest, "")
        elif not word.startswith("--db=") and word not in ("--json", "--no-embedder"):
            return word if word in GROUPS or any(word in verbs for verbs in PANELS.values()) else None
    return None


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"omoide {__version__}")
        raise typer.Exit


def _before(
    context: typer.Context,
    db: Db = None,
    json: Json = False,
    no_embedder: NoEmbedder = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A long-term memory for AI agents, in one file on your own machine.

    Example: omoide observe "Otto moved to Berlin" && omoide recall "where does Otto live?"
    """
    context.obj = Call(db, json, no_embedder)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


def run(arguments: list[str]) -> int:
    """Runs one command; every error that is not a bug becomes one line and a code."""
    output.prepare()
    try:
        code = application(_called(arguments))(arguments, prog_name="omoide", standalone_mode=False)
    except (OmoideError, OSError, failure.UsageError) as error:
        own = arguments[: arguments.index("--")] if "--" in arguments else arguments
        return failure.tell(error, as_json="--json" in own)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0
