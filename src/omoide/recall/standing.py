"""What is always considered: standing preferences, since no similarity finds them."""

from __future__ import annotations

from dataclasses import replace

from omoide.recall.hit import Hit
from omoide.store import Filter, Store

_MOST = 20  # the latest; more would crowd out what was asked for


def standing(store: Store, keep: Filter) -> list[Hit]:
    """The user's preferences, the strongest first."""
    ids = store.matching(replace(keep, kinds=("preference",), session=None), _MOST)
    held = store.nodes(ids).values()
    ranked = sorted(held, key=lambda node: (-node.attributes["strength"], node.id))
    return [Hit(node, node.attributes["strength"], "a standing preference", ("profile",)) for node in ranked]
