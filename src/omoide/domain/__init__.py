"""Records of what is remembered, and pure rules about them. No I/O."""

from omoide.domain.agenda import Agenda, AgendaEntry, AgendaState
from omoide.domain.edge import EDGE_TYPES, Edge
from omoide.domain.entity import ENTITY_TYPES, Entity, Relation
from omoide.domain.kinds import KINDS, LAYERS, Fact, Opinion, Preference, Procedure, Skill, kind_of, layer_of
from omoide.domain.node import Draft, Node, Session, State

__all__ = [
    "EDGE_TYPES",
    "ENTITY_TYPES",
    "KINDS",
    "LAYERS",
    "Agenda",
    "AgendaEntry",
    "AgendaState",
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
