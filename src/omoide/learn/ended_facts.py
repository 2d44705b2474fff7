"""What a claim means by what is held already: a town with its country, a job that is not named, a trip that is off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from omoide.clock import to_micros
from omoide.domain import Fact
from omoide.domain.entity import name_key
from omoide.learn import entities, facts
from omoide.learn.conflict import PLACE_PREDICATES
from omoide.learn.learning_context import LearningContext
from omoide.learn.proposal import Claim, EntityMention, UserCorrection
from omoide.learn.rules import preference_topics
from omoide.learn.rules.known_words import same_place

_PLAN_PREDICATE = "plans"
_REMEMBER_PREDICATE = "asked_to_remember"
_STORAGE_PLACE = re.compile(
    r"(?P<what>(?:the|my|our) [^,;]{2,60}?) (?:is|are)(?: now)? (?P<where>(?:stored |kept |saved |hidden )?(?:in|at"
    r"|on|under) \S.*)",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:switched|migrated|moved|changed)(?: over)? (?:from .{1,40} )?to\b|\b(?:now|nowadays|these days)\b",
    re.IGNORECASE,
)
_ADDITIONALLY = re.compile(r"\b(?:also|too|as well|both|sometimes)\b", re.IGNORECASE)
_JOBLESS = frozenset({"unemployed", "jobless", "retired"})
_GENERIC_PLAN_WORDS = frozenset(
    "trip flight visit move appointment meeting wedding vacation holiday journey party to the a my".split()
)


def normalize_place(scene: LearningContext, item: Claim) -> Claim:
    """ "Berlin, Germany" from one who lives in Berlin is no move: the place by the name it is held under."""
    if item.predicate not in PLACE_PREDICATES or item.negated:
        return item
    for fact in _live_facts(scene, item):
        held = fact.object or ""
        if name_key(held) != name_key(item.object) and same_place(held, item.object):
            return replace(item, object=held, text=item.text.replace(item.object, held))
    return item


def normalize_town(scene: LearningContext, item: EntityMention) -> EntityMention:
    """ "Berlin, Germany" is the Berlin that is known, by one more name."""
    head = item.name.partition(",")[0]
    known = head != item.name and same_place(head, item.name) and scene.known(item.name) is None
    if not known or scene.known(head) is None:
        return item
    return replace(item, name=head, aliases=(*item.aliases, item.name))


def ends_unnamed(item: Claim) -> bool:
    """ "Tom quit", "I cancelled the trip": what ends is not named, or by other words than it began with."""
    return item.negated and (item.predicate == _PLAN_PREDICATE or name_key(item.subject) == name_key(item.object))


def end_unnamed(scene: LearningContext, item: Claim) -> None:
    """The one thing of its kind that is held; where there is none, or several, the report says so."""
    live = _live_facts(scene, item)
    meant = (
        [fact for fact in live if _shares_word(fact.object, item.object)] if item.predicate == _PLAN_PREDICATE else live
    )
    if len(meant) != 1:
        why = "more than one could be meant" if meant else "nothing of the kind was known"
        scene.report.add("refused", "fact", item.quote.words, None, why)
        return
    _end_facts(scene, item, meant)


def end_replaced_tool(scene: LearningContext, item: Claim) -> None:
    """ "I switched to Emacs" ends the editor that was used, though only Emacs is named; so does "I use Emacs now"."""
    words = item.quote.words
    chosen = preference_topics.choice(item.object.lower()) if item.predicate == "uses" else None
    if chosen is None or not _SWITCHED.search(words) or _ADDITIONALLY.search(words):
        return
    _end_facts(scene, item, [fact for fact in _live_facts(scene, item) if _same_choice(chosen, fact.object or "")])


def end_job(scene: LearningContext, item: Claim) -> None:
    """ "I'm unemployed now": whatever was worked at is so no longer."""
    if item.object.lower() in _JOBLESS:
        held = scene.pen.facts(scene.called(item.subject), ("works_at", "also_works_at"))
        _end_facts(scene, item, [fact for fact in held if fact.valid_until is None])


def is_pet_death(item: Claim) -> bool:
    """ "Rex died yesterday": said of a pet, if one of that name is known."""
    return item.negated and item.predicate == "has_pet" and item.object[:1].isupper()


def end_pet(scene: LearningContext, item: Claim) -> None:
    gone = [fact for fact in _live_facts(scene, item) if name_key(fact.object or "") == name_key(item.object)]
    _end_facts(scene, item, gone)


def find_moved_item(scene: LearningContext, item: Claim) -> Fact | None:
    """ "The deploy key is in 1Password", where it was in the vault: one thing is in one place."""
    said = _STORAGE_PLACE.match(item.object) if item.predicate == _REMEMBER_PREDICATE and not item.negated else None
    for fact in _live_facts(scene, item) if said else ():
        held = _STORAGE_PLACE.match(fact.object or "")
        same = said and held and name_key(held["what"]) == name_key(said["what"])
        if same and held and said and name_key(held["where"]) != name_key(said["where"]):
            return fact
    return None


def replace_storage_place(scene: LearningContext, item: Claim, held: Fact) -> None:
    episode, source = scene.source(item.quote)
    since = max(item.valid_from or episode.event_at, held.valid_from or held.event_at)
    draft = facts.draft_fact(scene, replace(item, valid_from=since), episode)
    node = scene.pen.supersede(held.id, draft, source, to_micros(since))
    scene.report.add("superseded", "fact", f"{held.text} → {item.text}", node.id, item.quote.words)


def _same_choice(chosen: preference_topics.PreferenceTopic, held: str) -> bool:
    other = preference_topics.choice(held.lower())
    return other is not None and other.name == chosen.name and name_key(other.value) != name_key(chosen.value)


def _shares_word(held: str | None, said: str) -> bool:
    """Whether they name the same place, person or day."""
    words = set(name_key(said).split()) - _GENERIC_PLAN_WORDS
    return bool(words & set(name_key(held or "").split()))


def _live_facts(scene: LearningContext, item: Claim) -> list[Fact]:
    held = scene.pen.facts(scene.called(item.subject), (item.predicate,))
    return [fact for fact in held if fact.valid_until is None]


def _end_facts(scene: LearningContext, item: Claim, ended: Iterable[Fact]) -> None:
    episode, _ = scene.source(item.quote)
    for fact in ended:
        until = to_micros(
            max(item.valid_until or item.valid_from or episode.event_at, fact.valid_from or fact.event_at)
        )
        scene.pen.close(fact.id, until)
        entities.end_relation(scene, fact, until)
        scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)


# Two people who are no longer a couple: what was held of them ends, also where nobody is named.


PARTNER_OF = "partner_of"
_PARTNER_PREDICATES = tuple(
    f"{kin}_of" for kin in "partner girlfriend boyfriend wife husband spouse fiance fiancee".split()
)
_COUPLE_STATUS = frozenset({"married", "engaged", "in a relationship"})


def is_separation(item: Claim) -> bool:
    return item.negated and item.predicate == PARTNER_OF


def end_partnership(scene: LearningContext, item: Claim) -> None:
    """ "We broke up": with the one partner that is known. "Tom and I broke up": with Tom, and with nobody else."""
    episode, _ = scene.source(item.quote)
    until = to_micros(item.valid_until or episode.event_at)
    ended = _partner_facts(scene, item)
    if len({name_key(fact.subject or "") for fact in ended}) > 1:
        scene.report.add("refused", "fact", item.text, None, "more than one partner is known")
        return
    status = [
        fact
        for fact in scene.pen.facts(scene.called(item.object), ("marital_status",))
        if fact.object in _COUPLE_STATUS and fact.valid_until is None
    ]
    for fact in (*ended, *status):
        scene.pen.close(fact.id, until)
        entities.end_relation(scene, fact, until)
        scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)
    if not ended and not status:
        scene.report.add("refused", "fact", item.text, None, "nothing of the kind was known")


def _partner_facts(scene: LearningContext, item: Claim) -> list[Fact]:
    unnamed = item.subject == item.object
    whose = {name_key(name) for name in scene.called(item.object)}
    names = [name for _, _, name in scene.pen.names()] if unnamed else scene.called(item.subject)
    held = scene.pen.facts(tuple(names), _PARTNER_PREDICATES)
    return [fact for fact in held if name_key(fact.object or "") in whose and fact.valid_until is None]


# What a turn taught and the next one takes back ends: "ignore that", "just kidding".


def retract_turn(scene: LearningContext, item: UserCorrection) -> None:
    """Ends what rests on that turn alone. What was said before as well stands: only the repetition is taken back."""
    episode, _ = scene.source(item.quote)
    until = to_micros(episode.event_at)
    turns = _retracted_turns(scene, item.about)
    taught = {held.id: held for turn in turns for held in scene.pen.derived(turn)}
    ended = [held for held in taught.values() if set(scene.pen.sources(held.id)) <= turns]
    for held in ended:
        scene.pen.close(held.id, until)
        if isinstance(held, Fact):
            entities.end_relation(scene, held, until)
        scene.report.add("ended", held.kind, held.text, held.id, item.quote.words)
    if not ended:
        scene.report.notes.append(
            f"nothing was learned that could be taken back: {item.quote.words!r} [id:{episode.id}]"
        )


def _retracted_turns(scene: LearningContext, about: int | None) -> set[int]:
    """The turn, and the agent's before it: what was asked there and said yes to is learned from the question."""
    earlier = [id for id in sorted(scene.episodes) if about is not None and id < about]
    asked = earlier[-1:] if earlier and scene.episodes[earlier[-1]].role == "agent" else []
    return {*asked, *(() if about is None else (about,))}
