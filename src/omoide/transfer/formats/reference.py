"""The MCP reference memory server's memory.json or memory.jsonl: entities with observations, and relations.

Seen: the lines it writes since 2024, and the one document that read_graph gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.layers.entity import ENTITY_TYPES
from omoide.transfer.item import Format, Held, Item, Skipped, Thing, Tie, fingerprint, titled
from omoide.transfer.source import Page
from omoide.transfer.stream import lines, whole
from omoide.transfer.value import first, listed, moment, name, record, words

_TYPES = {each: each for each in ENTITY_TYPES} | {
    "location": "place",
    "city": "place",
    "country": "place",
    "company": "organization",
    "organisation": "organization",
    "team": "organization",
    "human": "person",
    "user": "person",
    "technology": "tool",
    "library": "tool",
    "software": "tool",
}


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for where, found in _records(page):
            match found:
                case Skipped():
                    yield found
                case {"type": "relation"}:
                    yield _relation(found, where)
                case {"type": "entity"}:
                    yield from _entity(found, where)
                case _:
                    yield Skipped(reason="neither an entity nor a relation", where=where)


def _records(page: Page) -> Iterator[tuple[str, Any]]:
    """Relations behind their entities, as the server writes them."""
    if is_graph(page):
        graph = record(whole(page))
        for kind, field in (("entity", "entities"), ("relation", "relations")):
            for number, each in enumerate(listed(graph.get(field)), 1):
                yield f"{page.name}, {kind} {number}", {**record(each), "type": kind}
        return
    for number, found, wrong in lines(page):
        where = f"{page.name}, line {number}"
        yield where, Skipped(reason=wrong, where=where) if wrong else found


def is_graph(page: Page) -> bool:
    """One document, not lines of them."""
    head = page.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    return b'"entities"' in head and b'"type"' not in head.split(b'"entities"')[0]


def entity_type(given: Any) -> str:
    return _TYPES.get((name(given) or "").casefold(), "other")


def _entity(given: Mapping[str, Any], where: str) -> Iterator[Item]:
    called = name(given.get("name"))
    if not called:
        yield Skipped(reason="an entity without a name", where=where)
        return
    kind = name(first(given, "entityType", "entity_type"))
    yield Thing(name=called, where=where, type=entity_type(kind), attributes={"entityType": kind} if kind else {})
    for each in listed(given.get("observations")):
        told = words(each) or words(first(record(each), "content", "text"))
        if not told:
            yield Skipped(reason="an empty observation", where=where)
            continue
        yield Held(
            text=titled(called, told),
            where=where,
            key=f"mcp:{fingerprint(called, told)}",
            kind="fact",
            about=(called,),
            at=moment(first(record(each), "timestamp", "created_at")),
            details={"observation": told},
        )


def _relation(given: Mapping[str, Any], where: str) -> Item:
    source, type, target = (name(given.get(field)) for field in ("from", "relationType", "to"))
    if not source or not type or not target:
        return Skipped(reason="a relation without its ends", where=where)
    return Tie(source=source, type=type, target=target, where=where)


FORMAT = Format(
    "mcp", "the MCP reference memory server's file", lambda name: name.endswith(("memory.json", "memory.jsonl")), _read
)
