"""A summary that loses some of its turns to forgetting is told anew from the others, archived ones too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omoide import tokens
from omoide.gist import essence, gist, lines
from omoide.layers import Node
from omoide.layers.attribute import validated
from omoide.layers.episodic import Narrative
from omoide.layers.names import named_in
from omoide.learn.narrate import sentence
from omoide.learn.stands import missing
from omoide.maintain.talk import said
from omoide.maintain.words import RULES
from omoide.store import Rederived, Shaken, Store

_LEAST = 24  # tokens: a sentence


def is_condensed(node: Node) -> bool:
    return node.kind == "episode" and (node.attributes.get("compression") or "raw") != "raw"


def condensed(store: Store, shaken: Shaken, told: Mapping[int, str]) -> Rederived | None:
    """At once and by rules: until the next night nothing else would tell of turns that are archived. None if the rest
    has nothing to tell. `told`: the new words of other summaries."""
    node, ids = shaken.node, [id for id, _ in shaken.rest]
    found = store.nodes(ids)
    rest = [found[id] for id in ids if id in found]
    talk = [
        each
        for source in rest
        for each in (lines(told.get(source.id, source.text)) if is_condensed(source) else said([source]))
    ]
    shorten = essence if node.attributes["compression"] == "distilled" else gist
    text = shorten(talk, max(_LEAST, node.token_count))
    if not text:
        return None
    return Rederived(
        id=node.id,
        source=rest[0].id,
        text=text,
        token_count=tokens.estimate(text),
        entities=named_in(text, store.entity_names()),
        condensed=True,
        details=_details(node, rest),
    )


def is_narrated(node: Node) -> bool:
    """By us: what somebody narrates in words of their own is their word."""
    return node.kind == "narrative" and node.source_type == "consolidation"


def narrated(store: Store, shaken: Shaken) -> Rederived | None:
    """The narrative of the turns that are left, told by rules; None if they have nothing to tell."""
    found = store.nodes([id for id, _ in shaken.rest])
    turns = (each for each in found.values() if each.kind == "episode")
    rest = sorted(turns, key=lambda each: (each.event_at, each.id))
    told = sentence(rest) if rest else None
    if told is None:
        return None
    topic = shaken.node.attributes.get("topic")
    if topic and missing(topic, " ".join(each.text for each in rest)):
        topic = told.topic
    return Rederived(
        id=shaken.node.id,
        source=rest[0].id,
        text=told.text,
        token_count=tokens.estimate(told.text),
        entities=named_in(told.text, store.entity_names()),
        attributes=validated(Narrative, {"topic": topic} if topic else {}),
        condensed=True,
        details={"worded": told.by},
        rests_on=told.turns,
    )


def _turn(thread: object) -> object:
    """A day keeps a thread with its words, a week only the turn that told it."""
    return thread[0] if isinstance(thread, list) else thread


def _details(node: Node, rest: list[Node]) -> dict[str, object]:
    """What the job that made it asks for; of what was open or done, that of turns which are left."""
    known: dict[str, Any] = dict(node.details) if isinstance(node.details, dict) else {}
    left = {each.id for each in rest}
    for name in ("open", "done"):
        if isinstance(known.get(name), list):
            known[name] = [each for each in known[name] if _turn(each) in left]
    if "from" in known:
        turns = {"turns": len(rest), "tokens": sum(each.token_count for each in rest)}
        known |= turns | {"from": rest[0].event_at.isoformat(), "until": rest[-1].event_at.isoformat()}
    return known | {"worded": RULES}
