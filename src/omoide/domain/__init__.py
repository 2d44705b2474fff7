"""Records of what is remembered, and pure rules about them. No I/O."""

from omoide.domain.agenda import Agenda as Agenda
from omoide.domain.agenda import AgendaEntry as AgendaEntry
from omoide.domain.agenda import AgendaState as AgendaState
from omoide.domain.edge import EDGE_TYPES as EDGE_TYPES
from omoide.domain.edge import Edge as Edge
from omoide.domain.entity import ENTITY_TYPES as ENTITY_TYPES
from omoide.domain.entity import Entity as Entity
from omoide.domain.entity import Relation as Relation
from omoide.domain.kinds import KINDS as KINDS
from omoide.domain.kinds import LAYERS as LAYERS
from omoide.domain.kinds import Fact as Fact
from omoide.domain.kinds import Opinion as Opinion
from omoide.domain.kinds import Preference as Preference
from omoide.domain.kinds import Procedure as Procedure
from omoide.domain.kinds import Skill as Skill
from omoide.domain.kinds import kind_of as kind_of
from omoide.domain.kinds import layer_of as layer_of
from omoide.domain.node import Draft as Draft
from omoide.domain.node import Node as Node
from omoide.domain.node import Session as Session
from omoide.domain.node import State as State
