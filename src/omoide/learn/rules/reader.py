"""The rules at work: each turn once, in order, and one proposal at the end."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
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
from .howtos import howtos_in
from .mask import masked
from .mood import own, read, stances
from .names import entities_of, named_in, preferred, relations_of
from .occasions import occasions_in
from .opinions import opinions_in
from .repaired import repaired
from .role import unstaged
from .said.kin import kin_in
from .sentence import sentences
from .wishes import narrowed, wishes_in

T = TypeVar("T")


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
    reads = own(stood)
    earlier = before if speaks_of_kin(text) else ()
    met = [kin for turn in earlier if turn.role == "user" for kin in kin_in(masked(turn.text))]
    found = repaired(scene, text, list(claims_in(scene, reads, met)))
    found += dropped(scene, reads, before)
    if before and before[-1].role == "agent":
        found += confirmed(scene, before[-1])
        found += answered(scene, before[-1], reads)
    disliked = next((item.claim.object for item in found if item.claim.predicate == "dislikes"), None)
    gathered.found += found
    gathered.notes += narrowed(scene, reads)
    gathered.wishes += wishes_in(scene, reads, disliked)
    corrections = list(corrections_in(scene, reads, before, found))
    gathered.corrections += corrections
    gathered.judgements += opinions_in(scene, reads)
    gathered.howtos += howtos_in(scene, text, [item.sentence for item in reads])
    gathered.howtos += occasions_in(scene, [item.sentence for item in reads])
    gathered.named += entities_of(found, scene.speaker)
    gathered.named += renamed(corrections)
    gathered.named += named_in(scene.turn, text, stood)


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
