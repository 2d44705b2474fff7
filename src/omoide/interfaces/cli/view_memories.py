"""How people see memories, sessions, documents and narratives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from omoide.interfaces.cli.output import (
    SEPARATOR,
    Document,
    change_line,
    counted,
    day,
    flat,
    line,
    lines_of,
    node_line,
    pairs,
    printable,
    table,
    time,
    title,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_WRITTEN = {"superseded": "replaces", "ended": "ends", "contradicted": "contradicts", "proposed": "waits as proposal"}
_ECHO = 60  # characters of a text that was just given: enough to recognise it


# ── one line ──────────────────────────────────────────────────────────────────────────────────────────────────────


def saved(node: Document) -> str:
    """A memory that was written or judged. A plain string, because loading rich takes longer than writing."""
    marks = [node["kind"]]
    if node["state"] != "live":
        marks.append(node["state"])
    if node["confidence"] < 1:
        marks.append(f"confidence {round(node['confidence'], 2):g}")
    if node["score"]:
        marks.append(f"score {node['score']}")
    if node["confirmed_at"]:
        marks.append("confirmed")
    if (written := node.get("written")) and written["others"]:
        mark = "" if written["verb"] == "proposed" else "id:"
        marks.append(_WRITTEN[written["verb"]] + ", ".join(f" [{mark}{id}]" for id in written["others"]))
    text = flat(node["text"])
    return f"[id:{node['id']}] {SEPARATOR.join(marks)}  {text if len(text) <= _ECHO else text[:_ECHO] + '…'}"


def used(node: Document) -> str:
    """A procedure or skill, and how often it worked."""
    return f"{saved(node)}{SEPARATOR}{node['success_count']} worked, {node['failure_count']} failed"


def observed(found: Document) -> str:
    left_out = f", {found['erased']:,} left out: erased on request" if found["erased"] else ""
    return f"{found['observed']:,} observed{left_out}"


def ended(session: Document) -> str:
    episodes = counted(session["episode_count"], "episode")
    return f"{session['name']} ended {time(session['ended_at'])}{SEPARATOR}{episodes}"


def flushed(found: Document) -> str:
    return f"{found['embedded']:,} embedded, {found['vectors']:,} vectors in all"


def markdown(found: Document) -> str:
    return str(found["markdown"]).rstrip("\n")


def text(found: Document) -> str:
    return str(found["text"])


def fields(found: Any) -> RenderableType:
    """The names and values of any document."""
    return pairs(found.items())


several = lines_of("memories", saved)


def agenda(found: Document) -> list[RenderableType]:
    """The entries by day, with their state where it is not "coming"."""
    lines: list[RenderableType] = []
    for entry in found["entries"]:
        moved = f" to {day(entry['moved_to'])}" if entry["moved_to"] else ""
        state = "" if entry["state"] == "coming" else f"{SEPARATOR}{entry['state']}{moved}"
        head = ((f"{entry['when']}{state}  ", "cyan"), (f"[id:{entry['id']}] ", "bold"))
        lines.append(line(*head, (flat(entry["text"]), "dim" if state else "")))
    return lines


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def recalled(found: Document) -> list[RenderableType]:
    """Numbered hits with the reason beneath each; with a trace, how they were found."""
    lines: list[RenderableType] = []
    for number, hit in enumerate(found["hits"], 1):
        about = f" {hit['kind']}{SEPARATOR}{day(hit['node']['event_at'])}  "
        head = ((f"{number:>2}. ", ""), (f"[id:{hit['id']}]", "bold"), (about, "cyan"))
        lines.append(line(*head, (flat(hit["text"]), "")))
        lines.append(line((f"    {hit['why']}", "dim")))
    if trace := found.get("trace"):
        lines += _trace(trace)
    for each in found.get("why_not", ()):
        lines.append(title(f"[id:{each['id']}]"))
        lines += [line((f"    {fate}", "")) for fate in each["fate"]]
    return lines


def listed(found: Document) -> list[RenderableType]:
    """A page of memories, one line each, and the cursor of the next page."""
    lines: list[RenderableType] = []
    for node in found["memories"]:
        state = f"{SEPARATOR}{node['state']}" if node["state"] != "live" else ""
        head = f"{time(node['event_at'])}  [id:{node['id']}] {node['kind']}{state}  "
        lines.append(line((head, "cyan"), (f"{who(node)}{flat(node['text'])}", "")))
    if found["next_cursor"]:
        lines.append(line((f"next page: --cursor {found['next_cursor']}", "dim")))
    return lines


def who(node: Document) -> str:
    """Whose turn it is."""
    return f"{node['speaker'] or node['role'] or node['origin']}: " if node["kind"] == "episode" else ""


def memory(found: Document) -> list[RenderableType]:
    """The text, the fields that have a value, the links, the history."""
    from rich.text import Text

    node = found["node"]
    held, today = (round(each, 2) for each in (node["confidence"], found["confidence_today"]))
    if held != today:
        node = node | {"confidence": f"{held:g}, today {today:g}"}
    parts: list[RenderableType] = [
        line((f"[id:{node['id']}]", "bold"), (f" {node['kind']}{SEPARATOR}{node['state']}", "cyan")),
        Text(printable(node["text"])),
        pairs((name, value) for name, value in node.items() if name not in ("id", "kind", "state", "text")),
    ]
    if found["links"]:
        parts += [title("Links"), *(_link(edge, node["id"]) for edge in found["links"])]
    return [*parts, title("History"), *versions({"versions": found["history"]})]


def versions(found: Document) -> list[RenderableType]:
    lines: list[RenderableType] = []
    for version in found["versions"]:
        node = version["node"]
        lines.append(node_line(node, f"{time(node['recorded_at'])}{SEPARATOR}{node['state']}"))
        lines += [change_line(change, "    ") for change in version["changes"]]
        if version["ended_by"]:
            lines.append(line(("    ended by ", "cyan"), (f"“{flat(version['ended_by'])}”", "")))
    return lines


def stats(found: Document) -> RenderableType:
    size = f"{found['bytes'] / 1e6:,.1f} MB"
    return pairs([*((name, value) for name, value in found.items() if name != "bytes"), ("size", size)])


def _link(edge: Document, here: int) -> Text:
    there = edge["target_id"] if edge["source_id"] == here else edge["source_id"]
    arrow = "→" if edge["source_id"] == here else "←"
    return line((f"{arrow} {called(edge)} ", ""), (f"[id:{there}]", "bold"))


def called(edge: Document) -> str:
    return f"{edge['type']} ({edge['predicate']})" if edge["predicate"] else str(edge["type"])


def _trace(trace: Document) -> Iterator[RenderableType]:
    yield title(f"Stages ({trace['milliseconds']:.1f} ms)")
    steps = ((step["stage"], f"{step['milliseconds']:.2f}", step["note"]) for step in trace["steps"])
    yield table(("stage", "ms", "note"), steps)
    if trace["considered"]:
        yield title("Ranks, stage by stage")
        yield _ranks(trace)
    if trace["dropped"]:
        yield title("Dropped")
        for each in trace["dropped"]:
            yield line((f"[id:{each['id']}]", "bold"), (f" {each['reason']}", ""))


def _ranks(trace: Document) -> Table:
    """A row per candidate, a column per stage: its rank there, a dot where it was not among the candidates."""
    stages = [step for step in trace["steps"] if step["candidates"]]
    ranks = [{each["id"]: rank for rank, each in enumerate(step["candidates"], 1)} for step in stages]
    rows: list[list[str | Text]] = []
    for each in trace["considered"]:
        places = (str(rank.get(each["id"], "·")) for rank in ranks)
        rows.append([f"{each['id']}", *places, line((flat(each["text"]), ""))])
    made = table(("id", *(step["stage"] for step in stages), "text"), rows)
    return with_numbers(made, range(1, len(stages) + 1))


def with_numbers(made: Table, columns: range | tuple[int, ...]) -> Table:
    """Numbers stand to the right; the last column is a text, which is cut and not folded."""
    for index in columns:
        made.columns[index].justify = "right"
    made.columns[-1].no_wrap = True
    made.columns[-1].overflow = "ellipsis"
    return made


# ── sessions, documents, narratives ───────────────────────────────────────────────────────────────────────────────


def sessions(found: Document) -> RenderableType:
    def row(each: Document) -> tuple[str, ...]:
        state = each["learning"] if each["ended_at"] else "open"
        state = f"{state}: {flat(each['learn_error'])}" if each["learn_error"] else state
        span = (time(each["started_at"]), time(each["last_at"]))
        about = (each["name"], each["channel"] or "", str(each["episode_count"]))
        return (*about, *span, state, each["summary"] or "")

    names = ("session", "channel", "episodes", "from", "to", "state", "summary")
    return table(names, map(row, found["sessions"]))


def session(found: Document) -> RenderableType:
    return sessions({"sessions": [found]})


documents = lines_of("documents", lambda each: f"{each['title']}: {saved(each)}")


def narrative(found: Document) -> str:
    return saved(found["narrative"])


def passage(found: Document) -> RenderableType:
    """The narrative that a memory belongs to, between its neighbours."""
    passage = found["passage"]
    chain = [passage["next"], passage["narrative"], passage["previous"]]
    return narratives({"narratives": [each for each in chain if each is not None]})


def narratives(found: Document) -> RenderableType:
    def row(each: Document) -> Iterator[Text]:
        about = (f"[id:{each['id']}]", day(each["event_at"]), each["session"] or "", each["topic"] or "")
        return (line((value, "")) for value in (*about, flat(each["text"])))

    return table(("id", "day", "session", "topic", "narrative"), map(row, found["narratives"]))
