"""How a page looks: pure functions from records to Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo

from omoide.layers import Entity, Node, Relation

_LATEST = 500  # lines of a timeline; what came before stands on the pages of the days
_SHORT = 300  # characters of a line
_FILE = 60
_SIGNS = re.compile(r"[^\w]+")
_TAG = re.compile(r"[^\w/\-]+")
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])")  # would be HTML to whoever shows the page


def files(names: Sequence[tuple[int, str]]) -> dict[int, str]:
    """A file name for each entity: its own, with its id where two look alike."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for id, name in names:
        slug = _SIGNS.sub("-", name).strip("-_").casefold()[:_FILE].strip("-") or str(id)
        file = slug if slug not in taken else f"{slug}-{id}"
        taken.add(file)
        found[id] = file
    return found


def entity(
    entity: Entity,
    nodes: Sequence[Node],
    relations: Sequence[Relation],
    names: Mapping[int, str],
    zone: tzinfo | None,
    shared: bool,
) -> str:
    """A page: what is known, what was, how it is related, what happened. Shared ones leave out what is told of it in
    general: nobody knows from what that was made."""
    known = [node for node in nodes if not _happened(node) and node.state == "live"]
    past = [node for node in nodes if not _happened(node) and node.state != "live"]
    told = [each for each in (entity.description, entity.summary) if each and not shared]
    aliases = ", ".join(_quoted(each) for each in entity.aliases)
    rows = _front(
        title=_quoted(entity.name),
        type=entity.type,
        permalink=f"entities/{names[entity.id]}",
        omoide="entity",
        **({"aliases": f"[{aliases}]"} if aliases and not shared else {}),
    )
    rows += [f"# {_line(entity.name)}", "", *(part for each in told for part in (_line(each), ""))]
    rows += _section("Facts", [_known(node, zone) for node in known])
    rows += _section("Earlier", [f"- ~~{_line(node.text)}~~ · {_date(node.event_at, zone)}" for node in past])
    rows += _section("Relations", [_related(each) for each in relations if each.source_id == entity.id])
    rows += _section(
        "Related from",
        [_from(each, names) for each in relations if each.target_id == entity.id and each.source_id in names],
    )
    rows += _section("Timeline", _timeline([node for node in nodes if _happened(node)], zone))
    return "\n".join(rows).rstrip() + "\n"


def day(day: str, nodes: Sequence[Node], zone: tzinfo | None) -> str:
    """What was said and done on a day, session by session, the summaries before it."""
    rows = [*_front(title=day, type="day", permalink=f"days/{day}", omoide="day"), f"# {day}", ""]
    summaries = [node for node in nodes if getattr(node, "compression", None) not in (None, "raw")]
    rows += _section("Summaries", [f"- {_line(node.text)}" for node in summaries])
    session: str | None = ""
    for node in nodes:
        if node in summaries:
            continue
        if node.session != session:
            session = node.session
            rows += [f"## {_line(session or 'Outside of a session')}", ""]
        rows += [f"**{_clock(node.event_at, zone)} {_line(_who(node))}**", ""]
        rows += [*(f"> {_safe(line)}".rstrip() for line in node.text.splitlines()), ""]
    return "\n".join(rows).rstrip() + "\n"


def index(files: Mapping[int, str], names: Mapping[int, str], days: Sequence[str]) -> str:
    rows = [*_front(title="Index", type="index", permalink="index", omoide="index"), "# Index", ""]
    named = sorted((names.get(id, file).casefold(), names.get(id, file), file) for id, file in files.items())
    rows += _section("Entities", [f"- [{_label(name)}](entities/{file}.md)" for _, name, file in named])
    rows += _section("Days", [f"- [{each}](days/{each}.md)" for each in sorted(days, reverse=True)])
    return "\n".join(rows).rstrip() + "\n"


def _happened(node: Node) -> bool:
    return node.kind in ("episode", "narrative", "handoff")


def _front(**fields: str) -> list[str]:
    return ["---", *(f"{name}: {value}" for name, value in fields.items()), "---", ""]


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""] if lines else []


def _known(node: Node, zone: tzinfo | None) -> str:
    tags = "".join(f" #{_TAG.sub('-', tag).strip('-')}" for tag in node.tags if _TAG.sub("", tag))
    return f"- [{node.kind}] {_line(node.text)}{tags} ({_date(node.valid_from or node.event_at, zone)}, {node.origin})"


def _related(relation: Relation) -> str:
    return f"- {_line(relation.type)} [[{_label(relation.target)}]]"


def _from(relation: Relation, names: Mapping[int, str]) -> str:
    return f"- [{_label(relation.source)}]({names[relation.source_id]}.md) · {_line(relation.type)}"


def _timeline(nodes: Sequence[Node], zone: tzinfo | None) -> list[str]:
    shown = nodes[-_LATEST:]
    rows = [f"{len(nodes) - len(shown):,} earlier ones stand on the pages of their days."] * (len(nodes) > len(shown))
    for node in shown:
        on = _date(node.event_at, zone)
        words = _line(node.text)
        words = words if len(words) <= _SHORT else words[: _SHORT - 1] + "…"
        rows.append(f"- [{on}](../days/{on}.md) {_clock(node.event_at, zone)} · {_line(_who(node))}: {words}")
    return rows


def _who(node: Node) -> str:
    role = node.role or node.origin
    return f"{node.speaker} ({role})" if node.speaker else role


def _date(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).date().isoformat()


def _clock(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).strftime("%H:%M")


def _line(text: str) -> str:
    return _safe(" ".join(text.split()))


def _safe(text: str) -> str:
    return _MARKUP.sub(r"\\<", text)


def _label(text: str) -> str:
    return " ".join(re.sub(r"[\[\]|#()]", " ", _line(text)).split())


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f"'{words}'" if '"' in words else f'"{words}"'
