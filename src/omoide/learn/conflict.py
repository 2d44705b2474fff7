"""What a new claim does to the facts that are held: pure, so that every case can be read and tested alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.learn.proposal import Claim

# DESIGN: corrected > stated > observed > inferred; whatever else a source type may be is no better than a guess.
_AUTHORITY = {"corrected": 3, "stated": 2, "observed": 1}
_TWO_YEARS = timedelta(days=2 * 366)  # "last year" begins up to two years ago
_CONFIDENCE_MARGIN = 0.3  # "maybe I live in Rome" does not end "I live in Berlin"


@dataclass(frozen=True, slots=True)
class AddFact:
    """Nothing stands against it."""


@dataclass(frozen=True, slots=True)
class ConfirmFact:
    held: Fact


@dataclass(frozen=True, slots=True)
class ReplaceFacts:
    """The held ones end when the new one begins."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class AddPastFact:
    """It was so before what is held became true: it is kept as past."""

    held: Fact


@dataclass(frozen=True, slots=True)
class EndFacts:
    """It is no longer so."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class MarkContradiction:
    """Neither can be preferred: both are kept and marked."""

    held: Fact


@dataclass(frozen=True, slots=True)
class NoChange:
    why: str


ConflictDecision = AddFact | ConfirmFact | ReplaceFacts | AddPastFact | EndFacts | MarkContradiction | NoChange


def decide_conflict(
    claim: Claim, held: Sequence[Fact], since: datetime, said: datetime | None = None
) -> ConflictDecision:
    """`held` are the live facts of the same subject under this predicate or a rival one.

    `since` is when the claim begins to hold, `said` when it was said, if that is later: "I moved to Berlin last month"
    holds today, even if the old home was spoken of within that month.
    """
    said = since if said is None else max(since, said)
    over = claim.valid_until is not None and claim.valid_until <= said
    if not over:  # what had ended by then is neither said again nor contradicted: one may move back
        held = [fact for fact in held if fact.valid_until is None or fact.valid_until > said]
    same = [fact for fact in held if fact.predicate == claim.predicate and _same_name(fact.object, claim.object)]
    if claim.negated:
        ended = tuple(fact for fact in same if ends_fact(fact, claim.predicate, since, said))
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
    if (over or said < known_since(strongest)) and claim.source_type != "corrected":
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


def ends_fact(fact: Fact, predicate: str, until: datetime, said: datetime) -> bool:
    """Whether "no longer since then" ends a fact: not what is said to have begun since, nor what was told later.

    When it was first heard of says nothing of when it began: one may stop in 2023 and speak of it in 2026. Only what
    one may come back to is taken to have begun again, if its end lies years before.
    """
    if fact.event_at > said:
        return False
    if has_stated_start(fact):
        return known_since(fact) <= until + date_precision(until)
    return (
        known_since(fact) <= until + date_precision(until) or predicate not in RESUMABLE or said - until <= _TWO_YEARS
    )


def has_stated_start(fact: Fact) -> bool:
    """Whether it was said when it began; else it is only known when it was first heard of."""
    return fact.valid_from is not None and fact.valid_from != fact.event_at


def date_precision(moment: datetime) -> timedelta:
    """How long the time is of which a date is the first moment: a year, a month or a day."""
    if moment.hour or moment.minute or moment.day > 1:
        return timedelta(days=1)
    return timedelta(days=366 if moment.month == 1 else 31)


def known_since(fact: Fact) -> datetime:
    """From when on it is known to hold."""
    return fact.valid_from or min(fact.event_at, fact.valid_until or fact.event_at)


# What kinds of facts exclude each other, as data.


# One value at a time: a new one ends the old one. What is not here may be true several times over.
SINGLE_VALUED = frozenset(
    """
    name nickname age birthday born_in lives_in located_in home_town timezone nationality native_language
    works_at works_as studies_at studies job_title employer manager
    married_to partner relationship_status marital_status
    email phone address diet
    deployed_on hosted_on plan version status deadline default_branch package_manager
    """.split()
)

# Those of them that never change: a later word is no news but a mistake, one way or the other.
UNCHANGING = frozenset({"born_in", "birthday", "home_town", "native_language"})

# What one may leave and come back to: "I left Acme in 2019" does not end the job of today.
RESUMABLE = frozenset({"works_at", "works_as", "lives_in", "studies_at", "studies", "employer", "located_in"})

# Predicates of which only one can hold of the same object: the later one ends the other.
_EXCLUSIVE: tuple[frozenset[str], ...] = (
    frozenset({"likes", "loves", "enjoys", "prefers", "dislikes", "hates", "avoids"}),
    frozenset({"uses", "stopped_using"}),
    frozenset({"owns", "sold"}),
    frozenset({"can", "cannot"}),
)
_POSITIVE = frozenset({"likes", "loves", "enjoys", "prefers"})
_NEGATIVE = frozenset({"dislikes", "hates", "avoids"})

# The link between two entities that a fact of a predicate stands for.
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


# Relatives of whom there is one: what is told of one without a name (`wife_works_at`) is told of the same.
_UNIQUE_RELATIVES = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee".split())


# Facts whose object is a place.
PLACE_PREDICATES = frozenset({"lives_in", "located_in", "born_in", "home_town", "comes_from", "grew_up_in"})


def is_single_valued(predicate: str) -> bool:
    """Whether it has one value at a time: of bands, too, one is the favourite."""
    kin, _, told = predicate.partition("_")  # one wife works at one place; of sons there may be two
    return predicate in SINGLE_VALUED or kin == "favorite" or (kin in _UNIQUE_RELATIVES and told in SINGLE_VALUED)


def competing_predicates(predicate: str) -> tuple[str, ...]:
    """The predicates whose facts may stand against one of this predicate, itself included."""
    for group in _EXCLUSIVE:
        if predicate in group:
            return tuple(sorted(group))
    return (predicate,)


def are_opposite(new: str, held: str) -> bool:
    """Whether a fact of the one predicate about the same object says the opposite of the other."""
    if (new in _POSITIVE and held in _NEGATIVE) or (new in _NEGATIVE and held in _POSITIVE):
        return True
    return new != held and any(new in group and held in group for group in _EXCLUSIVE[1:])
