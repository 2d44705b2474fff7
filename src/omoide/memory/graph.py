"""`memory.graph`: entities, their relations, and the links between memories."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from omoide.domain import EDGE_TYPES, ENTITY_TYPES, Draft, Edge, Entity, Node, Relation
from omoide.domain.edge import LinkSuggestion, Neighbour, parse_edge_type
from omoide.domain.entity import TYPE_ALIASES, EntityGraph
from omoide.errors import InvalidInput
from omoide.memory.core import Namespace, positive
from omoide.observe import validate
from omoide.observe.drafts import RememberedStatement, entity_profile
from omoide.store import EntityDraft
from omoide.store.entities.graph import TYPE_ATTRIBUTE, RelationDraft

T = TypeVar("T")
U = TypeVar("U")
OnSkip = Callable[[str], object] | None


class GraphNamespace(Namespace):
    """Entities with facts about them, relations between entities, and links between memories."""

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
        """Return the entity of a name; with further parameters, create it or add them to it.

        Args:
            name: Name or alias of the entity.
            type: Type of the entity: `person`, `organization`, `place`, `project`, `tool` and others.
            aliases: Further names.
            description: What it is, in a sentence.
            summary: What is known about it, in a few sentences.
            importance: How important it is, from 1 to 10.
            attributes: Further fields, such as `timezone`.

        Returns:
            The entity.

        Raises:
            NotFound: Only a name was given and there is no such entity.
        """
        if all(each is None for each in (type, description, summary, importance)) and not aliases and not attributes:
            return self._core.seen.entities.find_entity_or_user(validate.required_name(name, "name"))
        saved = self._core.store.entities.save(
            entity_profile(name, type, aliases, description, summary, importance, attributes)
        )
        return self._core.seen.entities.find_entity_or_user(saved.name) if self._core.viewer.shared else saved

    def entities(self, limit: int = 20) -> list[Entity]:
        """List the known entities, the most mentioned first.

        Args:
            limit: Greatest number of entities.

        Returns:
            The entities.
        """
        return self._core.seen.graph.most_mentioned(positive(limit, "limit"))

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
        """Relate two entities, as in `relate("Otto", "works_at", "CompanyX")`. Unknown entities are created.

        Args:
            source: Name of the first entity.
            type: Type of the relation, such as `works_at`.
            target: Name of the second entity.
            confidence: How sure it is, from 0 to 1.
            source_node: Id of the memory that says so.
            properties: Further fields of the relation, such as `since`.

        Returns:
            The relation.
        """
        return self._core.store.entities.relate(
            entity_profile(source),
            validate.required_name(type, "type"),
            entity_profile(target),
            confidence=validate.fraction(confidence, "confidence"),
            properties=validate.details(properties, "properties"),
            source_node=source_node,
        )

    def unrelate(self, source: str, type: str, target: str) -> Relation:
        """End a relation between two entities.

        Args:
            source: Name of the first entity.
            type: Type of the relation.
            target: Name of the second entity.

        Returns:
            The ended relation.

        Raises:
            NotFound: There is no such relation.
        """
        return self._core.store.graph.unrelate(
            validate.required_name(source, "source"),
            validate.required_name(type, "type"),
            validate.required_name(target, "target"),
        )

    def relations(self, name: str) -> list[Relation]:
        """List the relations of an entity, the most certain first.

        Args:
            name: Name of the entity.

        Returns:
            The relations.

        Raises:
            NotFound: There is no such entity.
        """
        store = self._core.seen
        return store.entities.relations([store.entities.find_entity_or_user(validate.required_name(name, "name")).id])

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
        """Link two memories. Linking them again renews the link.

        Args:
            source: Id of the memory that the link starts at.
            target: Id of the memory that it leads to.
            type: Type of the link, such as `related_to`, `elaborates`, `contradicts` or `supersedes`.
            predicate: A more precise name of the relation.
            weight: How strong the link is, from 0.
            confidence: How sure it is, from 0 to 1.
            evidence: Further data that supports the link.

        Returns:
            The link.

        Raises:
            NotFound: There is no memory with one of the ids.
            InvalidInput: The type is unknown, or the link would make a memory supersede itself.
        """
        stored, backwards = parse_edge_type(type)
        if backwards:
            source, target = target, source
        return self._core.store.links.link(
            source,
            target,
            stored,
            predicate=validate.name(predicate, "predicate"),
            weight=validate.weight(weight),
            confidence=validate.fraction(confidence, "confidence"),
            evidence=validate.details(list(evidence), "evidence"),
        )

    def unlink(self, source: int, target: int, type: str | None = None) -> list[Edge]:
        """Remove links from one memory to another. What a removed link superseded is live again.

        Args:
            source: Id of the memory that the links start at.
            target: Id of the memory that they lead to.
            type: Remove only links of this type; all if not given.

        Returns:
            The removed links.
        """
        if type is None:
            return self._core.store.links.unlink(source, target, list(EDGE_TYPES))
        stored, backwards = parse_edge_type(type)
        ends = (target, source) if backwards else (source, target)
        return self._core.store.links.unlink(*ends, [stored])

    def links(self, id: int) -> list[Edge]:
        """List all links from and to a memory.

        Args:
            id: Id of the memory.

        Returns:
            The links.
        """
        self._core.require(id)
        return self._core.seen.links.of_node(id)

    def neighbours(self, id: int, *, relation: str | None = None) -> list[Neighbour]:
        """List the memories that a memory is linked to, in both directions.

        Args:
            id: Id of the memory.
            relation: Only links that read like this from the memory, such as `superseded_by`.

        Returns:
            The linked memories, each with its relation and direction.
        """
        if relation is not None:
            parse_edge_type(relation)
        return [each for each in self._linked(id) if relation in (None, each.relation)]

    def backlinks(self, id: int) -> list[Neighbour]:
        """List the memories that link to a memory.

        Args:
            id: Id of the memory.

        Returns:
            The linking memories.
        """
        return [each for each in self._linked(id) if not each.outgoing]

    def suggest_links(self, id: int, limit: int = 5) -> list[LinkSuggestion]:
        """Suggest links from a memory to similar ones. Nothing is stored; `link` accepts a suggestion.

        Args:
            id: Id of the memory.
            limit: Greatest number of suggestions.

        Returns:
            The suggestions, each with a relation and the reason.
        """
        from omoide.recall.search import SearchSources
        from omoide.recall.suggest_links import suggest_links

        core = self._core
        node = core.require(id)
        linked = {each.node.id for each in self._linked(id) if each.edge.type not in ("recalled_with", "temporal")}
        sources = SearchSources(core.seen, core.embedder, lambda: core.background.model_id, core.no_embedder)
        return suggest_links(node, linked, positive(limit, "limit"), sources)

    def merge(self, name: str, into: str) -> Entity:
        """Merge two entities that are the same thing. The first name becomes an alias of the second.

        Args:
            name: Name of the entity that goes.
            into: Name of the entity that stays.

        Returns:
            The merged entity.

        Raises:
            NotFound: There is no such entity.
        """
        from omoide.learn.learning_context import settle_merge

        return self._core.store.entities.merge(
            validate.required_name(name, "name"), validate.required_name(into, "into"), settle_merge
        )

    def split(self, name: str, alias: str, *, type: str | None = None) -> Entity:
        """Make an alias an entity of its own, with the memories that use it.

        Args:
            name: Name of the entity.
            alias: The alias to split off.
            type: Type of the new entity.

        Returns:
            The new entity.

        Raises:
            NotFound: There is no such entity or alias.
        """
        return self._core.store.entities.split(
            validate.required_name(name, "name"), validate.required_name(alias, "alias"), validate.name(type, "type")
        )

    def timeline(self, name: str, limit: int = 50) -> list[Node]:
        """List what was said and learned about an entity, in the order in which it happened.

        Args:
            name: Name of the entity.
            limit: Greatest number of memories; the latest are kept.

        Returns:
            The memories, the earliest first.

        Raises:
            NotFound: There is no such entity.
        """
        store = self._core.seen
        return store.entities.timeline(
            store.entities.find_entity_or_user(validate.required_name(name, "name")).id, positive(limit, "limit")
        )

    def add(
        self,
        entities: Iterable[Mapping[str, Any]] = (),
        relations: Iterable[Collection[str]] = (),
        *,
        origin: str = "user",
        at: datetime | str | None = None,
        key: str | None = None,
        on_skip: Callable[[str], object] | None = None,
    ) -> EntityGraph:
        """Add many entities, observations and relations in one transaction.

        Args:
            entities: Dictionaries such as `{"name": "Otto", "type": "person", "observations": ["speaks Spanish"]}`.
            relations: Triples such as `("Otto", "works_at", "CompanyX")`.
            origin: Whose word it is.
            at: When it was said; now if not given.
            key: Your own key; a call with a key that was used before adds nothing.
            on_skip: Called with the reason for each invalid item, which is skipped; without it the call fails.

        Returns:
            What was new.

        Raises:
            InvalidInput: An item is invalid and there is no `on_skip`.
        """
        from omoide.learn.statement_writer import StatementDoor

        door = StatementDoor.of(self._core.store)
        drafts = _each(entities, lambda given: self._draft(given, origin, at, on_skip), on_skip)
        read = [replace(each, observations=tuple(map(door.completed, each.observations))) for each in drafts]
        ties = _each(relations, _triple, on_skip)
        added = self._core.store.graph.add(read, ties, validate.name(key, "key"), door.write)
        self._core.background.wake()
        return added

    def read(self, names: Collection[str] | None = None) -> EntityGraph:
        """Return the graph: entities with the facts about them, and their relations.

        Args:
            names: Names of the entities to return; all if not given.

        Returns:
            The entities and relations.
        """
        names = (names,) if isinstance(names, str) else names
        return self._core.seen.graph.read(
            None if names is None else [validate.required_name(each, "name") for each in names]
        )

    def remove(self, names: Collection[str] = (), *, observations: Collection[int] = ()) -> list[str]:
        """Remove entities or single observations from the graph. Nothing is erased: they are withdrawn.

        Args:
            names: Names of the entities to remove.
            observations: Ids of the observations to remove.

        Returns:
            The names of the removed entities.
        """
        if observations:
            self._core.store.graph.withdraw_observations(validate.node_ids(observations, "observations"))
        names = (names,) if isinstance(names, str) else names
        return self._core.store.graph.remove([validate.required_name(each, "name") for each in names]) if names else []

    def _linked(self, id: int) -> list[Neighbour]:
        self._core.require(id)
        return self._core.seen.links.linked_nodes(id)

    def _draft(self, entity: Mapping[str, Any], origin: str, at: datetime | str | None, on_skip: OnSkip) -> EntityDraft:
        if not isinstance(entity, Mapping) or (unknown := set(entity) - {"name", "type", "observations"}):
            got = f"unknown {', '.join(sorted(unknown))}" if isinstance(entity, Mapping) else type(entity).__name__
            raise InvalidInput(f"an entity is a dictionary of name, type and observations, got {got}")
        texts = entity.get("observations") or ()
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise InvalidInput(f"observations: expected a list of texts, got {type(texts).__name__}")
        word = validate.required_name(entity.get("type") or "other", "type")
        known = TYPE_ALIASES.get(word.casefold(), word.casefold())
        about = entity_profile(
            entity.get("name", ""), known if known in ENTITY_TYPES else "other", attributes={TYPE_ATTRIBUTE: word}
        )
        return EntityDraft(
            about, tuple(_each(texts, lambda text: self._observation(text, about.name, origin, at), on_skip))
        )

    def _observation(self, text: str, subject: str, origin: str, at: datetime | str | None) -> Draft:
        try:
            draft = self._core.draft(
                RememberedStatement(text=text, origin=origin, at=at, attributes={"subject": subject})
            )
        except InvalidInput as error:
            raise InvalidInput(f"an observation of {subject!r}: {error}") from None
        # Similar observations stay separate: deduplication only merges facts with the same details.
        mark = hashlib.blake2b(draft.text.encode(), digest_size=6).hexdigest()
        return replace(draft, details={"observation": mark})


def _each(given: Iterable[T], convert: Callable[[T], U], on_skip: OnSkip) -> list[U]:
    """Converts what is valid; reports the rest to `on_skip`, or raises without one."""
    found = []
    for each in given:
        try:
            found.append(convert(each))
        except InvalidInput as error:
            if on_skip is None:
                raise
            on_skip(str(error))
    return found


def _triple(given: Collection[str]) -> RelationDraft:
    if isinstance(given, str) or len(given) != 3:
        raise InvalidInput(f"a relation is a source, a type and a target, got {given!r}")
    source, type, target = given
    return entity_profile(source), validate.required_name(type, "type"), entity_profile(target)
