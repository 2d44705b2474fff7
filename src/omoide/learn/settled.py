"""What a claim means by what is held already: a town with its country, a job that is not named, a trip that is off."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from omoide.clock import micros
from omoide.layers import Fact
from omoide.layers.entity import name_key
from omoide.learn import facts, things
from omoide.learn.predicates import PLACED
from omoide.learn.proposal import Claim, Mentioned
from omoide.learn.rules import matter
from omoide.learn.rules.known.towns import same_place
from omoide.learn.scene import Scene

_PLANS = "plans"
_KEPT = "asked_to_remember"
_WHERE = re.compile(
    r"(?P<what>(?:the|my|our) [^,;]{2,60}?) (?:is|are)(?: now)? (?P<where>(?:stored |kept |saved |hidden )?(?:in|at"
    r"|on|under) \S.*)",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:switched|migrated|moved|changed)(?: over)? (?:from .{1,40} )?to\b|\b(?:now|nowadays|these days)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\b(?:also|too|as well|both|sometimes)\b", re.IGNORECASE)
_JOBLESS = frozenset({"unemployed", "jobless", "retired"})
_KINDS = frozenset(
    "trip flight visit move appointment meeting wedding vacation holiday journey party to the a my".split()
)


def as_held(scene: Scene, item: Claim) -> Claim:
    """ "Berlin, Germany" from one who lives in Berlin is no move: the place by the name it is held under."""
    if item.predicate not in PLACED or item.negated:
        return item
    for fact in _live(scene, item):
        held = fact.object or ""
        if name_key(held) != name_key(item.object) and same_place(held, item.object):
            return replace(item, object=held, text=item.text.replace(item.object, held))
    return item


def town(scene: Scene, item: Mentioned) -> Mentioned:
    """ "Berlin, Germany" is the Berlin that is known, by one more name."""
    head = item.name.partition(",")[0]
    known = head != item.name and same_place(head, item.name) and scene.known(item.name) is None
    if not known or scene.known(head) is None:
        return item
    return replace(item, name=head, aliases=(*item.aliases, item.name))


def unnamed(item: Claim) -> bool:
    """ "Tom quit", "I cancelled the trip": what ends is not named, or by other words than it began with."""
    return item.negated and (item.predicate == _PLANS or name_key(item.subject) == name_key(item.object))


def end(scene: Scene, item: Claim) -> None:
    """The one thing of its kind that is held; where there is none, or several, the report says so."""
    live = _live(scene, item)
    meant = [fact for fact in live if _shares(fact.object, item.object)] if item.predicate == _PLANS else live
    if len(meant) != 1:
        why = "more than one could be meant" if meant else "nothing of the kind was known"
        scene.report.add("refused", "fact", item.quote.words, None, why)
        return
    _close(scene, item, meant)


def end_switched(scene: Scene, item: Claim) -> None:
    """ "I switched to Emacs" ends the editor that was used, though only Emacs is named; so does "I use Emacs now"."""
    words = item.quote.words
    chosen = matter.choice(item.object.lower()) if item.predicate == "uses" else None
    if chosen is None or not _SWITCHED.search(words) or _BESIDE.search(words):
        return
    _close(scene, item, [fact for fact in _live(scene, item) if _rivals(chosen, fact.object or "")])


def end_job(scene: Scene, item: Claim) -> None:
    """ "I'm unemployed now": whatever was worked at is so no longer."""
    if item.object.lower() in _JOBLESS:
        held = scene.pen.facts(scene.called(item.subject), ("works_at", "also_works_at"))
        _close(scene, item, [fact for fact in held if fact.valid_until is None])


def is_gone(item: Claim) -> bool:
    """ "Rex died yesterday": said of a pet, if one of that name is known."""
    return item.negated and item.predicate == "has_pet" and item.object[:1].isupper()


def bury(scene: Scene, item: Claim) -> None:
    gone = [fact for fact in _live(scene, item) if name_key(fact.object or "") == name_key(item.object)]
    _close(scene, item, gone)


def kept_elsewhere(scene: Scene, item: Claim) -> Fact | None:
    """ "The deploy key is in 1Password", where it was in the vault: one thing is in one place."""
    said = _WHERE.match(item.object) if item.predicate == _KEPT and not item.negated else None
    for fact in _live(scene, item) if said else ():
        held = _WHERE.match(fact.object or "")
        same = said and held and name_key(held["what"]) == name_key(said["what"])
        if same and held and said and name_key(held["where"]) != name_key(said["where"]):
            return fact
    return None


def replace_kept(scene: Scene, item: Claim, held: Fact) -> None:
    episode, source = scene.source(item.quote)
    since = max(item.valid_from or episode.event_at, held.valid_from or held.event_at)
    draft = facts.fact_of(scene, replace(item, valid_from=since), episode)
    node = scene.pen.supersede(held.id, draft, source, micros(since))
    scene.report.add("superseded", "fact", f"{held.text} → {item.text}", node.id, item.quote.words)


def _rivals(chosen: matter.Matter, held: str) -> bool:
    other = matter.choice(held.lower())
    return other is not None and other.name == chosen.name and name_key(other.value) != name_key(chosen.value)


def _shares(held: str | None, said: str) -> bool:
    """Whether they name the same place, person or day."""
    words = set(name_key(said).split()) - _KINDS
    return bool(words & set(name_key(held or "").split()))


def _live(scene: Scene, item: Claim) -> list[Fact]:
    held = scene.pen.facts(scene.called(item.subject), (item.predicate,))
    return [fact for fact in held if fact.valid_until is None]


def _close(scene: Scene, item: Claim, ended: Iterable[Fact]) -> None:
    episode, _ = scene.source(item.quote)
    for fact in ended:
        until = micros(max(item.valid_until or item.valid_from or episode.event_at, fact.valid_from or fact.event_at))
        scene.pen.close(fact.id, until)
        things.part(scene, fact, until)
        scene.report.add("ended", "fact", fact.text, fact.id, item.quote.words)
