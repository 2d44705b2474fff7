"""Which turn brought about the next: consecutive turns that nobody has looked at, each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omoide.errors import OmoideError
from omoide.layers import Node
from omoide.learn.consolidate import turn_of
from omoide.learn.ground import grounded
from omoide.learn.proposal import Cause, Conversation, Proposal
from omoide.learn.rules.causes import causes_in
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.talk import stretches
from omoide.maintain.words import RULES

_MARK = "causes"  # the last turn that was looked at
_STRETCH = 200  # turns read and linked in one transaction


@dataclass(frozen=True, slots=True)
class _Found:
    cause: Cause
    by: str


def run(upkeep: Upkeep) -> Iterator[Step]:
    """Rules read all turns. A model is asked about those outside of any session alone: of the others it was asked when
    they were learned from, and asking twice costs twice."""
    store = upkeep.store
    waiting = _waiting(upkeep)
    for start in range(0, len(waiting), _STRETCH):
        ids = waiting[start : start + _STRETCH]
        found = _links(upkeep, ids)
        known = store.causal_links(ids)
        fresh = [each for each in found if (each.cause.cause, each.cause.effect) not in known]
        if not upkeep.dry_run:
            links = [(e.cause.cause, e.cause.effect, e.cause.confidence, e.cause.quote.words) for e in fresh]
            store.link_causes(links, _MARK, max(ids))
        for each in fresh:
            text = f"[id:{each.cause.cause}] → [id:{each.cause.effect}]"
            yield Step("linked", "cause", text, None, f"{each.cause.quote.words}, {each.by}")


JOB = Job("causes", "turns that brought about one another are linked", run)


def _waiting(upkeep: Upkeep) -> list[int]:
    return [id for id, _ in upkeep.store.turn_moments(upkeep.store.mark(_MARK))]


def _links(upkeep: Upkeep, ids: Sequence[int]) -> list[_Found]:
    held = upkeep.store.nodes(ids)
    sessions: dict[str | None, list[Node]] = {}
    for id in ids:
        sessions.setdefault(held[id].session, []).append(held[id])
    found: list[_Found] = []
    for session, nodes in sessions.items():
        if session is None:
            in_order = sorted(nodes, key=lambda node: (node.event_at, node.id))
            for stretch in stretches(in_order):
                found += _of(upkeep, _conversation("", stretch, 0))
        else:
            before = upkeep.store.turn_before(nodes[0].id)
            found += _of(upkeep, _conversation(session, [*before, *nodes], len(before)))
    return sorted(found, key=lambda each: (each.cause.quote.episode, each.cause.cause))


def _conversation(session: str, nodes: Sequence[Node], fresh: int) -> Conversation:
    return Conversation(session=session, turns=tuple(turn_of(node) for node in nodes), fresh=fresh)


def _of(upkeep: Upkeep, conversation: Conversation) -> list[_Found]:
    most = upkeep.settings.causal_inference_batch_size
    proposed = tuple(causes_in(conversation.turns, conversation.fresh))[:most]
    by_rules = [_Found(cause, RULES) for cause in grounded(conversation, Proposal(causes=proposed)).proposal.causes]
    model = upkeep.language_model
    if model is None or upkeep.dry_run or conversation.session or len(conversation.turns) < 2:
        return by_rules
    from omoide.learn.model.causes import find

    try:
        heard = find(model, conversation, repairs=upkeep.settings.llm_repairs, most=most)
    except OmoideError as error:
        return [_Found(each.cause, f"{RULES}, since {str(error).partition(';')[0]}") for each in by_rules]
    told = {(each.cause, each.effect) for each in heard.good}
    others = [each for each in by_rules if (each.cause.cause, each.cause.effect) not in told]
    return [*(_Found(cause, f"by {model.name}") for cause in heard.good), *others]
