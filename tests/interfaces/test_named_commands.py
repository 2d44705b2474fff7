"""Every command that a message or a page names in backticks is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main

from omoide.interfaces.cli.app import application

ROOT = Path(__file__).parent.parent.parent
_NAMED = re.compile(r"`omoide ([^`\n]+)`")
_SEVERAL = re.compile(r"[|…\[]")  # a list of commands or a scheme, not a command that somebody types
NAMED = sorted(
    {
        (str(path.relative_to(ROOT)), words)
        for path in [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
        for words in _NAMED.findall(path.read_text("utf-8"))
        if not _SEVERAL.search(words)
    }
)
_VALUE = {"--spaces": ("x",), "--fleet": ("x",)}  # named without their value
COMMAND_LINE: Any = typer.main.get_command(application())


@pytest.mark.parametrize(("place", "words"), NAMED)
def test_a_named_command_exists(place: str, words: str) -> None:
    command, rest = COMMAND_LINE, shlex.split(words.split(" >")[0])
    while rest and not rest[0].startswith("-") and hasattr(command, "commands"):
        assert rest[0] in command.commands or rest[0] == "hook", place
        command, rest = command.commands.get(rest[0]), rest[1:]
    if command is not None:
        _, unexpected, _ = command.make_parser(command.context_class(command)).parse_args(
            [*rest, *_VALUE.get(rest[-1] if rest else "", ())]
        )
        assert not unexpected, place
