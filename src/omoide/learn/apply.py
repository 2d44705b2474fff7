"""A grounded proposal → changes of the store, all of them in the one transaction whose pen is given."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from omoide import tokens
from omoide.clock import micros
from omoide.layers import Draft, Entity, Node, Procedure, kind_of
from omoide.layers.attribute import validated
from omoide.layers.entity import name_key
from omoide.layers.names import named_in
from omoide.learn import conflict
from omoide.learn.predicates import SINGLE, rivals
from omoide.learn.proposal import (
    USER,
    Cause,
    Claim,
    Correction,
    HowTo,
    Judgement,
    Mentioned,
    Proposal,
    Relating,
    Wish,
)
from omoide.learn.report import Report
from omoide.learn.resolve import Known
from omoide.store import Lesson, Pen, Profile

_IMPORTANT = 7  # Kira-L: corrections and stated preferences
_NOTABLE = 5
_NAMING = "name"  # the predicate by which the user says what they are called


@dataclass(slots=True)
class Applying:
    """One proposal on its way into the store."""

    pen: Pen
    lesson: Lesson
    decay_rate: float
    report: Report = field(default_factory=Report)
    _episodes: dict[int, Node] = field(init=False)
    _known_names: Known = field(init=False)
    _owner: Entity | None = field(init=False)

    def __post_init__(self) -> None:
        self._episodes = {each.id: each for each in self.lesson.episodes}
        self._known_names = Known(self.pen.names())
        self._owner = self.pen.entity(self.lesson.owner) if self.lesson.owner else None

    def apply(self, proposal: Proposal) -> Report:
        """Entities first, since facts speak of them; corrections before the facts that they make room for."""
        for item in proposal:
            match item:
                case Mentioned():
                    self._entity(item)
                case Claim():
                    self._claim(item)
                case Judgement():
                    self._judgement(item)
                case Relating():
                    self._relation(item)
                case Wish():
                    self._wish(item)
                case HowTo():
                    self._howto(item)
                case Correction():
                    self._correction(item)
                case Cause():
                    self._cause(item)
        return self.report

    # ── people and things ─────────────────────────────────────────────────────────────────────────────────────

    def _entity(self, item: Mentioned) -> None:
        known = self._known_names.same_thing(item.name)
        name = self.pen.entity_by_id(known).name if known is not None else item.name
        aliases = tuple(dict.fromkeys((*item.aliases, *([item.name] if name != item.name else []))))
        entity = self.pen.save_entity(
            Profile(name=name, type=item.type, aliases=aliases, description=item.description if known is None else None)
        )
        self._refresh(entity)
        episode = self._episodes[item.quote.episode]
        self.pen.mention(episode.id, [entity.id], micros(episode.event_at))
        if known is None:
            self.report.add("learned", "entity", f"{entity.name} ({entity.type})", why=item.quote.words)

    def _refresh(self, entity: Entity) -> None:
        named = (entity.name, *entity.aliases)
        self._known_names.learn((name_key(each) or each, entity.id, each) for each in named)

    def _known(self, name: str) -> Entity | None:
        if name == USER:
            return self._owner
        found = self._known_names.same_thing(name)
        return None if found is None else self.pen.entity_by_id(found)

    def _called(self, name: str) -> tuple[str, ...]:
        """Every name under which facts of a subject may be held."""
        entity = self._known(name)
        if entity is None:
            return (name,)
        owner = (USER,) if self._owner is not None and entity.id == self._owner.id else ()
        return tuple(dict.fromkeys((entity.name, *entity.aliases, name, *owner)))

    def _relation(self, item: Relating) -> None:
        source, target = self._known(item.source), self._known(item.target)
        if source is None or target is None or source.id == target.id:
            return
        if item.type in SINGLE:
            self.pen.unrelate(source.id, item.type, self.pen.now)
        self.pen.relate(source.id, item.type, target.id, item.confidence, item.quote.episode)
        self.report.add("linked", "relation", f"{source.name} {item.type} {target.name}", why=item.quote.words)

    # ── facts and opinions ────────────────────────────────────────────────────────────────────────────────────

    def _claim(self, claim: Claim) -> None:
        source = (claim.quote.episode, claim.quote.words)
        episode = self._episodes[claim.quote.episode]
        if claim.predicate == _NAMING and claim.subject in (USER, self.lesson.owner):
            self._introduce(claim, episode)
        since = (claim.valid_until if claim.negated else claim.valid_from) or episode.event_at
        held = self.pen.facts(self._called(claim.subject), rivals(claim.predicate))
        match conflict.decide(claim, held, since):
            case conflict.Adds():
                node = self.pen.add(self._fact(claim, episode), source)
                self.report.add("learned", "fact", claim.text, node.id, claim.quote.words)
            case conflict.Confirms(held=fact):
                self.pen.support(fact, source, claim.confidence)
                self.report.add("confirmed", "fact", fact.text, fact.id, claim.quote.words)
            case conflict.Replaces(held=facts):
                first, *others = facts
                node = self.pen.supersede(first.id, self._fact(claim, episode), source, micros(since))
                for other in others:
                    self.pen.close(other.id, micros(since))
                self.report.add("superseded", "fact", f"{first.text} → {claim.text}", node.id, claim.quote.words)
            case conflict.Precedes(held=fact):
                until = micros(fact.valid_from or fact.event_at)
                node = self.pen.add(self._fact(claim, episode, until), source)
                self.report.add("learned", "fact", claim.text, node.id, f"was so before [id:{fact.id}]")
            case conflict.Ends(held=facts):
                for fact in facts:
                    self.pen.close(fact.id, micros(since))
                    self.report.add("ended", "fact", fact.text, fact.id, claim.quote.words)
            case conflict.Contradicts(held=fact):
                node = self.pen.add(self._fact(claim, episode), source)
                self.pen.link(node.id, fact.id, "contradicts", confidence=claim.confidence)
                self.report.add("contradicted", "fact", f"{claim.text} ↔ {fact.text}", node.id, claim.quote.words)
            case conflict.Nothing(why=why):
                self.report.add("refused", "fact", claim.text, None, why)

    def _introduce(self, claim: Claim, episode: Node) -> None:
        """The user says what they are called: from now on "I" is this person."""
        entity = self.pen.save_entity(Profile(name=claim.object, type="person", importance=10))
        self._refresh(entity)
        self.pen.mention(episode.id, [entity.id], micros(episode.event_at))
        self.pen.owned_by(self.lesson.session_id, entity.id)
        self._owner = entity

    def _fact(self, claim: Claim, episode: Node, until: int | None = None) -> Draft:
        subject = self._known(claim.subject)
        attributes = {
            "subject": subject.name if subject else claim.subject,
            "predicate": claim.predicate,
            "object": claim.object,
        }
        since = micros(claim.valid_from or episode.event_at)
        ends = until if claim.valid_until is None else micros(claim.valid_until)
        return self._draft(
            "fact", claim.text, episode, attributes, claim.confidence, claim.source_type, since=since, until=ends
        )

    def _judgement(self, item: Judgement) -> None:
        source = (item.quote.episode, item.quote.words)
        episode = self._episodes[item.quote.episode]
        attributes = {"holder": item.holder, "about": item.about}
        draft = self._draft("opinion", item.text, episode, attributes, item.confidence, "stated")
        held = self.pen.opinions(item.holder, item.about)
        if held and held[0].text == item.text:
            self.pen.support(held[0], source, item.confidence)
            self.report.add("confirmed", "opinion", item.text, held[0].id, item.quote.words)
        elif held and held[0].event_at <= episode.event_at:
            node = self.pen.supersede(held[0].id, draft, source)
            self.report.add("superseded", "opinion", f"{held[0].text} → {item.text}", node.id, item.quote.words)
        else:
            node = self.pen.add(draft, source)
            self.report.add("learned", "opinion", item.text, node.id, item.quote.words)

    # ── how things are done ───────────────────────────────────────────────────────────────────────────────────

    def _wish(self, wish: Wish) -> None:
        source = (wish.quote.episode, wish.quote.words)
        episode = self._episodes[wish.quote.episode]
        attributes = {"category": wish.category, "name": wish.name, "value": wish.value, "strength": wish.strength}
        draft = self._draft("preference", wish.text, episode, attributes, 1.0, wish.source_type, importance=_IMPORTANT)
        held = self.pen.preference(wish.category, wish.name)
        again = held.stated_again(wish.value, wish.text, wish.strength) if held else None
        if held is None:
            node = self.pen.add(draft, source)
            self.report.add("learned", "preference", wish.text, node.id, wish.quote.words)
        elif again is not None:
            self.pen.strengthen(held, again, source)
            self.report.add("confirmed", "preference", held.text, held.id, wish.quote.words)
        else:
            node = self.pen.supersede(held.id, draft, source)
            self.report.add("superseded", "preference", f"{held.text} → {wish.text}", node.id, wish.quote.words)
        if wish.instead_of and isinstance(wish.value, str):
            self._rewrite_procedures(wish.instead_of, wish.value, source, episode)

    def _howto(self, item: HowTo) -> None:
        source = (item.quote.episode, item.quote.words)
        episode = self._episodes[item.quote.episode]
        attributes = {"name": item.name, "trigger": item.trigger, "steps": list(item.steps), "context": item.context}
        draft = self._draft(
            "procedure", item.text, episode, attributes, item.confidence, "stated", importance=_IMPORTANT
        )
        held = self.pen.procedures(name=item.name)
        if held and list(held[-1].steps) == list(item.steps):
            self.pen.support(held[-1], source, item.confidence)
            self.report.add("confirmed", "procedure", held[-1].text, held[-1].id, item.quote.words)
        elif held:
            node = self.pen.supersede(held[-1].id, draft, source)
            self.report.add("superseded", "procedure", f"{item.name}: new steps", node.id, item.quote.words)
        else:
            node = self.pen.add(draft, source)
            self.report.add("learned", "procedure", item.text, node.id, item.quote.words)

    def _rewrite_procedures(self, wrong: str, right: str, source: tuple[int, str], episode: Node) -> None:
        """Procedures that say what was just ruled out are written anew; the old version stays in the history."""
        for held in self.pen.procedures(mentioning=wrong):
            steps = [_exchanged(step, wrong, right) for step in held.steps]
            text = _exchanged(held.text, wrong, right)
            if (steps, text) == (list(held.steps), held.text):
                continue
            kept = {name: value for name, value in held.attributes.items() if value not in (None, ())}
            attributes = kept | {"steps": steps}
            for name in ("name", "trigger", "context"):
                if isinstance(kept.get(name), str):
                    attributes[name] = _exchanged(kept[name], wrong, right)
            draft = self._draft(
                "procedure", text, episode, attributes, held.confidence, "corrected", importance=held.importance
            )
            node = self.pen.supersede(held.id, draft, source)
            self.report.add("superseded", "procedure", f"{_title(held)}: {wrong} → {right}", node.id, source[1])

    def _correction(self, item: Correction) -> None:
        """What was learned from the corrected turn and says the wrong thing gives way to the right one, or ends."""
        if item.about is None or not item.wrong:
            return
        source = (item.quote.episode, item.quote.words)
        episode = self._episodes[item.quote.episode]
        for held in self.pen.derived(item.about):
            if held.kind == "episode" or not _holds(held.text, item.wrong):
                continue
            if item.right is None:
                self.pen.close(held.id, micros(episode.event_at))
                self.report.add("ended", held.kind, held.text, held.id, item.quote.words)
                continue
            attributes = {
                name: _exchanged(value, item.wrong, item.right)
                for name, value in held.attributes.items()
                if value not in (None, ())
            }
            text = _exchanged(held.text, item.wrong, item.right)
            draft = self._draft(held.kind, text, episode, attributes, 1.0, "corrected", importance=_IMPORTANT)
            node = self.pen.supersede(held.id, draft, source)
            self.report.add("superseded", held.kind, f"{held.text} → {text}", node.id, item.quote.words)

    def _cause(self, item: Cause) -> None:
        if item.cause != item.effect and {item.cause, item.effect} <= set(self._episodes):
            self.pen.link(item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words])
            self.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)

    # ── drafts ────────────────────────────────────────────────────────────────────────────────────────────────

    def _draft(
        self,
        kind: str,
        text: str,
        episode: Node,
        attributes: Mapping[str, Any],
        confidence: float,
        source_type: str,
        *,
        importance: int = _NOTABLE,
        since: int | None = None,
        until: int | None = None,
    ) -> Draft:
        """Carries origin, audience and sensitivity of the episode it was learned from, never better ones."""
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
            sensitive=episode.sensitive,
            audience=episode.audience,
            key=_key(kind, episode.id, text),
            entities=self._entities(text, attributes),
        )

    def _entities(self, text: str, attributes: Mapping[str, Any]) -> tuple[int, ...]:
        found = dict.fromkeys(named_in(text, self._known_names.names))
        if self._owner is not None and attributes.get("subject") in (USER, self._owner.name):
            found[self._owner.id] = None
        return tuple(found)


def _key(kind: str, episode: int, text: str) -> bytes:
    """The same thing learned from the same episode is one node, however often it is applied."""
    return hashlib.blake2b(json.dumps(["learned", kind, episode, text]).encode(), digest_size=16).digest()


def _exchanged(value: Any, wrong: str, right: str) -> Any:
    """The right word in the place of the wrong one, whole words alone: pnpm is not to become ppnpm."""
    if isinstance(value, str):
        return _word(wrong).sub(lambda _: right, value)
    if isinstance(value, list | tuple):
        return [_exchanged(each, wrong, right) for each in value]
    if isinstance(value, dict):
        return {name: _exchanged(each, wrong, right) for name, each in value.items()}
    return value


def _holds(text: str, word: str) -> bool:
    return _word(word).search(text) is not None


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _title(held: Procedure) -> str:
    return held.name or held.text
