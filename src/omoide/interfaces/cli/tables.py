"""What views are made of: lines, titles and plain tables, clipped at the edge of the terminal and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.interfaces.cli.output import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

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


def columns(*names: str) -> Table:
    from rich.table import Table

    return Table(*names, box=None, header_style="dim", pad_edge=False)


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


def node_line(node: Document) -> Text:
    return line((f"[id:{node['id']}] ", "bold"), (f"{node['kind']}  ", "cyan"), (flat(node["text"]), ""))


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
