"""Compressed → distilled: after a week one or two sentences are left; the longer words stay in the history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omoide.clock import DAY
from omoide.gist import lines
from omoide.layers import Node
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode
from omoide.layers.names import named_in
from omoide.maintain.compress import fewer
from omoide.maintain.job import Job, Step, Upkeep
from omoide.maintain.talk import said
from omoide.maintain.words import Worded, distilled
from omoide.text import shorten

_KEPT = 0.05  # of the raw tokens: Kira-L wants 95 per cent fewer
_LEAST, _MOST = 24, 40  # tokens: a sentence of its own, and what Kira-L's example takes


def run(upkeep: Upkeep) -> Iterator[Step]:
    store = upkeep.store
    for id in store.distillable(upkeep.now - upkeep.settings.distil_after_days * DAY):
        node = store.node(id)
        words = _worded(upkeep, node)
        if not upkeep.dry_run and _write(upkeep, node, words) is None:
            continue  # another process was faster
        yield Step("distilled", "episode", shorten(words.text, 120), id, _told(node, words))


JOB = Job("distil", "short episodes older than a week become one or two sentences", run)


def _worded(upkeep: Upkeep, node: Node) -> Worded:
    """From the turns themselves while all are live: what is shortened twice has lost twice."""
    sources = upkeep.store.sources(node.id)
    found = upkeep.store.nodes(sources)
    whole = len(sources) == turns_of(node) and all(each.state == "live" for each in found.values())
    talk = said([found[id] for id in sources]) if whole else lines(node.text)
    budget = min(_MOST, max(_LEAST, int(_KEPT * raw_tokens(node))))
    words = distilled(upkeep, talk, budget)
    if words.text and words.tokens <= max(budget, node.token_count):
        return words
    return Worded(node.text, words.by)  # it is as short as it gets


def _write(upkeep: Upkeep, node: Node, words: Worded) -> Node | None:
    attributes = validated(Episode, node.attributes | {"compression": "distilled"})
    entities = named_in(words.text, upkeep.store.entity_names())
    values = {"attributes": attributes, "expires_at": None}
    return upkeep.store.distil(node.id, words.text, words.tokens, values, entities)


def _told(node: Node, words: Worded) -> str:
    raw = raw_tokens(node)
    less = fewer(raw, words.tokens)
    return f"{raw} raw, {node.token_count} compressed → {words.tokens} tokens ({less}), {words.by}"


def raw_tokens(node: Node) -> int:
    return int(_details(node).get("tokens", node.token_count))


def turns_of(node: Node) -> int:
    return int(_details(node).get("turns", 0))


def _details(node: Node) -> dict[str, Any]:
    return node.details if isinstance(node.details, dict) else {}
