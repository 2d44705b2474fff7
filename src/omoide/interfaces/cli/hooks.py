"""hooks: letting a coding agent remember by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from omoide.interfaces.change import apply
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.hooks import install


@verb
def hooks(
    call: Call,
    action: Annotated[Literal["install", "remove"], typer.Argument(help="Put our hooks in, or take them out.")],
    agent: Annotated[str, typer.Argument(help="Whose: claude-code.")] = "claude-code",
    project: Annotated[
        Path | None, typer.Option(help="A project's folder; default: all your projects.", file_okay=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,
) -> Answer:
    """Let a coding agent record what it does and hear what matters, at every step, by itself.

    Others' hooks stay; the old settings are kept beside the new ones. A hook that fails or is late never stops it.

    Example: omoide hooks install claude-code --dry-run
    """
    path = install.settings_of(agent, project, Path.home())
    change = install.installing(path, call.db) if action == "install" else install.removing(path)
    if change.needed and not dry_run:
        apply(change)
    found = {"path": str(path), "changed": change.needed and not dry_run, "diff": change.diff}
    return Answer(found, _told)


def _told(found: Any) -> str:
    if not found["diff"]:
        return f"{found['path']} is as it should be"
    end = "changed" if found["changed"] else "nothing was changed"
    return "\n".join([*found["diff"], f"{found['path']}: {end}"])
