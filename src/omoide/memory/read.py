"""The reading verbs of `Memory`: recall, context, get, list, history, explain, stats and sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from reprlib import repr as shown
from typing import TYPE_CHECKING, Literal, overload

from omoide.clock import to_datetime, to_micros
from omoide.domain import Agenda, Node, Session, kind_of
from omoide.domain.changed import changed
from omoide.errors import Conflict, InvalidInput
from omoide.history import EntityChange, Evidence, Explanation, Version
from omoide.memory.core import Core, positive
from omoide.memory.page import MemoryPage, decode_cursor, encode_cursor
from omoide.observe import validate
from omoide.store import NodeFilter, Stats
from omoide.store.records.node_queries import LIST_ORDERS, LIST_STATES, Listing

if TYPE_CHECKING:
    from omoide.memory.memory import Memory
    from omoide.recall.context_pack import Pack
    from omoide.recall.results import Recall
    from omoide.recall.search import SearchSources

MOST_HITS = 1_000
_LONGEST_TEXT = 500  # characters of the words to list by


def recall(
    self: Memory,
    query: str,
    *,
    limit: int | None = None,
    kinds: Collection[str] = (),
    subject: str | None = None,
    session: str | None = None,
    tags: Collection[str] = (),
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    at: datetime | str | None = None,
    as_of: datetime | str | None = None,
    audience: str = "private",
    consent: str | None = None,
    recipe: str = "everyday",
    archive: bool | Literal["only"] = True,
) -> Recall:
    """Search for the memories that matter for a query. Any text is a safe query.

    Args:
        query: A question or any other text.
        limit: Greatest number of hits; the recipe's own if not given.
        kinds: Only these kinds of memory, such as `fact` or `episode`.
        subject: Only memories that mention the entity of this name.
        session: Only memories of this session.
        tags: Only memories that have all of these tags.
        since: Only what happened at or after this time.
        until: Only what happened before this time.
        at: When the query is asked, for "last Tuesday"; now if not given.
        as_of: Answer from what was believed at this time, in the wording of that time.
        audience: Who reads the result: `private`, or `shared` to leave out private memories.
        consent: Session for which the user consented to show sensitive memories.
        recipe: Plan: everyday, deep, before_task, session_start, reciprocal, keyword, kira, koshi, yodoca or loki.
        archive: Archived memories are searched like others; false leaves them out, `only` searches them alone.

    Returns:
        The hits, best first, each with the reason why it was found.

    Raises:
        InvalidInput: A parameter has no valid value.
        NotFound: There is no entity with the name of `subject`.
    """
    core = self._core.as_viewer(audience, consent)
    keep = NodeFilter(
        kinds=_kinds(kinds),
        after=None if since is None else to_micros(since, "since"),
        before=None if until is None else to_micros(until, "until"),
        entity_id=_entity_id(core, subject),
        session=validate.name(session, "session"),
        tags=validate.tags(tags),
        as_of=None if as_of is None else to_micros(as_of, "as_of"),
        valid_at=to_micros(core.local_time(at)) if as_of is None else to_micros(as_of, "as_of"),
        archive=validate.archive_scope(archive),
    )
    return search(core, query, at, limit, keep, recipe)


def context(
    self: Memory,
    query: str,
    *,
    budget: int | None = None,
    limit: int = 30,
    session: str | None = None,
    at: datetime | str | None = None,
    as_of: datetime | str | None = None,
    audience: str = "private",
    consent: str | None = None,
    recipe: str = "everyday",
    task: int | None = None,
    reader: str | None = None,
    archive: bool | Literal["only"] = True,
) -> Pack:
    """Return the memories that matter for a query as Markdown for a prompt, cut to a token budget.

    The pack of a past moment can be made again with `at` and `as_of`, though equal ones may change places.

    Args:
        query: The user's message or a question.
        budget: Greatest number of tokens; `context_token_budget` of the settings if not given.
        limit: Greatest number of memories.
        session: Only memories of this session.
        at: When the query is asked; now if not given.
        as_of: Answer from what was believed at this time, in the wording of that time.
        audience: Who reads the result: `private`, or `shared` to leave out private memories.
        consent: Session for which the user consented to show sensitive memories.
        recipe: Plan: everyday, deep, before_task, session_start, reciprocal, keyword, kira, koshi, yodoca or loki.
        task: Id of a task; its outcome is credited to the memories in the pack.
        reader: Session that reads the pack: what was said in it or given to it is left out until a `session_start`.
        archive: Archived memories are searched like others; false leaves them out, `only` searches them alone.

    Returns:
        The pack, with `markdown`, `tokens` and the ids of the memories in it.
    """
    from omoide.memory.given import PackReader
    from omoide.recall.context_pack import PackExtras, answering_preferences, build_pack
    from omoide.recall.currency import asks_for_past, past_versions

    core = self._core.as_viewer(audience, consent)
    budget = core.settings.context_token_budget if budget is None else positive(budget, "budget")
    now = core.local_time(at)
    keep = NodeFilter(
        audience=core.viewer.audience,
        sensitive=core.viewer.consent,
        session=validate.name(session, "session"),
        as_of=None if as_of is None else to_micros(as_of, "as_of"),
        valid_at=to_micros(now if as_of is None else as_of),
        archive=validate.archive_scope(archive),
    )
    told = PackReader.of(core, validate.name(reader, "reader"), recipe)
    found = told.without_known(core, search(core, query, at, told.enough(limit), keep, recipe), limit)
    if found.query.recipe.current_first and asks_for_past(query) and keep.as_of is None:
        found = replace(found, hits=(*found.hits, *past_versions(core.seen, found.hits, keep)))
    # Descriptions of people are private and of today: in other packs a name stays a name.
    describes = keep.audience == "private" and keep.as_of is None
    named = core.seen.entities.described(core.entities_in(query)) if describes else []
    preferences = answering_preferences(core.seen, keep, now)
    beside = told.new_extras(PackExtras(preferences, named))
    packed = build_pack(found, beside, budget, core.count_tokens, core.new_fence())
    told.record(core, packed, beside)
    if task is not None:
        core.store.tasks.hand_out(task, packed.ids)
    return packed


def agenda(
    self: Memory,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    *,
    audience: str = "private",
    consent: str | None = None,
) -> Agenda:
    """List what is known of a span of time: coming, past, moved and cancelled.

    It is made of the times that memories speak of ("the dentist is on the 26th"), not of when they were said.

    Args:
        since: Beginning of the span; now if not given.
        until: End of the span; 30 days after its beginning if not given.
        audience: Who reads the result: `private`, or `shared` to leave out private memories.
        consent: Session for which the user consented to show sensitive memories.

    Returns:
        The agenda: `entries` in order of time, each with text, state and source, and `icalendar` for other programs.

    Raises:
        InvalidInput: A time has no valid value, or `until` is not after `since`.
    """
    from omoide.memory.agenda import DEFAULT_DAYS, agenda_of
    from omoide.memory.continuity import Visibility

    core = self._core.as_viewer(audience, consent)
    start = core.local_time(since, "since")
    end = start + timedelta(days=DEFAULT_DAYS) if until is None else core.local_time(until, "until")
    if end <= start:
        raise Conflict("until is not after since; swap them, or leave one out")
    return agenda_of(core, start, end, Visibility.of(core.viewer))


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
        kinds=_kinds(kinds),
        entity_id=_entity_id(self._core, subject),
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


def search(
    core: Core, query: str, at: datetime | str | None, limit: int | None, keep: NodeFilter, recipe: str
) -> Recall:
    """Runs a query through the recall pipeline, or answers it from the cache while nothing was written since."""
    from omoide.recall.pipeline import answer
    from omoide.recall.question import RecallQuestion, readable_part
    from omoide.recall.recipes import recipe_by_name
    from omoide.recall.results import RecallCache

    if not isinstance(query, str):
        raise InvalidInput(f"query: expected a text, got {type(query).__name__}")
    keep = changed(keep, audience=core.viewer.audience, sensitive=core.viewer.consent)
    question = RecallQuestion(
        text=readable_part(query),
        at=core.local_time(at),
        limit=None if limit is None else min(positive(limit, "limit"), MOST_HITS),
        filter=keep,
        recipe=recipe_by_name(recipe, core.settings),
    )
    answers = core.caches.answers = core.caches.answers or RecallCache()
    state = core.store.state()  # read before searching: a write meanwhile makes the answer old, not wrong
    found = answers.get(question, state, core.store.nodes.next_valid_until)
    if found is None:
        found = answer(question, recall_sources(core))
        answers.put(question, found, state)
    core.background.record_hits([hit.id for hit in found.hits], core.clock())
    return found


def recall_sources(core: Core) -> SearchSources:
    """Returns what the recall pipeline searches in."""
    from omoide.recall.noise_floor import NoiseFloor
    from omoide.recall.search import SearchSources

    core.caches.noise_floor = core.caches.noise_floor or NoiseFloor()
    floor, model = core.caches.noise_floor, lambda: core.background.model_id
    return SearchSources(core.seen, core.embedder, model, core.no_embedder, core.reranker, floor)


def _kinds(given: Collection[str] | None) -> tuple[str, ...]:
    if given is not None and not isinstance(given, Collection):
        raise InvalidInput(f"kinds: expected a list of kinds, got {type(given).__name__}")
    names = (given,) if isinstance(given, str) else tuple(given or ())
    return tuple(kind_of(name).kind for name in names)


def _words(text: str | None) -> str:
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise InvalidInput(f"text: expected at most {_LONGEST_TEXT} characters, got {shown(text)}")
    return text.strip()


def _entity_id(core: Core, name: str | None) -> int | None:
    return None if name is None else core.seen.entities.find_entity_or_user(validate.required_name(name, "subject")).id


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
