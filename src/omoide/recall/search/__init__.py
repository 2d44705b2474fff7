"""Search arms behind one shape: a query in, candidates with the arm's own name and scores out."""

from omoide.recall.search import chain, entity, graph, keyword, profile, recent, session, time, vector
from omoide.recall.search.arm import Arm, Candidate, Found, Skipped, Sources

ARMS: dict[str, Arm] = {
    "keyword": keyword.search,
    "vector": vector.search,
    "entity": entity.search,
    "graph": graph.search,
    "temporal": chain.temporal,
    "causal": chain.causal,
    "profile": profile.search,
    "session": session.search,
    "recent": recent.search,
    "time": time.search,
}

__all__ = ["ARMS", "Arm", "Candidate", "Found", "Skipped", "Sources"]
