"""What everything that applies a proposal shares: the pen, the episodes, who is known by which name, the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide import tokens
from omoide.clock import micros
from omoide.layers import Draft, Entity, Node, kind_of
from omoide.layers.attribute import validated
from omoide.layers.entity import name_key
from omoide.layers.names import named_in
from omoide.learn.proposal import USER, Quote
from omoide.learn.report import Report
from omoide.learn.resolve import Known
from omoide.store import Lesson, Pen

IMPORTANT = 7  # Kira-L: corrections and stated preferences
NOTABLE = 5


@dataclass(slots=True)
class Scene:
    """One transaction of learning."""

    pen: Pen
    lesson: Lesson
    decay_rate: float
    report: Report = field(default_factory=Report)
    unsettled: set[tuple[int, str]] = field(default_factory=set)  # (episode, object) of what is past or disputed
    episodes: dict[int, Node] = field(init=False)
    owner: Entity | None = field(init=False)
    _names: Known = field(init=False)

    def __post_init__(self) -> None:
        self.episodes = {each.id: each for each in self.lesson.episodes}
        self._names = Known(self.pen.names())
        self.owner = self.pen.entity(self.lesson.owner) if self.lesson.owner else None

    def source(self, quote: Quote) -> tuple[Node, tuple[int, str]]:
        """The episode that a proposal rests on, and what is written down of it."""
        return self.episodes[quote.episode], (quote.episode, quote.words)

    def known(self, name: str) -> Entity | None:
        if name == USER:
            return self.owner
        found = self._names.same_thing(name)
        return None if found is None else self.pen.entity_by_id(found)

    def called(self, name: str) -> tuple[str, ...]:
        """Every name under which facts of a subject may be held."""
        entity = self.known(name)
        if entity is None:
            return (name,)
        owner = (USER,) if self.owner is not None and entity.id == self.owner.id else ()
        return tuple(dict.fromkeys((entity.name, *entity.aliases, name, *owner)))

    def meet(self, entity: Entity) -> None:
        """From now on its names mean it."""
        self._names.learn((name_key(each) or each, entity.id, each) for each in (entity.name, *entity.aliases))

    def draft(
        self,
        kind: str,
        text: str,
        episode: Node,
        attributes: Mapping[str, Any],
        confidence: float,
        source_type: str,
        *,
        importance: int = NOTABLE,
        since: int | None = None,
        until: int | None = None,
        also: Sequence[Node] = (),
    ) -> Draft:
        """Carries origin, audience and sensitivity of the episode it was learned from, and never better ones than
        those of whatever else (`also`) its words come from."""
        rests_on = (episode, *also, *self._answer_to(episode))
        record = kind_of(kind)
        born = record.decay_rate_at_birth
        return Draft(
            kind=kind,
            text=text,
            event_at=micros(episode.event_at),
            origin=episode.origin,
            source_type=source_type,
            attributes=validated(record, attributes),
            valid_from=micros(episode.event_at) if since is None else since,
            valid_until=until,
            importance=importance,
            confidence=confidence,
            decay_rate=self.decay_rate if born is None else born,
            session=self.lesson.session,
            token_count=tokens.estimate(text),
            sensitive=any(each.sensitive for each in rests_on),
            audience="shared" if all(each.audience == "shared" for each in rests_on) else "private",
            key=_key(kind, episode.id, text),
            entities=self._spoken_of(text, attributes),
        )

    def _answer_to(self, episode: Node) -> tuple[Node, ...]:
        """The turn that said yes to what the agent asked: what is learned rests on both."""
        if episode.role != "agent":
            return ()
        later = [each for each in self.lesson.episodes if each.id > episode.id]
        return tuple(later[:1])

    def _spoken_of(self, text: str, attributes: Mapping[str, Any]) -> tuple[int, ...]:
        found = dict.fromkeys(named_in(text, self._names.names))
        if self.owner is not None and attributes.get("subject") in (USER, self.owner.name):
            found[self.owner.id] = None
        return tuple(found)


def _key(kind: str, episode: int, text: str) -> bytes:
    """The same thing learned from the same episode is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["learned", kind, episode, text]).encode(), digest_size=16).digest()
