"""ledger, handoff and efficiency: where agents stand, what they pass on, what their tasks take."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omoide.interfaces.cli import options
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import APART, Document, cell, columns, flat, time
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 20  # characters of a full bar

Agent = Annotated[str | None, typer.Argument(metavar="AGENT", help="Whose; without it, everybody's.")]
Named = Annotated[str, typer.Argument(metavar="AGENT", help="Who.", show_default=False)]
Task = Annotated[str | None, typer.Option("--task", metavar="NAME", help="What it is at; an empty name means nothing.")]
State = Annotated[str | None, typer.Option("--state", metavar="JSON", help="Files modified, last commit …")]
Context = Annotated[str | None, typer.Option("--context", metavar="JSON", help="Tech stack, current goal …")]
Completed = Annotated[int, typer.Option("--completed", metavar="N", help="So many tasks more are done.")]
History = Annotated[int, typer.Option("--history", metavar="N", help="So many checkpoints, the latest first.")]
Done = Annotated[str, typer.Argument(metavar="WHAT", help="What was done; - reads standard input.")]
To = Annotated[str | None, typer.Option("--to", metavar="AGENT", help="For whom: a name, qa-*, or whoever accepts.")]
From = Annotated[str | None, typer.Option("--from", metavar="AGENT", help="From whom.")]
Artifacts = Annotated[list[str] | None, typer.Option("--artifact", metavar="PATH", help="May be repeated.")]
Git = Annotated[str | None, typer.Option("--git", metavar="TEXT", help="Such as commit abc123.")]
Testing = Annotated[list[str] | None, typer.Option("--test", metavar="TEXT", help="What needs testing; repeatable.")]
Issues = Annotated[list[str] | None, typer.Option("--issue", metavar="TEXT", help="A known issue; repeatable.")]
Patterns = Annotated[list[str] | None, typer.Option("--pattern", metavar="ID", help="A relevant pattern; repeatable.")]
All = Annotated[bool, typer.Option("--all", help="Those that were accepted too.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="How many at most.")]
Days = Annotated[int, typer.Option("--days", min=1, metavar="N", help="How many days back.")]

handoffs = typer.Typer(help="Pass work on: send, list, accept.", no_args_is_help=True, rich_markup_mode="rich")


@verb
def ledger(
    call: Call,
    agent: Agent = None,
    task: Task = None,
    state: State = None,
    context: Context = None,
    completed: Completed = 0,
    history: History = 0,
) -> Answer:
    """Where an agent stands; with options, a checkpoint.

    Example: omoide ledger eng-001

    Example: omoide ledger eng-001 --task task-042 --completed 1 --context '{"current_goal": "CRUD for todos"}'
    """
    writes = agent is not None and (task is not None or state is not None or context is not None or completed > 0)
    with call.open(create=writes) as memory:
        if agent is None:
            return Answer({"ledgers": document(memory.tasks.ledgers())}, _ledgers)
        if writes:
            memory.tasks.checkpoint(
                agent,
                task=task,
                state=options.details(state),
                context=options.details(context),
                completed=completed,
            )
        found: dict[str, Any] = {"ledgers": document([memory.tasks.ledger(agent)])}
        if history:
            found["history"] = document(memory.tasks.checkpoints(agent, history))
        return Answer(found, _ledgers)


@verb
def send(
    call: Call,
    what: Done,
    to: To = None,
    from_: From = None,
    artifact: Artifacts = None,
    git: Git = None,
    test: Testing = None,
    issue: Issues = None,
    pattern: Patterns = None,
    key: options.Key = None,
) -> Answer:
    """Pass work on to another agent.

    Example: omoide handoff send "Implemented POST /api/todos" --from eng-001 --to "qa-*" --test "contract tests"
    """
    with call.open(create=True) as memory:
        node = memory.tasks.handoff(
            what_was_done=options.words(what),
            to=to,
            from_=from_,
            artifacts=artifact or (),
            git_state=git,
            needs_testing=test or (),
            known_issues=issue or (),
            relevant_patterns=pattern or (),
            key=key,
        )
        return Answer(document(node), _handoff)


@verb
def list_(call: Call, agent: Agent = None, all: All = False, limit: Limit = 20) -> Answer:
    """Handoffs that wait to be accepted, by anybody or by an agent.

    Example: omoide handoff list qa-001
    """
    with call.open() as memory:
        found = memory.tasks.handoffs(agent, open=not all, limit=limit)
    if not found:
        call.note("nothing waits to be accepted")
    return Answer({"handoffs": document(found)}, lambda page: "\n".join(map(_handoff, page["handoffs"])))


@verb
def accept(call: Call, id: options.Id, agent: Named) -> Answer:
    """Go on with what was handed over. Of two agents at once exactly one has it.

    Example: omoide handoff accept 7 qa-001
    """
    with call.open() as memory:
        return Answer(document(memory.tasks.accept_handoff(id, agent)), _handoff)


for _name, _verb in {"send": send, "list": list_, "accept": accept}.items():
    handoffs.command(_name)(_verb)


@verb
def efficiency(call: Call, days: Days = 7) -> Answer:
    """What tasks took, by type: time, errors, second tries, outcome.

    Example: omoide efficiency --days 30
    """
    with call.open() as memory:
        found = memory.tasks.efficiency(days)
    if not found:
        call.note(f"no task ended in the last {days} days")
    rates = [{**document(each), "success_rate": each.success_rate} for each in found]
    return Answer({"days": days, "types": rates}, _figures)


def _ledgers(found: Document) -> str:
    lines = [_standing(each) for each in found["ledgers"]]
    lines += [f"  {_standing(each)}" for each in found.get("history", ())]
    return "\n".join(lines)


def _standing(held: Document) -> str:
    goal = held["context"].get("current_goal")
    said = [held["current_task"] or "no task", f"{held['tasks_completed']} done", time(held["last_checkpoint"])]
    return f"{held['agent_id']}  {APART.join(said)}" + (f"  {flat(str(goal))}" if goal else "")


def _handoff(node: Document) -> str:
    taken = f"{APART}accepted by {node['accepted_by'] or 'somebody'}" if node["accepted_at"] else ""
    ends = f"{node['from_agent'] or 'somebody'} → {node['to_agent'] or 'whoever accepts'}"
    return f"[id:{node['id']}] {ends}{taken}  {flat(node['what_was_done'] or node['text'])}"


def _figures(found: Document) -> Any:
    if not found["types"]:
        return ""
    table = columns("type", "tasks", "success", "", "time", "errors", "retries", f"last {found['days']} days")
    for each in found["types"]:
        rate = each["success_rate"]
        share = "" if rate is None else f"{rate:.0%}"
        bar = "" if rate is None else "█" * round(rate * _WIDTH)
        took = "" if each["seconds"] is None else f"{each['seconds']:,.0f} s"
        figures = (share, bar, took, f"{each['errors']:.1f}", f"{each['retries']:.1f}", spark(each["by_day"]))
        table.add_row(cell(each["type"]), str(each["tasks"]), *figures)
    return table


def spark(counts: list[int]) -> str:
    """A bar a day."""
    most = max(counts, default=0)
    return "".join("·" if not each else _BARS[min(7, (each * 8 - 1) // most)] for each in counts)
