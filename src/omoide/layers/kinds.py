"""Which kinds there are, and the layer of memory that each belongs to."""

from __future__ import annotations

from difflib import get_close_matches

from omoide.errors import InvalidInput
from omoide.layers.episodic import Episode, Handoff, Narrative
from omoide.layers.node import Node
from omoide.layers.procedural import Preference, Procedure, Skill
from omoide.layers.semantic import AntiPattern, Fact, Note, Opinion, Pattern

LAYERS: dict[str, tuple[type[Node], ...]] = {
    "episodic": (Episode, Narrative, Handoff),
    "semantic": (Fact, Opinion, Note, Pattern, AntiPattern),
    "procedural": (Procedure, Preference, Skill),
}
KINDS: dict[str, type[Node]] = {kind.kind: kind for kinds in LAYERS.values() for kind in kinds}


def kind_of(name: str) -> type[Node]:
    """The record class of a kind; an unknown one is refused with the nearest name."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    near = get_close_matches(str(name), KINDS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known kinds are {', '.join(KINDS)}"
    raise InvalidInput(f"unknown kind {name!r}; {hint}")


def layer_of(kind: str) -> str:
    """episodic, semantic or procedural."""
    return next(layer for layer, kinds in LAYERS.items() if kind_of(kind) in kinds)
