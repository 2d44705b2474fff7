"""What is always considered: standing preferences, since no similarity finds them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from omoide.recall.hit import Hit
from omoide.store import Filter, Store

_MOST = 20  # more would crowd out what was asked for


def standing(store: Store, keep: Filter, now: datetime) -> list[Hit]:
    """The user's preferences, the strongest first."""
    ids = store.matching(replace(keep, kinds=("preference",), session=None), _MOST, "strongest")
    held = store.nodes(ids, keep.as_of)
    return [
        Hit(node, node.attributes["strength"], "a standing preference", ("profile",), node.effective_confidence(now))
        for node in (held[id] for id in ids)
    ]
