"""Conversion between rows of `node` and node records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from omoide.clock import to_datetime, to_datetime_or_none
from omoide.domain import KINDS, Draft, Node
from omoide.language.text import index_text

# The columns of a node in the order of `node_from_row`; the session's name is joined.
COLUMNS = (
    "id", "ulid", "kind", "text", "summary", "details", "attributes", "tags",
    "event_at", "recorded_at", "updated_at", "valid_from", "valid_until", "expires_at",
    "importance", "confidence", "score", "access_count", "last_accessed_at", "last_hit_at", "confirmed_at",
    "decay_rate", "origin", "role", "speaker", "source_type", "narrative_id", "task_id", "token_count",
    "sensitive", "audience", "state", "state_at",
)  # fmt: skip
STATE_COLUMN = COLUMNS.index("state")
SELECT = f"""
    SELECT
        {", ".join(f"node.{name}" for name in COLUMNS)},
        session.name
    FROM node
    LEFT JOIN session ON session.id = node.session_id
"""

# Also written: the session id, the hash, the key and the text for the full-text index.
WRITTEN_COLUMNS = (*COLUMNS[1:], "session_id", "content_hash", "key", "folded_text", "folded_speaker", "folded_tags")
INSERT = f"INSERT INTO node ({', '.join(WRITTEN_COLUMNS)}) VALUES ({', '.join('?' * len(WRITTEN_COLUMNS))})"


def draft_values(draft: Draft, ulid: str, now: int, session_id: int | None) -> tuple[Any, ...]:
    """The values of a new node, in the order of WRITTEN_COLUMNS."""
    tags = to_json(list(draft.tags)) if draft.tags else None
    return (
        ulid, draft.kind, draft.text, draft.summary, to_json(draft.details), to_json(dict(draft.attributes) or None), tags,
        draft.event_at, now, now, draft.valid_from, draft.valid_until, draft.expires_at,
        draft.importance, draft.confidence, 0, 0, None, None, None,
        draft.decay_rate, draft.origin, draft.role, draft.speaker, draft.source_type, None, draft.task_id,
        draft.token_count, int(draft.sensitive), draft.audience, "live", now,
        session_id, content_hash(draft.text), draft.key,
        index_text(draft.text), index_text(draft.speaker) if draft.speaker else None, index_text(tags) if tags else None,
    )  # fmt: skip


def node_from_insert(id: int, row: tuple[Any, ...], session: str | None) -> Node:
    """The record of a row that was just inserted, without reading it back."""
    return node_from_row((id, *row[: len(COLUMNS) - 1], session))


def erased_node(id: int, draft: Draft, now: int) -> Node:
    """The result for a draft that was erased on request: the erased id, the draft's text, the state `erased`."""
    row = list(draft_values(draft, "", now, None))
    row[COLUMNS.index("state") - 1] = "erased"
    return node_from_insert(id, tuple(row), draft.session)


def node_from_row(row: tuple[Any, ...]) -> Node:
    """The record of a row of SELECT."""
    (
        id, ulid, kind, text, summary, details, attributes, tags,
        event_at, recorded_at, updated_at, valid_from, valid_until, expires_at,
        importance, confidence, score, access_count, last_accessed_at, last_hit_at, confirmed_at,
        decay_rate, origin, role, speaker, source_type, narrative_id, task_id, token_count,
        sensitive, audience, state, state_at, session,
    ) = row  # fmt: skip
    own = json.loads(attributes) if attributes else {}
    return KINDS[kind](
        id=id,
        ulid=ulid,
        text=text,
        summary=summary,
        details=json.loads(details) if details else None,
        event_at=to_datetime(event_at),
        recorded_at=to_datetime(recorded_at),
        updated_at=to_datetime(updated_at),
        valid_from=to_datetime_or_none(valid_from),
        valid_until=to_datetime_or_none(valid_until),
        expires_at=to_datetime_or_none(expires_at),
        importance=importance,
        confidence=confidence,
        score=score,
        access_count=access_count,
        last_accessed_at=to_datetime_or_none(last_accessed_at),
        last_hit_at=to_datetime_or_none(last_hit_at),
        confirmed_at=to_datetime_or_none(confirmed_at),
        decay_rate=decay_rate,
        origin=origin,
        role=role,
        speaker=speaker,
        source_type=source_type,
        session=session,
        narrative_id=narrative_id,
        task_id=task_id,
        tags=tuple(json.loads(tags)) if tags else (),
        token_count=token_count,
        sensitive=bool(sensitive),
        audience=audience,
        state=state,
        state_at=to_datetime(state_at),
        **{name: as_tuple(value) for name, value in own.items()},
    )


def replace_columns(row: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
    """A row of SELECT with other values in some columns."""
    return tuple(values.get(name, value) for name, value in zip((*COLUMNS, "session"), row, strict=True))


def as_tuple(value: Any) -> Any:
    """Records are frozen and hold JSON lists as tuples."""
    return tuple(value) if isinstance(value, list) else value


def content_hash(text: str) -> bytes:
    """A hash that detects damaged text; sixteen bytes are enough for that."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def to_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
