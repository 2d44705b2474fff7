"""The constraint arm: allergies, limits, rules and wishes that a request must respect though it does not name them.

"Find a restaurant for Friday" shares no word with "Lenka hasn't eaten meat since she was 15". Of the nodes closest to
the request, those that state a constraint are raised; constraints that were learned as such are considered wherever
they rank.
"""

from __future__ import annotations

from dataclasses import replace

from omoide.domain import Node
from omoide.domain.slots import SLOTS
from omoide.language.sentences import states_constraint
from omoide.recall.candidates import ArmCandidate, ArmResult, SearchSources, SkippedArm
from omoide.recall.question import Query, QuestionEmbedding
from omoide.store import NodeRow

_MAX_LEARNED = 200  # learned constraints that are considered, the newest
_MAX_CONSTRAINTS = 12
_MAX_CLOSE = 40  # of the best nodes so far, those closest to the request
_READ_AT_ONCE = 20
CONSTRAINT_PREDICATES = (*(name for name, slot in SLOTS.items() if slot.group == "constraint"), "dislikes")


def is_constraint(node: Node | NodeRow) -> bool:
    """Whether a memory is, or may state, a standing constraint."""
    if node.kind == "fact":
        return node.attributes.get("predicate") in CONSTRAINT_PREDICATES or states_constraint(node.text)
    return node.kind == "preference" or (node.role == "user" and states_constraint(node.text))


def constraint_arm(query: Query, sources: SearchSources) -> ArmResult | SkippedArm:
    """Constraints close to a request, among the best nodes so far and among all that were learned."""
    if not isinstance(query.embedding, QuestionEmbedding):
        return SkippedArm(query.embedding.reason)
    if query.seeds is None or not query.is_request:
        return SkippedArm("it asks for nothing to be done")
    facts = replace(query.filter, kinds=("fact",), predicates=CONSTRAINT_PREDICATES)
    wishes = replace(query.filter, kinds=("preference",))
    learned = (id for each in (facts, wishes) for id in sources.store.search.matching(each, _MAX_LEARNED))
    vectors, asked = sources.store.search.vectors(sources.model_id()), query.embedding.vector
    close = vectors.scores(asked, query.seeds.ids.tolist())[:_MAX_CLOSE]
    similar = vectors.scores(asked, sorted({*close.ids.tolist(), *learned}))
    similar = similar[similar.scores > 0]
    read = sources.rows if query.filter.as_of is None else sources.store.nodes.fetch_readable
    found: list[ArmCandidate] = []
    for start in range(0, len(similar), _READ_AT_ONCE):  # the closest first, until enough state a constraint
        some = similar[start : start + _READ_AT_ONCE]
        nodes = read(some.ids.tolist(), query.filter)
        stated = [(id, score) for id, score in some if id in nodes and is_constraint(nodes[id])]
        found += [ArmCandidate(id, score, "a constraint to respect") for id, score in stated]
        if len(found) >= _MAX_CONSTRAINTS:
            break
    return ArmResult.ranked("constraint", found, _MAX_CONSTRAINTS)
