"""The search arms. Each takes a query and returns candidates with scores. `ARMS` lists them by name."""

from omoide.recall.candidates import SearchArm, SearchSources, SkippedArm
from omoide.recall.search import arms, dates, relations

ARMS: dict[str, SearchArm] = {
    "keyword": arms.keyword_arm,
    "vector": arms.vector_arm,
    "entity": arms.entity_arm,
    "graph": arms.graph_arm,
    "temporal": arms.temporal_arm,
    "causal": arms.causal_arm,
    "profile": arms.profile_arm,
    "constraint": relations.constraint_arm,
    "recent": arms.recent_arm,
    "time": arms.time_arm,
    "dates": dates.dates_arm,
    "has_date": dates.has_date_arm,
    "relations": relations.relations_arm,
    "recalled": arms.recalled_arm,
}

__all__ = ["ARMS", "SearchArm", "SearchSources", "SkippedArm"]
