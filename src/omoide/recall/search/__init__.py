"""The search arms. Each takes a query and returns candidates with scores. `ARMS` lists them by name."""

from omoide.recall.search import content_arms, structure_arms
from omoide.recall.search.arm import ArmCandidate, ArmResult, SearchArm, SearchSources, SkippedArm

ARMS: dict[str, SearchArm] = {
    "keyword": content_arms.keyword_arm,
    "vector": content_arms.vector_arm,
    "entity": structure_arms.entity_arm,
    "graph": structure_arms.graph_arm,
    "temporal": structure_arms.temporal_arm,
    "causal": structure_arms.causal_arm,
    "profile": content_arms.profile_arm,
    "session": structure_arms.session_arm,
    "recent": structure_arms.recent_arm,
    "time": structure_arms.time_arm,
}

__all__ = ["ARMS", "ArmCandidate", "ArmResult", "SearchArm", "SearchSources", "SkippedArm"]
