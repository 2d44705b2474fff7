"""How people see what was learned: the report, what a memory rests on, what is doubtful, who somebody is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from omoide.history import EntityChange
from omoide.interfaces.cli.output import printable
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
from omoide.interfaces.cli.view import related, versions
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_MOST = 20  # lines of one group: what a screen holds
# In the order of the report: what is new, what it did to what was known, what was not taken.
_VERBS = ("learned", "confirmed", "superseded", "ended", "contradicted", "linked", "refused")


# ── learn ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def report(found: Document) -> RenderableType:
    """How much was read, then what came of it, one group for each verb."""
    from rich.console import Group

    if not found["sessions"] and not found["failed"] and not found["entries"]:
        return ""
    counts = [f"{found['counts'][verb]:,} {verb}" for verb in _VERBS if verb in found["counts"]]
    read = f"{counted(found['turns'], 'turn')} of {counted(len(found['sessions']), 'session')}"
    read = read if found["sessions"] or found["failed"] else "tasks"
    lines: list[RenderableType] = [line((read, "bold"), (f": {', '.join(counts) or 'nothing new'}", ""))]
    for verb in _VERBS:
        entries = [each for each in found["entries"] if each["verb"] == verb]
        lines += _group(verb.capitalize(), [_entry(each) for each in entries])
    failed = [line((name, "bold"), (f" stays pending: {why}", "red")) for name, why in found["failed"].items()]
    return Group(*lines, *_group("Failed", failed))


def _entry(entry: Document) -> Text:
    """The words it rests on stand behind it; of what was refused, the reason does."""
    number = f"[id:{entry['id']}] " if entry["id"] is not None else ""
    why = f" — {flat(entry['why'])}" if entry["why"] else ""
    return line((number, "bold"), (f"{entry['kind']}  ", "cyan"), (flat(entry["text"]), ""), (why, "dim"))


# ── explain ───────────────────────────────────────────────────────────────────────────────────────────────────────


def explained(found: Document) -> RenderableType:
    """The memory, whose words it rests on, what it replaced and when, what stands against it, what became of it."""
    from rich.console import Group
    from rich.text import Text

    node = found["node"]
    marks = [node["kind"], node["state"], f"{node['source_type']} by {node['origin']}", _sure(found)]
    parts: list[RenderableType] = [
        line((f"[id:{node['id']}]", "bold"), (f" {APART.join(marks)}", "cyan")),
        Text(printable(node["text"])),
    ]
    parts += _group("Rests on", [_said(each) for each in found["evidence"]])
    if len(found["chain"]) > 1:
        parts += _group("Versions", [_version(each) for each in found["chain"]])
    parts += _group("Against it", [_node(each) for each in found["against"]])
    if found["entities"]:
        parts += _group("Speaks of", [line((", ".join(_name(each) for each in found["entities"]), ""))])
    parts += _became(found["became"])
    parts += _group("Changes", [changed(each) for each in found["changes"]])
    return Group(*parts)


def _said(evidence: Document) -> Text:
    episode = evidence["episode"]
    who = episode["speaker"] or episode["role"] or episode["origin"]
    words = flat(evidence["words"] or episode["text"])
    return line((f"[id:{episode['id']}]", "bold"), (f" {day(episode['event_at'])} {who}: ", "cyan"), (f"“{words}”", ""))


def _version(node: Document) -> Text:
    about = f" {_span(node, 'now')}{APART}{node['state']}  "
    return line((f"[id:{node['id']}]", "bold"), (about, "cyan"), (flat(node["text"]), ""))


def _sure(found: Document) -> str:
    """How sure we were when it was told, and how sure we still are."""
    first, today = f"{found['node']['confidence']:.2g}", f"{found['confidence_today']:.2g}"
    return f"confidence {first}" if first == today else f"confidence {first}, today {today}"


# ── weak ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def weak(found: Document) -> RenderableType:
    table = columns("id", "kind", "today", "against", "text")
    for place in (0, 2):
        table.columns[place].justify = "right"
    table.columns[-1].no_wrap = True
    table.columns[-1].overflow = "ellipsis"
    for each in found["weak"]:
        node = each["node"]
        against = " ".join(f"[id:{id}]" for id in each["contradicts"])
        row = (str(node["id"]), node["kind"], f"{each['confidence_today']:.2f}", against)
        table.add_row(*(cell(value) for value in row), line((flat(node["text"]), "")))
    return table if found["weak"] else ""


# ── entity ────────────────────────────────────────────────────────────────────────────────────────────────────────


def profile(found: Document) -> RenderableType:
    """Who or what it is, how it is related, what is known of it, and its timeline."""
    from rich.console import Group

    about = found["entity"]
    parts: list[RenderableType] = [line((about["name"], "bold"), (f" {about['type']}", "cyan")), _about(about)]
    parts += _group("Relations", [line((related(each), "")) for each in found["relations"]])
    parts += _group("Known", [_known(each) for each in found["known"]])
    dated = [line((f"{_span(each)}  ", "cyan"), *_words(each)) for each in found["timeline"]]
    earlier = found["earlier"]
    if dated:
        before = [line((f"… {earlier:,} earlier", "dim"))] if earlier else []
        parts += [title("Timeline"), *before, *dated]
    parts += _became(found["became"])
    return Group(*parts)


def lived(found: Document) -> RenderableType:
    """The facts of an entity, and what became of the entity itself."""
    from rich.console import Group

    return Group(versions(found), *_became(found["became"]))


def document_of(told: Iterable[object]) -> list[Document]:
    """What became of entities, each with its line in words."""
    return [{**document(each), "text": str(each)} for each in told if isinstance(each, EntityChange)]


def _became(lines: list[Document]) -> Iterator[RenderableType]:
    return _group("Merged and split", [line((f"{time(each['at'])}  ", "cyan"), (each["text"], "")) for each in lines])


def named(entity: Document) -> str:
    """An entity in one line, after it was merged or split."""
    also = f"{APART}also {', '.join(entity['aliases'])}" if entity["aliases"] else ""
    return f"{_name(entity)}{also}{APART}{counted(entity['mention_count'], 'mention')}"


def _about(entity: Document) -> RenderableType:
    names = {
        "aliases": "aliases",
        "description": "description",
        "summary": "summary",
        "attributes": "fields",
        "importance": "importance",
        "mention_count": "mentions",
        "first_seen_at": "first seen",
        "last_referenced_at": "last seen",
    }
    told = {name: value for name, value in entity["attributes"].items() if name != "summary_of"}  # our own bookkeeping
    return pairs((name, (entity | {"attributes": told})[field]) for field, name in names.items())


def _known(node: Document) -> Text:
    since = f"  since {day(node['valid_from'])}" if node["valid_from"] else ""
    return line(
        (f"[id:{node['id']}]", "bold"), (f" {node['kind']}  ", "cyan"), (flat(node["text"]), ""), (since, "dim")
    )


# ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _group(name: str, lines: list[Text]) -> Iterator[RenderableType]:
    """A title and its lines; nothing where there are none."""
    if lines:
        yield title(name)
        yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield line((f"… and {len(lines) - _MOST:,} more", "dim"))


def _node(node: Document) -> Text:
    return line(
        (f"[id:{node['id']}]", "bold"), (f" {node['kind']}{APART}{_span(node)}  ", "cyan"), (flat(node["text"]), "")
    )


def _words(node: Document) -> tuple[tuple[str, str], ...]:
    who = f"{node['speaker'] or node['role'] or node['origin']}: " if node["kind"] == "episode" else ""
    gone = f" ({node['state']})" if node["state"] != "live" else ""
    return (f"[id:{node['id']}]", "bold"), (f" {node['kind']}{gone}  ", "dim"), (f"{who}{flat(node['text'])}", "")


def _name(entity: Document) -> str:
    return f"{entity['name']} ({entity['type']})"


def _span(node: Document, still: str = "") -> str:
    """From when to when it was so; of what goes on, when it began."""
    known = node["valid_from"] or not node["valid_until"] or node["event_at"] <= node["valid_until"]
    begun = day(node["valid_from"] or node["event_at"]) if known else "?"
    end = day(node["valid_until"]) if node["valid_until"] else still
    return f"{begun} → {end}" if end else begun
