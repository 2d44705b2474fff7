"""Forgetting: erased for good, with everything derived from it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Literal, overload

from omoide.clock import to_micros
from omoide.errors import InvalidInput, NotFound
from omoide.language.text import search_terms
from omoide.memory.asking import Asking
from omoide.memory.rooms import positive
from omoide.observe import validate
from omoide.store import ErasurePreview, ErasureReceipt, ErasureTarget, IdStates

if TYPE_CHECKING:
    from omoide.maintain.erase import Eraser
    from omoide.recall.results import Hit

_CLEAR = 0.5  # what is less likely than not about the question is not erased for it
_WAYS = "an id, a list of ids, session=, entity=, query=, origin= or before="


class Forgetting(Asking):
    """What is forgotten cannot be got back."""

    @overload
    def forget(
        self,
        id: int | Collection[int] | None = None,
        *,
        session: str | None = None,
        entity: str | None = None,
        query: str | None = None,
        origin: str | None = None,
        before: datetime | str | None = None,
        sources: bool = False,
        limit: int = 10,
        preview: Literal[True],
    ) -> ErasurePreview: ...

    @overload
    def forget(
        self,
        id: int | Collection[int] | None = None,
        *,
        session: str | None = None,
        entity: str | None = None,
        query: str | None = None,
        origin: str | None = None,
        before: datetime | str | None = None,
        sources: bool = False,
        limit: int = 10,
        preview: Literal[False] = False,
    ) -> ErasureReceipt: ...

    @overload
    def forget(
        self,
        id: int | Collection[int] | None = None,
        *,
        session: str | None = None,
        entity: str | None = None,
        query: str | None = None,
        origin: str | None = None,
        before: datetime | str | None = None,
        sources: bool = False,
        limit: int = 10,
        preview: bool,
    ) -> ErasurePreview | ErasureReceipt: ...

    def forget(
        self,
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
        """Erases memories for good, with everything derived from them; with `preview`, only says what would go.

        Named in exactly one way: by id, by the session they were said in, the entity they speak of, a question that
        finds them (at most `limit`, and only what is clearly about it), their origin, or what happened `before` a
        time. `sources` takes along what an erased fact was learned from, which otherwise still says it.
        """
        ways = {"id": id, "session": session, "entity": entity, "query": query, "origin": origin, "before": before}
        given = [name for name, value in ways.items() if value is not None]
        if len(given) != 1:
            raise InvalidInput(f"forget takes exactly one of {_WAYS}, got {', '.join(given) or 'none'}")
        if not preview:
            self._store.finish_erasures()
        target = ErasureTarget(
            ids=self._found(query, limit) if query is not None else _ids(id),
            session=validate.name(session, "session"),
            entity=validate.name(entity, "entity"),
            origin=None if origin is None else validate.origin(origin),
            before=None if before is None else to_micros(before, "before"),
            asked=query is not None,
        )
        if preview:
            return self._forgetter().preview(target, sources=validate.boolean(sources, "sources"))
        if (known := self._store.receipt_of(target.ids)) is not None:
            return known
        try:
            receipt = self._forgetter().forget(target, sources=validate.boolean(sources, "sources"))
        except NotFound:
            if (known := self._store.receipt_asked(target)) is not None:
                return known
            raise
        self._answers = None  # what was answered before holds its words
        self._background.wake()
        return receipt

    def receipts(self, limit: int = 20) -> list[ErasureReceipt]:
        """What was erased, the latest first: counts and ids, no words. Finishes what could not be finished before."""
        self._store.finish_erasures()
        return self._store.receipts(positive(limit, "limit"))

    def account(self) -> IdStates:
        """Where every id is that was ever given: live, superseded, archived, expired or erased."""
        return self._store.account()

    def _found(self, query: str, limit: int) -> tuple[int, ...]:
        """Of all that is kept, also of what is out of use: an archived turn says it as clearly as its summary."""
        found = self.recall(query, limit=positive(limit, "limit"), archive=True)
        return tuple(hit.id for hit in found if _clearly(hit, query))

    def _forgetter(self) -> Eraser:
        from omoide.learn.learner import choose_extractor
        from omoide.maintain.erase import Eraser
        from omoide.providers import selection

        chosen = selection.choose_language_model(self._settings, self._language_model)
        return Eraser(self._store, choose_extractor(self._settings, chosen.model), self._mentioned)


def _ids(given: int | Collection[int] | None) -> tuple[int, ...]:
    if given is None:
        return ()
    if isinstance(given, int):
        return (given,)
    found = validate.node_ids(given, "id")
    if not found:
        raise InvalidInput("id: an empty list names nothing to forget")
    return found


def _clearly(hit: Hit, query: str) -> bool:
    """Likely about the question; where that was not judged, every word of it stands in the memory."""
    if hit.probability is not None:
        return hit.probability >= _CLEAR
    said = {word.casefold() for word in search_terms(f"{hit.node.speaker or ''} {hit.text} {' '.join(hit.node.tags)}")}
    return all(word.casefold() in said for word in search_terms(query))
