"""What an extractor reads and what it proposes: plain values, nothing of them stored yet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, Protocol

SourceType = Literal["stated", "inferred", "observed", "corrected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTurn:
    """One episode as an extractor sees it. `at` is in the speaker's own zone, for "last month"."""

    id: int
    text: str
    role: str  # user, agent, system, tool:NAME
    at: datetime
    speaker: str | None = None
    type: str = "conversation"
    origin: str = "user"
    outcome: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Turns in order. Those before `fresh` were learned from already and are context alone."""

    session: str
    turns: tuple[ConversationTurn, ...]
    fresh: int = 0  # index of the first turn to learn from
    owner: str | None = None  # what the user is called, where it is known; "I" is this person
    names: tuple[str, ...] = ()  # entities that are known already, by canonical name


@dataclass(frozen=True, slots=True)
class Quote:
    """The words a proposal rests on, as they stand in the episode."""

    episode: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMention:
    """A person or thing that the conversation speaks of."""

    name: str
    type: str  # of ENTITY_TYPES
    quote: Quote
    aliases: tuple[str, ...] = ()
    description: str | None = None
    passing: bool = False  # only asked or supposed: a mention of what is known, never the birth of an entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A fact: subject, predicate, object, and the sentence that says it. The user is the subject `USER`."""

    subject: str
    predicate: str  # lower_snake_case: lives_in, works_at, prefers, …
    object: str
    text: str
    quote: Quote
    confidence: float
    source_type: SourceType = "stated"
    negated: bool = False  # "I no longer work at X": ends what was true, is no fact of its own
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedOpinion:
    """An opinion that somebody holds."""

    holder: str
    about: str
    text: str
    quote: Quote
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRelation:
    """Two entities and how they are related (works_at, uses, …)."""

    source: str
    type: str
    target: str
    quote: Quote
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPreference:
    """A preference or standing instruction of the user. `instead_of` is what it rules out ("pnpm, not npm")."""

    category: str  # of PREFERENCE_CATEGORIES
    name: str  # what it is about: lower_snake_case, the same for the same matter
    value: Any
    text: str
    quote: Quote
    strength: float
    source_type: SourceType = "stated"
    instead_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaughtProcedure:
    """A procedure that was taught."""

    name: str
    trigger: str
    steps: tuple[str, ...]
    text: str
    quote: Quote
    confidence: float
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserCorrection:
    """The user says that something is wrong: `wrong` is what was said, `right` what holds instead, where it is told."""

    wrong: str | None
    right: str | None
    text: str
    quote: Quote
    about: int | None = None  # the turn that is corrected
    whole: bool = False  # all that the turn `about` taught is taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalLink:
    """One episode brought about another."""

    cause: int
    effect: int
    quote: Quote
    confidence: float = 0.7


ProposalItem = (
    EntityMention
    | Claim
    | StatedOpinion
    | StatedRelation
    | StatedPreference
    | TaughtProcedure
    | UserCorrection
    | CausalLink
)

USER = "user"  # the subject of what the user says of themselves while their name is not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """All that an extractor found in a conversation."""

    entities: tuple[EntityMention, ...] = ()
    claims: tuple[Claim, ...] = ()
    judgements: tuple[StatedOpinion, ...] = ()
    relations: tuple[StatedRelation, ...] = ()
    wishes: tuple[StatedPreference, ...] = ()
    howtos: tuple[TaughtProcedure, ...] = ()
    corrections: tuple[UserCorrection, ...] = ()
    causes: tuple[CausalLink, ...] = ()
    notes: tuple[str, ...] = field(default=())  # what was left out and why, for the report

    def __iter__(self) -> Iterator[ProposalItem]:
        yield from self.entities
        yield from self.claims
        yield from self.judgements
        yield from self.relations
        yield from self.wishes
        yield from self.howtos
        yield from self.corrections
        yield from self.causes


def collect_proposal(items: Iterable[ProposalItem], notes: tuple[str, ...] = ()) -> Proposal:
    """Items of all kinds as one proposal, each once, in order."""
    kinds: dict[type, str] = {
        EntityMention: "entities",
        Claim: "claims",
        StatedOpinion: "judgements",
        StatedRelation: "relations",
    }
    kinds |= {
        StatedPreference: "wishes",
        TaughtProcedure: "howtos",
        UserCorrection: "corrections",
        CausalLink: "causes",
    }
    lists: dict[str, list[Any]] = {name: [] for name in kinds.values()}
    for item in items:
        if item not in lists[kinds[type(item)]]:
            lists[kinds[type(item)]].append(item)
    return Proposal(**{name: tuple(found) for name, found in lists.items()}, notes=notes)


class Extractor(Protocol):
    """Reads a conversation, proposes what to learn. Deterministic or not, it stores nothing itself."""

    @property
    def name(self) -> str: ...

    def extract(self, conversation: Conversation) -> Proposal: ...


# A proposal as JSON and back: what is written down before anything of it is applied.


_ITEM_TYPES: dict[str, type[ProposalItem]] = {
    "entities": EntityMention,
    "claims": Claim,
    "judgements": StatedOpinion,
    "relations": StatedRelation,
    "wishes": StatedPreference,
    "howtos": TaughtProcedure,
    "corrections": UserCorrection,
    "causes": CausalLink,
}
_DATETIME_FIELDS = ("valid_from", "valid_until")
_TUPLE_FIELDS = ("aliases", "steps")


def dump_proposal(proposal: Proposal) -> str:
    return json.dumps(asdict(proposal), default=_json_default, ensure_ascii=False)


def load_proposal(text: str) -> Proposal:
    found = json.loads(text)
    items: dict[str, Any] = {
        name: tuple(_load_item(kind, each) for each in found[name]) for name, kind in _ITEM_TYPES.items()
    }
    return Proposal(**items, notes=tuple(found["notes"]))


def _load_item(kind: type[ProposalItem], given: dict[str, Any]) -> ProposalItem:
    known = {item.name for item in fields(kind)}
    values = {name: value for name, value in given.items() if name in known}
    values["quote"] = Quote(**given["quote"])
    for name in _DATETIME_FIELDS:
        if values.get(name):
            values[name] = datetime.fromisoformat(values[name])
    for name in _TUPLE_FIELDS:
        if name in values:
            values[name] = tuple(values[name])
    return kind(**values)


def _json_default(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a proposal holds plain values, not {type(value).__name__}")
