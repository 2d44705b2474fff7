"""A grounded proposal → changes of the store, all of them in the one transaction whose pen is given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from omoide.layers.entity import name_key
from omoide.learn import doing, facts, parting, past, recanted, settled, things
from omoide.learn.proposal import Cause, Claim, Correction, HowTo, Item, Judgement, Mentioned, Proposal, Relating, Wish
from omoide.learn.report import Report
from omoide.learn.scene import Scene
from omoide.store import Forgotten

_USER = re.compile(r"^User('s)?(?= )")


def apply(scene: Scene, proposal: Proposal) -> Report:
    """Turn by turn, as it was said, so that it does not matter in how many parts a session is learned.

    Within a turn entities come first, since facts speak of them.
    """
    told = {item.quote.episode for item in proposal if isinstance(item, Claim | Wish | HowTo)}
    instead = {
        (item.quote.episode, name_key(item.right or "")): item for item in proposal if isinstance(item, Correction)
    }
    for item in sorted(proposal, key=lambda item: item.quote.episode):
        try:
            if isinstance(item, Correction) and item.whole:
                recanted.recant(scene, item)
            elif isinstance(item, Correction):
                # "use pnpm, not npm" is a wish as well, and has its effect as one
                doing.correction(scene, item, elsewhere=item.quote.episode in told)
            elif not (isinstance(item, Mentioned) and _renames(scene, instead, item)):
                _apply(scene, item)
        except Forgotten:
            text = getattr(item, "text", item.quote.words)
            scene.report.add("refused", type(item).__name__.lower(), text, None, "forgotten on request")
    return scene.report


def _renames(scene: Scene, instead: Mapping[tuple[int, str], Correction], item: Mentioned) -> bool:
    """ "Tim, not Tom" from one whom we know as Tom: a name of theirs, not somebody new."""
    correction = instead.get((item.quote.episode, name_key(item.name)))
    owner = scene.owner
    return correction is not None and owner is not None and name_key(correction.wrong or "") == name_key(owner.name)


def _apply(scene: Scene, item: Item) -> None:
    item = _worded(scene, item)
    match item:
        case Mentioned():
            item = settled.town(scene, item)
            if not item.passing or scene.known(item.name) is not None:
                things.mention(scene, item)
        case Claim():
            _claim(scene, item)
        case Judgement():
            facts.judgement(scene, item)
        case Relating():
            things.relate(scene, item)
        case Wish():
            doing.wish(scene, item)
        case HowTo():
            doing.howto(scene, item)
        case Cause():
            _cause(scene, item)


def _worded(scene: Scene, item: Item) -> Item:
    """ "User lives in Rome" in the name that the same conversation told, once it is known."""
    owner = scene.owner
    named = isinstance(item, Claim) and item.predicate == facts.NAMING
    if owner is None or named or not isinstance(item, Claim | Judgement | Wish):
        return item
    return replace(item, text=_USER.sub(lambda found: owner.name + (found[1] or ""), item.text))


def _claim(scene: Scene, item: Claim) -> None:
    item = settled.as_held(scene, item)
    if parting.parts(item):
        parting.part_ways(scene, item)
    elif settled.is_gone(item):
        settled.bury(scene, item)
    elif settled.unnamed(item):
        settled.end(scene, item)
    elif moved := settled.kept_elsewhere(scene, item):
        settled.replace_kept(scene, item, moved)
    elif past.is_over(scene, item):
        past.claim(scene, item)
    else:
        facts.claim(scene, item)
    if item.negated:
        doing.give_up(scene, item)
    else:
        settled.end_switched(scene, item)
        settled.end_job(scene, item)


def _cause(scene: Scene, item: Cause) -> None:
    if item.cause != item.effect and {item.cause, item.effect} <= set(scene.episodes):
        scene.pen.link(item.cause, item.effect, "causal", confidence=item.confidence, evidence=[item.quote.words])
        scene.report.add("linked", "cause", f"[id:{item.cause}] → [id:{item.effect}]", why=item.quote.words)
