"""The one place that prints: a JSON document for programs, or a view of it for people, of lines, titles and tables."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.interfaces.documents import json_default
from omoide.language.escaping import escape_hidden

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text


View = Callable[[Any], "RenderableType | Sequence[RenderableType]"]  # what is one below the other is a list

_UNBOUNDED = 10_000_000  # columns: output into a pipe is not clipped


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command: its document, and how people see it (a string is printed as it is)."""

    document: Any
    view: View
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
        return
    if isinstance(seen, list):
        from rich.console import Group

        seen = Group(*seen)
    if sys.stdout.isatty():
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
def progress(what: str, total: int, hidden: bool, ahead: bool = True) -> Iterator[Callable[..., None]]:
    """A bar on a terminal, told how much is done and perhaps what is being done; nothing where no person watches.

    `ahead`: it shows the time that remains, and not the time that it took so far.
    """
    if hidden or not total or not sys.stderr.isatty():
        yield lambda done, doing=what: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    clock = TimeRemainingColumn() if ahead else TimeElapsedColumn()
    with Progress(*columns, clock, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, doing=what: bar.update(task, completed=done, description=doing)


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


# What views are made of: lines, titles and plain tables, clipped at the edge of the terminal and nowhere else.


Document = dict[str, Any]
SEPARATOR = " · "
GROUP_LINES = 20  # of one group of a view: what a screen holds


def pairs(items: Iterable[tuple[str, Any]]) -> Table:
    """Names and values, without those that are empty."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, value in items:
        if value not in (None, "", [], {}):
            table.add_row(cell(name.replace("_", " ")), cell(plain(value)))
    return table


def table(names: Sequence[str], rows: Iterable[Iterable[str | Text]]) -> Table:
    """A plain table; texts that are no `Text` are folded."""
    from rich.table import Table

    made = Table(*names, box=None, header_style="dim", pad_edge=False)
    for row in rows:
        made.add_row(*(cell(each) if isinstance(each, str) else each for each in row))
    return made


def lines_of(key: str, view: Callable[[Document], str]) -> Callable[[Document], str]:
    """The view of a list in a document: that of each of its items, one below the other."""
    return lambda found: "\n".join(map(view, found[key]))


def line(*parts: tuple[str, str], clip: bool = True) -> Text:
    from rich.text import Text

    clean = [(printable(text), style) for text, style in parts]
    return Text.assemble(*clean, no_wrap=clip, overflow="ellipsis" if clip else "fold")


def title(text: str) -> Text:
    return line((f"\n{text}", "bold cyan"))


def group(name: str, lines: Sequence[Text]) -> Iterator[RenderableType]:
    """A title and its first lines; nothing where there are none."""
    if lines:
        yield title(name)
        yield from lines[:GROUP_LINES]
        yield from more(len(lines))


def more(count: int, shown: int = GROUP_LINES, what: str = "") -> Iterator[RenderableType]:
    """How many lines were left out."""
    if count > shown:
        yield line((f"… and {count - shown:,} more{what}", "dim"))


def change_line(change: Document, indent: str = "") -> Text:
    """When a memory was changed, by which verb, and what it said before."""
    before = f"  before: {plain(change['before'])}" if change["before"] else ""
    return line((f"{indent}{time(change['at'])} {change['verb']}{before}", "dim"))


def node_line(node: Document, about: str = "", more: str = "") -> Text:
    """Its id, its kind or another remark, its text."""
    head = ((f"[id:{node['id']}]", "bold"), (f" {about or node['kind']}  ", "cyan"))
    return line(*head, (flat(node["text"]), ""), (more, "dim"))


def cell(value: str) -> Text:
    return line((value, ""), clip=False)


def flat(text: str) -> str:
    return " ".join(text.split())


def plain(value: Any) -> str:
    """A value in a table, as people write it."""
    match value:
        case datetime():
            return time(value)
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case dict():
            return ", ".join(f"{name} {plain(each)}" for name, each in value.items())
        case list():
            return ", ".join(plain(each) for each in value)
        case _:
            return str(value)


def time(at: datetime) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def day(at: datetime) -> str:
    return at.astimezone().date().isoformat()


def counted(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural}"
