"""Asking: what a memory knows, what matters here, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, overload

from omoide.clock import to_datetime_or_none, to_micros
from omoide.domain import Edge, Node, Relation, Session, kind_of
from omoide.errors import InvalidInput
from omoide.history import Became, Version
from omoide.memory.rooms import Rooms, positive
from omoide.observe import validate
from omoide.store import NodeFilter, Stats

if TYPE_CHECKING:
    from omoide.recall.context_pack import Pack
    from omoide.recall.results import Recall
    from omoide.recall.search import SearchSources

MOST_HITS = 1_000


class Asking(Rooms):
    """Reading never waits for writing."""

    def recall(
        self,
        text: str,
        *,
        at: datetime | str | None = None,
        limit: int | None = None,
        kinds: Collection[str] = (),
        after: datetime | str | None = None,
        before: datetime | str | None = None,
        entity: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        as_of: datetime | str | None = None,
        audience: str = "private",
        recipe: str = "everyday",
        archive: bool = False,
    ) -> Recall:
        """What matters here, best first, each hit with its reason. Any string is a safe question.

        `at` is when it is asked, for "last Tuesday"; `as_of` answers from what was believed then, in the
        words of then, and finds a memory that was updated in place by either wording. `recipe` is the plan of
        the search (docs/recipes.md); without a `limit` it says how many are returned. `archive` searches what was
        taken out of use as well.
        """
        names = (kinds,) if isinstance(kinds, str) else tuple(kinds or ())
        keep = NodeFilter(
            kinds=tuple(kind_of(name).kind for name in names),
            after=None if after is None else to_micros(after, "after"),
            before=None if before is None else to_micros(before, "before"),
            entity_id=None if entity is None else self._store.entity(validate.required_name(entity, "entity")).id,
            session=validate.name(session, "session"),
            tags=validate.tags(tags),
            as_of=None if as_of is None else to_micros(as_of, "as_of"),
            valid_at=to_micros(self._asked(at) if as_of is None else as_of),
            audience=validate.audience(audience),
            archive=validate.boolean(archive, "archive"),
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
        as_of: datetime | str | None = None,
        audience: str = "private",
        consent: bool = False,
        recipe: str = "everyday",
        task: int | None = None,
    ) -> Pack:
        """The same, formatted for a prompt and cut to a token budget. Sensitive memories need `consent`.

        With the id of a `task`, what is handed out is credited with how that task ends.

        The pack of a past moment is made again with `at` and `as_of` set to it: the same memories in the same words,
        though what was equally relevant may change places, since the rarity of words is counted over today's store.
        """
        from omoide.recall.context_pack import PackExtras, build_pack, standing_preferences
        from omoide.recall.recipes import recipe_by_name

        budget = self._settings.context_token_budget if budget is None else positive(budget, "budget")
        keep = NodeFilter(
            audience=validate.audience(audience),
            session=validate.name(session, "session"),
            sensitive=validate.boolean(consent, "consent"),
            as_of=None if as_of is None else to_micros(as_of, "as_of"),
            valid_at=to_micros(self._asked(at) if as_of is None else as_of),
        )
        found = self._recall(text, at, limit, keep, recipe)
        now = self._asked(at)
        floor = recipe_by_name(recipe, self._settings).floor
        # Who they are was told in private, and is known as of today: elsewhere a name stays a name.
        introduces = keep.audience == "private" and keep.as_of is None
        named = self._store.described(self._mentioned(text)) if introduces else []
        beside = PackExtras(standing_preferences(self._store, keep, now), named)
        packed = build_pack(found, beside, budget, now, self._count, floor)
        if task is not None:
            self._store.hand_out(task, packed.ids)
        return packed

    def show(self, id: int) -> Node:
        """One memory, whole."""
        return self._store.node(id)

    @overload
    def history(self, id: int) -> list[Version]: ...
    @overload
    def history(self, id: str) -> list[Version | Became]: ...
    def history(self, id: int | str) -> list[Version] | list[Version | Became]:
        """All versions of a memory, oldest first, with what became of each.

        Of an entity's name, all of its facts in the order they came true, and when it was merged, split or renamed.
        """
        if isinstance(id, str):
            entity = self._store.entity(validate.required_name(id, "name"))
            told: list[Version | Became] = [*self._versions(self._store.facts_of(entity.id))]
            return sorted([*told, *self._store.became([entity.id])], key=_since)
        self._store.node(id)
        return self._versions(self._store.chain(id))

    def _versions(self, ids: Sequence[int]) -> list[Version]:
        found = self._store.nodes(ids)
        return [Version(found[each], tuple(self._store.changes(each))) for each in ids if each in found]

    def links(self, id: int) -> list[Edge]:
        """Every link from and to a memory."""
        self._store.node(id)
        return self._store.edges(id)

    def relations(self, name: str) -> list[Relation]:
        """How an entity is related to others, the surest first."""
        return self._store.relations([self._store.entity(validate.required_name(name, "name")).id])

    def session(self, name: str) -> Session:
        return self._store.session(validate.required_name(name, "session"))

    def sessions(self, limit: int = 20) -> list[Session]:
        """The latest sessions first."""
        return self._store.sessions(positive(limit, "limit"))

    def stats(self) -> Stats:
        """What is in the file, in numbers."""
        return self._store.stats()

    def _recall(self, text: str, at: datetime | str | None, limit: int | None, keep: NodeFilter, recipe: str) -> Recall:
        from omoide.recall.pipeline import answer
        from omoide.recall.question import RecallQuestion
        from omoide.recall.recipes import recipe_by_name
        from omoide.recall.results import RecallCache

        if not isinstance(text, str):
            raise InvalidInput(f"a question is a text, got {type(text).__name__}")
        question = RecallQuestion(
            text=text,
            at=self._asked(at),
            limit=None if limit is None else min(positive(limit, "limit"), MOST_HITS),
            keep=keep,
            recipe=recipe_by_name(recipe, self._settings),
        )
        self._answers = self._answers or RecallCache()
        state = self._store.state()  # from before reading: what is written meanwhile makes the answer old, not wrong
        found = self._answers.get(question, state)
        if found is None:
            found = answer(question, self._sources())
            self._answers.keep(
                question, found, state, to_datetime_or_none(self._store.next_end(to_micros(question.at)))
            )
        self._background.recalled([hit.id for hit in found.hits], self._clock())
        return found

    def _sources(self) -> SearchSources:
        from omoide.recall.noise_floor import NoiseFloor
        from omoide.recall.search import SearchSources

        self._chances = self._chances or NoiseFloor()
        return SearchSources(
            self._store,
            self._embedder,
            lambda: self._background.model_id,
            self._no_embedder,
            self._reranker,
            self._chances,
        )


def _since(told: Version | Became) -> tuple[datetime, bool]:
    """What began nobody knows when was so before whatever began when it ended."""
    if isinstance(told, Became):
        return told.at, True
    node = told.node
    return node.valid_from or min(node.event_at, node.valid_until or node.event_at), node.valid_from is not None
