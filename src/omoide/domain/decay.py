"""Decay of the confidence of inferred memories, and currency: how soon what a memory says goes out of date.

Decay is computed in closed form from stored values, so it never compounds. What a person stated, corrected or confirmed
does not decay (`Node.is_inferred`); its age shows as currency.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from omoide.domain.slots import SLOTS, Currency, Slot, SlotGroup

if TYPE_CHECKING:
    from omoide.domain.node import Node


_DAY = 86_400e6  # microseconds
_MONTH = 365.25 / 12  # days


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceState:
    """The stored values that decay is computed from."""

    confidence: float
    recorded_at: int
    confirmed_at: int | None = None
    accessed_at: int | None = None
    accesses: int = 0

    @property
    def last_evidence_at(self) -> int:
        """When it was last stated. Being recalled does not count as new evidence."""
        return max(self.recorded_at, self.confirmed_at or 0)

    @property
    def used_at(self) -> int:
        return max(self.last_evidence_at, self.accessed_at or 0)


class Decay(Protocol):
    """Computes the confidence that remains at a moment; never more than the stored one."""

    def remaining(self, state: ConfidenceState, now: int) -> float: ...


@dataclass(frozen=True, slots=True)
class NoDecay:
    """For events, what never changes, and technical facts."""

    def remaining(self, state: ConfidenceState, now: int) -> float:
        return state.confidence


@dataclass(frozen=True, slots=True)
class ForgettingCurve:
    """Exponential decay since the last confirmation or use. Each recall slows it a little.

    Recalls never raise it above the stated confidence.
    """

    rate: float

    def remaining(self, state: ConfidenceState, now: int) -> float:
        decayed = state.confidence * math.exp(-self.rate * _days(state.used_at, now) ** 0.8)
        return min(state.confidence, decayed + 0.05 * math.log(1 + state.accesses / 20))


@dataclass(frozen=True, slots=True)
class LinearDecay:
    """A fixed loss per month, starting some months after the last evidence."""

    per_month: float
    after_months: float = 0.0

    def remaining(self, state: ConfidenceState, now: int) -> float:
        months = _days(state.last_evidence_at, now) / _MONTH - self.after_months
        return max(0.0, state.confidence - self.per_month * max(0.0, months))


CIRCUMSTANCE_DECAY = LinearDecay(0.05, 6)  # home, work, relationships: changes are rarely reported
TASTE_DECAY = LinearDecay(0.02)  # likes and dislikes change more slowly
NO_DECAY = NoDecay()

_TECHNICAL = frozenset(
    """
    uses stopped_using deployed_on hosted_on runs_on built_with written_in depends_on part_of created_by version
    default_branch package_manager framework language database port url repository requires supports is_a
    """.split()
)


def decay_by_predicate(predicate: str | None, rate: float) -> Decay:
    """The decay of an inferred fact with this predicate. A rate of 0 means that it was confirmed and never decays."""
    slot = slot_of(predicate)
    if not rate or predicate in _TECHNICAL or (slot is not None and slot.currency == "permanent"):
        return NO_DECAY
    if slot is not None and slot.group == "taste":
        return TASTE_DECAY
    if slot is not None and slot.group in ("circumstance", "relation"):
        return CIRCUMSTANCE_DECAY
    return decay_by_rate(rate)


def decay_by_rate(rate: float) -> Decay:
    return ForgettingCurve(rate) if rate else NO_DECAY


def _days(since: int, now: int) -> float:
    return max(0, now - since) / _DAY


# Currency: how soon what a memory says goes out of date, and when it should be asked again.
#
# Confidence says how sure we are that a memory was true when it was said; time does not change that for what a person
# stated. Currency says whether it may have changed since.


ASK_AGAIN_DAYS: dict[Currency, int | None] = {"permanent": None, "slow": 365, "fast": 30}
_UNCERTAIN = 0.5  # effective confidence below which a memory is called uncertain

# Predicates beside the slots: those of imports, of language models and of relations between entities.
_OTHERS: tuple[tuple[SlotGroup, Currency, str], ...] = (
    (
        "identity",
        "permanent",
        "called home_town comes_from grew_up_in native_language graduated_from asked_to_remember",
    ),
    ("constraint", "permanent", "allergic_to intolerant_to has_condition blood_group"),
    ("constraint", "slow", "does_not_eat takes"),
    ("relation", "permanent", "married_to spouse_of has_children"),
    ("relation", "slow", "dating has_pet manages part_of created"),
    (
        "circumstance",
        "slow",
        "lived_in located_in moved_to works_for job_title employer occupation studies_at relationship_status"
        " marital_status teaches learns runs",
    ),
    ("circumstance", "fast", "status plan plans mood feels"),
    ("taste", "slow", "loves enjoys prefers hates avoids wants favourite interested_in can cannot"),
    (
        "thing",
        "slow",
        "stopped_using sold hosted_on runs_on built_with written_in depends_on created_by default_branch"
        " package_manager framework language database port url repository requires supports is_a",
    ),
)
_PREDICATES: dict[str, Slot] = {
    **{name: Slot(name, group, currency) for group, currency, names in _OTHERS for name in names.split()},
    **SLOTS,
}
_KIN = frozenset(
    """
    mother father parent mum mom dad sister brother sibling twin son daughter child kid baby wife husband spouse
    uncle aunt cousin niece nephew relative ancestor descendant widow widower
    """.split()
)
_KIN_PREFIXES = ("grand", "step", "half", "god", "foster", "great")


def slot_of(predicate: str | None) -> Slot | None:
    """The slot of a predicate, or what stands in for one; None for a predicate that nobody has classified."""
    if not predicate:
        return None
    if found := _PREDICATES.get(predicate):
        return found
    head, _, rest = predicate.partition("_")
    if predicate.endswith("_of"):
        permanent = _is_kin(predicate.removesuffix("_of"))
        return Slot(predicate, "relation", "permanent" if permanent else "slow")
    if head in ("favorite", "favourite"):
        return SLOTS["favorite"]
    return slot_of(rest) if rest and _is_kin(head) else None  # `wife_works_at` changes as `works_at` does


def predicate_currency(predicate: str | None) -> Currency:
    """The class of a predicate; a fact without a known one changes slowly."""
    slot = slot_of(predicate)
    return slot.currency if slot else "slow"


def _is_kin(word: str) -> bool:
    parts = word.removesuffix("_in_law").split("_")
    return any(part in _KIN or part.startswith(_KIN_PREFIXES) for part in parts)


class CurrencyState(NamedTuple):
    """How current a memory is: its class, when it was last said and used, and when to ask again (None: never)."""

    currency: Currency
    said_at: datetime
    used_at: datetime | None
    ask_again_at: datetime | None


def currency_state(node: Node) -> CurrencyState:
    """How current a memory is. Being recalled is use, not evidence: it does not make a memory more current."""
    said = max(node.event_at, node.confirmed_at or node.event_at)
    kind = type(node).currency_of(getattr(node, "predicate", None), getattr(node, "form", None))
    days = ASK_AGAIN_DAYS[kind]
    due = None if days is None else said + timedelta(days=days)
    if due is not None and getattr(node, "form", None) == "plan" and node.valid_until is not None:
        due = node.valid_until  # a plan is due when its time is over
    return CurrencyState(kind, said, node.last_accessed_at, due)


def currency_note(node: Node, now: datetime, *, dated: bool = False) -> str:
    """What a reader should know of a memory's certainty and age, in words: "said in March 2024, may have changed".

    Empty for a current memory that somebody stated, and for episodes, which carry their own date. Where a memory is
    `dated` already, the note does not say when it was told.
    """
    if node.kind == "episode":
        return ""
    state = currency_state(node)
    parts = []
    if node.effective_confidence(now) < _UNCERTAIN:
        parts.append("uncertain")
    elif node.is_inferred:
        parts.append("inferred")
    if state.ask_again_at is not None and state.ask_again_at <= now:
        said = state.said_at.astimezone(now.tzinfo)
        verb = "" if parts else "said "
        day = f"on {said.day} {said:%B %Y}" if state.currency == "fast" else f"in {said:%B %Y}"
        parts.append("may have changed" if dated else f"{verb}{day}, may have changed")
    return " ".join(parts) if parts[:1] == ["inferred"] else ", ".join(parts)
