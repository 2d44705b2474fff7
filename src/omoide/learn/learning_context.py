"""What everything that applies a proposal shares: the pen, the episodes, who is known by which name, the report."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from omoide.clock import to_micros
from omoide.domain import Draft, Entity, Node, kind_of
from omoide.domain.entity import EntityNames, entities_named_in, name_key
from omoide.domain.node import validate_attributes
from omoide.language import tokens
from omoide.learn.proposal import USER, Quote
from omoide.providers.model_limits import ModelUsage
from omoide.store import LearningTransaction, UnlearnedSegment

# What learning did, in the order it did it: for people, and for whoever wants to check.


LearningVerb = Literal["learned", "confirmed", "superseded", "ended", "contradicted", "refused", "linked"]


@dataclass(frozen=True, slots=True)
class LearningEntry:
    """One thing that was done or refused, and why."""

    verb: LearningVerb
    kind: str
    text: str
    id: int | None = None
    why: str = ""


@dataclass(slots=True)
class LearningReport:
    """Filled while sessions are learned from."""

    sessions: list[str] = field(default_factory=list)
    turns: int = 0
    entries: list[LearningEntry] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why
    usage: ModelUsage = field(default_factory=ModelUsage)  # what a language model took, if there was one
    failed: dict[str, str] = field(default_factory=dict)  # session → why it stays pending

    def add(self, verb: LearningVerb, kind: str, text: str, id: int | None = None, why: str = "") -> None:
        self.entries.append(LearningEntry(verb, kind, text, id, why))

    def count(self, verb: LearningVerb) -> int:
        return sum(1 for entry in self.entries if entry.verb == verb)

    @property
    def counts(self) -> dict[str, int]:
        return dict(Counter(entry.verb for entry in self.entries))

    def join(self, other: LearningReport) -> None:
        self.sessions += [name for name in other.sessions if name not in self.sessions]
        self.turns += other.turns
        self.entries += other.entries
        self.notes += other.notes
        self.usage += other.usage
        self.failed |= other.failed


HIGH_IMPORTANCE = 7  # Kira-L: corrections and stated preferences
NORMAL_IMPORTANCE = 5


@dataclass(slots=True)
class LearningContext:
    """One transaction of learning."""

    pen: LearningTransaction
    lesson: UnlearnedSegment
    decay_rate: float
    report: LearningReport = field(default_factory=LearningReport)
    unsettled: set[tuple[int, str]] = field(default_factory=set)  # (episode, object) of what is past or disputed
    episodes: dict[int, Node] = field(init=False)
    owner: Entity | None = field(init=False)
    _names: KnownNames = field(init=False)

    def __post_init__(self) -> None:
        self.episodes = {each.id: each for each in self.lesson.episodes}
        self._names = KnownNames(self.pen.names())
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
        importance: int = NORMAL_IMPORTANCE,
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
            event_at=to_micros(episode.event_at),
            origin=episode.origin,
            source_type=source_type,
            attributes=validate_attributes(record, attributes),
            valid_from=to_micros(episode.event_at) if since is None else since,
            valid_until=until,
            importance=importance,
            confidence=confidence,
            decay_rate=self.decay_rate if born is None else born,
            session=self.lesson.session,
            token_count=tokens.estimate(text),
            sensitive=any(each.sensitive for each in rests_on),
            audience="shared" if all(each.audience == "shared" for each in rests_on) else "private",
            key=_learned_key(kind, episode.id, text),
            entities=self._spoken_of(text, attributes),
        )

    def _answer_to(self, episode: Node) -> tuple[Node, ...]:
        """The turn that said yes to what the agent asked: what is learned rests on both."""
        if episode.role != "agent":
            return ()
        later = [each for each in self.lesson.episodes if each.id > episode.id]
        return tuple(later[:1])

    def _spoken_of(self, text: str, attributes: Mapping[str, Any]) -> tuple[int, ...]:
        found = dict.fromkeys(entities_named_in(text, self._names.names))
        if self.owner is not None and attributes.get("subject") in (USER, self.owner.name):
            found[self.owner.id] = None
        return tuple(found)


def _learned_key(kind: str, episode: int, text: str) -> bytes:
    """The same thing learned from the same episode is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["learned", kind, episode, text]).encode(), digest_size=16).digest()


# Which known entity a name means: by name or alias, bare form, then likeness; rather none than a wrong one.


_LEGAL_FORM = re.compile(r"\b(inc|ltd|llc|gmbh|ag|corp|corporation|co|company|sa|srl|plc|limited)$")
_MIN_SIMILARITY = 92.0  # of 100; "Anthropic" and "Antropic" are alike, "Anna" and "Ann" are two people
_MIN_FUZZY_LETTERS = 7  # letters: in a short name one letter tells two people apart


def bare_name(name: str) -> str:
    """Without article, legal form and at-sign: "The Acme Corp." and "Acme" are one company."""
    key = name_key(name).removeprefix("the ")
    return _LEGAL_FORM.sub("", key).strip() or key


class KnownNames:
    """The names of all entities, as they stand and in the forms by which they are compared."""

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self.names = EntityNames()
        self._bare: dict[str, set[int]] = defaultdict(set)
        self._long: dict[tuple[str, int], set[str]] = defaultdict(set)  # by first letter and number of words
        self.learn(rows)

    def learn(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """(key, entity, name as it is written); learning one twice changes nothing."""
        rows = list(rows)
        self.names.learn(rows)
        for key, id, _ in rows:
            self._bare[bare_name(key)].add(id)
            if _allows_fuzzy_match(key):
                self._long[key[0], len(key.split())].add(key)

    def same_thing(self, name: str) -> int | None:
        """The entity that goes by a name, exactly, barely or nearly; None when it is new or cannot be told."""
        exact = self.names.get(name_key(name))
        found = set(exact) if exact else self._bare.get(bare_name(name), set()) or self._nearly(name_key(name))
        return next(iter(found)) if len(found) == 1 else None

    def _nearly(self, key: str) -> set[int]:
        if not _allows_fuzzy_match(key):
            return set()
        from rapidfuzz import fuzz

        near = (known for known in self._long[key[0], len(key.split())] if fuzz.ratio(key, known) >= _MIN_SIMILARITY)
        return {id for known in near for id in self.names[known]}


def _allows_fuzzy_match(key: str) -> bool:
    """Not with a number in it: "GPT 4" and "GPT 5" are alike and not the same."""
    return len(key) >= _MIN_FUZZY_LETTERS and not any(letter.isdigit() for letter in key)
