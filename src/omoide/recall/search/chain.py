"""Chain arms: from the best of what was found, along the links of time or of cause, forward and backward."""

from __future__ import annotations

from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.recall.search.graph import nearness

_SEEDS = 5  # the best few; the seeds are silent about how many


def temporal(query: Query, sources: Sources) -> Found | Skipped:
    """What was said before and after."""
    return _chain("temporal", ("said before", "said after"), query, sources)


def causal(query: Query, sources: Sources) -> Found | Skipped:
    """What it came from, and what came of it."""
    return _chain("causal", ("a cause of", "an effect of"), query, sources)


def _chain(type: str, words: tuple[str, str], query: Query, sources: Sources) -> Found | Skipped:
    if not query.seeds:
        return Skipped(type, "nothing was found to start from")
    steps = sources.store.link_chain([seed.id for seed in query.seeds[:_SEEDS]], type, query.depth)
    keep = set(sources.store.passing([step.id for step in steps], query.keep))
    found = [
        Candidate(step.id, nearness(abs(step.steps)) * step.confidence, f"{words[step.steps > 0]} [id:{step.start}]")
        for step in steps
        if step.id in keep
    ]
    found.sort(key=lambda each: (-each.score, each.id))
    return Found(type, tuple(found[: query.reach]))
