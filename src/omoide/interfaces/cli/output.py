"""The one place that prints: an answer as a document for programs, or as a view of the same document for people."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omoide.interfaces.document import iso

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_UNBOUNDED = 10_000_000  # columns: what goes into a pipe is not clipped
# A remembered text may come from anywhere, and must not steer the terminal or turn its neighbours around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb has to say: a document, and how people see it (a text is printed as it is)."""

    document: Any
    view: Callable[[Any], RenderableType]
    exit_code: int = 0
    silent: bool = False  # it has said all it had to say


def say(answer: Answer, as_json: bool) -> None:
    """Prints one answer on standard output."""
    if answer.silent:
        return
    if as_json:
        _write(encoded(answer.document) + "\n")
        return
    seen = answer.view(answer.document)
    if isinstance(seen, str):
        _write(f"{printable(seen) if sys.stdout.isatty() else seen}\n" if seen else "")  # a prompt gets every byte
    elif sys.stdout.isatty():
        console(sys.stdout).print(seen)
    else:
        page = io.StringIO()
        console(page, _UNBOUNDED).print(seen)
        _write("\n".join(line.rstrip() for line in page.getvalue().split("\n")))


def tell(words: str) -> None:
    """A line of a verb that goes on: at once, also into a pipe."""
    _write(f"{printable(words)}\n")


def note(text: str) -> None:
    """A remark beside the answer: dim, on standard error."""
    if sys.stderr.isatty():
        console(sys.stderr).print(printable(text), style="dim", soft_wrap=True)
    else:
        print(printable(text), file=sys.stderr)


def encoded(value: Any) -> str:
    """One JSON document: on one line for a program, indented for a person who looks at it."""
    return json.dumps(
        value, ensure_ascii=not _is_utf8(), default=iso, indent=2 if sys.stdout.isatty() else None, allow_nan=False
    )


def printable(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def can_print(text: str) -> bool:
    """Whether standard output has these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def prepare() -> None:
    """A character that the terminal lacks is replaced; it is no reason to stop."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def hang_up() -> None:
    """Whoever read our output has left (`| head`): what Python still holds goes nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(what: str, total: int, hidden: bool) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal that is told how much is done; nothing where no person watches."""
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
    """What rich prints with. Whoever stops reading is told apart from a failure, which rich alone would not do."""
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
