"""State while a proposal is applied (transaction, known names, report), and changes to entities and relations."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from omoide.clock import to_micros
from omoide.domain import Draft, Entity, Fact, Node, kind_of
from omoide.domain.entity import EntityNames, entities_named_in, name_key
from omoide.domain.node import validate_attributes
from omoide.errors import InvalidInput
from omoide.language import tokens
from omoide.learn.change import Comparison, content_of
from omoide.learn.proposal import USER, EntityMention, ProposalItem, Quote
from omoide.learn.statement_writer import WriteOutcome
from omoide.providers.model_limits import ModelUsage
from omoide.store import EntityProfile, ErasedContentError, LearningTransaction, MergeSettlement, UnlearnedSegment

# What may go wrong with one item of a proposal; anything else concerns the file or the process.
ITEM_ERRORS = (
    ErasedContentError,
    InvalidInput,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
LearningVerb = Literal["learned", "confirmed", "superseded", "ended", "contradicted", "refused", "linked"]


@dataclass(frozen=True, slots=True)
class LearningEntry:
    """One change or refusal, and why."""

    verb: LearningVerb
    kind: str
    text: str
    id: int | None = None
    why: str = ""


@dataclass(slots=True)
class LearningReport:
    """What learning changed, in order."""

    sessions: list[str] = field(default_factory=list)
    turns: int = 0
    entries: list[LearningEntry] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why
    usage: ModelUsage = field(default_factory=ModelUsage)  # of a language model, if one was used
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


HIGH_IMPORTANCE = 7  # corrections and stated preferences
NORMAL_IMPORTANCE = 5


@dataclass(slots=True)
class LearningContext:
    """State of one learning transaction."""

    transaction: LearningTransaction
    segment: UnlearnedSegment
    decay_rate: float
    report: LearningReport = field(default_factory=LearningReport)
    episodes: dict[int, Node] = field(init=False)
    owner: Entity | None = field(init=False)
    _names: KnownNames = field(init=False)

    def __post_init__(self) -> None:
        self.episodes = {each.id: each for each in self.segment.episodes}
        self._names = KnownNames(self.transaction.names())
        self.owner = self.transaction.entity(self.segment.owner) if self.segment.owner else None

    def source(self, quote: Quote) -> tuple[Node, tuple[int, str]]:
        """The quoted episode, and the evidence to store: its id and the quoted words."""
        return self.episodes[quote.episode], (quote.episode, quote.words)

    def find_entity(self, name: str) -> Entity | None:
        if name == USER:
            return self.owner
        found = self._names.find(name)
        return None if found is None else self.transaction.entity_by_id(found)

    def names_of(self, name: str) -> tuple[str, ...]:
        """Every name under which facts about a subject may be stored."""
        entity = self.find_entity(name)
        if entity is None:
            return (name,)
        owner = (USER,) if self.owner is not None and entity.id == self.owner.id else ()
        return tuple(dict.fromkeys((entity.name, *entity.aliases, name, *owner)))

    def add_names(self, entity: Entity) -> None:
        """Make the names of an entity known for the rest of the transaction."""
        self._names.add((name_key(each) or each, entity.id, each) for each in (entity.name, *entity.aliases))

    def refuse(self, item: ProposalItem, error: Exception) -> None:
        """Report an item that cannot be applied. A failure of the program is set aside: its turn is read again."""
        why = "forgotten on request"
        if not isinstance(error, ErasedContentError):
            why = f"set aside, its turn is read again later: {type(error).__name__}: {error}"
            self.transaction.set_aside(item.quote.episode, f"{type(error).__name__}: {error}")
        self.report.add("refused", item.kind, getattr(item, "text", item.quote.words), None, why)

    def add(self, draft: Draft, source: tuple[int, str]) -> Node:
        """Store a new node and report it as learned."""
        node = self.transaction.add(draft, source)
        self.report.add("learned", draft.kind, draft.text, node.id, source[1])
        return node

    def confirm(self, node: Node, source: tuple[int, str], confidence: float) -> None:
        """Store one more piece of evidence for a node."""
        self.transaction.reaffirm(node, source, confidence)
        self.report.add("confirmed", node.kind, node.text, node.id, source[1])

    def supersede(self, held: Node, draft: Draft, source: tuple[int, str], until: int | None = None) -> Node:
        """Replace a node with a new one. `until` is when the old one stops being valid."""
        node = self.transaction.supersede(held.id, draft, source, until)
        self.report.add("superseded", held.kind, f"{held.text} → {draft.text}", node.id, source[1])
        return node

    def report_outcome(self, outcome: WriteOutcome, words: str) -> None:
        """Report what storing a statement did."""
        node = outcome.node
        match outcome.verb:
            case "stored":
                self.report.add("learned", node.kind, node.text, node.id, words)
            case "confirmed" | "known":
                self.report.add("confirmed", node.kind, node.text, node.id, words)
            case "ended":
                for old in outcome.others:
                    self.report.add("ended", old.kind, old.text, old.id, words)
            case "superseded" | "contradicted":
                mark = "↔" if outcome.verb == "contradicted" else "→"
                for old in outcome.others:
                    ends = (node.text, old.text) if mark == "↔" else (old.text, node.text)
                    self.report.add(outcome.verb, node.kind, f" {mark} ".join(ends), node.id, words)

    def end(self, node: Node, until: int, words: str) -> None:
        """End the validity of a node. `words` are the quote that ends it."""
        self.transaction.end_validity(node.id, until)
        self.report.add("ended", node.kind, node.text, node.id, words)

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
        """A draft with the origin of its episode, as private and sensitive as the most restricted of its sources.

        `also` are further nodes that its words come from.
        """
        sources = (episode, *also, *self._confirming_turn(episode))
        record = kind_of(kind)
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
            decay_rate=record.first_decay_rate(self.decay_rate),
            session=self.segment.session,
            token_count=tokens.estimate(text),
            sensitive=any(each.sensitive for each in sources),
            audience="shared" if all(each.audience == "shared" for each in sources) else "private",
            key=_learned_key(kind, episode.id, text),
            entities=self._mentioned_entities(text, attributes),
        )

    def _confirming_turn(self, episode: Node) -> tuple[Node, ...]:
        """The user's answer to an agent's turn: what is learned from the question rests on both."""
        if episode.role != "agent":
            return ()
        later = [each for each in self.segment.episodes if each.id > episode.id]
        return tuple(later[:1])

    def _mentioned_entities(self, text: str, attributes: Mapping[str, Any]) -> tuple[int, ...]:
        found = dict.fromkeys(entities_named_in(text, self._names.names))
        if self.owner is not None and attributes.get("subject") in (USER, self.owner.name):
            found[self.owner.id] = None
        return tuple(found)


def _learned_key(kind: str, episode: int, text: str) -> bytes:
    """The idempotency key: applying the same item of the same episode again creates no second node."""
    return hashlib.blake2b(json.dumps(["learned", kind, episode, text]).encode(), digest_size=16).digest()


# ── known names ──

_LEGAL_FORM = re.compile(r"\b(inc|ltd|llc|gmbh|ag|corp|corporation|co|company|sa|srl|plc|limited)$")
_MIN_SIMILARITY = 92.0  # of 100: "Anthropic" matches "Antropic"
_MIN_FUZZY_LETTERS = 7  # in shorter names one letter makes another name


def bare_name(name: str) -> str:
    """The key of a name without article and legal form: "The Acme Corp." and "Acme" are the same company."""
    key = name_key(name).removeprefix("the ")
    return _LEGAL_FORM.sub("", key).strip() or key


class KnownNames:
    """Finds the entity that a name means: exact, by bare name, or by similarity. In doubt it finds none."""

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self.names = EntityNames()
        self._bare: dict[str, set[int]] = defaultdict(set)
        self._long: dict[tuple[str, int], set[str]] = defaultdict(set)  # keys by first letter and number of words
        self.add(rows)

    def add(self, rows: Iterable[tuple[str, int, str]]) -> None:
        """Add rows of (key, entity id, name as written)."""
        rows = list(rows)
        self.names.add(rows)
        for key, id, _ in rows:
            self._bare[bare_name(key)].add(id)
            if _allows_fuzzy_match(key):
                self._long[key[0], len(key.split())].add(key)

    def find(self, name: str) -> int | None:
        """The id of the entity that a name means; None if it is new or ambiguous."""
        exact = self.names.get(name_key(name))
        found = set(exact) if exact else self._bare.get(bare_name(name), set()) or self._find_similar(name_key(name))
        return next(iter(found)) if len(found) == 1 else None

    def _find_similar(self, key: str) -> set[int]:
        if not _allows_fuzzy_match(key):
            return set()
        from rapidfuzz import fuzz

        near = (known for known in self._long[key[0], len(key.split())] if fuzz.ratio(key, known) >= _MIN_SIMILARITY)
        return {id for known in near for id in self.names[known]}


def _allows_fuzzy_match(key: str) -> bool:
    """Whether a key is long enough and has no digits: "GPT 4" and "GPT 5" are similar but not the same."""
    return len(key) >= _MIN_FUZZY_LETTERS and not any(letter.isdigit() for letter in key)


# ── entities and relations ──


_RELATION_NAMES = {"lives_in": "located_in"}  # predicates whose relation has another name


def save_mention(context: LearningContext, item: EntityMention) -> None:
    known = context.find_entity(item.name)
    name = known.name if known is not None else item.name
    aliases = tuple(dict.fromkeys((*item.aliases, *([item.name] if name != item.name else []))))
    description = item.description if known is None else None
    episode, _ = context.source(item.quote)
    at = to_micros(episode.event_at)
    entity = context.transaction.save_entity(
        EntityProfile(name=name, type=item.type, aliases=aliases, description=description, seen_at=at)
    )
    context.add_names(entity)
    context.transaction.mention(episode.id, [entity.id])
    if known is None:
        context.report.add("learned", "entity", f"{entity.name} ({entity.type})", why=item.quote.words)


def introduce_user(context: LearningContext, given: str, episode: Node) -> None:
    """Store the name that the user gives for themselves. A later name becomes an alias."""
    other = context.find_entity(given)
    if context.owner is not None and other is not None and other.id != context.owner.id:
        return  # another person has this name
    name, aliases = (context.owner.name, (given,)) if context.owner is not None else (given, ())
    at = to_micros(episode.event_at)
    entity = context.transaction.save_entity(
        EntityProfile(name=name, type="person", aliases=aliases, importance=10, seen_at=at)
    )
    context.add_names(entity)
    context.transaction.mention(episode.id, [entity.id])
    context.transaction.set_session_user(context.segment.session_id, entity.id)
    if context.owner is None:
        context.transaction.assign_unnamed_facts(USER, entity.id)
    context.owner = entity


def apply_renames(context: LearningContext) -> None:
    """Rename entities whose name fact was just superseded."""
    for entry in context.report.entries:
        if entry.verb == "superseded" and entry.kind == "fact" and entry.id is not None:
            context.transaction.apply_name_correction(entry.id)


def end_fact(context: LearningContext, node: Node, until: int, words: str) -> None:
    """End a node and, for a fact, the relation that it states. `words` are the quote that ends it."""
    context.end(node, until, words)
    if isinstance(node, Fact):
        end_relation(context, node, until)


def end_relation(context: LearningContext, fact: Fact, until: int) -> None:
    source, target = context.find_entity(fact.subject or ""), context.find_entity(fact.object or "")
    if source is not None and target is not None:
        for type in sorted(relation_types(fact)):
            context.transaction.end_relations(source.id, type, until, target.id)


def relation_types(fact: Fact) -> set[str]:
    """The types under which the relation of a fact may be stored."""
    return {fact.predicate, _RELATION_NAMES.get(fact.predicate, fact.predicate)} if fact.predicate else set()


def settle_merge(merge: MergeSettlement) -> None:
    """Resolve conflicts between the facts of two merged entities, in the order in which they were stated."""
    kept, gone = merge.facts()
    held: dict[bool, list[Fact]] = {True: [], False: []}
    sides = [(fact, True) for fact in kept] + [(fact, False) for fact in gone]
    for fact, stays in sorted(sides, key=lambda each: (each[0].event_at, each[0].id)):
        if fact.subject and _settle_fact(merge, fact, held[not stays]):
            held[stays].append(fact)


def _settle_fact(merge: MergeSettlement, new: Fact, held: list[Fact]) -> bool:
    """Settle one fact against the earlier facts of the other entity. Returns whether it is still valid."""
    contents = [replace(content_of(each), subject="") for each in held]
    content, others = content_of(new), list(held)
    for place, verdict in Comparison(content).decide(contents).items():
        old = others[place]
        match verdict:
            case "replaces":
                until = max(content.known_since, contents[place].known_since)
                merge.replace_fact(new, old, until)
                merge.end_relation(relation_types(old), old.object or "", until)
                held.remove(old)
            case "past":
                merge.mark_past(new, contents[place].known_since)
                return False
            case "contradicts":
                merge.mark_contradiction(new, old)
    return True
