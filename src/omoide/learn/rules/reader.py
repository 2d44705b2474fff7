"""The rules at work: each turn once, in order, and one proposal at the end."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TypeVar

from omoide.layers.entity import name_key
from omoide.learn.proposal import (
    Cause,
    Conversation,
    Correction,
    HowTo,
    Judgement,
    Mentioned,
    Proposal,
    Turn,
    Wish,
)

from .agent import confirmed, reported, reports
from .answers import answered
from .causes import MOST, causes_in
from .claims import claims_in
from .coordinated import speaks_of_kin
from .corrections import corrections_in, renamed
from .dropped import dropped
from .found import Found, Scene, Speaker, speakers
from .howtos import again, howtos_in
from .mask import masked
from .mood import UNKEPT, Read, own, read, stances
from .names import entities_of, named_in, preferred, relations_of
from .occasions import occasions_in
from .opening import denies
from .opinions import opinions_in
from .refit import people
from .repaired import repaired
from .retracted import denied, retracted
from .role import unstaged
from .said.kin import kin_in
from .sense import sound
from .sentence import sentences
from .wishes import narrowed, of_another, wishes_in

T = TypeVar("T")
_SHE = re.compile(r"\b(?:she|he)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Gathered:
    found: list[Found] = field(default_factory=list)
    named: list[Mentioned] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    howtos: list[HowTo] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    left: int = 0
    played: int = 0
    notes: list[str] = field(default_factory=list)


class Rules:
    """An extractor without a model. What tools, documents and imports say is never learned from (they are data)."""

    name = "rules"

    def __init__(self, most_causes: int = MOST) -> None:
        self._most_causes = most_causes

    def extract(self, conversation: Conversation) -> Proposal:
        gathered = _Gathered()
        who = speakers(conversation)
        turns = conversation.turns
        for index, turn in unstaged(turns):
            if index >= conversation.fresh and turn is not None:
                _turn(gathered, turn, turns[max(0, index - 6) : index], who[turn.speaker])
            gathered.played += index >= conversation.fresh and turn is None
        causes = islice(causes_in(conversation.turns, conversation.fresh), self._most_causes)
        return _proposal(gathered, tuple(causes))


def _turn(gathered: _Gathered, turn: Turn, before: tuple[Turn, ...], speaker: Speaker) -> None:
    if turn.role == "agent" and turn.origin in {"agent", "user"}:
        if reports(turn.text):
            text = masked(turn.text, turn.speaker)
            gathered.found += reported(Scene(turn, speaker, "observed"), read(sentences(text)))
        return
    if turn.role != "user" or turn.origin != "user" or turn.type not in {"conversation", "event", "action"}:
        gathered.left += 1
        return
    _user_turn(gathered, Scene(turn, speaker), before)


def _user_turn(gathered: _Gathered, scene: Scene, before: tuple[Turn, ...]) -> None:
    text = masked(scene.turn.text, scene.turn.speaker)
    stood = stances(sentences(text))
    gathered.notes += _refused(scene.turn, stood)
    reads = own(stood)
    earlier = before if speaks_of_kin(text) else ()
    met = [kin for turn in earlier if turn.role == "user" for kin in kin_in(masked(turn.text))]
    recent = people(scene, before) if _SHE.search(text) and _sets_right(reads) else []
    found = sound(repaired(scene, text, list(claims_in(scene, reads, met, recent))), text)
    found += sound(list(dropped(scene, reads, before)), text)
    if before and before[-1].role == "agent":
        found += confirmed(scene, before[-1])
        found += sound(answered(scene, before[-1], reads), text)
    disliked = next((item.claim.object for item in found if item.claim.predicate == "dislikes"), None)
    gathered.found += [*found, *denied(scene, text)]
    gathered.notes += narrowed(scene, reads)
    _wished(gathered, scene, list(wishes_in(scene, reads, disliked)))
    corrections = [*corrections_in(scene, reads, before, found), *retracted(scene, text, before)]
    gathered.corrections += corrections
    gathered.judgements += opinions_in(scene, reads)
    howtos = list(howtos_in(scene, text, [item.sentence for item in reads]))
    gathered.howtos += howtos or again(scene, [item.sentence for item in reads], partial(_taught, scene, before))
    gathered.howtos += occasions_in(scene, [item.sentence for item in reads])
    gathered.named += entities_of(found, scene.speaker)
    gathered.named += renamed(corrections)
    gathered.named += named_in(scene.turn, text, stood)


def _sets_right(reads: list[Read]) -> bool:
    return any(denies(read.sentence.text) for read in reads)


def _refused(turn: Turn, reads: list[Read]) -> Iterator[str]:
    """Without its words: they were not to be kept."""
    if any(read.why == UNKEPT for read in reads):
        yield f"a turn was not learned from: {UNKEPT} [id:{turn.id}]"


def _taught(scene: Scene, before: tuple[Turn, ...]) -> list[HowTo]:
    """What the turns before have taught."""
    said = [turn for turn in before if turn.role == "user" and turn.speaker == scene.turn.speaker]
    return [
        howto
        for turn in said
        for text in (masked(turn.text, turn.speaker),)
        for howto in howtos_in(Scene(turn, scene.speaker), text, [item.sentence for item in read(sentences(text))])
    ]


def _wished(gathered: _Gathered, scene: Scene, wishes: list[Wish]) -> None:
    if scene.speaker.owns_the_memory:
        gathered.wishes += wishes
        return
    for wish in wishes:
        found = of_another(scene, wish)
        if found is not None:
            gathered.found.append(found)
        else:
            words = f"a wish of {scene.speaker.name}, who does not own this memory, was not learned"
            gathered.notes.append(f"{words}: {wish.quote.words!r} [id:{scene.turn.id}]")


def _proposal(gathered: _Gathered, causes: tuple[Cause, ...]) -> Proposal:
    found = _once(
        gathered.found,
        lambda f: (
            f.claim.subject,
            f.claim.predicate,
            name_key(f.claim.object),
            f.claim.negated,
            f.claim.quote.episode,
        ),
    )
    wishes = _once(gathered.wishes, lambda w: (w.category, w.name, str(w.value), w.quote.episode))
    relations = [*relations_of(found), *preferred(wishes)]
    return Proposal(
        entities=tuple(_once(gathered.named, lambda m: (name_key(m.name), m.type, m.quote.episode))),
        claims=tuple(item.claim for item in found),
        judgements=tuple(gathered.judgements),
        relations=tuple(_once(relations, lambda r: (r.source, r.type, r.target, r.quote.episode))),
        wishes=tuple(wishes),
        howtos=tuple(gathered.howtos),
        corrections=tuple(gathered.corrections),
        causes=causes,
        notes=tuple(_notes(gathered)),
    )


def _notes(gathered: _Gathered) -> Iterator[str]:
    if gathered.left:
        yield f"{gathered.left} turns are data of tools, documents or the system"
    yield from gathered.notes
    if gathered.played:
        yield f"{gathered.played} turns were said in a role, or by somebody else"


def _once(items: Iterable[T], key: object) -> list[T]:
    seen: dict[Hashable, T] = {}
    for item in items:
        seen.setdefault(key(item), item)  # type: ignore[operator]
    return list(seen.values())
