"""How people see each document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from omoide.interfaces.cli.output import can_print, printable
from omoide.interfaces.cli.parts import (
    APART,
    Document,
    cell,
    changed,
    columns,
    counted,
    day,
    flat,
    line,
    pairs,
    time,
    title,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_ECHO = 60  # characters of a text that was just given: enough to know it again


# ── one line ──────────────────────────────────────────────────────────────────────────────────────────────────────


def saved(node: Document) -> str:
    """What became of a memory that was written or judged. Plain, since loading rich takes longer than the writing."""
    marks = [node["kind"]]
    if node["state"] != "live":
        marks.append(node["state"])
    if node["confidence"] < 1:
        marks.append(f"confidence {node['confidence']:.2g}")
    if node["score"]:
        marks.append(f"score {node['score']}")
    if node["confirmed_at"]:
        marks.append("confirmed")
    text = flat(node["text"])
    return f"[id:{node['id']}] {APART.join(marks)}  {text if len(text) <= _ECHO else text[:_ECHO] + '…'}"


def used(node: Document) -> str:
    """A procedure or skill, and how it went so far."""
    went = f"{node['success_count']} worked, {node['failure_count']} failed"
    return f"{saved(node)}{APART}{went}"


def observed(found: Document) -> str:
    left_out = f", {found['forgotten']:,} left out: forgotten on request" if found["forgotten"] else ""
    return f"{found['observed']:,} observed{left_out}"


def linked(edge: Document) -> str:
    called = f" ({edge['predicate']})" if edge["predicate"] else ""
    return f"[id:{edge['source_id']}] {edge['type']}{called} [id:{edge['target_id']}]"


def related(relation: Document) -> str:
    return f"{relation['source']} {relation['type']} {relation['target']}"


def ended(session: Document) -> str:
    return f"{session['name']} ended {time(session['ended_at'])}{APART}{counted(session['episode_count'], 'episode')}"


def flushed(found: Document) -> str:
    return f"{found['embedded']:,} embedded, {found['vectors']:,} vectors in all"


def markdown(pack: Document) -> str:
    return str(pack["markdown"])


# ── several ───────────────────────────────────────────────────────────────────────────────────────────────────────


def recalled(found: Document) -> RenderableType:
    """Numbered hits, the reason beneath each; with a trace, how they were found."""
    from rich.console import Group

    lines: list[RenderableType] = []
    for number, hit in enumerate(found["hits"], 1):
        about = f" {hit['kind']}{APART}{day(hit['node']['event_at'])}  "
        head = ((f"{number:>2}. ", ""), (f"[id:{hit['id']}]", "bold"), (about, "cyan"))
        lines.append(line(*head, (flat(hit["text"]), "")))
        lines.append(line((f"    {hit['why']}", "dim")))
    if trace := found.get("trace"):
        lines += _trace(trace)
    for each in found.get("why_not", ()):
        lines.append(title(f"[id:{each['id']}] {flat(each['text'])}"))
        lines += [line((f"    {fate}", "")) for fate in each["fate"]]
    return Group(*lines)


def shown(found: Document) -> RenderableType:
    """The text, the fields that say something, the links, the history."""
    from rich.console import Group
    from rich.text import Text

    node = found["node"]
    if f"{node['confidence']:.2g}" != (today := f"{found['confidence_today']:.2g}"):
        node = node | {"confidence": f"{node['confidence']:g}, today {today}"}
    parts: list[RenderableType] = [
        line((f"[id:{node['id']}]", "bold"), (f" {node['kind']}{APART}{node['state']}", "cyan")),
        Text(printable(node["text"])),
        pairs((name, value) for name, value in node.items() if name not in ("id", "kind", "state", "text")),
    ]
    if found["links"]:
        parts += [title("Links"), *(_link(edge, node["id"]) for edge in found["links"])]
    parts += [title("History"), versions({"versions": found["history"]})]
    return Group(*parts)


def versions(found: Document) -> RenderableType:
    from rich.console import Group

    lines: list[RenderableType] = []
    for version in found["versions"]:
        node = version["node"]
        head = f" {time(node['recorded_at'])}{APART}{node['state']}  "
        lines.append(line((f"[id:{node['id']}]", "bold"), (head, "cyan"), (flat(node["text"]), "")))
        lines += [changed(change, "    ") for change in version["changes"]]
    return Group(*lines)


def sessions(found: Document) -> RenderableType:
    table = columns("session", "channel", "episodes", "from", "to", "state", "summary")
    for each in found["sessions"]:
        state = each["learning"] if each["ended_at"] else "open"
        state = f"{state}: {flat(each['learn_error'])}" if each["learn_error"] else state
        span = (time(each["started_at"]), time(each["last_at"]))
        row = (each["name"], each["channel"] or "", str(each["episode_count"]), *span, state, each["summary"] or "")
        table.add_row(*(cell(value) for value in row))
    return table if found["sessions"] else ""


def said(found: Document) -> str:
    return "\n".join(
        f"{time(each['event_at'])}  {_who(each)}: {flat(each['text'])} [id:{each['id']}]" for each in found["turns"]
    )


def _who(turn: Document) -> str:
    return str(turn["speaker"] or turn["role"] or turn["origin"])


def stats(found: Document) -> RenderableType:
    size = f"{found['bytes'] / 1e6:,.1f} MB"
    return pairs([*((name, value) for name, value in found.items() if name != "bytes"), ("size", size)])


def findings(found: Document) -> RenderableType:
    from rich.console import Group

    good, bad = ("✓", "✗") if can_print("✓✗") else ("ok ", "BAD")
    lines: list[RenderableType] = []
    for each in found["findings"]:
        fine = each["ok"] or each["repaired"]
        mended = " (repaired)" if each["repaired"] else ""
        mark = (good, "green") if fine else (bad, "red")
        lines.append(line(mark, (f" {each['check']}: ", "bold"), (f"{each['detail']}{mended}", ""), clip=False))
    return Group(*lines)


# ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _trace(trace: Document) -> Iterable[RenderableType]:
    table = columns("stage", "ms", "note")
    for step in trace["steps"]:
        table.add_row(cell(step["stage"]), cell(f"{step['milliseconds']:.2f}"), cell(step["note"]))
    yield title(f"How ({trace['milliseconds']:.1f} ms)")
    yield table
    if trace["considered"]:
        yield title("Ranks, stage by stage")
        yield _ranks(trace)
    if trace["dropped"]:
        yield title("Dropped")
        for each in trace["dropped"]:
            yield line((f"[id:{each['id']}]", "bold"), (f" {each['reason']}", ""))


def _ranks(trace: Document) -> Table:
    """A row a candidate, a column a stage that handed some on: its rank there, a dot where it was not."""
    stages = [step for step in trace["steps"] if step["candidates"]]
    places = [{each["id"]: rank for rank, each in enumerate(step["candidates"], 1)} for step in stages]
    table = columns("id", *(step["stage"] for step in stages), "text")
    for column in table.columns[1:-1]:
        column.justify = "right"
    table.columns[-1].no_wrap = True
    table.columns[-1].overflow = "ellipsis"
    for each in trace["considered"]:
        ranks = (str(place.get(each["id"], "·")) for place in places)
        table.add_row(f"{each['id']}", *ranks, line((flat(each["text"]), "")))
    return table


def _link(edge: Document, here: int) -> Text:
    there = edge["target_id"] if edge["source_id"] == here else edge["source_id"]
    arrow = "→" if edge["source_id"] == here else "←"
    called = f" ({edge['predicate']})" if edge["predicate"] else ""
    return line((f"{arrow} {edge['type']}{called} ", ""), (f"[id:{there}]", "bold"))
