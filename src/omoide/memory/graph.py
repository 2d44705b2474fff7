"""The graph: many things and relations at once, and taking them back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from omoide.domain import ENTITY_TYPES, Draft, Entity, Relation
from omoide.domain.entity import TYPE_ALIASES, EntityGraph
from omoide.errors import InvalidInput
from omoide.memory.rooms import Rooms, positive
from omoide.observe import drafts, validate
from omoide.observe.drafts import entity_profile
from omoide.store import EntityDraft
from omoide.store.entities.graph import TYPE_ATTRIBUTE, RelationDraft

T = TypeVar("T")
U = TypeVar("U")
LeftOut = Callable[[str], object] | None


class Graphs(Rooms):
    """Things with what is observed of them. All of a call is written, or nothing of it."""

    def draw(
        self,
        things: Iterable[Mapping[str, Any]] = (),
        relations: Iterable[Collection[str]] = (),
        *,
        origin: str = "user",
        at: datetime | str | None = None,
        key: str | None = None,
        left_out: LeftOut = None,
    ) -> EntityGraph:
        """Adds things (`{"name": "Otto", "type": "person", "observations": ["speaks Spanish"]}`) and relations
        (`("Otto", "works_at", "CompanyX")`) to what is known, and gives back what was new.

        A type may be any word and is kept as it is. What a key was drawn under once is not drawn again. What cannot be
        kept refuses the whole, unless `left_out` is given: that hears why, and the rest is drawn.
        """
        drawn = _each(things, lambda given: self._drawn(given, origin, at, left_out), left_out)
        made = self._store.draw(drawn, _each(relations, _tie, left_out), validate.name(key, "key"))
        self._background.wake()
        return made

    def graph(self, names: Collection[str] | None = None) -> EntityGraph:
        """Everything that was drawn or learned, or the things of some names: each with the facts about it."""
        if isinstance(names, str):
            names = (names,)
        return self._store.graph(None if names is None else [validate.required_name(each, "name") for each in names])

    def drop(self, names: Collection[str] = (), *, observations: Collection[int] = ()) -> list[str]:
        """Takes things off the graph, or single observations by their ids. Nothing is erased: observations go into the
        archive, relations end; the names of the things that were there come back."""
        if observations:
            self._store.withdraw(validate.node_ids(observations, "observations"))
        names = (names,) if isinstance(names, str) else names
        return self._store.drop([validate.required_name(each, "name") for each in names]) if names else []

    def unrelate(self, source: str, type: str, target: str) -> Relation:
        """Says that a relation no longer holds."""
        return self._store.unrelate(
            validate.required_name(source, "source"),
            validate.required_name(type, "type"),
            validate.required_name(target, "target"),
        )

    def entities(self, limit: int = 20) -> list[Entity]:
        """Who and what is known, the most spoken of first."""
        return self._store.entities(positive(limit, "limit"))

    def _drawn(
        self, thing: Mapping[str, Any], origin: str, at: datetime | str | None, left_out: LeftOut = None
    ) -> EntityDraft:
        if not isinstance(thing, Mapping) or (strange := set(thing) - {"name", "type", "observations"}):
            odd = f"unknown {', '.join(sorted(strange))}" if isinstance(thing, Mapping) else type(thing).__name__
            raise InvalidInput(f"a thing is a dictionary of name, type and observations, got {odd}")
        told = thing.get("observations") or ()
        if isinstance(told, str) or not isinstance(told, Iterable):
            raise InvalidInput(f"observations: expected a list of texts, got {type(told).__name__}")
        word = validate.required_name(thing.get("type") or "other", "type")
        known = TYPE_ALIASES.get(word.casefold(), word.casefold())
        about = entity_profile(
            thing.get("name", ""), known if known in ENTITY_TYPES else "other", attributes={TYPE_ATTRIBUTE: word}
        )
        return EntityDraft(
            about, tuple(_each(told, lambda text: self._observed(text, about.name, origin, at), left_out))
        )

    def _observed(self, text: str, subject: str, origin: str, at: datetime | str | None) -> Draft:
        said = drafts.RememberedStatement(text=text, origin=origin, at=at, attributes={"subject": subject})
        try:
            draft = drafts.draft_statement(said, self._clock(), self._settings, self._mentioned)
        except InvalidInput as error:
            raise InvalidInput(f"an observation of {subject!r}: {error}") from None
        # Two observations stay two, however alike: the nightly job makes one only of what has the same details.
        mark = hashlib.blake2b(draft.text.encode(), digest_size=6).hexdigest()
        return replace(draft, details={"observation": mark})


def _each(given: Iterable[T], made: Callable[[T], U], left_out: LeftOut) -> list[U]:
    """What can be made; what cannot is told, where somebody wants to hear it."""
    found = []
    for each in given:
        try:
            found.append(made(each))
        except InvalidInput as error:
            if left_out is None:
                raise
            left_out(str(error))
    return found


def _tie(given: Collection[str]) -> RelationDraft:
    if isinstance(given, str) or len(given) != 3:
        raise InvalidInput(f"a relation is a source, a type and a target, got {given!r}")
    source, type, target = given
    return entity_profile(source), validate.required_name(type, "type"), entity_profile(target)
