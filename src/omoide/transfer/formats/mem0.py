"""mem0: what get_all() and its exports give, a list of memories or {"results": […]}. Seen: 0.1, and the platform's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from omoide.transfer.item import Format, Held, Item, Skipped, Tie, fingerprint
from omoide.transfer.source import Page
from omoide.transfer.stream import elements
from omoide.transfer.value import first, listed, moment, name, names, record, words

_WHO = ("user_id", "agent_id", "app_id", "run_id", "actor_id")


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        for number, found in elements(page):
            where = f"{page.name}, memory {number}"
            inside = next(
                (found[key] for key in ("results", "memories", "data") if isinstance(record(found).get(key), list)),
                None,
            )
            if inside is None:
                yield _memory(found, where)
                continue
            for nth, each in enumerate(inside, 1):
                yield _memory(each, f"{page.name}, memory {nth}")
            for nth, each in enumerate(listed(found.get("relations")), 1):
                yield _relation(record(each), f"{page.name}, relation {nth}")


def _memory(given: Any, where: str) -> Item:
    text = words(first(record(given), "memory", "data", "text", "content"))
    if not isinstance(given, Mapping) or not text:
        return Skipped(reason="no memory in it", where=where)
    metadata = record(given.get("metadata"))
    who = {field: given[field] for field in _WHO if given.get(field)}
    return Held(
        text=text,
        where=where,
        key=f"mem0:{name(given.get('id')) or fingerprint(text, who)}",
        kind="fact",
        at=moment(first(given, "created_at", "updated_at")),
        tags=names(first(given, "categories") or metadata.get("category")),
        details={**who, **({"metadata": dict(metadata)} if metadata else {})} or None,
    )


def _relation(given: Mapping[str, Any], where: str) -> Item:
    source, type, target = (
        name(first(given, *fields))
        for fields in (("source", "source_node"), ("relationship", "relation", "type"), ("target", "destination"))
    )
    if not source or not type or not target:
        return Skipped(reason="a relation without its ends", where=where)
    return Tie(source=source, type=type, target=target, where=where)


FORMAT = Format("mem0", "mem0's exports", lambda name: name.endswith(".json"), _read)
