"""What an extractor reads (a conversation) and returns (a proposal), and the JSON form of a journaled proposal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol

SourceType = Literal["stated", "inferred", "observed", "corrected"]
StatementKind = Literal["fact", "relation", "event", "plan", "preference", "instruction", "opinion", "procedure"]
ChangeKind = Literal["replaces", "ends", "corrects"]

USER = "user"  # the subject of what the user says about themselves while their name is unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTurn:
    """One episode as an extractor sees it. `at` is in the speaker's time zone, to resolve "last month"."""

    id: int
    text: str
    role: str  # user, agent, system, tool:NAME
    at: datetime
    speaker: str | None = None
    type: str = "conversation"
    origin: str = "user"
    outcome: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningConversation:
    """Turns in order. Turns before `fresh` were already learned from and only give context."""

    session: str
    turns: tuple[ConversationTurn, ...]
    fresh: int = 0  # index of the first turn to learn from
    owner: str | None = None  # the user's name, if known
    names: tuple[str, ...] = ()  # canonical names of known entities

    def reply_after(self, index: int) -> str:
        """What the agent said right after a turn."""
        after = self.turns[index + 1 : index + 2]
        return after[0].text if after and after[0].role == "agent" else ""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of an episode that support an item."""

    episode: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityMention:
    """A person or thing that the conversation mentions."""

    kind: ClassVar[str] = "entity"

    name: str
    type: str  # one of ENTITY_TYPES
    quote: Quote
    aliases: tuple[str, ...] = ()
    description: str | None = None
    existing_only: bool = False  # asked about or supposed: counts as a mention, but creates no entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that somebody asserted, restated in the third person with its subject resolved and its dates absolute.

    A statement needs no slot. Two statements of one subject compete if they have the same slot with one value at a
    time, or the same `matter` with another value.
    """

    form: StatementKind
    subject: str  # the name of a person or thing; USER for the user
    text: str  # "Priya can't have penicillin (rash as a child)"; empty: it only ends what it names, and is not stored
    quote: Quote
    confidence: float  # the calibrated probability of the judge
    source_type: SourceType = "stated"
    slot: str | None = None  # a row of omoide.domain.slots
    value: str | None = None  # what fills the slot, or what differs between two statements of one matter
    matter: str | None = None  # what it is about, as a key of head words: "manager", "flight chennai", "deploy staging"
    change: ChangeKind | None = None  # its words announce a change: "now", "scrap", "no longer", "not the 9th"
    begins: datetime | None = None  # the time that a plan or event takes place
    ends: datetime | None = None
    valid_from: datetime | None = None  # since when it is true
    valid_until: datetime | None = None
    scope: str | None = None  # where an instruction applies: "commit messages"
    exceptions: tuple[str, ...] = ()  # where it does not: "throwaway scripts"
    trigger: str | None = None  # when a procedure is used
    steps: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of node as which it is stored."""
        return _KIND_OF_FORM.get(self.form, "fact")


_KIND_OF_FORM = {
    "preference": "preference",
    "instruction": "preference",
    "opinion": "opinion",
    "procedure": "procedure",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserCorrection:
    """The user says that something is wrong, and what is right if they say it."""

    kind: ClassVar[str] = "correction"

    wrong: str | None
    right: str | None
    text: str
    quote: Quote
    about: int | None = None  # the corrected turn
    whole: bool = False  # everything learned from the turn `about` is taken back
    lasting: bool = False  # one thing is to be used instead of another from now on, also in known procedures


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalLink:
    """One episode caused another."""

    kind: ClassVar[str] = "cause"

    cause: int
    effect: int
    quote: Quote
    confidence: float = 0.7


ProposalItem = EntityMention | Statement | UserCorrection | CausalLink


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was found in a turn and is not kept, and why."""

    quote: Quote
    kind: str
    text: str
    reason: str


def doubts(statements: Iterable[Statement]) -> tuple[Refusal, ...]:
    """Statements of which nobody knows whether the user wants them kept."""
    return tuple(Refusal(each.quote, each.kind, each.text, "perhaps not worth keeping") for each in statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Everything an extractor found in a conversation. Nothing of it is stored yet."""

    entities: tuple[EntityMention, ...] = ()
    statements: tuple[Statement, ...] = ()
    corrections: tuple[UserCorrection, ...] = ()
    causes: tuple[CausalLink, ...] = ()
    notes: tuple[str, ...] = ()  # what was left out and why, for the report
    refused: tuple[Refusal, ...] = ()

    def __iter__(self) -> Iterator[ProposalItem]:
        for name in ITEM_TYPES:
            yield from getattr(self, name)


ITEM_TYPES: dict[str, type[ProposalItem]] = {
    "entities": EntityMention,
    "statements": Statement,
    "corrections": UserCorrection,
    "causes": CausalLink,
}
_DATETIME_FIELDS = ("valid_from", "valid_until", "begins", "ends")
_TUPLE_FIELDS = ("aliases", "steps", "exceptions")


class Extractor(Protocol):
    """Reads a conversation and proposes what to learn. It stores nothing itself."""

    @property
    def name(self) -> str: ...

    def extract(self, conversation: LearningConversation) -> Proposal: ...


def collect_proposal(
    items: Iterable[ProposalItem], notes: tuple[str, ...] = (), refused: tuple[Refusal, ...] = ()
) -> Proposal:
    """One proposal from items of all kinds, in order and without repetitions."""
    names = {type: name for name, type in ITEM_TYPES.items()}
    lists: dict[str, list[Any]] = {name: [] for name in ITEM_TYPES}
    for item in items:
        found = lists[names[type(item)]]
        if item not in found:
            found.append(item)
    return Proposal(**{name: tuple(found) for name, found in lists.items()}, notes=notes, refused=refused)


def dump_proposal(proposal: Proposal) -> str:
    return json.dumps(asdict(proposal), default=_json_default, ensure_ascii=False)


def load_proposal(text: str) -> Proposal:
    found = json.loads(text)
    items: dict[str, Any] = {
        name: tuple(_load_item(type, each) for each in found[name]) for name, type in ITEM_TYPES.items()
    }
    refused = tuple(Refusal(**{**each, "quote": Quote(**each["quote"])}) for each in found.get("refused", ()))
    return Proposal(**items, notes=tuple(found["notes"]), refused=refused)


def _load_item(type: type[ProposalItem], given: dict[str, Any]) -> ProposalItem:
    known = {item.name for item in fields(type)}
    values = {name: value for name, value in given.items() if name in known}
    values["quote"] = Quote(**given["quote"])
    for name in _DATETIME_FIELDS:
        if values.get(name):
            values[name] = datetime.fromisoformat(values[name])
    for name in _TUPLE_FIELDS:
        if name in values:
            values[name] = tuple(values[name])
    return type(**values)


def _json_default(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a proposal cannot hold a {type(value).__name__}")
