"""How people see each document: lines and plain tables, clipped at the edge of the terminal and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.interfaces.cli.output import can_print, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

Document = dict[str, Any]
_APART = " · "
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
    text = _flat(node["text"])
    return f"[id:{node['id']}] {_APART.join(marks)}  {text if len(text) <= _ECHO else text[:_ECHO] + '…'}"


def observed(found: Document) -> str:
    return f"{found['observed']:,} observed"


def linked(edge: Document) -> str:
    called = f" ({edge['predicate']})" if edge["predicate"] else ""
    return f"[id:{edge['source_id']}] {edge['type']}{called} [id:{edge['target_id']}]"


def related(relation: Document) -> str:
    return f"{relation['source']} {relation['type']} {relation['target']}"


def ended(session: Document) -> str:
    return f"{session['name']} ended {_time(session['ended_at'])}{_APART}{session['episode_count']} episodes"


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
        about = f" {hit['kind']}{_APART}{_day(hit['node']['event_at'])}  "
        head = ((f"{number:>2}. ", ""), (f"[id:{hit['id']}]", "bold"), (about, "cyan"))
        lines.append(_line(*head, (_flat(hit["text"]), "")))
        lines.append(_line((f"    {hit['why']}", "dim")))
    if trace := found.get("trace"):
        lines += _trace(trace)
    for each in found.get("why_not", ()):
        lines.append(_title(f"[id:{each['id']}] {_flat(each['text'])}"))
        lines += [_line((f"    {fate}", "")) for fate in each["fate"]]
    return Group(*lines)


def shown(found: Document) -> RenderableType:
    """The text, the fields that say something, the links, the history."""
    from rich.console import Group
    from rich.text import Text

    node = found["node"]
    parts: list[RenderableType] = [
        _line((f"[id:{node['id']}]", "bold"), (f" {node['kind']}{_APART}{node['state']}", "cyan")),
        Text(printable(node["text"])),
        _pairs((name, value) for name, value in node.items() if name not in ("id", "kind", "state", "text")),
    ]
    if found["links"]:
        parts += [_title("Links"), *(_link(edge, node["id"]) for edge in found["links"])]
    parts += [_title("History"), versions({"versions": found["history"]})]
    return Group(*parts)


def versions(found: Document) -> RenderableType:
    from rich.console import Group

    lines: list[RenderableType] = []
    for version in found["versions"]:
        node = version["node"]
        head = f" {_time(node['recorded_at'])}{_APART}{node['state']}  "
        lines.append(_line((f"[id:{node['id']}]", "bold"), (head, "cyan"), (_flat(node["text"]), "")))
        for change in version["changes"]:
            before = f"  before: {_plain(change['before'])}" if change["before"] else ""
            lines.append(_line((f"    {_time(change['at'])} {change['verb']}{before}", "dim")))
    return Group(*lines)


def entity(found: Document) -> RenderableType:
    from rich.console import Group

    about = found["entity"]
    parts: list[RenderableType] = [_line((about["name"], "bold"), (f" {about['type']}", "cyan"))]
    parts.append(_pairs((name, value) for name, value in about.items() if name not in ("name", "type")))
    if found["relations"]:
        parts += [_title("Relations"), *(_line((related(each), "")) for each in found["relations"])]
    return Group(*parts)


def sessions(found: Document) -> RenderableType:
    table = _table("session", "channel", "episodes", "from", "to", "state", "summary")
    for each in found["sessions"]:
        state = each["learning"] if each["ended_at"] else "open"
        span = (_time(each["started_at"]), _time(each["last_at"]))
        row = (each["name"], each["channel"] or "", str(each["episode_count"]), *span, state, each["summary"] or "")
        table.add_row(*(_cell(value) for value in row))
    return table if found["sessions"] else ""


def stats(found: Document) -> RenderableType:
    size = f"{found['bytes'] / 1e6:,.1f} MB"
    return _pairs([*((name, value) for name, value in found.items() if name != "bytes"), ("size", size)])


def findings(found: Document) -> RenderableType:
    from rich.console import Group

    good, bad = ("✓", "✗") if can_print("✓✗") else ("ok ", "BAD")
    lines: list[RenderableType] = []
    for each in found["findings"]:
        fine = each["ok"] or each["repaired"]
        mended = " (repaired)" if each["repaired"] else ""
        mark = (good, "green") if fine else (bad, "red")
        lines.append(_line(mark, (f" {each['check']}: ", "bold"), (f"{each['detail']}{mended}", ""), clip=False))
    return Group(*lines)


# ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _trace(trace: Document) -> Iterable[RenderableType]:
    table = _table("stage", "ms", "note")
    for step in trace["steps"]:
        table.add_row(_cell(step["stage"]), _cell(f"{step['milliseconds']:.2f}"), _cell(step["note"]))
    yield _title(f"How ({trace['milliseconds']:.1f} ms)")
    yield table
    if trace["considered"]:
        yield _title("Ranks, stage by stage")
        yield _ranks(trace)
    if trace["dropped"]:
        yield _title("Dropped")
        for each in trace["dropped"]:
            yield _line((f"[id:{each['id']}]", "bold"), (f" {each['reason']}", ""))


def _ranks(trace: Document) -> Table:
    """A row a candidate, a column a stage that handed some on: its rank there, a dot where it was not."""
    stages = [step for step in trace["steps"] if step["candidates"]]
    places = [{each["id"]: rank for rank, each in enumerate(step["candidates"], 1)} for step in stages]
    table = _table("id", *(step["stage"] for step in stages), "text")
    for column in table.columns[1:-1]:
        column.justify = "right"
    table.columns[-1].no_wrap = True
    table.columns[-1].overflow = "ellipsis"
    for each in trace["considered"]:
        ranks = (str(place.get(each["id"], "·")) for place in places)
        table.add_row(f"{each['id']}", *ranks, _line((_flat(each["text"]), "")))
    return table


def _link(edge: Document, here: int) -> Text:
    there = edge["target_id"] if edge["source_id"] == here else edge["source_id"]
    arrow = "→" if edge["source_id"] == here else "←"
    called = f" ({edge['predicate']})" if edge["predicate"] else ""
    return _line((f"{arrow} {edge['type']}{called} ", ""), (f"[id:{there}]", "bold"))


def _pairs(items: Iterable[tuple[str, Any]]) -> Table:
    """Names and values, without those that are empty."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, value in items:
        if value not in (None, "", [], {}):
            table.add_row(_cell(name.replace("_", " ")), _cell(_plain(value)))
    return table


def _table(*names: str) -> Table:
    from rich.table import Table

    return Table(*names, box=None, header_style="dim", pad_edge=False)


def _line(*parts: tuple[str, str], clip: bool = True) -> Text:
    from rich.text import Text

    clean = [(printable(text), style) for text, style in parts]
    return Text.assemble(*clean, no_wrap=clip, overflow="ellipsis" if clip else "fold")


def _title(words: str) -> Text:
    return _line((f"\n{words}", "bold cyan"))


def _cell(value: str) -> Text:
    return _line((value, ""), clip=False)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _plain(value: Any) -> str:
    """A value in a table, as people write it."""
    match value:
        case datetime():
            return _time(value)
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case dict():
            return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
        case list():
            return ", ".join(_plain(each) for each in value)
        case _:
            return str(value)


def _time(at: datetime) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def _day(at: datetime) -> str:
    return at.astimezone().date().isoformat()
