"""What agents tell one another: lessons bound to what happens, ledgers, handoffs, links between notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from omoide.domain import Draft, Edge, Node
from omoide.domain.edge import Contradiction, Neighbour, relation_from
from omoide.domain.kinds import Handoff
from omoide.domain.task import Ledger, LedgerCheckpoint
from omoide.domain.trigger import Binding, Trigger, TriggerEvent
from omoide.errors import NotFound
from omoide.store.door.opened import Opened
from omoide.store.erasure import erase, tombstones
from omoide.store.records import edges, nodes
from omoide.store.tasks import agent_ledgers, lessons
from omoide.store.tasks.agent_ledgers import LedgerUpdate
from omoide.store.tasks.lessons import Reminder


class Lessons(Opened):
    """Each verb is one transaction; of several agents at once, none undoes what another did."""

    # ── triggers ──────────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, node_id: int, trigger: Trigger) -> Binding:
        return self._write(lambda db: lessons.bind(db, node_id, trigger))

    def unbind(self, node_id: int, id: int | None) -> int:
        return self._write(lambda db: lessons.unbind(db, node_id, id))

    def bindings(self, node_id: int | None) -> list[Binding]:
        return self._read(lambda db: lessons.bindings_of(db, node_id))

    def lessons(self, happened: TriggerEvent, limit: int, sensitive: bool, audience: str) -> list[Reminder]:
        now = self._clock()
        return self._read(
            lambda db: lessons.triggered_lessons(db, happened, limit, sensitive=sensitive, audience=audience)
        )

    # ── ledgers and handoffs ──────────────────────────────────────────────────────────────────────────────────

    def ledger(self, agent: str) -> Ledger:
        return self._read(lambda db: agent_ledgers.require_ledger(db, agent))

    def ledgers(self) -> list[Ledger]:
        return self._read(agent_ledgers.list_ledgers)

    def checkpoint(self, told: LedgerUpdate, mentioned: Callable[[str], tuple[int, ...]]) -> Ledger:
        return self._write(lambda db: agent_ledgers.add_checkpoint(db, told, mentioned))

    def checkpoints(self, agent: str, limit: int) -> list[LedgerCheckpoint]:
        return self._read(lambda db: agent_ledgers.list_checkpoints(db, agent, limit))

    def accept_handoff(self, id: int, agent: str) -> Handoff:
        return self._write(lambda db: agent_ledgers.accept_handoff(db, id, agent))

    def handoffs(self, agent: str | None, only_open: bool, limit: int) -> list[Node]:
        return self._read(lambda db: agent_ledgers.list_handoffs(db, agent, only_open, limit))

    # ── links ─────────────────────────────────────────────────────────────────────────────────────────────────

    def unlink(self, source: int, target: int, types: Sequence[str]) -> list[Edge]:
        """What was superseded by the link alone is in use again."""

        def work(db: apsw.Connection) -> list[Edge]:
            nodes.require(db, source)
            nodes.require(db, target)
            removed = edges.delete_links(db, (source, target), types)
            if not removed:
                raise NotFound(f"there is no such link from node {source} to node {target}")
            for each in removed:
                if each.type == "supersedes" and nodes.latest_version(db, each.target_id) == each.target_id:
                    erase.reinstate(db, [each.target_id], self._clock())
            return removed

        return self._write(work)

    def linked(self, id: int) -> list[Neighbour]:
        """What a node is linked to, as it reads from there; what says the same in both directions once."""

        def read(db: apsw.Connection) -> list[Neighbour]:
            nodes.require(db, id)
            around = edges.of_node(db, id)
            ends = {each.id: each.target_id if each.source_id == id else each.source_id for each in around}
            held = nodes.fetch(db, ends.values())
            found: dict[tuple[int, str], Neighbour] = {}
            for edge in around:
                relation, outgoing = relation_from(edge, id)
                found.setdefault((ends[edge.id], relation), Neighbour(held[ends[edge.id]], relation, outgoing, edge))
            return list(found.values())

        return self._read(read)

    def contradictions(self, limit: int) -> list[Contradiction]:
        def read(db: apsw.Connection) -> list[Contradiction]:
            found = edges.contradictions(db, limit)
            held = nodes.fetch(db, [id for each in found for id in (each.source_id, each.target_id)])
            return [Contradiction(held[each.source_id], held[each.target_id], each) for each in found]

        return self._read(read)

    def resolve(self, keep: int, over: int) -> Node:
        """One of two stays, the other is superseded by it; that they contradicted one another is history."""

        def work(db: apsw.Connection) -> Node:
            now = self._clock()
            nodes.require(db, keep)
            nodes.retire_for(db, over, keep)
            edges.insert(db, keep, over, "supersedes", now)
            edges.end_link(db, (keep, over), "contradicts")
            return nodes.require(db, keep)

        return self._write(work)

    # ── skills ────────────────────────────────────────────────────────────────────────────────────────────────

    def skill_named(self, name: str, file: str | None) -> Node | None:
        return self._read(lambda db: nodes.find_skill(db, name, file))

    def add_version(self, old: int | None, draft: Draft) -> Node:
        """A new node, or one that takes the place of an older version; one that was forgotten stays erased."""

        def work(db: apsw.Connection) -> Node:
            guard = tombstones.TombstoneGuard(db, self._clock(), brought=True)
            if old is None or nodes.require(db, old).state != "live" or guard.refuses(draft) is not None:
                return nodes.insert(db, [draft], guard)[0]
            return nodes.supersede(db, old, draft, guard=guard)

        return self._write(work)
