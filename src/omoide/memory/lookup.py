"""The verbs of `Memory` that look up what is stored: get, list, history, explain, stats and sessions."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from reprlib import repr as shown
from textwrap import shorten
from typing import TYPE_CHECKING, Literal, overload

from omoide.clock import to_datetime, to_micros
from omoide.domain import Node, Session
from omoide.errors import Conflict, InvalidInput
from omoide.history import EntityChange, Evidence, Explanation, Version
from omoide.memory.core import Core, positive
from omoide.memory.read import entity_id, kind_names
from omoide.observe import validate
from omoide.store import Stats
from omoide.store.records.node_queries import LIST_ORDERS, LIST_STATES, Listing

if TYPE_CHECKING:
    from omoide.memory.memory import Memory

_LONGEST_TEXT = 500  # characters of the words to list by
_SHOWN = 10  # memories in the repr of a page
_WIDTH = 100


def get(self: Memory, id: int) -> Node:
    """Return one memory with all its fields, in any state.

    Args:
        id: Id of the memory.

    Returns:
        The memory.

    Raises:
        NotFound: There is no memory with this id, or it was erased.
    """
    return self._core.require(id)


def list_memories(
    self: Memory,
    kinds: Collection[str] | None = None,
    *,
    subject: str | None = None,
    session: str | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    text: str | None = None,
    origin: str | None = None,
    below: float | None = None,
    sensitive: bool | None = None,
    state: Literal["live", "superseded", "archived", "all"] = "live",
    order: Literal["newest", "oldest", "added", "updated", "important"] = "newest",
    limit: int = 50,
    cursor: str | None = None,
) -> MemoryPage:
    """List everything that is known, page by page.

    `items` holds one page; iterating over the result continues through the following pages.

    Args:
        kinds: Only these kinds of memory, such as `fact` or `episode`.
        subject: Only memories that mention the entity of this name.
        session: Only memories of this session.
        since: Only what happened at or after this time.
        until: Only what happened before this time.
        text: Only memories with all of these words; the last one may be unfinished.
        origin: Only memories of this origin, such as `user`, `agent` or `import`.
        below: Only memories with less confidence than this, from 0 to 1.
        sensitive: Only memories that are sensitive, or only those that are not.
        state: `live`, `superseded`, `archived` or `all`.
        order: `newest` or `oldest` by time, `added` as stored, `updated` last first, `important` first.
        limit: Number of memories on a page.
        cursor: The `next_cursor` of the page before.

    Returns:
        A page with `items` and `next_cursor`, which is None on the last page.

    Raises:
        InvalidInput: A parameter has no valid value.
        NotFound: There is no entity with the name of `subject`.
    """
    if state not in LIST_STATES:
        raise InvalidInput(f"state: expected one of {', '.join(LIST_STATES)}, got {state!r}")
    if order not in LIST_ORDERS:
        raise InvalidInput(f"order: expected one of {', '.join(LIST_ORDERS)}, got {order!r}")
    listing = Listing(
        kinds=kind_names(kinds),
        entity_id=entity_id(self._core, subject),
        session=validate.name(session, "session"),
        since=None if since is None else to_micros(since, "since"),
        until=None if until is None else to_micros(until, "until"),
        words=_words(text),
        origin=None if origin is None else validate.origin(origin),
        below=None if below is None else validate.fraction(below, "below"),
        sensitive=None if sensitive is None else validate.boolean(sensitive, "sensitive"),
        state=state,
        order=order,
        limit=positive(limit, "limit"),
    )
    return _page(self._core, listing, cursor)


@overload
def history(self: Memory, id: int) -> list[Version]: ...
@overload
def history(self: Memory, id: str) -> list[Version | EntityChange]: ...
def history(self: Memory, id: int | str) -> list[Version] | list[Version | EntityChange]:
    """Return all versions of a memory, or all facts about an entity, oldest first.

    Args:
        id: Id of a memory, or name of an entity.

    Returns:
        The versions with their changes; for an entity, also when it was merged, split or renamed.

    Raises:
        NotFound: There is no such memory or entity.
    """
    store = self._core.seen
    if isinstance(id, str):
        entity = store.entities.find_entity_or_user(validate.required_name(id, "name"))
        events: list[Version | EntityChange] = [*_versions(self._core, store.nodes.facts_of(entity.id))]
        return sorted([*events, *store.entities.entity_changes([entity.id])], key=_began)
    self._core.require(id)
    return _versions(self._core, store.nodes.versions(id))


def explain(self: Memory, id: int) -> Explanation:
    """Explain why a memory is believed.

    Args:
        id: Id of the memory.

    Returns:
        Its evidence, current confidence, earlier and later versions, contradictions, entities and changes.

    Raises:
        NotFound: There is no memory with this id.
    """
    store = self._core.seen
    node = self._core.require(id)
    grounds = store.nodes.grounds(id)
    episodes = store.nodes.fetch([episode for episode, _ in grounds.sources])
    chain = store.nodes.versions(id)
    position = chain.index(id)
    return Explanation(
        node=node,
        confidence=node.effective_confidence(to_datetime(self._core.clock())),
        evidence=tuple(Evidence(episodes[id], words) for id, words in grounds.sources if id in episodes),
        supersedes=chain[:position][::-1],
        superseded_by=chain[position + 1 :],
        contradicts=list(grounds.contradicts),
        entities=grounds.entities,
        changes=tuple(store.nodes.changes(id)),
        entity_changes=tuple(store.entities.entity_changes([each.id for each in grounds.entities])),
    )


def stats(self: Memory) -> Stats:
    """Count what is in the file.

    Returns:
        The numbers of memories by kind, layer and state, of links, sessions and entities, and the file's size.
    """
    return (self._core.seen if self._core.viewer.shared else self._core.store).space.count_all()


def session(self: Memory, session: str) -> Session:
    """Return when a session began and ended, its channel, its summary and whether it was learned from.

    Args:
        session: Name of the session.

    Returns:
        The session.

    Raises:
        NotFound: There is no such session.
    """
    return self._core.seen.sessions.require(validate.required_name(session, "session"))


def sessions(self: Memory, limit: int = 20) -> list[Session]:
    """List sessions, the latest first.

    Args:
        limit: Greatest number of sessions.

    Returns:
        The sessions.
    """
    return self._core.seen.sessions.recent(positive(limit, "limit"))


def _words(text: str | None) -> str:
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise InvalidInput(f"text: expected at most {_LONGEST_TEXT} characters, got {shown(text)}")
    return text.strip()


def _page(core: Core, listing: Listing, cursor: str | None) -> MemoryPage:
    wanted = replace(listing, after=decode_cursor(listing.order, cursor))
    nodes, position = core.seen.nodes.page(wanted)
    next_cursor = encode_cursor(listing.order, position)
    return MemoryPage(tuple(nodes), next_cursor, lambda cursor: _page(core, listing, cursor))


def _versions(core: Core, ids: Sequence[int]) -> list[Version]:
    found = core.seen.nodes.fetch(ids)
    ended_by = core.seen.links.ending_words(ids)
    return [
        Version(found[each], tuple(core.seen.nodes.changes(each)), ended_by.get(each, ""))
        for each in ids
        if each in found
    ]


def _began(event: Version | EntityChange) -> tuple[datetime, bool]:
    """The sort key of a history: a fact of unknown beginning comes before what began when that fact ended."""
    if isinstance(event, EntityChange):
        return event.at, True
    node = event.node
    return node.valid_from or min(node.event_at, node.valid_until or node.event_at), node.valid_from is not None


# A page of memories, and the cursor by which the next one is asked for.


@dataclass(frozen=True, slots=True, repr=False)
class MemoryPage:
    """One page of memories. `items` holds this page; iterating goes on through all following pages."""

    items: tuple[Node, ...]
    next_cursor: str | None  # None on the last page
    _next: Callable[[str], MemoryPage] = field(compare=False)

    def __iter__(self) -> Iterator[Node]:
        page = self
        yield from page.items
        while page.next_cursor is not None:
            page = self._next(page.next_cursor)
            yield from page.items

    def __len__(self) -> int:
        """The number of memories on this page."""
        return len(self.items)

    def __repr__(self) -> str:
        more = ", more follow" if self.next_cursor else ""
        shown = self.items[:_SHOWN]
        noun = "memory" if len(self.items) == 1 else "memories"
        lines = [f"<{len(self.items)} {noun}{more}>"]
        lines += [f"{node.id:>6}  {node.kind}  {shorten(node.text, _WIDTH, placeholder='…')}" for node in shown]
        return "\n".join([*lines, *(["        …"] if len(self.items) > _SHOWN else [])])


def encode_cursor(order: str, position: tuple[int, int] | None) -> str | None:
    """Returns the cursor of a position, or None if there is none."""
    if position is None:
        return None
    return base64.urlsafe_b64encode(json.dumps([order, *position]).encode()).decode().rstrip("=")


def decode_cursor(order: str, cursor: str | None) -> tuple[int, int] | None:
    """Returns the position of a cursor.

    Raises:
        InvalidInput: It is no cursor, or belongs to a list in another order.
    """
    if cursor is None:
        return None
    try:
        known, value, id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        position = int(value), int(id)
    except (TypeError, ValueError, binascii.Error):
        raise Conflict(f"cursor: {cursor!r} is not a cursor; pass the next_cursor of a page") from None
    if known != order:
        raise Conflict(f"cursor: it belongs to a list with order={known!r}, not order={order!r}")
    return position
