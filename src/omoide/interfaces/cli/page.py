"""The page of all commands, for the docs, made from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from omoide.interfaces.cli.app import application

_EVERYWHERE = ("db", "json", "no_embedder", "help", "_context")


def as_markdown() -> str:
    commands = dict(_commands(typer.main.get_command(application()), "omoide"))
    contents = " · ".join(f"[{name.removeprefix('omoide ')}](#{name.replace(' ', '-')})" for name in commands)
    sections = "\n".join(_section(name, each) for name, each in commands.items())
    return f"""# Every command

All verbs take `--db PATH`, `--json` and `--no-embedder` as well; [the command-line guide](../how-to/command-line.md) shows them in use.

{contents}

{sections}
This page is made from `omoide.interfaces.cli` (`python -m omoide.interfaces.cli.page`).
"""


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    for word, each in command.commands.items():
        if hasattr(each, "commands"):
            yield from _commands(each, f"{name} {word}")
        else:
            yield f"{name} {word}", each


def _section(name: str, command: Any) -> str:
    own = [each for each in command.params if each.name not in _EVERYWHERE]
    places = [each for each in own if each.param_type_name == "argument"]
    usage = " ".join([name, *(_place(each) for each in places), *(["[OPTIONS]"] if len(own) > len(places) else [])])
    told, *examples = inspect.cleandoc(command.help or "").split("Example: ")
    rows = "".join(_row(each) for each in own)
    table = f"\n| argument | meaning |\n|---|---|\n{rows}" if rows else ""
    shown = f"```\n{usage}\n```\n\n{' '.join(told.split())}\n"
    return f"## {name}\n\n{shown}{table}" + "".join(f"\n    {' '.join(each.split())}\n" for each in examples)


def _place(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return str(name) if argument.required else f"[{name}]"


def _row(each: Any) -> str:
    if each.param_type_name == "argument":
        shown = f"`{each.metavar or each.name.upper()}`"
    else:
        value = "" if each.is_flag else f" {each.metavar or each.name.upper()}"
        shown = ", ".join(f"`{option}{value}`" for option in each.opts)
    default = (
        each.default if isinstance(each.default, str | int | float) and not isinstance(each.default, bool) else None
    )
    said = " ".join((each.help or "").split())
    remark = f" Default {default}." if default not in (None, "") else ""
    return f"| {_escaped(shown)} | {_escaped(said)}{remark} |\n"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(as_markdown(), end="")
