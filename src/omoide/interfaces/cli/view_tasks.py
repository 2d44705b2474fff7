"""How people see tasks, lessons, ledgers, handoffs and skills."""

from __future__ import annotations

from typing import Any

from omoide.interfaces.cli.tables import (
    SEPARATOR,
    Document,
    cell,
    columns,
    counted,
    flat,
    line,
    pairs,
    time,
    title,
)

_BARS = "▁▂▃▄▅▆▇█"
_BAR_WIDTH = 20  # characters of a full bar


def task(trace: Document) -> str:
    names = (("action_log", "action"), ("errors_encountered", "error"))
    counts = [counted(len(trace[name]), noun) for name, noun in names if trace[name]]
    return f"[id:{trace['id']}] {SEPARATOR.join([trace['outcome'], *counts])}  {flat(trace['goal'])}"


def tasks(found: Document) -> str:
    return "\n".join(map(task, found["tasks"]))


def trace(found: Document) -> Any:
    """A task with its actions and errors."""
    from rich.console import Group

    names = ("task_id", "agent", "phase", "task_type", "constraints", "files_involved", "duration_seconds")
    lines: list[Any] = [line((task(found), "bold")), pairs((name, found[name]) for name in names)]
    for heading, name in (("Actions", "action_log"), ("Errors", "errors_encountered")):
        if found[name]:
            lines += [title(heading), *(line((_step(each), ""), clip=False) for each in found[name])]
    lines.append(pairs((name, found[name]) for name in ("artifacts_produced", "git_commit")))
    return Group(*lines)


def _step(entry: Document) -> str:
    return "  ".join(f"{value}s" if name == "t" else flat(str(value)) for name, value in entry.items() if value)


def credit(found: Document) -> Any:
    table = columns("verdict", "tasks", "rate", "between", "usual", "id", "kind", "text")
    for each in found["credit"]:
        node = each["node"]
        between = f"{each['low']:.2f}–{each['high']:.2f}"
        figures = (each["verdict"], str(each["tasks"]), f"{each['rate']:.2f}", between, f"{each['usual']:.2f}")
        table.add_row(*figures, str(node["id"]), node["kind"], line((flat(node["text"]), "")))
    return table


def efficiency(found: Document) -> Any:
    if not found["types"]:
        return "no task ended in these days"
    table = columns("type", "tasks", "success", "", "time", "errors", "retries", "by day")
    for each in found["types"]:
        rate = each["success_rate"]
        share = "" if rate is None else f"{rate:.0%}"
        bar = "" if rate is None else "█" * round(rate * _BAR_WIDTH)
        took = "" if each["seconds"] is None else f"{each['seconds']:,.0f} s"
        figures = (share, bar, took, f"{each['errors']:.1f}", f"{each['retries']:.1f}", sparkline(each["by_day"]))
        table.add_row(cell(each["type"]), str(each["tasks"]), *figures)
    return table


def sparkline(counts: list[int]) -> str:
    """One bar per day."""
    most = max(counts, default=0)
    return "".join("·" if not each else _BARS[min(7, (each * 8 - 1) // most)] for each in counts)


# ── lessons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def binding(found: Document) -> str:
    trigger = ", ".join(f"{name} {value}" for name, value in found["trigger"].items() if value)
    return f"[id:{found['node_id']}] bound to {trigger}"


def bindings(found: Document) -> str:
    return "\n".join(f"{binding(each)} (binding {each['id']})" for each in found["bindings"])


def unbound(found: Document) -> str:
    return f"{found['removed']} removed"


def lessons(found: Document) -> str:
    return "\n".join(
        f"[id:{each['node']['id']}] {flat(each['node']['text'])}  ({each['why']})" for each in found["lessons"]
    )


# ── ledgers and handoffs ──────────────────────────────────────────────────────────────────────────────────────────


def ledger(found: Document) -> str:
    goal = found["context"].get("current_goal")
    about = [found["current_task"] or "no task", f"{found['tasks_completed']} done", time(found["last_checkpoint"])]
    return f"{found['agent_id']}  {SEPARATOR.join(about)}" + (f"  {flat(str(goal))}" if goal else "")


def ledgers(found: Document) -> str:
    return "\n".join(map(ledger, found["ledgers"]))


def checkpoints(found: Document) -> str:
    return "\n".join(map(ledger, found["checkpoints"]))


def handoff(node: Document) -> str:
    taken = f"{SEPARATOR}accepted by {node['accepted_by'] or 'somebody'}" if node["accepted_at"] else ""
    ends = f"{node['from_agent'] or 'somebody'} → {node['to_agent'] or 'anybody'}"
    return f"[id:{node['id']}] {ends}{taken}  {flat(node['what_was_done'] or node['text'])}"


def handoffs(found: Document) -> str:
    return "\n".join(map(handoff, found["handoffs"]))


# ── skills ────────────────────────────────────────────────────────────────────────────────────────────────────────


def skills(found: Document) -> str:
    return "\n".join(map(_skill, found["skills"]))


def _skill(hit: Document) -> str:
    node = hit["node"]
    went = f"{node['success_count']} worked, {node['failure_count']} failed"
    return f"[id:{hit['id']}] {hit['kind']}  {flat(node['name'] or node['text'])}  {went}"


def imported_skills(found: Document) -> str:
    return "\n".join(
        f"[id:{each['node']['id']}] {each['status']}  {each['node']['name']}"
        if each["node"]
        else f"{each['status']}  {each['path']}"
        for each in found["skills"]
    )


def files(found: Document) -> str:
    return "\n".join(found["files"])
