"""What two entities say against each other once they are one: decided like any claim, or kept and marked."""

from __future__ import annotations

from omoide.clock import micros
from omoide.layers import Fact
from omoide.learn import conflict
from omoide.learn.predicates import rivals
from omoide.learn.proposal import Claim, Quote, SourceType
from omoide.learn.things import relation_types
from omoide.store import Union


def settle(union: Union) -> None:
    """Each fact, in the order in which they were said, against those of the other that were said before it."""
    kept, gone = union.facts()
    held: dict[bool, list[Fact]] = {True: [], False: []}
    sides = [(fact, True) for fact in kept] + [(fact, False) for fact in gone]
    for fact, stays in sorted(sides, key=lambda each: (each[0].event_at, each[0].id)):
        if not fact.subject or not fact.predicate or fact.object is None:
            continue
        if _against(union, fact, held[not stays]):
            held[stays].append(fact)


def _against(union: Union, new: Fact, held: list[Fact]) -> bool:
    """Whether the fact still holds."""
    near = [fact for fact in held if fact.predicate in rivals(new.predicate or "")]
    match conflict.decide(_claim(new), near, conflict.begun(new), new.event_at):
        case conflict.Replaces(held=facts):
            for old in facts:
                until = max(micros(conflict.begun(new)), micros(conflict.begun(old)))
                union.supersedes(new, old, until)
                union.part(relation_types(old), old.object or "", until)
                held.remove(old)
        case conflict.Precedes(held=fact):
            union.is_past(new, micros(conflict.begun(fact)))
            return False
        case conflict.Contradicts(held=fact):
            union.contradicts(new, fact)
        case _:  # the same of both, or nothing against it
            pass
    return True


def _claim(fact: Fact) -> Claim:
    source: SourceType = "inferred"
    match fact.source_type:
        case "stated" | "observed" | "corrected":
            source = fact.source_type
    return Claim(
        subject=fact.subject or "",
        predicate=fact.predicate or "",
        object=fact.object or "",
        text=fact.text,
        quote=Quote(fact.id, fact.text),
        confidence=fact.confidence,
        source_type=source,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
    )
