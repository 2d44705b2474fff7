"""The one place that prints: a JSON document for programs, or a view of the same document for people."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omoide.interfaces.serialise import json_default
from omoide.language.escaping import escape_hidden

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_UNBOUNDED = 10_000_000  # columns: output into a pipe is not clipped


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command: its document, and how people see it (a string is printed as it is)."""

    document: Any
    view: Callable[[Any], RenderableType]
    exit_code: int = 0
    silent: bool = False  # the command has printed everything itself


def say(answer: Answer, as_json: bool) -> None:
    """Prints an answer on standard output."""
    if answer.silent:
        return
    if as_json:
        _write(encoded(answer.document) + "\n")
        return
    seen = answer.view(answer.document)
    if isinstance(seen, str):
        _write(f"{printable(seen) if sys.stdout.isatty() else seen}\n" if seen else "")  # a pipe gets every byte
    elif sys.stdout.isatty():
        console(sys.stdout).print(seen)
    else:
        page = io.StringIO()
        console(page, _UNBOUNDED).print(seen)
        _write("\n".join(line.rstrip() for line in page.getvalue().split("\n")))


def print_line(text: str) -> None:
    """Prints a line of a command that goes on; flushed, so that it reaches a pipe at once."""
    _write(f"{printable(text)}\n")


def note(text: str) -> None:
    """Prints a remark on standard error."""
    if sys.stderr.isatty():
        console(sys.stderr).print(printable(text), style="dim", soft_wrap=True)
    else:
        print(printable(text), file=sys.stderr)


def encoded(value: Any) -> str:
    """One JSON document: on one line for a program, indented on a terminal."""
    indent = 2 if sys.stdout.isatty() else None
    return json.dumps(value, ensure_ascii=not _is_utf8(), default=json_default, indent=indent, allow_nan=False)


def printable(text: str) -> str:
    """A remembered text may come from anywhere; it must not control the terminal, hide or reverse what is beside it."""
    return escape_hidden(text)


def can_print(text: str) -> bool:
    """Whether the encoding of standard output has these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def prepare() -> None:
    """Lets a terminal replace characters that it lacks instead of raising."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def discard_output() -> None:
    """After the reader has left (`| head`): what Python still holds goes nowhere, without an error."""
    with suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(what: str, total: int, hidden: bool) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, told how much is done; nothing where no person watches."""
    if hidden or not total or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=progress_console(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def progress_console() -> Console:
    return console(sys.stderr)


def console(file: Any, width: int | None = None, markup: bool = False) -> Console:
    """A rich console that raises BrokenPipeError when the reader has left; rich alone would exit with a failure."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise

    return Screen(file=file, width=width, markup=markup, highlight=False, emoji=False)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "utf-8").lower().replace("-", "") == "utf8"
