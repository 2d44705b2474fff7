"""Whether the words mean what a rule took them for: jokes, idioms, other senses of a word, the half of what was said.

A rule reads a verb and what stands after it. Here the rest of the clause is heard: "a dog in this fight" is no pet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from omoide.learn.proposal import Claim
from omoide.learn.rules.found import Found
from omoide.learn.rules.unnamed import plain

from . import body, figures, homes, jests, kin, pets, things, trades
from .said import Said

_Check = Callable[[Said], bool]
_OF_ALL: tuple[_Check, ...] = (figures.figurative, kin.nobody, jests.laughed_abroad)
_OF: Mapping[str, tuple[_Check, ...]] = {
    "lives_in": (homes.no_place, homes.moved_elsewhere, homes.part_of_the_week, homes.passing),
    "stays_in": (homes.no_place, homes.moved_elsewhere, homes.long_ago),
    "comes_from": (homes.no_place,),
    "born_in": (homes.no_place,),
    "grew_up_in": (homes.no_place,),
    "has_pet": (pets.not_kept,),
    "works_at": (trades.no_employer, trades.now_and_then),
    "also_works_at": (trades.no_employer,),
    "works_as": (trades.no_trade, jests.laughed),
    "works_on": (trades.no_work, things.a_time),
    "studies": (things.a_time, trades.no_field),
    "uses": (things.a_time, things.no_tool),
    "owns": (things.a_time, things.not_owned),
    "created": (things.not_made,),
    "runs_on": (things.a_time, things.somebody),
    "depends_on": (things.a_time, things.somebody),
    "part_of": (things.a_time, things.no_whole),
    "written_in": (things.no_language,),
    "likes": (things.no_liking,),
    "dislikes": (things.no_liking,),
    "name": (kin.no_name, jests.laughed, jests.famous),
    "called": (kin.no_name, jests.laughed),
    "age": (figures.likened, jests.laughed),
    "allergic_to": (body.no_allergen, jests.laughed),
    "diet": (body.for_a_while,),
    "does_not_eat": (body.no_food,),
    "has_condition": (body.no_illness, jests.laughed),
    "plays": (body.compound,),
    "learns": (body.compound,),
    "speaks": (body.compound,),
    "nationality": (body.compound,),
    "marital_status": (body.no_status, jests.laughed),
    "has_children": (body.no_children,),
    "plans": (figures.no_deed,),
}


def sound(found: Iterable[Found], text: str) -> list[Found]:
    """The claims whose words bear them. What is said to have ended is not judged: it only ends what is held."""
    return [item for item in found if item.claim.negated or not _unsound(item.claim, text)]


def _unsound(claim: Claim, text: str) -> bool:
    said = Said.of(claim, text)
    checks = _OF.get(plain(claim.predicate), ())
    if claim.predicate.endswith("_of") and claim.predicate != "part_of":
        checks = (kin.no_relative,)
    elif claim.predicate.startswith("favorite_"):
        checks = (things.no_favorite,)
    elif claim.predicate == "asked_to_remember":
        return kin.not_to_the_point(said)
    return any(check(said) for check in (*_OF_ALL, *checks))
