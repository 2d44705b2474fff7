"""Memory, the one object a user holds: every method is one hop into a room."""

from __future__ import annotations

import atexit
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from omoide import config, tokens
from omoide.clock import Clock, micros, moment, system_clock
from omoide.embedding import choose
from omoide.errors import InvalidInput
from omoide.history import Version
from omoide.ids import Ids, ulid
from omoide.layers import Edge, Entity, Node, Relation, Session, kind_of
from omoide.layers.edge import edge_type
from omoide.layers.entity import named_in
from omoide.observe import checked, statement, turn
from omoide.observe.background import Background
from omoide.observe.profile import profile
from omoide.observe.redact import redact
from omoide.store import Filter, Finding, Stats, Store
from omoide.text import clean

if TYPE_CHECKING:
    from omoide.providers.embedder import Embedder
    from omoide.recall.chance import Chances
    from omoide.recall.hit import Recall
    from omoide.recall.pack import Pack

_MOST_HITS = 1_000
_LARGEST = 1_000_000_000


class Memory:
    """A long-term memory in one file. Safe to use from several threads and several processes at once."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | Literal["default"] | None = "default",
        settings: config.Settings | None = None,
        create: bool = True,
        clock: Clock = system_clock,
        ids: Ids = ulid,
    ) -> None:
        """Opens or creates a file; without a path the user's own space, with ":memory:" one that leaves no file.

        With `create=False` a file that is not there is an error, so that a mistyped name does not become a new memory.
        """
        self._settings = config.load() if settings is None else config.checked(settings)
        self._clock = clock
        self._embedder, self._no_embedder = choose(embedder)
        self._store = Store(config.place(path, create), clock, ids, self._settings.busy_timeout)
        self._background = Background(self._store, self._embedder, self._settings.embedding_batch)
        self._background.resume()
        self._chances: Chances | None = None  # what a foreign question finds here, once somebody has asked
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
        return self._observe([turn.Turn.of(each, number) for number, each in enumerate(turns)])

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
        said = statement.Update(text=text, tags=tags, importance=importance, attributes=attributes)
        words, values = statement.reworded(self._store.node(id), said, self._settings, self._mentioned)
        node = self._store.rewrite(id, words, values)
        self._background.wake()
        return node

    def correct(
        self, /, id: int, text: str, *, at: datetime | str | None = None, origin: str = "user", **attributes: Any
    ) -> Node:
        """Replaces a memory by a better one. The old one is kept for the history and no longer recalled.

        `at` is when the new became true and the old ceased to be; fields that are not given stay, if the words allow.
        """
        said = statement.corrected(self._store.node(id), text, at, origin, attributes)
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
            return self._store.entity(checked.required(name, "name"))
        return self._store.save_entity(profile(name, type, aliases, description, summary, importance, attributes))

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
            profile(source),
            checked.required(type, "type"),
            profile(target),
            confidence=checked.share(confidence, "confidence"),
            properties=checked.details(properties, "properties"),
            source_node=source_node,
        )

    def end(self, session: str, *, summary: str | None = None) -> Session:
        """Closes a session and queues it for learning. Speaking in it again opens it again."""
        words = None if summary is None else redact(clean(summary, self._settings.max_text_bytes)).text
        return self._store.end_session(checked.required(session, "session"), words)

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
        names = (kinds,) if isinstance(kinds, str) else tuple(kinds or ())
        keep = Filter(
            kinds=tuple(kind_of(name).kind for name in names),
            after=None if after is None else micros(after, "after"),
            before=None if before is None else micros(before, "before"),
            entity_id=None if entity is None else self._store.entity(checked.required(entity, "entity")).id,
            session=checked.name(session, "session"),
            tags=checked.tags(tags),
            as_of=None if as_of is None else micros(as_of, "as_of"),
            valid_at=micros(self._asked(at) if as_of is None else as_of),
            audience=checked.audience(audience),
        )
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
        from omoide.recall.recipes import recipe_of
        from omoide.recall.standing import standing

        budget = self._settings.context_token_budget if budget is None else _positive(budget, "budget")
        keep = Filter(
            audience=checked.audience(audience),
            session=checked.name(session, "session"),
            sensitive=checked.yes_or_no(consent, "consent"),
            valid_at=micros(self._asked(at)),
        )
        found = self._recall(text, at, limit, keep, recipe)
        now = self._asked(at)
        floor = recipe_of(recipe, self._settings).floor
        return pack(found, standing(self._store, keep), budget, now, tokens.estimate, floor)

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
        return self._store.relations([self._store.entity(checked.required(name, "name")).id])

    def session(self, name: str) -> Session:
        return self._store.session(checked.required(name, "session"))

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

    def flush(self, *, timeout: float | None = None, progress: Callable[[int], None] | None = None) -> bool:
        """Does all background work now: everything embedded, every access counted. True when nothing is left.

        `timeout` in seconds; `progress` is called with how many texts still wait for their vector.
        """
        self._store.require_open()
        return self._background.flush(timeout, progress)

    def waiting(self) -> int:
        """How many texts still wait for a vector; 0 without an embedder, since none is coming."""
        return 0 if self._embedder is None else self._store.waiting_texts()

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
        names = self._store.entity_names()  # once for all of them
        drafts = []
        for number, each in enumerate(turns):
            try:
                drafts.append(turn.drafted(each, now, self._settings, lambda text: named_in(text, names), said))
            except InvalidInput as error:
                error.index = number
                raise
        nodes = self._store.add(drafts) if drafts else []
        self._background.wake()
        return nodes

    def _asked(self, at: datetime | str | None) -> datetime:
        """The moment of asking in the asker's own zone, in which "yesterday" begins at their midnight."""
        if at is None:
            return moment(self._clock()).astimezone()
        micros(at)
        return datetime.fromisoformat(at) if isinstance(at, str) else at

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return named_in(text, self._store.entity_names())

    def _recall(self, text: str, at: datetime | str | None, limit: int, keep: Filter, recipe: str) -> Recall:
        from omoide.recall.chance import Chances
        from omoide.recall.pipeline import answer
        from omoide.recall.question import Question
        from omoide.recall.recipes import recipe_of
        from omoide.recall.search import Sources

        if not isinstance(text, str):
            raise InvalidInput(f"a question is a text, got {type(text).__name__}")
        question = Question(
            text=text,
            at=self._asked(at),
            limit=min(_positive(limit, "limit"), _MOST_HITS),
            keep=keep,
            recipe=recipe_of(recipe, self._settings),
        )
        self._chances = self._chances or Chances()
        sources = Sources(
            self._store, self._embedder, lambda: self._background.model_id, self._no_embedder, self._chances
        )
        found = answer(question, sources)
        self._background.accessed(found_hit.id for found_hit in found.hits)
        return found


_OPEN: weakref.WeakSet[Memory] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """A program that ends without close() must not end inside the embedder."""
    for memory in list(_OPEN):
        memory.close()


def _positive(number: int, field: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _LARGEST:
        raise InvalidInput(f"{field}: expected a whole number from 1 to {_LARGEST:,}, got {number!r}")
    return number
