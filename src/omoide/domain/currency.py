"""Currency: how soon what a memory says goes out of date, and when it should be asked again.

Confidence says how sure we are that a memory was true when it was said; time does not change that for what a person
stated. Currency says whether it may have changed since.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from omoide.domain.slots import SLOTS, Currency, Slot, SlotGroup

if TYPE_CHECKING:
    from omoide.domain.node import Node

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


def is_classified(predicate: str) -> bool:
    return slot_of(predicate) is not None


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
