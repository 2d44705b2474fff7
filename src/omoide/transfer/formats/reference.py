"""The MCP reference memory server's memory.json or memory.jsonl: entities with observations, and relations.

Seen: the lines it writes since 2024, and the one document that read_graph gives. What it calls by a name or observes
stays word for word, so that the graph we show is the one it would.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.layers.entity import ENTITY_TYPES
from omoide.transfer.item import Format, Held, Item, Skipped, Thing, Tie, fingerprint
from omoide.transfer.source import Page
from omoide.transfer.stream import lines, whole
from omoide.transfer.value import first, listed, moment, name, record, words

GIVEN_TYPE = "entity_type"  # where the graph keeps the word for what a thing is, as it was given
_LONGEST = 200  # characters of a name
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
    called = _named(given.get("name"))
    if not called:
        yield Skipped(reason="an entity without a name", where=where)
        return
    kind = _named(first(given, "entityType", "entity_type")) or "other"
    yield Thing(name=called, where=where, type=entity_type(kind), attributes={GIVEN_TYPE: kind})
    for each in listed(given.get("observations")):
        told = _verbatim(each) or _verbatim(first(record(each), "content", "text"))
        if not told:
            yield Skipped(reason="an empty observation", where=where)
            continue
        yield Held(
            text=told,
            where=where,
            key=f"mcp:{fingerprint(called, told)}",
            kind="fact",
            about=(called,),
            subject=called,
            at=moment(first(record(each), "timestamp", "created_at")),
            details={"observation": fingerprint(told)},  # two that are alike stay two
        )


def _relation(given: Mapping[str, Any], where: str) -> Item:
    source, type, target = (_named(given.get(field)) for field in ("from", "relationType", "to"))
    if not source or not type or not target:
        return Skipped(reason="a relation without its ends", where=where)
    return Tie(source=source, type=type, target=target, where=where)


def _verbatim(value: Any) -> str:
    """As it stands there, blanks too, as far as our file can hold it."""
    return value if isinstance(value, str) and value.strip() == words(value) != "" else words(value)


def _named(value: Any) -> str | None:
    found = _verbatim(value)
    return found if 0 < len(found) <= _LONGEST else name(value)


FORMAT = Format(
    "mcp", "the MCP reference memory server's file", lambda name: name.endswith(("memory.json", "memory.jsonl")), _read
)
