"""Decides what a new claim does to stored facts, from data about predicates. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.learn.proposal import Claim

# corrected > stated > observed > anything else
_AUTHORITY = {"corrected": 3, "stated": 2, "observed": 1}
_TWO_YEARS = timedelta(days=2 * 366)  # "last year" can begin two years ago
_CONFIDENCE_MARGIN = 0.3  # a much less certain claim does not replace a fact


@dataclass(frozen=True, slots=True)
class AddFact:
    """No stored fact conflicts."""


@dataclass(frozen=True, slots=True)
class ConfirmFact:
    held: Fact


@dataclass(frozen=True, slots=True)
class ReplaceFacts:
    """The stored facts end when the new one begins."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class AddPastFact:
    """The claim was true before the stored fact: it is stored as past."""

    held: Fact


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The stored facts are no longer true."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class MarkContradiction:
    """Neither is preferred: both are kept and linked as contradicting."""

    held: Fact


@dataclass(frozen=True, slots=True)
class NoChange:
    why: str


ConflictDecision = AddFact | ConfirmFact | ReplaceFacts | AddPastFact | EndFacts | MarkContradiction | NoChange


def decide_conflict(
    claim: Claim, held: Sequence[Fact], since: datetime, stated_at: datetime | None = None
) -> ConflictDecision:
    """Decide what a claim does to `held`, the live facts of its subject with the same or a competing predicate.

    `since` is when the claim becomes true, `stated_at` when it was stated, if later: "I moved to Berlin last month"
    replaces the old home even if that was mentioned within the month.
    """
    stated_at = since if stated_at is None else max(since, stated_at)
    over = claim.valid_until is not None and claim.valid_until <= stated_at
    if not over:  # facts that had ended by then do not count: one may move back
        held = [fact for fact in held if fact.valid_until is None or fact.valid_until > stated_at]
    same = [fact for fact in held if fact.predicate == claim.predicate and _same_name(fact.object, claim.object)]
    if claim.negated:
        ended = tuple(fact for fact in same if ends_fact(fact, claim.predicate, since, stated_at))
        return EndFacts(ended) if ended else NoChange("nothing of the kind was known")
    if same:
        return ConfirmFact(same[0])
    against = [fact for fact in held if _conflicts(fact, claim)]
    if not against:
        return AddFact()
    strongest = max(against, key=lambda fact: (authority(fact.source_type), fact.confirmed_at is not None, fact.id))
    if authority(claim.source_type) < authority(strongest.source_type):
        return MarkContradiction(strongest)
    as_good = authority(claim.source_type) == authority(strongest.source_type)
    if as_good and claim.predicate in UNCHANGING and claim.source_type != "corrected":
        return MarkContradiction(strongest)
    if (over or stated_at < known_since(strongest)) and claim.source_type != "corrected":
        return AddPastFact(strongest)
    if as_good and claim.confidence + _CONFIDENCE_MARGIN < strongest.confidence:
        return MarkContradiction(strongest)
    return ReplaceFacts(tuple(against))


def authority(source_type: str) -> int:
    return _AUTHORITY.get(source_type, 0)


def _conflicts(fact: Fact, claim: Claim) -> bool:
    if fact.predicate == claim.predicate:
        return is_single_valued(claim.predicate)
    return _same_name(fact.object, claim.object) and are_opposite(claim.predicate, fact.predicate or "")


def _same_name(one: str | None, other: str) -> bool:
    return name_key(one or "") == name_key(other)


def ends_fact(fact: Fact, predicate: str, until: datetime, stated_at: datetime) -> bool:
    """Whether "no longer, since `until`" ends a fact. It does not end facts that began or were stated later.

    When a fact was first mentioned does not say when it began: one may stop in 2023 and mention it in 2026. Only for
    resumable predicates an end that is years ago means that it began again.
    """
    if fact.event_at > stated_at:
        return False
    if has_stated_start(fact):
        return known_since(fact) <= until + date_precision(until)
    return (
        known_since(fact) <= until + date_precision(until)
        or predicate not in RESUMABLE
        or stated_at - until <= _TWO_YEARS
    )


def has_stated_start(fact: Fact) -> bool:
    """Whether its start was stated; otherwise only its first mention is known."""
    return fact.valid_from is not None and fact.valid_from != fact.event_at


def date_precision(moment: datetime) -> timedelta:
    """The length of the period that a date stands for: a year, a month or a day."""
    if moment.hour or moment.minute or moment.day > 1:
        return timedelta(days=1)
    return timedelta(days=366 if moment.month == 1 else 31)


def known_since(fact: Fact) -> datetime:
    """The first time at which a fact is known to be true."""
    return fact.valid_from or min(fact.event_at, fact.valid_until or fact.event_at)


# ── predicates ──

# Predicates with one value at a time: a new value ends the old one. All others may have several.
SINGLE_VALUED = frozenset(
    """
    name nickname age birthday born_in lives_in located_in home_town timezone nationality native_language
    works_at works_as studies_at studies job_title employer manager
    married_to partner relationship_status marital_status
    email phone address diet
    deployed_on hosted_on plan version status deadline default_branch package_manager
    """.split()
)

# Single-valued predicates that never change: a different value is a contradiction.
UNCHANGING = frozenset({"born_in", "birthday", "home_town", "native_language"})

# What somebody may leave and return to: "I left Acme in 2019" does not end a job stated today.
RESUMABLE = frozenset({"works_at", "works_as", "lives_in", "studies_at", "studies", "employer", "located_in"})

# Groups of which only one predicate can be true for the same object: the later one ends the other.
_EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({"likes", "loves", "enjoys", "prefers", "dislikes", "hates", "avoids"}),
    frozenset({"uses", "stopped_using"}),
    frozenset({"owns", "sold"}),
    frozenset({"can", "cannot"}),
)
_POSITIVE = frozenset({"likes", "loves", "enjoys", "prefers"})
_NEGATIVE = frozenset({"dislikes", "hates", "avoids"})

# The entity relation that a fact of a predicate implies.
RELATION_OF_PREDICATE = {
    "works_at": "works_at",
    "lives_in": "located_in",
    "uses": "uses",
    "owns": "owns",
    "part_of": "part_of",
    "depends_on": "depends_on",
    "created": "created",
    "deployed_on": "deployed_on",
    "hosted_on": "deployed_on",
    "runs_on": "deployed_on",
    "written_in": "uses",
    "built_with": "uses",
    "works_on": "works_on",
    "studies_at": "studies_at",
    "graduated_from": "graduated_from",
}


# Relatives of whom there is only one, so `wife_works_at` is single-valued.
_UNIQUE_RELATIVES = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee".split())


# Predicates whose object is a place.
PLACE_PREDICATES = frozenset({"lives_in", "located_in", "born_in", "home_town", "comes_from", "grew_up_in"})


def is_single_valued(predicate: str) -> bool:
    """Whether a predicate has one value at a time. Every favorite_* does."""
    relative, _, rest = predicate.partition("_")
    return (
        predicate in SINGLE_VALUED
        or relative == "favorite"
        or (relative in _UNIQUE_RELATIVES and rest in SINGLE_VALUED)
    )


def competing_predicates(predicate: str) -> tuple[str, ...]:
    """The predicates whose facts may conflict with this predicate, including itself."""
    for group in _EXCLUSIVE:
        if predicate in group:
            return tuple(sorted(group))
    return (predicate,)


def are_opposite(new: str, held: str) -> bool:
    """Whether two predicates exclude each other for the same object."""
    if (new in _POSITIVE and held in _NEGATIVE) or (new in _NEGATIVE and held in _POSITIVE):
        return True
    return new != held and any(new in group and held in group for group in _EXCLUSIVE[1:])
