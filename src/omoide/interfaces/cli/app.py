"""All verbs in one place, in the order of the help page, and the road from a command line to an exit code."""

from __future__ import annotations

from typing import Annotated

import typer

from omoide import __version__
from omoide.errors import OmoideError
from omoide.interfaces.cli import failure, output
from omoide.interfaces.cli.agents import efficiency, handoffs, ledger
from omoide.interfaces.cli.archive import archive, unarchive
from omoide.interfaces.cli.backup import backup, restore
from omoide.interfaces.cli.daemon import daemon
from omoide.interfaces.cli.forget import forget, receipts
from omoide.interfaces.cli.graph import entity, link, merge, relate, split
from omoide.interfaces.cli.hooks import hooks
from omoide.interfaces.cli.init import init
from omoide.interfaces.cli.learn import explain, learn, outcome, weak
from omoide.interfaces.cli.lessons import bind, lessons, unbind
from omoide.interfaces.cli.maintain import maintain
from omoide.interfaces.cli.mcp import mcp, tools
from omoide.interfaces.cli.narrative import continuity, narrate, narratives, where
from omoide.interfaces.cli.notes import contradictions, links, resolve, suggest, unlink
from omoide.interfaces.cli.observe import observe
from omoide.interfaces.cli.recall import context, recall
from omoide.interfaces.cli.remember import confirm, correct, demote, reinforce, remember, update
from omoide.interfaces.cli.resume import resume
from omoide.interfaces.cli.serve import serve
from omoide.interfaces.cli.session import end, sessions, turns
from omoide.interfaces.cli.shelf import shelf, shelve
from omoide.interfaces.cli.show import history, show
from omoide.interfaces.cli.skills import loki, skill
from omoide.interfaces.cli.story import demo
from omoide.interfaces.cli.tasks import app as task
from omoide.interfaces.cli.tasks import before, credit
from omoide.interfaces.cli.things import draw, drop, entities, graph, unrelate
from omoide.interfaces.cli.transfer import export, import_
from omoide.interfaces.cli.upkeep import doctor, flush, stats, version
from omoide.interfaces.cli.verb import Call, Db, Json, NoEmbedder

_PANELS = {
    "Tell": (observe, remember, shelve, end, learn, narrate, continuity, ledger, bind, unbind),
    "Ask": (
        recall,
        context,
        before,
        show,
        history,
        explain,
        weak,
        shelf,
        sessions,
        turns,
        resume,
        where,
        narratives,
        lessons,
        efficiency,
    ),
    "Judge": (
        correct,
        update,
        confirm,
        reinforce,
        demote,
        outcome,
        credit,
        contradictions,
        resolve,
        archive,
        unarchive,
    ),
    "Connect": (link, unlink, links, suggest, entity, entities, relate, unrelate, merge, split, graph, draw, drop),
    "Serve": (init, mcp, serve, tools, hooks, demo),
    "Forget": (forget, receipts),
    "Look after": (stats, maintain, daemon, doctor, flush, version),
    "Copy": (backup, restore, export, import_),
}
_EPILOG = """
Exit codes: 0 done · 1 a fault that doctor left, a conversation that
could not be learned from, an erasure that is not finished, or anything else ·
2 input or usage · 3 not found · 4 busy, try again · 5 the file cannot be used ·
6 an optional part is missing or failed · 130 interrupted

Environment: OMOIDE_DB is the file · OMOIDE_CONFIG a TOML file of settings ·
OMOIDE_… any setting by its name, such as OMOIDE_BUSY_TIMEOUT=5
"""

app = typer.Typer(
    name="omoide",
    epilog=_EPILOG,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _panel, _verbs in _PANELS.items():
    for _verb in _verbs:
        app.command(_verb.__name__.rstrip("_"), rich_help_panel=_panel)(_verb)


app.add_typer(task, name="task", rich_help_panel="Tell")
app.add_typer(handoffs, name="handoff", rich_help_panel="Tell")
app.add_typer(skill, name="skill", rich_help_panel="Connect")
app.add_typer(loki, name="loki", rich_help_panel="Look after")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"omoide {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
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
        code = app(arguments, prog_name="omoide", standalone_mode=False)
    except (OmoideError, OSError, failure.UsageError) as error:
        own = arguments[: arguments.index("--")] if "--" in arguments else arguments
        return failure.tell(error, as_json="--json" in own)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0
