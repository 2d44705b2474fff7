"""learn, explain, weak and outcome: from what was said to what is known, and what that rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.clock import system_clock, to_datetime
from omoide.interfaces.cli import known, options, view
from omoide.interfaces.cli.output import Answer, progress
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from omoide.memory import Memory

_ALL = 1_000_000_000

OneSession = Annotated[
    str | None, typer.Option("--session", metavar="NAME", help="Only this conversation, also while it goes on.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")]
Below = Annotated[float | None, typer.Option("--below", metavar="0..1", help="How little confidence is weak.")]
Outcome = Annotated[str, typer.Argument(metavar="OUTCOME", help="success, failure or partial.", show_default=False)]


@verb
def learn(call: Call, session: OneSession = None) -> Answer:
    """Learn from every conversation that is over: facts, people, wishes, how-tos. Exit code 1 if one of them failed.

    Example: omoide learn

    Example: omoide learn --session s1
    """
    with call.open() as memory:
        done = 0
        with progress("learning", _to_read(memory, session), hidden=call.json) as so_far:

            def count(_session: str, turns: int) -> None:
                nonlocal done
                done += turns
                so_far(done)

            report = memory.learn(session, progress=count)
    if not report.sessions and not report.failed and not report.entries:
        call.note("nothing to learn: no conversation is over and unread; `omoide end SESSION` closes one")
    found = {**document(report), "counts": report.counts}
    return Answer(found, known.report, exit_code=1 if report.failed else 0)


@verb
def explain(call: Call, id: options.Id) -> Answer:
    """Why we believe a memory: whose words it rests on, what it replaced and when, what stands against it.

    Example: omoide explain 7
    """
    with call.open() as memory:
        why = memory.explain(id)
        chain = [*why.supersedes[::-1], id, *why.superseded_by]
        found = {
            **document(why),
            "became": known.document_of(why.entity_changes),
            "confidence_today": why.confidence,
            "chain": [document(memory.get(each)) for each in chain],
            "against": [document(memory.get(each)) for each in why.contradicts],
        }
        return Answer(found, known.explained)


@verb
def weak(call: Call, limit: Limit = 20, below: Below = None) -> Answer:
    """What we are least sure of today, or what contradicts something else: worth confirming or correcting.

    Example: omoide weak --below 0.4
    """
    with call.open() as memory:
        found = memory.review.uncertain(limit) if below is None else memory.review.uncertain(limit, below=below)
        rows = [_weak(memory, node) for node in found]
    if not rows:
        call.note("nothing is weak")
    return Answer({"weak": rows}, known.weak)


@verb
def outcome(call: Call, id: options.Id, outcome: Outcome) -> Answer:
    """Say how it went when a procedure or skill was used; its confidence and its counts follow.

    Example: omoide outcome 7 success
    """
    with call.open() as memory:
        return Answer(document(memory.tasks.outcome(id, outcome)), view.used)  # type: ignore[arg-type]  # Memory checks it


def _to_read(memory: Memory, session: str | None) -> int:
    """Turns, for the bar. A conversation that was partly learned from counts whole: the bar ends early then."""
    chosen = [memory.session(session)] if session is not None else memory.sessions(_ALL)
    return sum(each.episode_count for each in chosen if session is not None or each.learning == "pending")


def _weak(memory: Memory, node: Any) -> dict[str, Any]:
    against = memory.explain(node.id).contradicts
    return {"node": document(node), "confidence_today": _today(node), "contradicts": against}


def _today(node: Any) -> float:
    return float(node.effective_confidence(to_datetime(system_clock())))
