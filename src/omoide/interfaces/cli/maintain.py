"""maintain: what is done every night, by hand, with a report of what changed and why."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, cell, columns, flat, line, title
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_MOST = 5  # lines of one verb of one job: what was done is counted, the first few show what it was like


@verb
def maintain(
    call: Call,
    job: Annotated[
        list[str] | None, typer.Option("--job", metavar="NAME", help="Only this job; may be repeated.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and do nothing.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Name the jobs, and do nothing.")] = False,
) -> Answer:
    """Do now what is done every night, and tell what changed and why. Exit code 1 if a job failed, 130 if stopped.

    Example: omoide maintain --dry-run

    Example: omoide maintain --job learn --job backup
    """
    with call.open(embedder=True) as memory:
        jobs = memory.admin.jobs()
        if list_:
            return Answer({"jobs": [{"job": each.name, "does": each.does} for each in jobs]}, _listed)
        names = job or None
        with stopping() as stopped, _bar(len(names or jobs), hidden=call.json) as advance:

            def progress(name: str, steps: int) -> None:
                advance(name, steps)
                if stopped():
                    raise KeyboardInterrupt

            report = memory.maintain(names, dry_run=dry_run, progress=progress)
    found = {**document(report), "counts": report.counts, "failed": report.failed}
    return Answer(found, _reported, exit_code=130 if report.stopped else 1 if report.failed else 0)


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C, or SIGTERM, is heard at the next step; a second one at once."""
    asked = 0

    def hear(*_: object) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise KeyboardInterrupt

    before = {each: signal.signal(each, hear) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked > 0
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def _bar(total: int, hidden: bool) -> Iterator[Callable[[str, int], None]]:
    """How many jobs are done, and what the one under way has done so far."""
    if hidden or not sys.stderr.isatty():
        yield lambda name, steps: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*shown, console=output.progress_console(), transient=True) as bar:
        task = bar.add_task("maintaining", total=total)
        seen: dict[str, None] = {}

        def advance(name: str, steps: int) -> None:
            seen.setdefault(name)
            bar.update(task, completed=len(seen) - 1, description=f"{name} · {steps:,} steps")

        yield advance


# ── how people see it ─────────────────────────────────────────────────────────────────────────────────────────────


def _listed(found: Document) -> RenderableType:
    table = columns("job", "does")
    for each in found["jobs"]:
        table.add_row(cell(each["job"]), cell(each["does"]))
    return table


def _reported(found: Document) -> RenderableType:
    from rich.console import Group

    head = "a dry run: nothing was changed" if found["dry_run"] else "maintained"
    counts = ", ".join(f"{count:,} {verb}" for verb, count in found["counts"].items())
    lines: list[RenderableType] = [line((head, "bold"), (f": {counts or 'nothing to do'}", ""))]
    for ran in found["jobs"]:
        lines += _job(ran)
    if found["stopped"]:
        lines.append(line(("\nstopped; what was done is whole, and running again does the rest", "yellow"), clip=False))
    return Group(*lines)


def _job(ran: Document) -> Iterator[RenderableType]:
    if not ran["steps"] and ran["outcome"] == "done":
        return
    yield title(ran["job"])
    if ran["outcome"] != "done":
        style = "red" if ran["outcome"] == "failed" else "yellow"
        yield line((f"{ran['outcome']}: {ran['why']}", style), clip=False)
    for verb_, count in ran["counts"].items():
        steps = [each for each in ran["steps"] if each["verb"] == verb_]
        yield from (_step(each) for each in steps[:_MOST])
        if count > _MOST:
            yield line((f"… and {count - _MOST:,} more {verb_}", "dim"))


def _step(step: Document) -> Text:
    number = f"[id:{step['id']}] " if step["id"] is not None else ""
    why = f" — {flat(step['why'])}" if step["why"] else ""
    return line(
        (f"{step['verb']} ", "cyan"), (number, "bold"), (f"{step['kind']}  {flat(step['text'])}", ""), (why, "dim")
    )
