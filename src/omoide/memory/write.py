"""The writing verbs of `Memory`: observe, remember, correct, forget, learn, end. Each is durable when it returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from omoide.clock import to_micros
from omoide.domain import Node, Session
from omoide.domain.node import Written
from omoide.domain.trust import outranked
from omoide.errors import Conflict, InvalidInput, NotFound
from omoide.language.text import search_terms, validate_text
from omoide.memory.core import Core, learn_sessions, positive
from omoide.observe import validate
from omoide.observe.drafts import ObservedTurn, RememberedStatement, corrected_statement
from omoide.observe.drafts import draft_turn as turn_draft
from omoide.observe.redaction import redact
from omoide.store import ErasurePreview, ErasureReceipt, ErasureTarget

if TYPE_CHECKING:
    from omoide.learn.learning_context import LearningReport
    from omoide.maintain.erase import Eraser
    from omoide.memory.memory import Memory
    from omoide.recall.results import Hit

_SUMMARISED_AT_ONCE = 100  # turns: about ten milliseconds
_LEAST_PROBABILITY = 0.5  # forget(query=…) erases only what is more likely than not about the query
_TARGETS = "an id, a list of ids, session=, entity=, query=, origin= or before="


def observe(
    self: Memory,
    text: str,
    *,
    role: str = "user",
    speaker: str | None = None,
    session: str | None = None,
    channel: str | None = None,
    at: datetime | str | None = None,
    type: str | None = None,
    tags: Collection[str] = (),
    outcome: str | None = None,
    parent: int | None = None,
    details: Any = None,
    task: str | None = None,
    origin: str | None = None,
    sensitive: bool = False,
    audience: str = "private",
    key: str | None = None,
) -> Node:
    """Store one turn, action, tool result or event as an episode. The same event twice is stored once.

    Two events are the same if they have the same `key`, or the same text, speaker and `at`.

    Args:
        text: What was said or what happened.
        role: Who acted: `user`, `agent`, `system` or `tool:NAME`.
        speaker: Name of the person who speaks.
        session: Session it belongs to; a new name starts a session.
        channel: Where the session takes place, for example `slack`.
        at: When it happened; now if not given.
        type: Type of the event: `conversation`, `action`, `event`, `observation` or `system`.
        tags: Labels to find it by.
        outcome: How an action ended: `success`, `failure`, `partial` or `pending`.
        parent: Id of the episode that this one belongs to.
        details: Further data that JSON can hold.
        task: Name of the task it belongs to.
        origin: Whose word it is; follows from the role if not given.
        sensitive: Leave it out of prompts unless they are asked for with consent.
        audience: Who may read it: `private` or `shared`.
        key: Your own key for the event, so that sending it again stores nothing.

    Returns:
        The stored episode.

    Raises:
        InvalidInput: A field has no valid value.
    """
    turn = ObservedTurn(
        text=text,
        role=role,
        speaker=speaker,
        session=session,
        channel=channel,
        at=at,
        type=type,
        tags=tags,
        outcome=outcome,
        parent=parent,
        details=details,
        task=task,
        origin=origin,
        sensitive=sensitive,
        audience=audience,
        key=key,
    )
    return _store_turns(self._core, [turn])[0]


def observe_many(self: Memory, turns: Iterable[Mapping[str, Any]]) -> list[Node]:
    """Store many turns in one transaction, all or none.

    Args:
        turns: One dictionary for each turn, with the parameters of `observe`.

    Returns:
        The stored episodes, in the same order.

    Raises:
        InvalidInput: A turn is invalid; the error's `index` says which.
    """
    if not isinstance(turns, Iterable):
        raise InvalidInput(f"observe_many needs a list of dictionaries, got {type(turns).__name__}")
    return _store_turns(self._core, [ObservedTurn.of(each, number) for number, each in enumerate(turns)])


def remember(
    self: Memory,
    /,
    text: str,
    *,
    kind: str = "fact",
    tags: Collection[str] = (),
    confidence: float = 1.0,
    importance: int = 5,
    origin: str = "user",
    source_type: str = "stated",
    session: str | None = None,
    task: str | None = None,
    at: datetime | str | None = None,
    valid_from: datetime | str | None = None,
    valid_until: datetime | str | None = None,
    details: Any = None,
    sensitive: bool = False,
    audience: str = "private",
    key: str | None = None,
    sources: Collection[int] = (),
    **attributes: Any,
) -> Node:
    """Store a sentence as knowledge: a fact, a preference, a procedure or another kind.

    It is compared with what is known. The same statement again confirms the stored one; another value of the same slot
    or matter replaces it; what is unsure becomes a contradiction. `written` of the result says what happened.

    Args:
        text: The sentence to remember.
        kind: Kind of memory: `fact`, `opinion`, `note`, `preference`, `procedure`, `skill`, `pattern`, `antipattern`.
        tags: Labels to find it by.
        confidence: How sure it is, from 0 to 1.
        importance: How important it is, from 1 to 10.
        origin: Whose word it is: `user`, `agent`, `system`, `document`, `import` or `tool:NAME`.
        source_type: How it became known: `stated`, `inferred`, `observed` and others.
        session: Session it belongs to.
        task: Name of the task it belongs to.
        at: When it was said; now if not given.
        valid_from: Since when it is true.
        valid_until: Until when it is true.
        details: Further data that JSON can hold.
        sensitive: Leave it out of prompts unless they are asked for with consent.
        audience: Who may read it: `private` or `shared`.
        key: Your own key, so that sending it again stores nothing.
        sources: Ids of the episodes it was learned from.
        attributes: Fields of the kind, such as `subject`, `predicate` and `object` of a fact.

    Returns:
        The stored or confirmed memory.

    Raises:
        InvalidInput: A field has no valid value, or the kind has no such field.
    """
    statement = RememberedStatement(
        text=text,
        kind=kind,
        tags=tags,
        confidence=confidence,
        importance=importance,
        origin=origin,
        source_type=source_type,
        session=session,
        task=task,
        at=at,
        valid_from=valid_from,
        valid_until=valid_until,
        details=details,
        sensitive=sensitive,
        audience=audience,
        key=key,
        attributes=attributes,
    )
    return store_statement(self._core, statement, validate.node_ids(sources, "sources"))


def correct(
    self: Memory,
    /,
    id: int,
    text: str,
    *,
    at: datetime | str | None = None,
    origin: str = "user",
    **attributes: Any,
) -> Node:
    """Replace a memory by a better one. The old one is superseded: no longer recalled, but kept in the history.

    The user outranks everybody else: what an agent or a tool corrects of the user's words becomes a proposal, which
    `review.accept` applies. `written` of the result says so.

    Args:
        id: Id of the memory to replace.
        text: The corrected sentence.
        at: When the new one became true and the old one ceased to be; now if not given.
        origin: Whose word the correction is.
        attributes: Fields of the kind to change; the others are kept where the new text still supports them.

    Returns:
        The new memory; the unchanged one if the correction became a proposal.

    Raises:
        NotFound: There is no memory with this id.
        InvalidInput: The memory is an episode, or is already superseded.
    """
    from omoide.learn.statement_writer import StatementDoor

    core = self._core
    old = core.require(id)
    draft = core.draft(corrected_statement(old, text, at, origin, attributes))
    if outranked(draft.origin, old):
        since = None if at is None else to_micros(at)
        number = core.store.proposals.propose(id, "correct", draft.text, draft.attributes, draft.origin, since)
        return replace(old, written=Written("proposed", (number,)))
    node = StatementDoor.of(core.store).correct(id, draft, None if at is None else to_micros(at))
    core.background.wake()
    return node


class ForgetOptions(TypedDict, total=False):
    """The parameters that all overloads of `forget` share."""

    session: str | None
    entity: str | None
    query: str | None
    origin: str | None
    before: datetime | str | None
    sources: bool
    limit: int


Ids = int | Collection[int] | None


@overload
def forget(
    self: Memory, id: Ids = None, *, preview: Literal[False] = False, **options: Unpack[ForgetOptions]
) -> ErasureReceipt: ...
@overload
def forget(
    self: Memory, id: Ids = None, *, preview: Literal[True], **options: Unpack[ForgetOptions]
) -> ErasurePreview: ...
@overload
def forget(
    self: Memory, id: Ids = None, *, preview: bool, **options: Unpack[ForgetOptions]
) -> ErasurePreview | ErasureReceipt: ...
def forget(
    self: Memory,
    id: int | Collection[int] | None = None,
    *,
    session: str | None = None,
    entity: str | None = None,
    query: str | None = None,
    origin: str | None = None,
    before: datetime | str | None = None,
    sources: bool = False,
    limit: int = 10,
    preview: bool = False,
) -> ErasurePreview | ErasureReceipt:
    """Erase memories for good, with everything derived from them. Name them in exactly one way.

    Args:
        id: Id of one memory, or several ids.
        session: Erase what was said in this session.
        entity: Erase this entity and what mentions it.
        query: Erase what is clearly about this query, at most `limit` memories.
        origin: Erase what has this origin.
        before: Erase what happened before this time.
        sources: Erase also the episodes that an erased fact was learned from.
        limit: Greatest number of memories that a `query` may erase.
        preview: Only say what would be erased.

    Returns:
        A receipt with ids and counts but no text; with `preview`, what would be erased.

    Raises:
        InvalidInput: None or more than one way was used to name the memories.
        NotFound: There is no such memory.
    """
    core = self._core
    core.require_user()
    ways = {"id": id, "session": session, "entity": entity, "query": query, "origin": origin, "before": before}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) != 1:
        raise Conflict(f"forget takes exactly one of {_TARGETS}, got {', '.join(given) or 'none'}")
    if not preview:
        core.store.erasure.finish_pending()
    target = ErasureTarget(
        ids=_clearly_about(self, query, limit) if query is not None else _id_list(id),
        session=validate.name(session, "session"),
        entity=validate.name(entity, "entity"),
        origin=None if origin is None else validate.origin(origin),
        before=None if before is None else to_micros(before, "before"),
        query=query,
    )
    if preview:
        return _forgetter(core).preview(target, sources=validate.boolean(sources, "sources"))
    return _erase(core, target, validate.boolean(sources, "sources"))


def learn(
    self: Memory, session: str | None = None, *, progress: Callable[[str, int], None] | None = None
) -> LearningReport:
    """Learn facts, people, preferences and procedures from what was said. Learning again changes nothing.

    Args:
        session: Session to learn from; all ended sessions if not given.
        progress: Called with a session and its number of turns learned so far.

    Returns:
        What was learned, what failed and why. What failed is tried again next time.
    """
    core = self._core
    core.end_abandoned_tasks()
    with core.background.learning_paused():
        names = (
            core.store.learning.pending_sessions() if session is None else [validate.required_name(session, "session")]
        )
        return learn_sessions(core.store, core.settings, core.language_model, names, progress)


def end(self: Memory, session: str, *, summary: str | None = None) -> Session:
    """End a session: it gets a summary and is queued for learning. Observing in it again reopens it.

    Args:
        session: Name of the session.
        summary: What the session was about, in your own words, in place of the summary that is made.

    Returns:
        The ended session.

    Raises:
        NotFound: There is no such session.
    """
    core = self._core
    text = None if summary is None else redact(validate_text(summary, core.settings.max_text_bytes)).text
    ended = core.store.sessions.end(validate.required_name(session, "session"), text)
    if _summarise(core, session):
        ended = core.store.sessions.require(session)
    core.background.wake()
    return ended


def _summarise(core: Core, session: str) -> bool:
    """Gives a session of ordinary length its summary by rules. Long ones get it with the learning."""
    ids = core.store.summaries.unsummarised_turns(session, _SUMMARISED_AT_ONCE)
    if not ids:
        return False
    from omoide.maintain.job import JobContext
    from omoide.maintain.summaries import summarise_session

    context = JobContext(store=core.store, settings=core.settings, now=core.clock())
    return summarise_session(context, session, ids) is not None


def store_statement(core: Core, statement: RememberedStatement, sources: tuple[int, ...] = ()) -> Node:
    """Stores knowledge. A statement is compared with what is known: it confirms, replaces, ends or contradicts it."""
    from omoide.learn.statement_writer import StatementDoor

    node = StatementDoor.of(core.store).remember(core.draft(statement), sources)
    core.background.wake()
    return node


def _store_turns(core: Core, turns: Sequence[ObservedTurn]) -> list[Node]:
    now = core.clock()
    texts: Counter[bytes] = Counter()
    mentioned = core.entity_finder()
    drafts = []
    for number, each in enumerate(turns):
        try:
            drafts.append(turn_draft(each, now, core.settings, mentioned, texts))
        except InvalidInput as error:
            error.index = number
            raise
    nodes = core.store.nodes.insert(drafts) if drafts else []
    core.keep_promised_privacy(nodes)
    core.background.wake()
    return nodes


def _erase(core: Core, target: ErasureTarget, sources: bool) -> ErasureReceipt:
    if (known := core.store.erasure.receipt_of_nodes(target.ids)) is not None:
        return known
    try:
        receipt = _forgetter(core).forget(target, sources=sources)
    except NotFound:
        if (known := core.store.erasure.receipt_for_request(target)) is not None:
            return known
        raise
    core.caches.answers = None  # cached answers hold the erased text
    core.background.wake()
    return receipt


def _forgetter(core: Core) -> Eraser:
    from omoide.learn.learner import choose_extractor
    from omoide.maintain.erase import Eraser
    from omoide.providers import selection

    chosen = selection.choose_language_model(core.settings, core.language_model)
    return Eraser(core.store, choose_extractor(core.settings, chosen.model), core.entities_in)


def _id_list(given: int | Collection[int] | None) -> tuple[int, ...]:
    if given is None:
        return ()
    if isinstance(given, int):
        return (given,)
    found = validate.node_ids(given, "id")
    if not found:
        raise InvalidInput("id: an empty list names nothing to forget")
    return found


def _clearly_about(memory: Memory, query: str, limit: int) -> tuple[int, ...]:
    limit = positive(limit, "limit")
    # A recall returns a learned memory or its turn, whichever tells more; what is erased is both.
    found = [*memory.recall(query, limit=limit), *memory.recall(query, limit=limit, kinds=("episode",))]
    clear = sorted((hit for hit in found if _is_clear(hit, query)), key=lambda hit: -hit.score)
    return tuple(dict.fromkeys(hit.id for hit in clear))[:limit]


def _is_clear(hit: Hit, query: str) -> bool:
    """Whether a hit is probably about the query; without a probability, whether it contains every word of it."""
    if hit.probability is not None:
        return hit.probability >= _LEAST_PROBABILITY
    words = {word.casefold() for word in search_terms(f"{hit.node.speaker or ''} {hit.text} {' '.join(hit.node.tags)}")}
    return all(word.casefold() in words for word in search_terms(query))
