"""What a new claim does to the facts that are held: pure, so that every case can be read and tested alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from omoide.layers import Fact
from omoide.layers.entity import name_key
from omoide.learn.predicates import LASTING, RETURNED_TO, excludes, is_single
from omoide.learn.proposal import Claim

# DESIGN: corrected > stated > observed > inferred; whatever else a source type may be is no better than a guess.
_AUTHORITY = {"corrected": 3, "stated": 2, "observed": 1}
_YEAR = timedelta(days=2 * 366)  # "last year" begins up to two years ago
_MUCH_SURER = 0.3  # "maybe I live in Rome" does not end "I live in Berlin"


@dataclass(frozen=True, slots=True)
class Adds:
    """Nothing stands against it."""


@dataclass(frozen=True, slots=True)
class Confirms:
    held: Fact


@dataclass(frozen=True, slots=True)
class Replaces:
    """The held ones end when the new one begins."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Precedes:
    """It was so before what is held became true: it is kept as past."""

    held: Fact


@dataclass(frozen=True, slots=True)
class Ends:
    """It is no longer so."""

    held: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Contradicts:
    """Neither can be preferred: both are kept and marked."""

    held: Fact


@dataclass(frozen=True, slots=True)
class Nothing:
    why: str


Decision = Adds | Confirms | Replaces | Precedes | Ends | Contradicts | Nothing


def decide(claim: Claim, held: Sequence[Fact], since: datetime, said: datetime | None = None) -> Decision:
    """`held` are the live facts of the same subject under this predicate or a rival one.

    `since` is when the claim begins to hold, `said` when it was said, if that is later: "I moved to Berlin last month"
    holds today, even if the old home was spoken of within that month.
    """
    said = since if said is None else max(since, said)
    over = claim.valid_until is not None and claim.valid_until <= said
    if not over:  # what had ended by then is neither said again nor contradicted: one may move back
        held = [fact for fact in held if fact.valid_until is None or fact.valid_until > said]
    same = [fact for fact in held if fact.predicate == claim.predicate and _same(fact.object, claim.object)]
    if claim.negated:
        ended = tuple(fact for fact in same if ends(fact, claim.predicate, since, said))
        return Ends(ended) if ended else Nothing("nothing of the kind was known")
    if same:
        return Confirms(same[0])
    against = [fact for fact in held if _stands_against(fact, claim)]
    if not against:
        return Adds()
    strongest = max(against, key=lambda fact: (authority(fact.source_type), fact.confirmed_at is not None, fact.id))
    if authority(claim.source_type) < authority(strongest.source_type):
        return Contradicts(strongest)
    as_good = authority(claim.source_type) == authority(strongest.source_type)
    if as_good and claim.predicate in LASTING and claim.source_type != "corrected":
        return Contradicts(strongest)
    if (over or said < begun(strongest)) and claim.source_type != "corrected":
        return Precedes(strongest)
    if as_good and claim.confidence + _MUCH_SURER < strongest.confidence:
        return Contradicts(strongest)
    return Replaces(tuple(against))


def authority(source_type: str) -> int:
    return _AUTHORITY.get(source_type, 0)


def _stands_against(fact: Fact, claim: Claim) -> bool:
    if fact.predicate == claim.predicate:
        return is_single(claim.predicate)
    return _same(fact.object, claim.object) and excludes(claim.predicate, fact.predicate or "")


def _same(one: str | None, other: str) -> bool:
    return name_key(one or "") == name_key(other)


def ends(fact: Fact, predicate: str, until: datetime, said: datetime) -> bool:
    """Whether "no longer since then" ends a fact: not what is said to have begun since, nor what was told later.

    When it was first heard of says nothing of when it began: one may stop in 2023 and speak of it in 2026. Only what
    one may come back to is taken to have begun again, if its end lies years before.
    """
    if fact.event_at > said:
        return False
    if is_dated(fact):
        return begun(fact) <= until + grain(until)
    return begun(fact) <= until + grain(until) or predicate not in RETURNED_TO or said - until <= _YEAR


def is_dated(fact: Fact) -> bool:
    """Whether it was said when it began; else it is only known when it was first heard of."""
    return fact.valid_from is not None and fact.valid_from != fact.event_at


def grain(moment: datetime) -> timedelta:
    """How long the time is of which a date is the first moment: a year, a month or a day."""
    if moment.hour or moment.minute or moment.day > 1:
        return timedelta(days=1)
    return timedelta(days=366 if moment.month == 1 else 31)


def begun(fact: Fact) -> datetime:
    """From when on it is known to hold."""
    return fact.valid_from or min(fact.event_at, fact.valid_until or fact.event_at)
