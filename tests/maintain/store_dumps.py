"""Runs a job, writes a compressed episode, and dumps all rows of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from omoide import Memory
from omoide.clock import DAY
from omoide.domain import Draft, Node
from omoide.maintain.job import JobContext, JobStep, MaintenanceJob
from omoide.observe import validate
from omoide.settings import Settings
from tests.open_file import open_file

# Bookkeeping between processes and runs, and pages of an index, whose bytes depend on when they were merged.
_ASIDE = ("write_mark", "cursor", "cache_invalidation", "sqlite_sequence", "sqlite_stat1", "audit")


def job_context(memory: Memory, now: int, *, dry_run: bool = False, **settings: Any) -> JobContext:
    found = Settings(**settings)
    return JobContext(
        store=memory._store,
        settings=found,
        now=now,
        dry_run=dry_run,
        policy=validate.retention_policy(found.retention_policy),
    )


def run_job(job: MaintenanceJob, memory: Memory, now: int, *, dry_run: bool = False, **settings: Any) -> list[JobStep]:
    return list(job.run(job_context(memory, now, dry_run=dry_run, **settings)))


def learn_all(memory: Memory, *sessions: str) -> None:
    for session in sessions:
        memory.end(session)
    memory.learn()


def compress(
    memory: Memory, sources: Sequence[Node], *, now: int, importance: int = 5, form: str = "compressed"
) -> Node:
    """An episode that tells others shorter, as the job that compresses writes it."""
    draft = Draft(
        kind="episode",
        text="in short: " + " / ".join(each.text[:20] for each in sources),
        event_at=now,
        origin="agent",
        source_type="consolidation",
        attributes={"compression": form},
        expires_at=now + 90 * DAY if form == "compressed" and importance < 6 else None,
        importance=importance,
    )
    node = memory._store.nodes.insert([draft])[0]
    for each in sources:
        memory._store.links.link(node.id, each.id, "derived_from")
    return node


def dump(path: str) -> dict[str, list[Any]]:
    """Every row of every table of ours."""
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    ours = [name for name in names if name not in _ASIDE and "_fts" not in name and not name.startswith("word")]
    found = {name: list(db.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2')) for name in ours}
    db.execute("CREATE VIRTUAL TABLE temp.indexed_word USING fts5vocab('main', 'nodes_fts', 'instance')")
    found["indexed_word"] = sorted(db.execute("SELECT term, doc, col, offset FROM temp.indexed_word"), key=str)
    db.close()
    return found


def states(memory: Memory) -> dict[int, str]:
    return {node.id: node.state for node in memory.list(state="all", order="added")}
