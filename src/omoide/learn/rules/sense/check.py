"""Whether the words mean what a rule took them for: jokes, idioms, other senses of a word, the half of what was said.

A rule reads a verb and what stands after it. Here the rest of the clause is heard: "a dog in this fight" is no pet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from omoide.learn.proposal import Claim
from omoide.learn.rules.rule import FoundClaim
from omoide.learn.rules.sense import people, wording
from omoide.learn.rules.sense.wording import ClaimWording
from omoide.learn.rules.subjects import plain

_Check = Callable[[ClaimWording], bool]
_OF_ALL: tuple[_Check, ...] = (wording.figurative, people.nobody, wording.laughed_abroad)
_OF: Mapping[str, tuple[_Check, ...]] = {
    "lives_in": (people.no_place, people.moved_elsewhere, people.part_of_the_week, people.passing),
    "stays_in": (people.no_place, people.moved_elsewhere, people.long_ago),
    "comes_from": (people.no_place,),
    "born_in": (people.no_place,),
    "grew_up_in": (people.no_place,),
    "has_pet": (people.not_kept,),
    "works_at": (people.no_employer, people.now_and_then),
    "also_works_at": (people.no_employer,),
    "works_as": (people.no_trade, wording.laughed),
    "works_on": (people.no_work, wording.a_time),
    "studies": (wording.a_time, people.no_field),
    "uses": (wording.a_time, wording.no_tool),
    "owns": (wording.a_time, wording.not_owned),
    "created": (wording.not_made,),
    "runs_on": (wording.a_time, wording.somebody),
    "depends_on": (wording.a_time, wording.somebody),
    "part_of": (wording.a_time, wording.no_whole),
    "written_in": (wording.no_language,),
    "likes": (wording.no_liking,),
    "dislikes": (wording.no_liking,),
    "name": (people.no_name, wording.laughed, wording.famous),
    "called": (people.no_name, wording.laughed),
    "age": (wording.likened, wording.laughed),
    "allergic_to": (people.no_allergen, wording.laughed),
    "diet": (people.for_a_while,),
    "does_not_eat": (people.no_food,),
    "has_condition": (people.no_illness, wording.laughed),
    "plays": (people.compound,),
    "learns": (people.compound,),
    "speaks": (people.compound,),
    "nationality": (people.compound,),
    "marital_status": (people.no_status, wording.laughed),
    "has_children": (people.no_children,),
    "plans": (wording.no_deed,),
}


def sound(found: Iterable[FoundClaim], text: str) -> list[FoundClaim]:
    """The claims whose words bear them. What is said to have ended is not judged: it only ends what is held."""
    return [item for item in found if item.claim.negated or not _unsound(item.claim, text)]


def _unsound(claim: Claim, text: str) -> bool:
    said = ClaimWording.of(claim, text)
    checks = _OF.get(plain(claim.predicate), ())
    if claim.predicate.endswith("_of") and claim.predicate != "part_of":
        checks = (people.no_relative,)
    elif claim.predicate.startswith("favorite_"):
        checks = (wording.no_favorite,)
    elif claim.predicate == "asked_to_remember":
        return people.not_to_the_point(said)
    return any(check(said) for check in (*_OF_ALL, *checks))
