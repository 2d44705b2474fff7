"""What is always considered: standing preferences, since no similarity finds them."""

from __future__ import annotations

from dataclasses import replace

from omoide.recall.hit import Hit
from omoide.store import Filter, Store

_MOST = 20  # more would crowd out what was asked for


def standing(store: Store, keep: Filter) -> list[Hit]:
    """The user's preferences, the strongest first."""
    ids = store.matching(replace(keep, kinds=("preference",), session=None), _MOST, "strongest")
    held = store.nodes(ids, keep.as_of)
    return [Hit(held[id], held[id].attributes["strength"], "a standing preference", ("profile",)) for id in ids]
