"""From a command line to an exit code. Only the command that is called is built."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from omoide import __version__
from omoide.errors import Busy, EmbedderFailed, FileProblem, InvalidInput, MissingExtra, NotFound, OmoideError
from omoide.interfaces import omissions
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call, Db, Json, KeyFrom, NoEmbedder, load, program_command, verb_command
from omoide.interfaces.verbs import VERBS, Verb

EXIT_CODES: dict[type[Exception], int] = {
    InvalidInput: 2,
    NotFound: 3,
    Busy: 4,
    FileProblem: 5,
    MissingExtra: 6,
    EmbedderFailed: 6,
    OSError: 5,  # the operating system refused a file or a folder
}

GROUPS = {
    "graph": "Entities, relations and links between memories.",
    "tasks": "Task traces, lessons, ledgers, handoffs and skills.",
    "documents": "Named documents in collections.",
    "narrative": "Narratives: the state of the work, session by session.",
    "review": "Judge memories: confirm, update, reinforce, resolve.",
    "trust": "Consent to show what is sensitive, and who changed what.",
    "admin": "Maintenance, backup, import and export, checks.",
    "spaces": "Spaces of a server: one memory per user, and the tokens that open them.",
    "fleet": "A fleet of servers on PostgreSQL: who holds what, import, export, verify.",
}

# Commands that are not a method of Memory: words, and the function that runs them.
PROGRAMS: dict[tuple[str, ...], str] = {
    ("init",): "programs.init",
    ("mcp",): "programs.mcp",
    ("serve",): "programs.serve",
    ("view",): "programs.view",
    ("hooks",): "programs.hooks",
    ("tools",): "programs.tools",
    ("daemon",): "programs.daemon",
    ("demo",): "demo.demo",
    ("tasks", "action"): "actions.action",
    ("tasks", "error"): "actions.error",
    ("tasks", "resolve"): "actions.resolve",
    ("tasks", "finish"): "actions.finish",
    ("admin", "restore"): "actions_admin.restore",
    ("admin", "salvage"): "actions_admin.salvage",
    ("admin", "encrypt"): "actions_admin.encrypt",
    ("admin", "change-key"): "actions_admin.change_key",
    ("admin", "decrypt"): "actions_admin.decrypt",
    ("spaces", "list"): "actions_spaces.list_spaces",
    ("spaces", "create"): "actions_spaces.create",
    ("spaces", "delete"): "actions_spaces.delete",
    ("spaces", "usage"): "actions_spaces.usage",
    ("spaces", "export"): "actions_spaces.export",
    ("spaces", "tokens"): "actions_spaces.tokens",
    ("spaces", "token"): "actions_spaces.token",
    ("spaces", "rotate"): "actions_spaces.rotate",
    ("spaces", "revoke"): "actions_spaces.revoke",
    ("fleet", "status"): "actions_spaces.status",
    ("fleet", "drain"): "actions_spaces.drain",
    ("fleet", "rebalance"): "actions_spaces.rebalance",
    ("fleet", "verify"): "actions_spaces.verify",
    ("fleet", "import"): "actions_spaces.import_",
    ("fleet", "export"): "actions_spaces.export_fleet",
}

# The sections of `omoide --help`.
_SECTIONS: dict[str, tuple[str, ...]] = {
    "Write": ("observe", "remember", "correct", "forget", "learn", "end", "flush"),
    "Read": ("recall", "context", "agenda", "get", "list", "history", "explain", "sessions", "session", "stats"),
    "Groups": tuple(GROUPS),
    "Programs": tuple(words[0] for words in PROGRAMS if len(words) == 1),
}

_FOOTER = """\
Options of every command: --db PATH (default $OMOIDE_DB), --key-from SOURCE, --json, --no-embedder, -h.
Also: --version.
Exit codes: 0 done, 1 failed, 2 input, 3 not found, 4 busy, 5 file, 6 extra missing, 130 interrupted.
Example: omoide observe "Otto moved to Berlin" && omoide recall "where does Otto live?"
"""

_FOREIGN_WORDS = re.compile("Value error, |, unable to parse string as an? [a-z]+")  # of the parser of options

# The parent of every error in how a command was written; typer exports only its children.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


class Root(TyperGroup):
    """`omoide --help` fits on one screen."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview())


def run(arguments: list[str]) -> int:
    """Runs one command; every error that is not a bug becomes one line and a code."""
    output.prepare()
    if arguments in (["-h"], ["--help"]):
        typer.echo(overview(), nl=False)
        return 0
    try:
        code = application(_called(arguments))(arguments, prog_name="omoide", standalone_mode=False)
    except (OmoideError, OSError, UsageError) as error:
        own = arguments[: arguments.index("--")] if "--" in arguments else arguments
        return report_error(error, as_json="--json" in own)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def commands() -> Iterator[tuple[tuple[str, ...], Verb | str]]:
    """The words of every command, and the verb or the function behind it."""
    for verb in VERBS:
        if not omissions.lacks(verb.method, "cli"):
            yield verb.words, verb
    yield from PROGRAMS.items()


def application(called: tuple[str, ...] = ()) -> typer.Typer:
    """The whole command line, or as much of it as one command needs."""
    options = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    app = typer.Typer(
        name="omoide", cls=Root, rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=options
    )
    app.callback(invoke_without_command=True)(_root)
    groups = {
        name: typer.Typer(help=help, no_args_is_help=True, rich_markup_mode=None)
        for name, help in GROUPS.items()
        if not called or called[0] == name
    }
    for name, group in groups.items():
        app.add_typer(group, name=name)
    for words, source in commands():
        if words[: len(called)] == called:
            function = verb_command(source) if isinstance(source, Verb) else program_command(load(source))
            owner = groups[words[0]] if len(words) > 1 else app
            owner.command(words[-1], short_help=_summary(source))(function)
    return app


def _called(arguments: Sequence[str]) -> tuple[str, ...]:
    """The words of the command that is called, as far as they name one; none where help or a mistake may be meant."""
    known = {words for words, _ in commands()}
    found: tuple[str, ...] = ()
    rest = iter(arguments)
    for word in rest:
        if word in ("--db", "--key-from"):
            next(rest, "")
        elif not word.startswith(("--db=", "--key-from=")) and word not in ("--json", "--no-embedder"):
            found += (word,)
            if found in known:
                return found
            if found[0] not in GROUPS or len(found) > 1:
                return found[:1] if found[0] in GROUPS else ()
    return found


def overview() -> str:
    """`omoide --help`: every flat command and every group, one line each."""
    about = {words[0]: _summary(source) for words, source in commands() if len(words) == 1} | GROUPS
    lines = ["Usage: omoide [OPTIONS] COMMAND [ARGUMENTS]"]
    lines += ["A long-term memory for AI agents, in one file on your own machine."]
    for title, names in _SECTIONS.items():
        lines.append(f"{title}:")
        lines += [f"  {name:10} {_clipped(about[name].removesuffix('.'), 76)}" for name in names]
    return "\n".join(lines) + "\n" + _FOOTER


def _clipped(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + "…"


def _summary(source: Verb | str) -> str:
    if isinstance(source, Verb):
        return source.summary
    return " ".join((load(source).__doc__ or "").split()).split(". ")[0].removesuffix(".")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"omoide {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    db: Db = None,
    json: Json = False,
    no_embedder: NoEmbedder = False,
    key_from: KeyFrom = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    context.obj = Call(db, json, no_embedder, key_from)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


def report_error(error: Exception, as_json: bool) -> int:
    """Prints one line on standard error and returns the exit code."""
    name, message, code = _described(error)
    if as_json:
        line = json.dumps({"error": {"type": name, "message": message}}, ensure_ascii=False)
    else:
        line = f"omoide: {output.printable(' '.join(message.split()))}"
    print(line, file=sys.stderr)
    return code


def _described(error: Exception) -> tuple[str, str, int]:
    if isinstance(error, UsageError):
        context = getattr(error, "ctx", None)
        hint = f" (try `{context.command_path} --help`)" if context else ""
        said = getattr(error, "format_message", error.__str__)()
        return "UsageError", _FOREIGN_WORDS.sub("", said).replace("Input should be", "it should be") + hint, 2
    code = next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), 1)
    return type(error).__name__, str(error), code
