"""Deciding what forgetting takes along: what has other evidence is derived from that, or goes too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from omoide import tokens
from omoide.clock import micros
from omoide.errors import Busy, NotFound
from omoide.layers import Fact, Node, Opinion, Preference, Procedure, worth
from omoide.layers.attribute import validated
from omoide.layers.entity import name_key
from omoide.layers.node import VOUCHED_SOURCES, is_data
from omoide.learn.consolidate import conversation_of
from omoide.learn.ground import grounded
from omoide.learn.proposal import Claim, Extractor, HowTo, Item, Judgement, Wish
from omoide.learn.stands import missing
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.shorter import condensed, is_condensed, is_narrated, narrated
from omoide.store import Closure, Erasing, Preview, Receipt, Rederived, Shaken, Store, Target

_TRIES = 5  # somebody may write, between looking and erasing, what would have to go too


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Everything that forgetting needs."""

    store: Store
    extractor: Extractor
    mentioned: Callable[[str], tuple[int, ...]]

    def preview(self, target: Target, *, sources: bool = False) -> Preview:
        for _ in range(_TRIES):
            found = self.store.rehearse(self._decided(target, sources))
            if found is not None:
                return found
        raise Busy(_MOVING)

    def forget(self, target: Target, *, sources: bool = False) -> Receipt:
        for _ in range(_TRIES):
            found = self.store.erase(self._decided(target, sources))
            if found is not None:
                return found
        raise Busy(_MOVING)

    def _decided(self, target: Target, sources: bool) -> Erasing:
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
                return Erasing(target=target, named=named, ids=closure.ids, rederived=again)
            ids = closure.ids | lost

    def _all_rederived(self, closure: Closure, target: Target, named: frozenset[int]) -> list[_Again]:
        """In order of id: a summary of summaries is younger than they are, and is made from their new words."""
        kept: list[_Again] = []
        told: dict[int, str] = {}
        for each in closure.shaken:
            if is_condensed(each.node):
                again = condensed(self.store, each, told)
            elif is_narrated(each.node):
                again = narrated(self.store, each)
            else:
                again = self._rederived(each) or self._vouched(each, closure, target, named)
            told |= {each.node.id: again.text} if again is not None and again.text else {}
            kept.append((each, again))
        return kept

    def _rederived(self, shaken: Shaken) -> Rederived | None:
        """The memory as the rest of its evidence has it, or None if that does not say it."""
        node = shaken.node
        held = self.store.nodes([episode for episode, _ in shaken.rest])
        said = list(self._said_again(node, shaken))
        words = " ".join([each.text for each in held.values()] + [quote for _, quote in shaken.rest])
        if not said:
            stands = held and not missing(node.text, words)
            return Rederived(id=node.id, source=shaken.rest[0][0]) if stands else None
        first = min(said, key=lambda item: held[item.quote.episode].event_at)
        names = " ".join(str(each) for each in (node.attributes.get("subject"), node.attributes.get("holder")) if each)
        stays = node.text == first.text or not missing(node.text, f"{words} {first.text} {names}")
        began = getattr(first, "valid_from", None) or held[first.quote.episode].event_at
        return Rederived(
            id=node.id,
            source=first.quote.episode,
            entities=() if stays else self.mentioned(first.text),
            text=None if stays else first.text,
            token_count=tokens.estimate(first.text),
            attributes=_attributes(node, said, reworded=not stays),
            confidence=_confidence(node, said),
            event_at=micros(held[first.quote.episode].event_at),
            valid_from=micros(began),
        )

    def _vouched(self, shaken: Shaken, closure: Closure, target: Target, named: frozenset[int]) -> Rederived | None:
        """A person's own word, which only loses a link, unless it says what nobody but the erased said."""
        node = shaken.node
        if not shaken.rest or not _by_hand(shaken) or _is_meant(node, target):
            return None
        lost = (self.store.sources_of([node.id]) & closure.ids) | named
        gone = " ".join(each.text for each in self.store.nodes(sorted(lost)).values())
        common = set(name_key(node.text).split()) & set(name_key(gone).split())
        telling = missing(" ".join(sorted(common)), "")
        others = {each.node.id for each in closure.shaken}
        if self.store.only_said(telling, closure.ids | others):
            return None
        return Rederived(id=node.id, source=shaken.rest[0][0], condensed=True)

    def _said_again(self, node: Node, shaken: Shaken) -> Iterator[_Said]:
        """What the extractor finds in the other sources that says the same."""
        for episode, _ in shaken.rest:
            lesson = self.store.lesson_around(episode)
            if lesson is None:
                continue
            conversation = conversation_of(lesson)
            for item in grounded(conversation, self.extractor.extract(conversation)).proposal:
                if item.quote.episode == episode and isinstance(item, _Said) and _same(node, item):
                    yield item


_MOVING = "others keep writing what would have to be forgotten too; try again"
_Again = tuple[Shaken, Rederived | None]
_Said = Claim | Judgement | Wish | HowTo
_TOLD = (*VOUCHED_SOURCES, "narrative")


def _by_hand(shaken: Shaken) -> bool:
    """Confirmed, or told by somebody: what is learned quotes what it rests on."""
    node = shaken.node
    told = node.source_type in _TOLD and not any(quote for _, quote in shaken.rest)
    return node.confirmed_at is not None or (told and not is_data(node.origin))


def _is_meant(node: Node, target: Target) -> bool:
    """Whether it is itself of the session, the origin or the time that is forgotten."""
    return (
        (target.session is not None and node.session == target.session)
        or (target.origin is not None and node.origin == target.origin)
        or (target.before is not None and micros(node.event_at) < target.before)
    )


def _same(node: Node, item: Item) -> bool:
    match node, item:
        case Fact(), Claim():
            alike = name_key(node.object or "") == name_key(item.object)
            return node.predicate == item.predicate and alike and not item.negated
        case Opinion(), Judgement():
            return name_key(node.about or "") == name_key(item.about)
        case Preference(), Wish():
            return (node.category, node.name, node.value) == (item.category, item.name, item.value)
        case Procedure(), HowTo():
            return node.name == item.name or list(node.steps) == list(item.steps)
    return False


def _attributes(node: Node, said: Sequence[_Said], *, reworded: bool) -> dict[str, object] | None:
    """The fields of its kind; of a preference, as strong as the rest has made it."""
    first = said[0]
    kept = {name: value for name, value in node.attributes.items() if value not in (None, ())}
    if isinstance(node, Preference):
        strength = 0.0
        for number, item in enumerate(said):
            own = item.strength if isinstance(item, Wish) else node.strength
            strength = max(strength, own) if number == 0 else worth.strengthened(max(strength, own))
        return validated(type(node), kept | {"strength": strength, "evidence_count": len(said)})
    if not reworded:
        return None
    if isinstance(first, Claim):
        kept |= {"object": first.object}
    elif isinstance(first, HowTo):
        kept = {name: kept[name] for name in kept if name in ("success_count", "failure_count", "last_outcome")}
        kept |= {"name": first.name, "trigger": first.trigger, "steps": list(first.steps)}
    return validated(type(node), kept)


def _confidence(node: Node, said: Sequence[_Said]) -> float | None:
    """As sure as the surest of the rest; what the user confirmed stays confirmed."""
    if node.confirmed_at is not None and node.decay_rate == 0.0 and node.confidence == 1.0:
        return None
    return max((item.confidence for item in said if not isinstance(item, Wish)), default=None)


def _run(upkeep: Upkeep) -> Iterator[Step]:
    if upkeep.dry_run:
        return
    for receipt in upkeep.store.finish_erasures():
        left = receipt.pending[0] if receipt.pending else "its bytes are gone from free pages and from the log"
        yield Step(
            "finished" if not receipt.pending else "kept waiting", "erasure", f"{len(receipt.ids)} memories", None, left
        )


JOB = Job("erasures", "Finishes erasures that a crash or a reader kept from being cleaned up.", _run)
