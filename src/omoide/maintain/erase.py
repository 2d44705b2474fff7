"""A summary that loses some of its turns to forgetting is told anew from the others, archived ones too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Fact, Node, Opinion, Preference, Procedure, importance
from omoide.domain.entity import entities_named_in, name_key
from omoide.domain.kinds import Narrative
from omoide.domain.node import TRUSTED_SOURCE_TYPES, is_data_origin, validate_attributes
from omoide.errors import Busy, NotFound
from omoide.language import tokens
from omoide.language.extractive_summary import brief_summary_text, parse_summary, summary_text
from omoide.learn.grounding import ground_proposal
from omoide.learn.learner import conversation_from_lesson
from omoide.learn.narrative import narrative_sentence
from omoide.learn.proposal import Claim, Extractor, ProposalItem, StatedOpinion, StatedPreference, TaughtProcedure
from omoide.learn.quote_matching import unsupported_words
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.maintain.summary_text import BY_RULES, as_said
from omoide.store import (
    ErasureClosure,
    ErasurePlan,
    ErasurePreview,
    ErasureReceipt,
    ErasureTarget,
    RederivedNode,
    Store,
    WeakenedNode,
)

_FEWEST_TOKENS = 24  # tokens: a sentence


def is_summary(node: Node) -> bool:
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


def rederive_summary(store: Store, shaken: WeakenedNode, told: Mapping[int, str]) -> RederivedNode | None:
    """At once and by rules: until the next night nothing else would tell of turns that are archived. None if the rest
    has nothing to tell. `told`: the new words of other summaries."""
    node, ids = shaken.node, [id for id, _ in shaken.rest]
    found = store.nodes(ids)
    rest = [found[id] for id in ids if id in found]
    talk = [
        each
        for source in rest
        for each in (parse_summary(told.get(source.id, source.text)) if is_summary(source) else as_said([source]))
    ]
    shorten = brief_summary_text if node.attributes["compression"] == "distilled" else summary_text
    text = shorten(talk, max(_FEWEST_TOKENS, node.token_count))
    if not text:
        return None
    return RederivedNode(
        id=node.id,
        source=rest[0].id,
        text=text,
        token_count=tokens.estimate(text),
        entities=entities_named_in(text, store.entity_names()),
        condensed=True,
        details=_remaining_details(node, rest),
    )


def is_generated_narrative(node: Node) -> bool:
    """By us: what somebody narrates in words of their own is their word."""
    return node.kind == "narrative" and node.source_type == "consolidation"


def rederive_narrative(store: Store, shaken: WeakenedNode) -> RederivedNode | None:
    """The narrative of the turns that are left, told by rules; None if they have nothing to tell."""
    found = store.nodes([id for id, _ in shaken.rest])
    turns = (each for each in found.values() if each.kind == "episode")
    rest = sorted(turns, key=lambda each: (each.event_at, each.id))
    told = narrative_sentence(rest) if rest else None
    if told is None:
        return None
    topic = shaken.node.attributes.get("topic")
    if topic and unsupported_words(topic, " ".join(each.text for each in rest)):
        topic = told.topic
    return RederivedNode(
        id=shaken.node.id,
        source=rest[0].id,
        text=told.text,
        token_count=tokens.estimate(told.text),
        entities=entities_named_in(told.text, store.entity_names()),
        attributes=validate_attributes(Narrative, {"topic": topic} if topic else {}),
        condensed=True,
        details={"worded": told.by},
        rests_on=told.turns,
    )


def _turn_of_question(thread: object) -> object:
    """A day keeps a thread with its words, a week only the turn that told it."""
    return thread[0] if isinstance(thread, list) else thread


def _remaining_details(node: Node, rest: list[Node]) -> dict[str, object]:
    """What the job that made it asks for; of what was open or done, that of turns which are left."""
    known: dict[str, Any] = dict(node.details) if isinstance(node.details, dict) else {}
    left = {each.id for each in rest}
    for name in ("open", "done"):
        if isinstance(known.get(name), list):
            known[name] = [each for each in known[name] if _turn_of_question(each) in left]
    if "from" in known:
        turns = {"turns": len(rest), "tokens": sum(each.token_count for each in rest)}
        known |= turns | {"from": rest[0].event_at.isoformat(), "until": rest[-1].event_at.isoformat()}
    return known | {"worded": BY_RULES}


# Deciding what forgetting takes along: what has other evidence is derived from that, or goes too.


_MOST_TRIES = 5  # somebody may write, between looking and erasing, what would have to go too


@dataclass(frozen=True, slots=True)
class Eraser:
    """Everything that forgetting needs."""

    store: Store
    extractor: Extractor
    mentioned: Callable[[str], tuple[int, ...]]

    def preview(self, target: ErasureTarget, *, sources: bool = False) -> ErasurePreview:
        for _ in range(_MOST_TRIES):
            found = self.store.rehearse(self._decided(target, sources))
            if found is not None:
                return found
        raise Busy(_FILE_CHANGING)

    def forget(self, target: ErasureTarget, *, sources: bool = False) -> ErasureReceipt:
        for _ in range(_MOST_TRIES):
            found = self.store.erase(self._decided(target, sources))
            if found is not None:
                return found
        raise Busy(_FILE_CHANGING)

    def _decided(self, target: ErasureTarget, sources: bool) -> ErasurePlan:
        """What has no evidence left that bears it out goes as well, and with it what was made from it."""
        named = self.store.named(target)
        if not named and target.session is None and target.entity is None:
            raise NotFound("there is nothing of the kind to forget")
        if sources:
            named |= self.store.sources_of(named)
        ids = named
        while True:
            closure = self.store.closure(ids)
            kept = self._all_rederived(closure, target, named)
            lost = {each.node.id for each, again in kept if again is None}
            if not lost:
                again = tuple(each for _, each in kept if each is not None)
                return ErasurePlan(target=target, named=named, ids=closure.ids, rederived=again)
            ids = closure.ids | lost

    def _all_rederived(self, closure: ErasureClosure, target: ErasureTarget, named: frozenset[int]) -> list[_Rederive]:
        """In order of id: a summary of summaries is younger than they are, and is made from their new words."""
        kept: list[_Rederive] = []
        told: dict[int, str] = {}
        for each in closure.shaken:
            if is_summary(each.node):
                again = rederive_summary(self.store, each, told)
            elif is_generated_narrative(each.node):
                again = rederive_narrative(self.store, each)
            else:
                again = self._rederived(each) or self._vouched(each, closure, target, named)
            told |= {each.node.id: again.text} if again is not None and again.text else {}
            kept.append((each, again))
        return kept

    def _rederived(self, shaken: WeakenedNode) -> RederivedNode | None:
        """The memory as the rest of its evidence has it, or None if that does not say it."""
        node = shaken.node
        held = self.store.nodes([episode for episode, _ in shaken.rest])
        said = list(self._said_again(node, shaken))
        words = " ".join([each.text for each in held.values()] + [quote for _, quote in shaken.rest])
        if not said:
            stands = held and not unsupported_words(node.text, words)
            return RederivedNode(id=node.id, source=shaken.rest[0][0]) if stands else None
        first = min(said, key=lambda item: held[item.quote.episode].event_at)
        names = " ".join(str(each) for each in (node.attributes.get("subject"), node.attributes.get("holder")) if each)
        stays = node.text == first.text or not unsupported_words(node.text, f"{words} {first.text} {names}")
        began = getattr(first, "valid_from", None) or held[first.quote.episode].event_at
        return RederivedNode(
            id=node.id,
            source=first.quote.episode,
            entities=() if stays else self.mentioned(first.text),
            text=None if stays else first.text,
            token_count=tokens.estimate(first.text),
            attributes=_rederived_attributes(node, said, reworded=not stays),
            confidence=_rederived_confidence(node, said),
            event_at=to_micros(held[first.quote.episode].event_at),
            valid_from=to_micros(began),
        )

    def _vouched(
        self, shaken: WeakenedNode, closure: ErasureClosure, target: ErasureTarget, named: frozenset[int]
    ) -> RederivedNode | None:
        """A person's own word, which only loses a link, unless it says what nobody but the erased said."""
        node = shaken.node
        if not shaken.rest or not _is_by_hand(shaken) or _is_targeted(node, target):
            return None
        lost = (self.store.sources_of([node.id]) & closure.ids) | named
        gone = " ".join(each.text for each in self.store.nodes(sorted(lost)).values())
        common = set(name_key(node.text).split()) & set(name_key(gone).split())
        telling = unsupported_words(" ".join(sorted(common)), "")
        others = {each.node.id for each in closure.shaken}
        if self.store.only_said(telling, closure.ids | others):
            return None
        return RederivedNode(id=node.id, source=shaken.rest[0][0], condensed=True)

    def _said_again(self, node: Node, shaken: WeakenedNode) -> Iterator[_Said]:
        """What the extractor finds in the other sources that says the same."""
        for episode, _ in shaken.rest:
            lesson = self.store.lesson_around(episode)
            if lesson is None:
                continue
            conversation = conversation_from_lesson(lesson)
            for item in ground_proposal(conversation, self.extractor.extract(conversation)).proposal:
                if item.quote.episode == episode and isinstance(item, _Said) and _same_memory(node, item):
                    yield item


_FILE_CHANGING = "others keep writing what would have to be forgotten too; try again"
_Rederive = tuple[WeakenedNode, RederivedNode | None]
_Said = Claim | StatedOpinion | StatedPreference | TaughtProcedure
_REDERIVED_FIELDS = (*TRUSTED_SOURCE_TYPES, "narrative")


def _is_by_hand(shaken: WeakenedNode) -> bool:
    """Confirmed, or told by somebody: what is learned quotes what it rests on."""
    node = shaken.node
    told = node.source_type in _REDERIVED_FIELDS and not any(quote for _, quote in shaken.rest)
    return node.confirmed_at is not None or (told and not is_data_origin(node.origin))


def _is_targeted(node: Node, target: ErasureTarget) -> bool:
    """Whether it is itself of the session, the origin or the time that is forgotten."""
    return (
        (target.session is not None and node.session == target.session)
        or (target.origin is not None and node.origin == target.origin)
        or (target.before is not None and to_micros(node.event_at) < target.before)
    )


def _same_memory(node: Node, item: ProposalItem) -> bool:
    match node, item:
        case Fact(), Claim():
            alike = name_key(node.object or "") == name_key(item.object)
            return node.predicate == item.predicate and alike and not item.negated
        case Opinion(), StatedOpinion():
            return name_key(node.about or "") == name_key(item.about)
        case Preference(), StatedPreference():
            return (node.category, node.name, node.value) == (item.category, item.name, item.value)
        case Procedure(), TaughtProcedure():
            return node.name == item.name or list(node.steps) == list(item.steps)
    return False


def _rederived_attributes(node: Node, said: Sequence[_Said], *, reworded: bool) -> dict[str, object] | None:
    """The fields of its kind; of a preference, as strong as the rest has made it."""
    first = said[0]
    kept = {name: value for name, value in node.attributes.items() if value not in (None, ())}
    if isinstance(node, Preference):
        strength = 0.0
        for number, item in enumerate(said):
            own = item.strength if isinstance(item, StatedPreference) else node.strength
            strength = max(strength, own) if number == 0 else importance.strengthen(max(strength, own))
        return validate_attributes(type(node), kept | {"strength": strength, "evidence_count": len(said)})
    if not reworded:
        return None
    if isinstance(first, Claim):
        kept |= {"object": first.object}
    elif isinstance(first, TaughtProcedure):
        kept = {name: kept[name] for name in kept if name in ("success_count", "failure_count", "last_outcome")}
        kept |= {"name": first.name, "trigger": first.trigger, "steps": list(first.steps)}
    return validate_attributes(type(node), kept)


def _rederived_confidence(node: Node, said: Sequence[_Said]) -> float | None:
    """As sure as the surest of the rest; what the user confirmed stays confirmed."""
    if node.confirmed_at is not None and node.decay_rate == 0.0 and node.confidence == 1.0:
        return None
    return max((item.confidence for item in said if not isinstance(item, StatedPreference)), default=None)


def _finish_erasures(upkeep: JobContext) -> Iterator[JobStep]:
    if upkeep.dry_run:
        return
    for receipt in upkeep.store.finish_erasures():
        left = receipt.pending[0] if receipt.pending else "its bytes are gone from free pages and from the log"
        yield JobStep(
            "finished" if not receipt.pending else "kept waiting", "erasure", f"{len(receipt.ids)} memories", None, left
        )


ERASURE_JOB = MaintenanceJob(
    "erasures", "Finishes erasures that a crash or a reader kept from being cleaned up.", _finish_erasures
)
