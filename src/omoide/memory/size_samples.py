"""How large the file was and how long a search took, day by day: measured at the end of each whole maintenance run."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from omoide.clock import to_datetime, to_micros
from omoide.memory.core import Core
from omoide.memory.read import recall_sources
from omoide.store import NodeFilter

_QUERY = "What do we know so far?"  # likely to find something, so that scoring takes part
_CURSOR = "size samples"
_DAYS_KEPT = 730


def ask_for_nothing(core: Core) -> float:
    """Asks a question that counts as no use of any memory; returns the milliseconds it took."""
    from omoide.recall.pipeline import answer
    from omoide.recall.question import RecallQuestion
    from omoide.recall.recipes import recipe_by_name

    now, plan = core.local_time(None), recipe_by_name("everyday", core.settings)
    asked = RecallQuestion(text=_QUERY, at=now, limit=None, filter=NodeFilter(valid_at=to_micros(now)), recipe=plan)
    began = perf_counter()
    answer(asked, recall_sources(core))
    return 1000 * (perf_counter() - began)


def note_size(core: Core) -> None:
    """Stores today's sample; the first question loads what a search needs and is not counted."""
    ask_for_nothing(core)
    stats = core.store.space.count_all()
    day = to_datetime(core.clock()).date().isoformat()
    sample = {"day": day, "nodes": stats.nodes, "bytes": stats.bytes, "recall_ms": round(ask_for_nothing(core), 1)}
    kept = [each for each in size_samples(core) if each["day"] != day]
    core.store.maintenance.set_cursor(_CURSOR, [*kept, sample][-_DAYS_KEPT:])


def size_samples(core: Core) -> list[dict[str, Any]]:
    """The samples, oldest first."""
    return list(core.store.maintenance.get_cursor(_CURSOR) or [])
