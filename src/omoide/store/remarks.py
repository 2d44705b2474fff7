"""What is sound and still worth knowing: contradictions, exact duplicates, what waits to be learned from."""

from __future__ import annotations

import apsw

from omoide.store.finding import Finding


def all_of(db: apsw.Connection) -> list[Finding]:
    return [contradictions(db), duplicates(db), backlog(db)]


def contradictions(db: apsw.Connection) -> Finding:
    count = db.execute(
        """
        SELECT count(*)
        FROM edge
        JOIN node AS one ON one.id = edge.source_id AND one.state = 'live'
        JOIN node AS other ON other.id = edge.target_id AND other.state = 'live'
        WHERE edge.type = 'contradicts'
        """
    ).get
    if not count:
        return Finding("contradictions", True, "no two memories contradict each other")
    return Finding("contradictions", True, f"{_pairs(count)} contradict each other; `omoide weak` shows them")


def duplicates(db: apsw.Connection) -> Finding:
    """Of what is known: a turn may well be said twice. The nightly maintenance unites them; a doctor does not judge."""
    groups, extra, first = db.execute(
        """
        SELECT count(*), coalesce(sum(held - 1), 0), min(first)
        FROM (
            SELECT count(*) AS held, min(id) AS first
            FROM node
            WHERE kind <> 'episode' AND state = 'live'
            GROUP BY kind, content_hash, audience, coalesce(attributes, '')
            HAVING count(*) > 1
        )
        """
    ).fetchone() or (0, 0, None)
    if not groups:
        return Finding("duplicates", True, "nothing is known twice in the same words")
    return Finding("duplicates", True, f"{extra} memories say the same as another, first node {first}")


def backlog(db: apsw.Connection) -> Finding:
    waiting, failed, reason = db.execute(
        """
        SELECT count(*), count(learn_error), max(learn_error)
        FROM session
        WHERE learning = 'pending'
        """
    ).fetchone() or (0, 0, None)
    if not waiting:
        return Finding("learning", True, "every conversation that is over was learned from")
    told = f"; {failed} failed ({reason})" if failed else ""
    verb = "conversation waits" if waiting == 1 else "conversations wait"
    return Finding("learning", True, f"{waiting} {verb} to be learned from{told}")


def _pairs(count: int) -> str:
    return "1 pair of memories" if count == 1 else f"{count} pairs of memories"
