"""The verbs of `Memory` that search: recall, context and agenda."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from omoide.clock import to_micros
from omoide.domain import Agenda, kind_of
from omoide.domain.changed import changed
from omoide.errors import Conflict, InvalidInput
from omoide.memory.core import Core, positive
from omoide.observe import validate
from omoide.store import NodeFilter

if TYPE_CHECKING:
    from omoide.memory.memory import Memory
    from omoide.recall.context_pack import Pack, PackExtras
    from omoide.recall.results import Recall
    from omoide.recall.search import SearchSources

MOST_HITS = 1_000
_STARTS = "session_start"  # the recipe that a fresh conversation begins with
_MOST_MORE = 200  # hits looked for beyond the limit, because the first ones may be known


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
    why_not: Collection[int] = (),
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
        why_not: Ids of memories; `why_not` of the result says what happened to each, and why it is not a hit.

    Returns:
        The hits, best first, each with the reason why it was found.

    Raises:
        InvalidInput: A parameter has no valid value.
        NotFound: There is no entity with the name of `subject`, or no memory with an id of `why_not`.
    """
    core = self._core.as_viewer(audience, consent)
    keep = NodeFilter(
        kinds=kind_names(kinds),
        after=None if since is None else to_micros(since, "since"),
        before=None if until is None else to_micros(until, "until"),
        entity_id=entity_id(core, subject),
        session=validate.name(session, "session"),
        tags=validate.tags(tags),
        as_of=None if as_of is None else to_micros(as_of, "as_of"),
        valid_at=to_micros(core.local_time(at)) if as_of is None else to_micros(as_of, "as_of"),
        archive=validate.archive_scope(archive),
    )
    found = search(core, query, at, limit, keep, recipe)
    if not why_not:
        return found
    caller = replace(core, audience=self._core.audience)  # may see more than the readers of the answer
    refusals = {caller.require(id).id: caller.seen.nodes.refusal(id, found.query.question.filter) for id in why_not}
    return replace(found, why_not={id: found.trace.explain_node(id, why) for id, why in refusals.items()})


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
    pack_reader = PackReader.of(core, validate.name(reader, "reader"), recipe)
    found = pack_reader.without_known(core, search(core, query, at, pack_reader.enough(limit), keep, recipe), limit)
    if found.query.recipe.current_first and asks_for_past(query) and keep.as_of is None:
        found = replace(found, hits=(*found.hits, *past_versions(core.seen, found.hits, keep)))
    # Descriptions of people are private and of today: in other packs a name stays a name.
    describes = keep.audience == "private" and keep.as_of is None
    named = core.seen.entities.described(core.entities_in(query)) if describes else []
    preferences = answering_preferences(core.seen, keep, now)
    extras = pack_reader.new_extras(PackExtras(preferences, named))
    pack = build_pack(found, extras, budget, core.count_tokens, core.new_fence())
    pack_reader.record(core, pack, extras)
    if task is not None:
        core.store.tasks.hand_out(task, pack.ids)
    return pack


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

    core = self._core.as_viewer(audience, consent)
    start = core.local_time(since, "since")
    end = start + timedelta(days=DEFAULT_DAYS) if until is None else core.local_time(until, "until")
    if end <= start:
        raise Conflict("until is not after since; swap them, or leave one out")
    return agenda_of(core, start, end, core.viewer)


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


def kind_names(given: Collection[str] | None) -> tuple[str, ...]:
    """The names of kinds that a caller gave, as they are stored."""
    if given is not None and not isinstance(given, Collection):
        raise InvalidInput(f"kinds: expected a list of kinds, got {type(given).__name__}")
    names = (given,) if isinstance(given, str) else tuple(given or ())
    return tuple(kind_of(name).kind for name in names)


def entity_id(core: Core, name: str | None) -> int | None:
    """The id of the entity that `subject` names."""
    return None if name is None else core.seen.entities.find_entity_or_user(validate.required_name(name, "subject")).id


# Packs for one reader that never repeat: what it was given, and what was said in its own session, is left out.


@dataclass(frozen=True, slots=True)
class PackReader:
    """A conversation that is given packs. `known` holds ids of memories, and of entities as negative numbers.

    Without a name it is nobody, who knows nothing and of whom nothing is noted.
    """

    digest: bytes = b""
    known: frozenset[int] = frozenset()

    @classmethod
    def of(cls, core: Core, name: str | None, recipe: str) -> PackReader:
        """The reader of this name; one that starts a session has been given nothing yet."""
        if name is None:
            return cls()
        digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
        if recipe == _STARTS:
            core.store.given.forget_given(digest)
        return cls(digest, core.store.given.given_to(digest) | core.store.given.said_in(name))

    def enough(self, limit: int) -> int:
        """How many hits to look for, so that `limit` new ones may be among them."""
        return limit + min(len(self.known), _MOST_MORE)

    def without_known(self, core: Core, found: Recall, limit: int) -> Recall:
        """The hits that are new to the reader, at most `limit`."""
        if not self.known:
            return found
        ids = [hit.id for hit in found.hits]
        told = self.known | core.store.given.learned_only_from(ids, sorted(each for each in self.known if each > 0))
        return replace(found, hits=tuple(hit for hit in found.hits if hit.id not in told)[:limit])

    def new_extras(self, extras: PackExtras) -> PackExtras:
        """The standing preferences and entities that are new to the reader."""
        return replace(
            extras,
            standing=[hit for hit in extras.standing if hit.id not in self.known],
            named=[each for each in extras.named if -each.id not in self.known],
        )

    def record(self, core: Core, pack: Pack, extras: PackExtras) -> None:
        """Notes what the pack gives."""
        entities = [-each.id for each in extras.named if each.name in pack.markdown]
        if self.digest and (pack.ids or entities):
            core.store.given.record_given(self.digest, [*pack.ids, *entities])
