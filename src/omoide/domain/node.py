"""The record shared by every kind of memory, its draft, the checks of its attributes; its session, times and origin."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import datetime, timedelta, timezone
from difflib import get_close_matches
from reprlib import repr as shown
from typing import Any, ClassVar, Literal

from omoide.clock import to_local, to_micros
from omoide.domain.decay import NO_DECAY, ConfidenceState, Decay, decay_by_rate
from omoide.domain.slots import Currency
from omoide.errors import Conflict
from omoide.language.sentences import may_have_date

ORIGINS = ("user", "agent", "system", "document", "import")
ROLE_ALIASES = {"human": "user"}  # names that other programs use
ROLE_ALIASES |= dict.fromkeys(("assistant", "ai", "bot", "orchestrator", "memory_agent"), "agent")
SOURCE_TYPES = (
    "stated", "inferred", "observed", "corrected",
    "conversation", "tool_result", "extraction", "consolidation", "agent", "narrative", "migration",
)  # fmt: skip
TRUSTED_SOURCE_TYPES = ("stated", "corrected")
INFERRED_SOURCE_TYPES = ("inferred", "observed", "extraction")
"""How something became known that nobody stated: its confidence decays until it is confirmed."""

State = Literal["live", "superseded", "archived", "withdrawn", "erased"]
"""`erased` is never stored: it is reported when content is sent again that was erased on request."""


WriteVerb = Literal["stored", "confirmed", "superseded", "ended", "contradicted", "known", "proposed"]


@dataclass(frozen=True, slots=True)
class Written:
    """What writing a memory did.

    `stored`: it is new. `confirmed`: it was known. `superseded`, `ended`: it took the place of `others`, or ended them.
    `contradicted`: it is new and contradicts `others`. `known`: its key was used before, nothing was written.
    `proposed`: the user said it, so the change waits as a proposal; `others` is its id.
    """

    verb: WriteVerb
    others: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, repr=False)  # no slots: rows are read without running the constructor
class Node:
    """One memory. A subclass adds the attributes of its kind, which are stored in one JSON column."""

    kind: ClassVar[str] = ""
    initial_decay_rate: ClassVar[float | None] = None  # None: use the setting
    counter_fields: ClassVar[tuple[str, ...]] = ()  # attributes that count events and carry no content
    is_lesson: ClassVar[bool] = False  # how work is done: ages by being contradicted or replaced, never by disuse

    id: int
    ulid: str
    text: str
    summary: str | None
    details: Any

    event_at: datetime
    recorded_at: datetime
    updated_at: datetime
    valid_from: datetime | None
    valid_until: datetime | None
    expires_at: datetime | None

    importance: int
    confidence: float
    score: int
    access_count: int
    last_accessed_at: datetime | None
    last_hit_at: datetime | None
    confirmed_at: datetime | None  # last time it was stated again or confirmed
    user_confirmed_at: datetime | None  # last time the user confirmed it
    decay_rate: float

    origin: str
    role: str | None
    speaker: str | None
    source_type: str
    session: str | None
    narrative_id: int | None
    task_id: str | None
    tags: tuple[str, ...]
    token_count: int

    sensitive: bool
    audience: str
    state: State
    state_at: datetime

    written: Written | None = field(default=None, compare=False)  # only on what a writing verb returns

    def __repr__(self) -> str:
        text = " ".join(self.text.split())
        state = "" if self.state == "live" else f", {self.state}"
        return f"{type(self).__name__}({self.id}, {text if len(text) <= 80 else text[:79] + '…'!r}{state})"

    @property
    def attributes(self) -> dict[str, Any]:
        """The fields that only this kind has."""
        return {name: getattr(self, name) for name in kind_fields(type(self))}

    @property
    def content_attributes(self) -> dict[str, Any]:
        """The attributes without counters."""
        return {name: value for name, value in self.attributes.items() if name not in self.counter_fields}

    @property
    def is_structured(self) -> bool:
        """Whether the attributes hold everything the text says, so two texts with equal attributes mean the same."""
        return False

    @property
    def full_text(self) -> str:
        """The text together with the attributes a prompt should show."""
        return self.text

    @classmethod
    def search_texts(cls, text: str, attributes: Mapping[str, Any]) -> tuple[str, ...]:
        """Attribute values that are indexed in addition to the text because the text does not contain them."""
        return ()

    @classmethod
    def first_decay_rate(cls, default: float) -> float:
        """The decay rate of a new node of this kind: the rate of the kind, else the `default` of the settings."""
        return default if cls.initial_decay_rate is None else cls.initial_decay_rate

    @classmethod
    def decay_for(cls, rate: float, predicate: str | None) -> Decay:
        """The decay of a node of this kind. By default it follows the node's own rate."""
        return NO_DECAY if cls.is_lesson else decay_by_rate(rate)

    @classmethod
    def currency_of(cls, predicate: str | None, form: str | None) -> Currency:
        """How soon what a node of this kind says goes out of date."""
        return "permanent" if cls.is_lesson or cls.initial_decay_rate == 0 else "slow"

    @property
    def is_inferred(self) -> bool:
        """Whether nobody has stated or confirmed it."""
        return self.confirmed_at is None and self.source_type in INFERRED_SOURCE_TYPES

    @property
    def decay(self) -> Decay:
        if not self.is_inferred:
            return NO_DECAY
        return self.decay_for(self.decay_rate, getattr(self, "predicate", None))

    def effective_confidence(self, now: datetime) -> float:
        """How sure we are at a moment. Only inferred memories decay, since the last use, in closed form."""
        if not self.is_inferred:
            return self.confidence
        state = ConfidenceState(
            confidence=self.confidence,
            recorded_at=to_micros(self.recorded_at),
            confirmed_at=None if self.confirmed_at is None else to_micros(self.confirmed_at),
            accessed_at=None if self.last_accessed_at is None else to_micros(self.last_accessed_at),
            accesses=self.access_count,
        )
        return self.decay.remaining(state, to_micros(now))

    @property
    def is_confirmed(self) -> bool:
        """Whether the user confirmed it. Being stated again is not enough."""
        return self.user_confirmed_at is not None

    @property
    def protected(self) -> bool:
        """Whether archiving and size limits must spare it: it never decays, or a person stated or confirmed it.

        Text of tools, documents and imports is data and is not protected by being confirmed.
        """
        trusted = self.confirmed_at is not None or self.source_type in TRUSTED_SOURCE_TYPES
        return self.decay_rate == 0 or (trusted and not is_data_origin(self.origin))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A validated node that is not stored yet. Times are in microseconds."""

    kind: str
    text: str
    event_at: int
    origin: str
    source_type: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    summary: str | None = None
    details: Any = None
    valid_from: int | None = None
    valid_until: int | None = None
    expires_at: int | None = None
    importance: int = 5
    confidence: float = 1.0
    decay_rate: float = 0.0
    role: str | None = None
    speaker: str | None = None
    session: str | None = None
    channel: str | None = None
    parent: int | None = None
    task_id: str | None = None
    tags: tuple[str, ...] = ()
    token_count: int = 0
    sensitive: bool = False
    audience: str = "private"
    key: bytes | None = None
    entities: tuple[int, ...] = ()
    times: tuple[MentionedTime, ...] = ()  # that the text speaks of


def kind_fields(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields that a kind adds to `Node`."""
    if kind.kind not in _KIND_FIELDS:
        shared = {item.name for item in fields(Node)}
        _KIND_FIELDS[kind.kind] = tuple(item.name for item in fields(kind) if item.name not in shared)
    return _KIND_FIELDS[kind.kind]


_KIND_FIELDS: dict[str, tuple[str, ...]] = {}


# ── attributes of a kind, validated when they are written ──


AttributeCheck = Callable[[Any], Any]
"""Returns the value to store, or raises ValueError that says what was expected."""


def attribute(check: AttributeCheck, default: Any = None) -> Any:
    """A dataclass field that is only stored when it differs from its default."""
    return field(default=default, metadata={"check": check})


def validate_attributes(kind: type[Node], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the attributes of a kind and leave out those equal to their default. Raises InvalidInput."""
    known = _attribute_fields(kind)
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(known) or 'none of its own'}"
            raise Conflict(f"a {kind.kind} has no field {name!r}{hint}")
        if value is None:
            continue
        try:
            checked = known[name].metadata["check"](value)
        except ValueError as error:
            raise Conflict(f"{kind.kind}.{name}: {error}, got {shown(value)}") from error
        if checked != known[name].default:
            kept[name] = checked
    return kept


_ATTRIBUTE_FIELDS: dict[str, dict[str, Field[Any]]] = {}


def _attribute_fields(kind: type[Node]) -> dict[str, Field[Any]]:
    if kind.kind not in _ATTRIBUTE_FIELDS:
        own = kind_fields(kind)
        _ATTRIBUTE_FIELDS[kind.kind] = {item.name: item for item in fields(kind) if item.name in own}
    return _ATTRIBUTE_FIELDS[kind.kind]


def non_empty_text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or "\x00" in value:
        raise ValueError("expected a non-empty text")
    value.encode()  # raises ValueError for half a surrogate pair
    return value


def one_of(*choices: str) -> AttributeCheck:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return str(value)

    return check


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected True or False")
    return value


def whole_number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("expected a whole number from 0")
    return value


def non_negative_number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError("expected a number from 0")
    return float(value)


def fraction(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("expected a number from 0 to 1")
    return float(value)


def json_value(value: Any) -> Any:
    """Accept any JSON value."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected something JSON can hold ({error})") from error
    return value


def json_list(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        raise ValueError("expected a list")
    return tuple(json_value(list(value)))


def stated_value(attributes: Mapping[str, Any]) -> str:
    """The part of a fact or preference that can change: in "Ana is the user's partner" it is Ana."""
    value = attributes.get("object") or attributes.get("value") or ""
    return str(attributes.get("subject") or "") if value == "user" else str(value)


# A conversation session.


LearningState = Literal["open", "pending", "learned"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Session:
    """A session; `learning` says whether it is still open, pending for learning, or learned."""

    id: int
    name: str
    channel: str | None
    user: str | None
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None
    summary: str | None
    episode_count: int
    learning: LearningState
    learned_at: datetime | None
    learn_error: str | None

    def __repr__(self) -> str:
        return f"Session({self.name!r}, {self.episode_count} episodes, {self.learning})"

    @property
    def is_open(self) -> bool:
        return self.ended_at is None


# Times that a text speaks of, which is not when it was said: "the dentist is on the 26th".


@dataclass(frozen=True, slots=True, order=True)
class MentionedTime:
    """From `begins` up to `ends`, in microseconds; `words` is the phrase that names it."""

    begins: int
    ends: int
    words: str

    def overlaps(self, other: MentionedTime) -> bool:
        return self.begins < other.ends and other.begins < self.ends


_AT_ONCE = timedelta(minutes=1)  # what is stored so soon was said when it was stored
_WESTMOST = timedelta(hours=10)  # offsets lie between Honolulu's and Auckland's


def mentioned_times(text: Any, at: datetime) -> tuple[MentionedTime, ...]:
    """Return the days and longer times that a statement speaks of, seen from when and where it was said."""
    if not isinstance(text, str) or not may_have_date(text):
        return ()
    from omoide.language.time.mentioned import dates_in_statement, is_time_of_speaking

    found = (
        MentionedTime(to_micros(clue.span.start), to_micros(clue.span.end), clue.phrase.text.rstrip(" .,;"))
        for clue in dates_in_statement(text, at)
        if not is_time_of_speaking(clue, at)
    )
    return tuple({(each.begins, each.ends): each for each in found}.values())


def said_at(node: Node, zone: str, times: Iterable[MentionedTime]) -> datetime:
    """When a node was said, in the zone of the settings, else of its times, else the machine's; if given, as given."""
    given = not zone and abs(node.recorded_at - node.event_at) > _AT_ONCE
    moment = node.event_at if given else to_local(to_micros(node.event_at), zone)
    stored = {each.words: each.begins for each in times}
    for each in mentioned_times(node.text, moment) if stored and not zone else ():
        if apart := each.begins - stored.get(each.words, each.begins):
            offset = (moment.utcoffset() or timedelta()) + timedelta(microseconds=apart)
            return moment.astimezone(timezone((offset + _WESTMOST) % timedelta(days=1) - _WESTMOST))
    return moment


# Whose word a memory is, and whose word counts for more. An origin is fixed when a memory is written.


USER = "user"
_ORDER = ("user", "agent", "system", "tool", "document", "import")  # from the most to the least trusted
_SPEAKERS = ("agent", "system")


def trust_of(origin: str) -> int:
    """3 for the user, 2 for the agent and the system, 1 for data: tool output, documents, imports."""
    return 3 if origin == USER else 2 if origin in _SPEAKERS else 1


def least_trusted(origins: Iterable[str], default: str = "agent") -> str:
    """The least trusted of some origins, which everything that is made of them gets."""
    return max(origins, key=_place, default=default)


def is_data_origin(origin: str) -> bool:
    """Whether text of this origin is data (tool output, documents, imports) and not somebody's statement."""
    return trust_of(origin) == 1


def _place(origin: str) -> tuple[int, str]:
    name = origin.partition(":")[0]
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER)), origin
