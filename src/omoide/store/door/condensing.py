"""Condensing: summaries of turns, of sessions, of days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from omoide.domain import Node
from omoide.store.ageing import compression
from omoide.store.ageing.compression import SummaryDraft, UncompressedSession
from omoide.store.door.opened import Opened


class Condensing(Opened):
    """What a summary rests on stays; it is linked, never changed."""

    def uncondensed(self, before: int) -> list[UncompressedSession]:
        return self._read(lambda db: compression.uncompressed_sessions(db, before))

    def condense(self, wanted: Sequence[SummaryDraft], nothing_in: Sequence[int] = ()) -> list[Node] | None:
        """All in one transaction; None when a turn is gone or another process was faster."""
        return self._write(lambda db: compression.insert_summaries(db, wanted, nothing_in))

    def distillable(self, before: int) -> list[int]:
        return self._read(lambda db: compression.distillable(db, before))

    def sources(self, id: int) -> list[int]:
        return self._read(lambda db: compression.summary_sources(db, id))

    def distil(
        self, id: int, text: str, token_count: int, values: Mapping[str, Any], entities: Sequence[int]
    ) -> Node | None:
        """Rewords a compressed episode, once: None if it is compressed no longer."""

        def work(db: apsw.Connection) -> Node | None:
            if not compression.is_compressed(db, id):
                return None
            return compression.reword_summary(db, id, text, token_count, values, entities=entities)

        return self._write(work)

    def write_summary(self, wanted: SummaryDraft) -> Node:
        """The one summary under its key: new, or in new words with its sources added."""

        def work(db: apsw.Connection) -> Node:
            draft, now = wanted.draft, self._clock()
            held = None if draft.key is None else compression.summary_by_key(db, draft.key)
            if held is None:
                return compression.insert_summary(db, wanted)
            values = {"details": draft.details, "expires_at": draft.expires_at}
            return compression.reword_summary(
                db,
                held.id,
                draft.text,
                draft.token_count,
                values,
                sources=wanted.sources,
                entities=wanted.entities,
            )

        return self._write(work)

    def summary_of(self, key: bytes) -> Node | None:
        return self._read(lambda db: compression.summary_by_key(db, key))

    def turns_between(self, since: int, until: int, after_id: int = 0) -> list[int]:
        return self._read(lambda db: compression.turns_between(db, after_id, since, until))

    def turn_moments(self, after_id: int) -> list[tuple[int, int]]:
        return self._read(lambda db: compression.turn_times(db, after_id))

    def condensed_between(self, tag: str, since: int, until: int) -> list[Node]:
        return self._read(lambda db: compression.tagged_summaries(db, tag, since, until))

    def unsummed_sessions(self) -> list[tuple[str, tuple[int, ...]]]:
        return self._read(compression.unsummarised_sessions)

    def sum_up_session(self, session: str, summary: str) -> bool:
        return self._write(lambda db: compression.set_session_summary(db, session, summary))

    def turn_before(self, id: int) -> list[Node]:
        """The turn of the same session that came before, if there is one."""
        return self._read(lambda db: compression.turn_before(db, id))

    def causal_links(self, ids: Sequence[int]) -> set[tuple[int, int]]:
        """(cause, effect) of those that are linked already and have an end among these."""
        return self._read(lambda db: compression.causal_links(db, ids))

    def link_causes(self, found: Sequence[tuple[int, int, float, str]], mark: str, upto: int) -> None:
        """(cause, effect, confidence, words), and how far was looked, in one transaction."""

        def work(db: apsw.Connection) -> None:
            compression.link_causes(db, found)
            compression.set_job_cursor(db, mark, upto)

        self._write(work)

    def mark(self, name: str) -> int:
        return self._read(lambda db: compression.job_cursor(db, name))

    def set_mark(self, name: str, value: int) -> None:
        self._write(lambda db: compression.set_job_cursor(db, name, value))
