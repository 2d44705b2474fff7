"""Session arm: sessions are ranked by the evidence found in them, then their turns share it.

One turn that fits may be chance; several in one conversation are a subject that was talked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from omoide.recall.question import Query, Seed
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources

_PIECES = 3  # of evidence: a session is as good as its best few turns, however long it is


def search(query: Query, sources: Sources) -> Found | Skipped:
    if not query.seeds:
        return Skipped("session", "nothing was found to start from")
    sessions = sources.store.session_ids([seed.id for seed in query.seeds])
    worth = evidence(query.seeds, sessions)
    turns = [(seed.id, worth[sessions[seed.id]]) for seed in query.seeds if sessions.get(seed.id) in worth]
    turns.sort(key=lambda each: (-each[1], each[0]))
    return Found("session", tuple(Candidate(id, score, "its conversation speaks of it") for id, score in turns))


def evidence(seeds: Iterable[Seed], sessions: Mapping[int, int]) -> dict[int, float]:
    """What each session with more than one piece is worth: the mean of its best, where a missing one counts nothing."""
    scores: dict[int, list[float]] = defaultdict(list)
    for seed in seeds:
        if seed.id in sessions:
            scores[sessions[seed.id]].append(seed.score)
    return {session: sum(sorted(found)[-_PIECES:]) / _PIECES for session, found in scores.items() if len(found) > 1}
