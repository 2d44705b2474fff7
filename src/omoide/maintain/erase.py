"""Plans erasures: what goes with the target, and what can be derived again from its remaining evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from omoide.clock import to_micros
from omoide.domain import Fact, Node, Opinion, Preference, Procedure, importance
from omoide.domain.duplicates import normalize_wording
from omoide.domain.entity import entities_named_in, name_key
from omoide.domain.kinds import Narrative
from omoide.domain.node import TRUSTED_SOURCE_TYPES, is_data_origin, validate_attributes
from omoide.errors import Busy, NotFound
from omoide.language import tokens
from omoide.language.extractive_summary import brief_summary, parse_summary, summarize
from omoide.learn.grounding import ground_proposal
from omoide.learn.learner import conversation_from_segment
from omoide.learn.narrative import narrative_sentence
from omoide.learn.proposal import Extractor, Statement
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

T = TypeVar("T")
_FEWEST_TOKENS = 24  # a sentence


def is_summary(node: Node) -> bool:
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


def rederive_summary(store: Store, weakened: WeakenedNode, new_texts: Mapping[int, str]) -> RederivedNode | None:
    """Writes a summary again from its remaining turns, by rules; None if they have no content.

    `new_texts`: new texts of other summaries. It cannot wait for the next run: only the summary covers archived turns.
    """
    node, ids = weakened.node, [id for id, _ in weakened.remaining]
    found = store.nodes.fetch(ids)
    rest = [found[id] for id in ids if id in found]
    talk = [
        each
        for source in rest
        for each in (parse_summary(new_texts.get(source.id, source.text)) if is_summary(source) else as_said([source]))
    ]
    shorten = brief_summary if node.attributes["compression"] == "distilled" else summarize
    text = shorten(talk, max(_FEWEST_TOKENS, node.token_count)).text
    if not text:
        return None
    return RederivedNode(
        id=node.id,
        source=rest[0].id,
        text=text,
        token_count=tokens.estimate(text),
        entities=entities_named_in(text, store.entities.name_index()),
        keeps_identity=True,
        details=_remaining_details(node, rest),
    )


def is_generated_narrative(node: Node) -> bool:
    """Whether we wrote it; a narrative in a user's own words is their statement."""
    return node.kind == "narrative" and node.source_type == "consolidation"


def rederive_narrative(store: Store, weakened: WeakenedNode) -> RederivedNode | None:
    """Writes a narrative again from its remaining turns, by rules; None if they have no content."""
    found = store.nodes.fetch([id for id, _ in weakened.remaining])
    turns = (each for each in found.values() if each.kind == "episode")
    rest = sorted(turns, key=lambda each: (each.event_at, each.id))
    sentence = narrative_sentence(rest) if rest else None
    if sentence is None:
        return None
    topic = weakened.node.attributes.get("topic")
    if topic and unsupported_words(topic, " ".join(each.text for each in rest)):
        topic = sentence.topic
    return RederivedNode(
        id=weakened.node.id,
        source=rest[0].id,
        text=sentence.text,
        token_count=tokens.estimate(sentence.text),
        entities=entities_named_in(sentence.text, store.entities.name_index()),
        attributes=validate_attributes(Narrative, {"topic": topic} if topic else {}),
        keeps_identity=True,
        details={"worded": sentence.by},
        based_on=sentence.turns,
    )


def _turn_of_question(item: object) -> object:
    """A daily summary stores items with their text, a weekly one only the turn."""
    return item[0] if isinstance(item, list) else item


def _remaining_details(node: Node, rest: list[Node]) -> dict[str, object]:
    """The details without the open and done items of erased turns."""
    known: dict[str, Any] = dict(node.details) if isinstance(node.details, dict) else {}
    left = {each.id for each in rest}
    for name in ("open", "done"):
        if isinstance(known.get(name), list):
            known[name] = [each for each in known[name] if _turn_of_question(each) in left]
    if "from" in known:
        turns = {"turns": len(rest), "tokens": sum(each.token_count for each in rest)}
        known |= turns | {"from": rest[0].event_at.isoformat(), "until": rest[-1].event_at.isoformat()}
    return known | {"worded": BY_RULES}


_MOST_TRIES = 5  # someone may write related memories between planning and erasing


@dataclass(frozen=True, slots=True)
class Eraser:
    """Plans and carries out erasures."""

    store: Store
    extractor: Extractor
    mentioned: Callable[[str], tuple[int, ...]]

    def preview(self, target: ErasureTarget, *, sources: bool = False) -> ErasurePreview:
        """Returns what `forget` would do. Raises Busy if the file keeps changing."""
        return self._retry(self.store.erasure.rehearse, target, sources)

    def forget(self, target: ErasureTarget, *, sources: bool = False) -> ErasureReceipt:
        """Erases the target. Raises Busy if the file keeps changing."""
        return self._retry(self.store.erasure.erase, target, sources)

    def _retry(self, apply: Callable[[ErasurePlan], T | None], target: ErasureTarget, sources: bool) -> T:
        for _ in range(_MOST_TRIES):
            if (found := apply(self.store.erasure.compare(self._plan(target, sources)))) is not None:
                return found
        raise Busy("other processes keep writing related memories; try again")

    def _plan(self, target: ErasureTarget, sources: bool) -> ErasurePlan:
        """Adds everything derived from the target that its remaining evidence does not support."""
        named = self.store.erasure.find_targets(target)
        if not named and target.session is None and target.entity is None:
            raise NotFound("nothing matches what is to be forgotten")
        if sources:
            named |= self.store.erasure.sources_of(named)
        ids = named
        while True:
            closure = self.store.erasure.find_closure(ids)
            kept = self._rederive_all(closure, target, named)
            lost = {each.node.id for each, again in kept if again is None}
            if not lost:
                again = tuple(each for _, each in kept if each is not None)
                return ErasurePlan(target=target, targets=named, ids=closure.ids, rederived=again)
            ids = closure.ids | lost

    def _rederive_all(
        self, closure: ErasureClosure, target: ErasureTarget, named: frozenset[int]
    ) -> list[_RederiveResult]:
        """In order of id: a summary of summaries is newer than they are and uses their new texts."""
        kept: list[_RederiveResult] = []
        new_texts: dict[int, str] = {}
        for each in closure.weakened:
            if is_summary(each.node):
                again = rederive_summary(self.store, each, new_texts)
            elif is_generated_narrative(each.node):
                again = rederive_narrative(self.store, each)
            else:
                again = self._rederive(each) or self._trusted_statement(each, closure, target, named)
            new_texts |= {each.node.id: again.text} if again is not None and again.text else {}
            kept.append((each, again))
        return kept

    def _rederive(self, weakened: WeakenedNode) -> RederivedNode | None:
        """The memory as its remaining evidence supports it, or None if it does not."""
        node = weakened.node
        held = self.store.nodes.fetch([episode for episode, _ in weakened.remaining])
        said = list(self._restated(node, weakened))
        words = " ".join([each.text for each in held.values()] + [quote for _, quote in weakened.remaining])
        if not said:
            supported = held and not unsupported_words(node.text, words)
            return RederivedNode(id=node.id, source=weakened.remaining[0][0]) if supported else None
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

    def _trusted_statement(
        self, weakened: WeakenedNode, closure: ErasureClosure, target: ErasureTarget, named: frozenset[int]
    ) -> RederivedNode | None:
        """Keeps a statement made by a person, which only loses a link, unless it repeats words only the erased had."""
        node = weakened.node
        if not weakened.remaining or not _is_by_hand(weakened) or _is_targeted(node, target):
            return None
        lost = (self.store.erasure.sources_of([node.id]) & closure.ids) | named
        gone = " ".join(each.text for each in self.store.nodes.fetch(sorted(lost)).values())
        common = set(name_key(node.text).split()) & set(name_key(gone).split())
        distinctive = unsupported_words(" ".join(sorted(common)), "")
        others = {each.node.id for each in closure.weakened}
        if self.store.erasure.words_said_only_by(distinctive, closure.ids | others):
            return None
        return RederivedNode(id=node.id, source=weakened.remaining[0][0], keeps_identity=True)

    def _restated(self, node: Node, weakened: WeakenedNode) -> Iterator[Statement]:
        """What the extractor finds in the remaining sources that says the same."""
        for episode, _ in weakened.remaining:
            lesson = self.store.learning.segment_of_turn(episode)
            if lesson is None:
                continue
            conversation = conversation_from_segment(lesson)
            for item in ground_proposal(conversation, self.extractor.extract(conversation)).proposal:
                if isinstance(item, Statement) and item.quote.episode == episode and _same_memory(node, item):
                    yield item


_RederiveResult = tuple[WeakenedNode, RederivedNode | None]
_STATED_SOURCE_TYPES = (*TRUSTED_SOURCE_TYPES, "narrative")


def _is_by_hand(weakened: WeakenedNode) -> bool:
    """Whether a person confirmed or stated it; learned memories quote their evidence."""
    node = weakened.node
    stated = node.source_type in _STATED_SOURCE_TYPES and not any(quote for _, quote in weakened.remaining)
    return node.confirmed_at is not None or (stated and not is_data_origin(node.origin))


def _is_targeted(node: Node, target: ErasureTarget) -> bool:
    """Whether the node itself belongs to the session, origin or time that is erased."""
    return (
        (target.session is not None and node.session == target.session)
        or (target.origin is not None and node.origin == target.origin)
        or (target.before is not None and to_micros(node.event_at) < target.before)
    )


def _same_memory(node: Node, item: Statement) -> bool:
    """Whether a statement says what a memory says: in the same words, or with the same slot, matter and value."""
    if node.kind != item.kind or item.change == "ends":
        return False
    if normalize_wording(node.text) == normalize_wording(item.text):
        return True
    match node:
        case Fact():
            alike = name_key(node.object or "") == name_key(item.value or "")
            return node.predicate is not None and node.predicate == item.slot and alike
        case Opinion():
            return name_key(node.about or "") == name_key(item.matter or "")
        case Preference():
            return (node.name, node.value) == (item.matter, item.value)
        case Procedure():
            return node.name == item.matter or list(node.steps) == list(item.steps)
    return False


def _rederived_attributes(node: Node, said: Sequence[Statement], *, reworded: bool) -> dict[str, object] | None:
    """The attributes of its kind; a preference gets the strength of its remaining evidence."""
    first = said[0]
    kept = {name: value for name, value in node.attributes.items() if value not in (None, ())}
    if isinstance(node, Preference):
        strength = 0.0
        for number, item in enumerate(said):
            again = max(strength, item.confidence)
            strength = again if number == 0 else importance.strengthen(again)
        return validate_attributes(type(node), kept | {"strength": strength, "evidence_count": len(said)})
    if not reworded:
        return None
    if isinstance(node, Fact):
        kept |= {"object": first.value} if first.value else {}
    elif isinstance(node, Procedure):
        kept = {name: kept[name] for name in kept if name in ("success_count", "failure_count", "last_outcome")}
        own = {"name": first.matter, "trigger": first.trigger, "steps": list(first.steps)}
        kept |= {name: value for name, value in own.items() if value}
    return validate_attributes(type(node), kept)


def _rederived_confidence(node: Node, said: Sequence[Statement]) -> float | None:
    """The highest confidence of the remaining evidence; None keeps the user's confirmation."""
    if node.is_confirmed and node.confidence == 1.0:
        return None
    return None if isinstance(node, Preference) else max((item.confidence for item in said), default=None)


def _finish_erasures(context: JobContext) -> Iterator[JobStep]:
    if context.dry_run:
        return
    for receipt in context.store.erasure.finish_pending():
        left = receipt.pending[0] if receipt.pending else "its bytes are gone from free pages and the log"
        verb = "pending" if receipt.pending else "finished"
        yield JobStep(verb, "erasure", f"{len(receipt.ids)} memories", None, left)


ERASURE_JOB = MaintenanceJob(
    "erasures", "finishes erasures that a crash or an open reader interrupted", _finish_erasures, undoable=False
)
