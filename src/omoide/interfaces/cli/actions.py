"""Commands that do more than call their method: batches from a file, questions before erasing, the steps of a task."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from omoide.errors import InvalidInput, OmoideError
from omoide.interfaces import documents
from omoide.interfaces.cli import output
from omoide.interfaces.cli.command import Call, answer, embed_pending, load, local_time, read_text, run_verb
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.documents import serialise
from omoide.interfaces.verbs import Verb

if TYPE_CHECKING:
    from omoide.memory import Memory


_BATCH = 500  # turns in one transaction: one wait for the disk, and a bad line undoes no more than this
_ALL_SESSIONS = 1_000_000_000
_WAYS = ("id", "session", "entity", "query", "origin", "before")  # of naming what to forget

Arguments = dict[str, Any]
Numbered = tuple[int, Arguments]
Explain = Annotated[bool, typer.Option("--explain", help="Show every stage, what it passed on, what was dropped, why.")]
Ics = Annotated[bool, typer.Option("--ics", help="Print an iCalendar file.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Accept = Annotated[
    list[int] | None, typer.Option("--accept", metavar="ID", help="Make the proposed link to this memory.")
]
Lines = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="Lines of the timeline.")]
Text = Annotated[str | None, typer.Argument(metavar="TEXT", help="The words; - reads standard input.")]
JsonLines = Annotated[
    str | None,
    typer.Option("--jsonl", metavar="FILE", help="Observe many: one JSON object a line; - reads standard input."),
]
GraphJson = Annotated[
    str | None, typer.Argument(metavar="JSON", help='{"entities": [...], "relations": [...]}; - reads standard input.')
]
Page = Annotated[Path | None, typer.Argument(metavar="FILE", help="Updated in place; without one it is printed.")]
ReadPage = Annotated[Path, typer.Argument(metavar="FILE", help="The page to read.", show_default=False)]


# ── observe ───────────────────────────────────────────────────────────────────────────────────────────────────────


def observe(call: Call, verb: Verb, arguments: Arguments, *, text: Text = None, jsonl: JsonLines = None) -> Answer:
    if (text is None) == (jsonl is None):
        raise InvalidInput("observe takes a TEXT (or - for standard input), or --jsonl FILE")
    if text is not None:
        return run_verb(call, verb, _with_session({"text": read_text(text), **arguments}))
    if "key" in arguments:
        raise InvalidInput("--key names one event; in a file, give each line a key of its own")
    assert jsonl is not None
    stored = last = erased = 0
    with call.open_for(verb) as memory, _opened(jsonl) as file, _with_bar(file, hidden=call.json) as lines:
        turns = _turns(lines, arguments)
        try:
            while batch := list(islice(turns, _BATCH)):
                left_out = _observe_batch(memory, batch)
                erased += left_out
                stored, last = stored + len(batch) - left_out, batch[-1][0]
        except OmoideError as error:
            kept = f"lines 1 to {last} are stored, the rest is not" if last else "nothing was stored"
            raise type(error)(f"{error}; {kept}") from error
    return Answer({"observed": stored, "erased": erased}, load("view_memories.observed"))


def _turns(lines: Iterable[tuple[int, bytes]], defaults: Mapping[str, Any]) -> Iterator[Numbered]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            turn = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"line {number} is not JSON: {error}") from error
        if not isinstance(turn, dict):
            raise InvalidInput(f"line {number}: expected an object with the parameters of observe")
        yield number, _with_session({**defaults, **turn})


def _with_session(turn: Arguments) -> Arguments:
    """Without a session of its own a turn belongs to that of its day: only sessions are learned from."""
    at = turn.get("at")
    day = datetime.now().astimezone() if at is None else local_time(at) if isinstance(at, str) else at
    if turn.get("session") is not None or not isinstance(day, datetime):
        return turn
    return {**turn, "session": f"{day:%Y-%m-%d}"}


def _observe_batch(memory: Memory, batch: list[Numbered]) -> int:
    """Returns how many were left out, because they were erased on request before."""
    try:
        return sum(node.state == "erased" for node in memory.observe_many([turn for _, turn in batch]))
    except OmoideError as error:
        if error.index is None:
            raise
        raise type(error)(f"line {batch[error.index][0]}: {error}") from error


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(name, "rb")  # noqa: SIM115 — closed below; only opening it is checked for errors
    except OSError as error:
        raise InvalidInput(f"{name}: {error.strerror}") from error
    with file:
        yield file


@contextmanager
def _with_bar(file: IO[bytes], hidden: bool) -> Iterator[Iterator[tuple[int, bytes]]]:
    """The lines with their numbers, and a progress bar on a terminal."""
    size = os.fstat(file.fileno()).st_size if not hidden and sys.stderr.isatty() and file.seekable() else 0
    with output.progress("observing", size, hidden) as advance:

        def lines() -> Iterator[tuple[int, bytes]]:
            done = 0
            for number, line in enumerate(file, 1):
                done += len(line)
                advance(done)
                yield number, line

        yield lines()


# ── recall, context, learn ────────────────────────────────────────────────────────────────────────────────────────


def recall(call: Call, verb: Verb, arguments: Arguments, *, explain: Explain = False) -> Answer:
    with call.open_for(verb) as memory:
        pending = embed_pending(call, memory)
        found = verb.call(memory, arguments)
        memory = verb.for_reader(memory, arguments)
        document = documents.document_of(verb, memory, found) | {"pending_embeddings": pending}
        if explain:
            document["trace"] = documents.trace(memory, found.trace)
    if note := found.note if found.hits else "nothing found":
        call.note(note)
    return Answer(document, load(verb.view))


def context(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    shown = run_verb(call, verb, arguments)
    call.note(f"{shown.document['tokens']} of {shown.document['budget']} tokens")
    if reason := shown.document["reason"]:
        call.note(reason)
    return shown


def agenda(call: Call, verb: Verb, arguments: Arguments, *, ics: Ics = False) -> Answer:
    with call.open_for(verb) as memory:
        found = verb.call(memory, arguments)
        document = documents.document_of(verb, memory, found)
    if ics:
        return Answer(document, lambda _: found.icalendar.removesuffix("\n"))
    if not found.entries:
        call.note("nothing is known of that time")
    return Answer(document, load(verb.view))


def before_task(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    shown = run_verb(call, verb, arguments)
    if not shown.document["markdown"]:
        call.note("no similar task was recorded before")
    return shown


def learn(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    session = arguments.get("session")
    with call.open_for(verb) as memory:
        done = 0
        with output.progress("learning", _turns_to_read(memory, session), hidden=call.json) as advance:

            def progress(_session: str, turns: int) -> None:
                nonlocal done
                done += turns
                advance(done)

            report = verb.call(memory, arguments, progress=progress)
        if not report.sessions and not report.failed and not report.entries:
            call.note(_nothing_to_learn(memory))
        return answer(call, verb, memory, report)


def _nothing_to_learn(memory: Memory) -> str:
    open_ones = [each for each in memory.sessions(_ALL_SESSIONS) if each.is_open]
    unread = [each for each in open_ones if each.learned_at is None or each.last_at > each.learned_at]
    if not unread:
        return "nothing to learn: no session has unread turns"
    name = shlex.quote(unread[0].name)
    more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
    return (
        f"nothing to learn: session {unread[0].name}{more} is unread but still open; "
        f"`omoide learn --session {name}` reads it now, `omoide end {name}` ends it"
    )


def _turns_to_read(memory: Memory, session: str | None) -> int:
    """The total of the bar. A session that was partly read counts whole, so the bar may end early."""
    chosen = [memory.session(session)] if session is not None else memory.sessions(_ALL_SESSIONS)
    return sum(each.episode_count for each in chosen if session is not None or each.learning == "pending")


def get(call: Call, verb: Verb, arguments: Arguments) -> Answer:
    with call.open_for(verb) as memory:
        seen = verb.for_reader(memory, arguments)
        return Answer(documents.memory_with_history(seen, arguments["id"]), load(verb.view))


# ── forget ────────────────────────────────────────────────────────────────────────────────────────────────────────


def forget(call: Call, verb: Verb, arguments: Arguments, *, yes: Yes = False) -> Answer:
    only_preview = arguments.pop("preview", False)
    asks = sys.stdin.isatty() and not call.json
    given = [f"--{name}" if name != "id" else "ID" for name in _WAYS if name in arguments]
    if len(given) != 1:
        ways = "one or more IDs, --session, --entity, --query, --origin or --before"
        raise InvalidInput(f"forget takes exactly one of {ways}, got {' and '.join(given) or 'none'}")
    with call.open(embedder="query" in arguments) as memory:
        if only_preview or not yes:
            found = verb.call(memory, arguments, preview=True)
            if not (only_preview or asks):
                raise InvalidInput("forgetting cannot be undone; look with --preview, then confirm with --yes")
            shown = Answer(documents.document_of(verb, memory, found), load("view_admin.preview"))
            if only_preview:
                return shown
            output.say(shown, as_json=False)
            if not typer.confirm("Erase this for good?"):
                return Answer({"erased": False}, lambda _: "nothing was erased")
        return answer(call, verb, memory, verb.call(memory, arguments))


# ── graph ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def entity(call: Call, verb: Verb, arguments: Arguments, *, limit: Lines = 20) -> Answer:
    with call.open_for(verb) as memory:
        seen = verb.for_reader(memory, arguments)
        return Answer(documents.profile(seen, verb.call(memory, arguments), limit), load(verb.view))


def suggest_links(call: Call, verb: Verb, arguments: Arguments, *, accept: Accept = None) -> Answer:
    with call.open_for(verb) as memory:
        pending = embed_pending(call, memory)
        found = verb.call(memory, arguments)
        chosen = [each for each in found if each.target in (accept or ())]
        made = [memory.graph.link(each.source, each.target, each.relation) for each in chosen]
    if not found:
        call.note("it resembles no memory that it is not linked to already")
    document = {"suggestions": serialise(found), "made": serialise(made), "pending_embeddings": pending}
    return Answer(document, load(verb.view))


def add_to_graph(call: Call, verb: Verb, arguments: Arguments, *, page: GraphJson = None) -> Answer:
    if page is not None:
        try:
            given = json.loads(read_text(page))
            arguments |= {name: given[name] for name in given.keys() & {"entities", "relations"}}
        except (ValueError, AttributeError) as error:
            raise InvalidInput(f"expected a JSON object with entities and relations ({error})") from None
    return run_verb(call, verb, arguments)


# ── narrative ─────────────────────────────────────────────────────────────────────────────────────────────────────


def export_continuity(call: Call, verb: Verb, arguments: Arguments, *, page: Page = None) -> Answer:
    """Also reads what others wrote around our part of the page, so that nothing added by hand is lost."""
    before = _page(page) if page is not None and page.exists() else ""
    with call.open(embedder="goal" in arguments, create=True) as memory:
        taken = memory.narrative.import_continuity(before) if before.strip() else []
        made = verb.call(memory, {"page": before, **arguments})
    if page is not None and made != before:
        page.write_text(made, "utf-8")
    file = None if page is None else str(page)
    document = {"file": file, "changed": made != before, "memories": serialise(taken), "page": made}
    return Answer(document, load(verb.view))


def import_continuity(call: Call, verb: Verb, arguments: Arguments, *, page: ReadPage) -> Answer:
    return run_verb(call, verb, {"page": _page(page)})


def _page(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not UTF-8: {error}") from error


# Steps of a task: each command reopens the task by its id, so that a shell script can record one.


OUTCOMES = ("success", "failure", "partial")

TaskId = Annotated[int, typer.Argument(metavar="TASK", help="The id that `tasks start` printed.", show_default=False)]
ActionName = Annotated[str, typer.Argument(metavar="ACTION", help="Such as run_test.", show_default=False)]
Target = Annotated[str | None, typer.Option("--target", help="What it was done to.")]
Result = Annotated[str | None, typer.Option("--result", help="What came of it.")]
Failure = Annotated[str | None, typer.Option("--error", help="What went wrong in it.")]
ErrorType = Annotated[str, typer.Argument(metavar="TYPE", help="Such as TypeError.", show_default=False)]
Message = Annotated[str, typer.Argument(metavar="MESSAGE", help="What it said.")]
Resolution = Annotated[str | None, typer.Option("--resolution", help="What helped.")]
Helped = Annotated[str, typer.Argument(metavar="RESOLUTION", help="What helped against the last error.")]
Outcome = Annotated[str, typer.Option("--outcome", metavar="|".join(OUTCOMES), help="How it ended.")]
Why = Annotated[str | None, typer.Option("--why", help="Why it failed, or what is missing.")]
Commit = Annotated[str | None, typer.Option("--commit", metavar="HASH", help="The commit it ended in.")]
Artifacts = Annotated[
    list[str] | None, typer.Option("--artifact", metavar="PATH", help="A file it made. May be repeated.")
]
Used = Annotated[
    list[int] | None, typer.Option("--used", metavar="ID", help="A procedure or skill it followed. May be repeated.")
]


def action(
    call: Call, task: TaskId, action: ActionName, target: Target = None, result: Result = None, error: Failure = None
) -> Answer:
    """Record something that was done in a task.

    \b
    Examples:
      omoide tasks action 7 run_test --result fail --error "missing return type"
    """
    with call.open() as memory:
        memory.tasks.resume(task).action(action, target=target, result=result, error=error)
        return _shown(memory, task)


def error(call: Call, task: TaskId, type: ErrorType, message: Message = "", resolution: Resolution = None) -> Answer:
    """Record an error that a task met.

    \b
    Examples:
      omoide tasks error 7 TypeError "x is undefined"
    """
    with call.open() as memory:
        memory.tasks.resume(task).error(type, message, resolution=resolution)
        return _shown(memory, task)


def resolve(call: Call, task: TaskId, resolution: Helped) -> Answer:
    """Record what resolved the last error of a task.

    \b
    Examples:
      omoide tasks resolve 7 "check for undefined first"
    """
    with call.open() as memory:
        memory.tasks.resume(task).resolve(resolution)
        return _shown(memory, task)


def finish(
    call: Call,
    task: TaskId,
    outcome: Outcome = "success",
    why: Why = None,
    commit: Commit = None,
    artifact: Artifacts = None,
    used: Used = None,
) -> Answer:
    """Finish a task. The memories that it was given are credited with its outcome.

    \b
    Examples:
      omoide tasks finish 7 --outcome failure --why "the disk is full"
    """
    from omoide.memory.task import end_task

    if outcome not in OUTCOMES:
        raise InvalidInput(f"outcome: expected success, failure or partial, got {outcome!r}")
    with call.open() as memory:
        running = memory.tasks.resume(task)
        if artifact:
            running.artifact(*artifact)
        for id in used or ():
            running.use(id)
        end_task(running, outcome, why, commit)
        return _shown(memory, task)


def _shown(memory: Any, task: int) -> Answer:
    return Answer(serialise(memory.tasks.resume(task).trace), load("view_knowledge.task"))
