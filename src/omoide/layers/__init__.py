"""What is remembered: records and the rules that are theirs alone. No input, no output."""

from omoide.layers.edge import EDGE_TYPES, Edge
from omoide.layers.entity import ENTITY_TYPES, Entity, Relation
from omoide.layers.kinds import KINDS, LAYERS, kind_of, layer_of
from omoide.layers.node import Draft, Node, State
from omoide.layers.procedural import Preference, Procedure, Skill
from omoide.layers.semantic import Fact, Opinion
from omoide.layers.session import Session

__all__ = [
    "EDGE_TYPES",
    "ENTITY_TYPES",
    "KINDS",
    "LAYERS",
    "Draft",
    "Edge",
    "Entity",
    "Fact",
    "Node",
    "Opinion",
    "Preference",
    "Procedure",
    "Relation",
    "Session",
    "Skill",
    "State",
    "kind_of",
    "layer_of",
]
