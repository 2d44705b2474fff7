"""How people see what was learned: reports, entities, relations and links; tasks, lessons, handoffs and skills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from omoide.interfaces.cli.output import (
    SEPARATOR,
    Document,
    change_line,
    counted,
    day,
    flat,
    group,
    line,
    lines_of,
    node_line,
    pairs,
    printable,
    table,
    time,
    title,
)
from omoide.interfaces.cli.view_memories import called, versions, who, with_numbers

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

# In the order of the report: what is new, what it changed, what was not taken.
_VERBS = ("learned", "confirmed", "superseded", "ended", "contradicted", "linked", "refused")
_ENTITY_FIELDS = {
    "aliases": "aliases",
    "description": "description",
    "summary": "summary",
    "attributes": "fields",
    "importance": "importance",
    "mention_count": "mentions",
    "first_seen_at": "first seen",
    "last_referenced_at": "last seen",
}
_BARS = "▁▂▃▄▅▆▇█"
_BAR_WIDTH = 20  # characters of a full bar


# ── learn, explain, uncertain ─────────────────────────────────────────────────────────────────────────────────────


def report(found: Document) -> RenderableType | list[RenderableType]:
    """How much was read, then what came of it, grouped by verb."""
    if not found["sessions"] and not found["failed"] and not found["entries"]:
        return ""
    counts = [f"{found['counts'][verb]:,} {verb}" for verb in _VERBS if verb in found["counts"]]
    read = f"{counted(found['turns'], 'turn')} of {counted(len(found['sessions']), 'session')}"
    read = read if found["sessions"] or found["failed"] else "tasks"
    lines: list[RenderableType] = [line((read, "bold"), (f": {', '.join(counts) or 'nothing new'}", ""))]
    for verb in _VERBS:
        entries = [each for each in found["entries"] if each["verb"] == verb]
        lines += group(verb.capitalize(), [_entry(each) for each in entries])
    failed = [line((name, "bold"), (f" stays pending: {why}", "red")) for name, why in found["failed"].items()]
    return [*lines, *group("Failed", failed)]


def _entry(entry: Document) -> Text:
    """An entry, followed by the words it rests on or the reason it was refused."""
    number = f"[id:{entry['id']}] " if entry["id"] is not None else ""
    why = f" — {flat(entry['why'])}" if entry["why"] else ""
    return line((number, "bold"), (f"{entry['kind']}  ", "cyan"), (flat(entry["text"]), ""), (why, "dim"))


def explained(found: Document) -> list[RenderableType]:
    """The memory, its evidence, its versions, what contradicts it, what it mentions, its changes."""
    from rich.text import Text

    node = found["node"]
    first, today = (f"{round(each, 2):g}" for each in (node["confidence"], found["confidence_today"]))
    confidence = f"confidence {first}" if first == today else f"confidence {first}, today {today}"
    marks = [node["kind"], node["state"], f"{node['source_type']} by {node['origin']}", confidence]
    parts: list[RenderableType] = [
        line((f"[id:{node['id']}]", "bold"), (f" {SEPARATOR.join(marks)}", "cyan")),
        Text(printable(node["text"])),
    ]
    parts += group("Evidence", [_evidence(each) for each in found["evidence"]])
    if len(found["chain"]) > 1:
        chain = [node_line(each, f"{_span(each, 'now')}{SEPARATOR}{each['state']}") for each in found["chain"]]
        parts += group("Versions", chain)
    against = [node_line(each, f"{each['kind']}{SEPARATOR}{_span(each)}") for each in found["against"]]
    parts += group("Contradicted by", against)
    if found["entities"]:
        parts += group("Mentions", [line((", ".join(_name(each) for each in found["entities"]), ""))])
    parts += _entity_changes(found)
    return [*parts, *group("Changes", [change_line(each) for each in found["changes"]])]


def _evidence(evidence: Document) -> Text:
    episode = evidence["episode"]
    who = episode["speaker"] or episode["role"] or episode["origin"]
    words = flat(evidence["words"] or episode["text"])
    return line((f"[id:{episode['id']}]", "bold"), (f" {day(episode['event_at'])} {who}: ", "cyan"), (f"“{words}”", ""))


def history(found: Document) -> list[RenderableType]:
    """Versions of a memory or of an entity's facts, and what happened to the entity itself."""
    return [*versions(found), *_entity_changes(found)]


def uncertain(found: Document) -> RenderableType:
    def row(each: Document) -> tuple[str | Text, ...]:
        node = each["node"]
        against = " ".join(f"[id:{id}]" for id in each["contradicts"])
        figures = (str(node["id"]), node["kind"], f"{each['confidence_today']:.2f}", against)
        return (*figures, line((flat(node["text"]), "")))

    made = table(("id", "kind", "today", "contradicts", "text"), map(row, found["uncertain"]))
    return with_numbers(made, (0, 2))


contradictions = lines_of("contradictions", lambda each: f"{_node(each['one'])}\n  contradicts {_node(each['other'])}")


def decided(found: Document) -> str:
    return f"{found['outcome']}: {_proposal(found)}"


def _proposal(asked: Document) -> str:
    new = flat(asked["text"]) if asked["text"] is not None else f"fields {flat(str(asked['attributes']))}"
    return f"{asked['id']}: {_node(asked['node'])}\n  {asked['origin']} would {asked['verb']} it to: {new}"


proposals = lines_of("proposals", _proposal)


# ── entities ──────────────────────────────────────────────────────────────────────────────────────────────────────


def entities(found: Document) -> RenderableType:
    rows = (
        (each["name"], each["type"], str(each["mention_count"]), f"{each['last_referenced_at']:%Y-%m-%d}")
        for each in found["entities"]
    )
    return table(("name", "type", "mentions", "last seen"), rows)


def profile(found: Document) -> list[RenderableType]:
    """An entity, its relations, what is known of it, and its timeline."""
    entity = found["entity"]
    own = {name: value for name, value in entity["attributes"].items() if name != "summary_of"}  # our own bookkeeping
    about = pairs((label, (entity | {"attributes": own})[field]) for field, label in _ENTITY_FIELDS.items())
    parts: list[RenderableType] = [line((entity["name"], "bold"), (f" {entity['type']}", "cyan")), about]
    parts += group("Relations", [line((related(each), "")) for each in found["relations"]])
    parts += group("Known", [_known(each) for each in found["known"]])
    if found["timeline"]:
        earlier = [line((f"… {found['earlier']:,} earlier", "dim"))] if found["earlier"] else []
        parts += [title("Timeline"), *earlier, *timeline(found)]
    return [*parts, *_entity_changes(found)]


def timeline(found: Document) -> list[RenderableType]:
    return [_on_timeline(each) for each in found["timeline"]]


def named(entity: Document) -> str:
    """An entity in one line."""
    also = f"{SEPARATOR}also {', '.join(entity['aliases'])}" if entity["aliases"] else ""
    return f"{_name(entity)}{also}{SEPARATOR}{counted(entity['mention_count'], 'mention')}"


def _entity_changes(found: Document) -> Iterator[RenderableType]:
    lines = [line((f"{time(each['at'])}  ", "cyan"), (each["text"], "")) for each in found["entity_changes"]]
    return group("Merged and split", lines)


def _known(node: Document) -> Text:
    return node_line(node, more=f"  since {day(node['valid_from'])}" if node["valid_from"] else "")


def _on_timeline(node: Document) -> Text:
    state = f" ({node['state']})" if node["state"] != "live" else ""
    head = ((f"{_span(node)}  ", "cyan"), (f"[id:{node['id']}]", "bold"), (f" {node['kind']}{state}  ", "dim"))
    return line(*head, (f"{who(node)}{flat(node['text'])}", ""))


# ── relations, links, the whole graph ─────────────────────────────────────────────────────────────────────────────


def related(relation: Document) -> str:
    return f"{relation['source']} {relation['type']} {relation['target']}"


def unrelated(relation: Document) -> str:
    return f"{relation['source']} no longer {relation['type']} {relation['target']}"


def linked(edge: Document) -> str:
    return f"[id:{edge['source_id']}] {called(edge)} [id:{edge['target_id']}]"


relations = lines_of("relations", related)
links = lines_of("links", linked)
unlinked = lines_of("removed", lambda each: f"no longer: {linked(each)}")


def neighbours(found: Document) -> str:
    listed = found.get("neighbours") or found.get("backlinks") or []
    return "\n".join(f"{each['relation']}  {_node(each['node'])}" for each in listed)


def suggestions(found: Document) -> str:
    if found["made"]:
        return "\n".join(map(linked, found["made"]))
    return "\n".join(f"{each['relation']}  {_node(each['node'])}  ({each['why']})" for each in found["suggestions"])


def graph(found: Document) -> str:
    lines = []
    for entity in found["entities"]:
        lines.append(f"{entity['name']} ({entity['type']})")
        lines += [f"  [id:{each['id']}] {each['text']}" for each in entity["observations"]]
    return "\n".join([*lines, *map(related, found["relations"])])


def removed(found: Document) -> str:
    return f"removed: {', '.join(found['removed']) or 'observations only'}"


def _node(node: Document) -> str:
    return f"[id:{node['id']}] {flat(node['text'])}"


def _name(entity: Document) -> str:
    return f"{entity['name']} ({entity['type']})"


def _span(node: Document, still: str = "") -> str:
    """From when to when it was true; of what goes on, when it began."""
    known = node["valid_from"] or not node["valid_until"] or node["event_at"] <= node["valid_until"]
    begun = day(node["valid_from"] or node["event_at"]) if known else "?"
    end = day(node["valid_until"]) if node["valid_until"] else still
    return f"{begun} → {end}" if end else begun


# ── tasks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def task(trace: Document) -> str:
    names = (("action_log", "action"), ("errors_encountered", "error"))
    counts = [counted(len(trace[name]), noun) for name, noun in names if trace[name]]
    return f"[id:{trace['id']}] {SEPARATOR.join([trace['outcome'], *counts])}  {flat(trace['goal'])}"


tasks = lines_of("tasks", task)


def trace(found: Document) -> list[RenderableType]:
    """A task with its actions and errors."""
    names = ("task_id", "agent", "phase", "task_type", "constraints", "files_involved", "duration_seconds")
    lines: list[RenderableType] = [line((task(found), "bold")), pairs((name, found[name]) for name in names)]
    for heading, name in (("Actions", "action_log"), ("Errors", "errors_encountered")):
        if found[name]:
            lines += [title(heading), *(line((_step(each), ""), clip=False) for each in found[name])]
    return [*lines, pairs((name, found[name]) for name in ("artifacts_produced", "git_commit"))]


def _step(entry: Document) -> str:
    return "  ".join(f"{value}s" if name == "t" else flat(str(value)) for name, value in entry.items() if value)


def credit(found: Document) -> RenderableType:
    def row(each: Document) -> tuple[str | Text, ...]:
        between = f"{each['low']:.2f}–{each['high']:.2f}"
        figures = (each["verdict"], str(each["tasks"]), f"{each['rate']:.2f}", between, f"{each['usual']:.2f}")
        return (*figures, str(each["node"]["id"]), each["node"]["kind"], line((flat(each["node"]["text"]), "")))

    names = ("verdict", "tasks", "rate", "between", "usual", "id", "kind", "text")
    return table(names, map(row, found["credit"]))


def efficiency(found: Document) -> RenderableType:
    def row(each: Document) -> tuple[str, ...]:
        rate = each["success_rate"]
        share, bar = ("", "") if rate is None else (f"{rate:.0%}", "█" * round(rate * _BAR_WIDTH))
        took = "" if each["seconds"] is None else f"{each['seconds']:,.0f} s"
        figures = (share, bar, took, f"{each['errors']:.1f}", f"{each['retries']:.1f}", sparkline(each["by_day"]))
        return each["type"], str(each["tasks"]), *figures

    if not found["types"]:
        return "no task ended in these days"
    return table(("type", "tasks", "success", "", "time", "errors", "retries", "by day"), map(row, found["types"]))


def sparkline(counts: list[int]) -> str:
    """One bar per day."""
    most = max(counts, default=0)
    return "".join("·" if not each else _BARS[min(7, (each * 8 - 1) // most)] for each in counts)


def binding(found: Document) -> str:
    trigger = ", ".join(f"{name} {value}" for name, value in found["trigger"].items() if value)
    return f"[id:{found['node_id']}] bound to {trigger}"


bindings = lines_of("bindings", lambda each: f"{binding(each)} (binding {each['id']})")
lessons = lines_of("lessons", lambda each: f"[id:{each['node']['id']}] {flat(each['node']['text'])}  ({each['why']})")


def unbound(found: Document) -> str:
    return f"{found['removed']} removed"


def ledger(found: Document) -> str:
    goal = found["context"].get("current_goal")
    about = [found["current_task"] or "no task", f"{found['tasks_completed']} done", time(found["last_checkpoint"])]
    return f"{found['agent_id']}  {SEPARATOR.join(about)}" + (f"  {flat(str(goal))}" if goal else "")


def handoff(node: Document) -> str:
    taken = f"{SEPARATOR}accepted by {node['accepted_by'] or 'somebody'}" if node["accepted_at"] else ""
    ends = f"{node['from_agent'] or 'somebody'} → {node['to_agent'] or 'anybody'}"
    return f"[id:{node['id']}] {ends}{taken}  {flat(node['what_was_done'] or node['text'])}"


def _skill(hit: Document) -> str:
    node = hit["node"]
    went = f"{node['success_count']} worked, {node['failure_count']} failed"
    return f"[id:{hit['id']}] {hit['kind']}  {flat(node['name'] or node['text'])}  {went}"


def _imported_skill(each: Document) -> str:
    node = each["node"]
    return f"[id:{node['id']}] {each['status']}  {node['name']}" if node else f"{each['status']}  {each['path']}"


ledgers = lines_of("ledgers", ledger)
checkpoints = lines_of("checkpoints", ledger)
handoffs = lines_of("handoffs", handoff)
skills = lines_of("skills", _skill)
imported_skills = lines_of("skills", _imported_skill)
files = lines_of("files", str)
