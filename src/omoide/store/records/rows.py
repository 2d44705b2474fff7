"""Conversion between rows and records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar, cast

from omoide.clock import to_datetime_or_none
from omoide.domain import KINDS, Draft, Node
from omoide.language.text import index_text

T = TypeVar("T")

# The columns of a node in the order of SELECT; each is a field of Node. The session's name is joined.
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
_WRITTEN = (*COLUMNS[1:], "session_id", "content_hash", "key", "folded_text", "folded_speaker", "folded_tags")
INSERT = f"INSERT INTO node ({', '.join(_WRITTEN)}) VALUES ({', '.join(f':{name}' for name in _WRITTEN)})"
_FROM_DRAFT = tuple(field.name for field in fields(Draft) if field.name in _WRITTEN)
_NOW = ("recorded_at", "updated_at", "state_at")
_INITIAL = dict.fromkeys(_WRITTEN) | {"score": 0, "access_count": 0, "state": "live"}


def _is_time(column: str) -> bool:
    return column.endswith("_at") or column.startswith("valid_")


_TIMES = tuple(filter(_is_time, COLUMNS))


def record(kind: Callable[..., T], row: Sequence[Any]) -> T:
    """The record of a row with its fields in their order: times become datetimes, JSON is parsed."""
    values = dict(zip((field.name for field in fields(cast(Any, kind))), row, strict=True))
    for name, value in values.items():
        if _is_time(name):
            values[name] = to_datetime_or_none(value)
        elif name in ("attributes", "properties", "aliases", "evidence"):
            values[name] = as_tuple(json.loads(value))
    return kind(**values)


def draft_values(draft: Draft, ulid: str, now: int, session_id: int | None) -> dict[str, Any]:
    """The values of a new node by column."""
    tags = to_json(list(draft.tags)) if draft.tags else None
    values = _INITIAL | {name: getattr(draft, name) for name in _FROM_DRAFT} | dict.fromkeys(_NOW, now)
    return values | {
        "ulid": ulid,
        "details": to_json(draft.details),
        "attributes": to_json(dict(draft.attributes) or None),
        "tags": tags,
        "sensitive": int(draft.sensitive),
        "session_id": session_id,
        "content_hash": content_hash(draft.text),
        "folded_text": index_text(draft.text),
        "folded_speaker": index_text(draft.speaker) if draft.speaker else None,
        "folded_tags": index_text(tags) if tags else None,
    }


def node_from_insert(id: int, values: Mapping[str, Any], session: str | None) -> Node:
    """The record of a row that was just inserted, without reading it back."""
    return node_from_row((id, *(values[name] for name in COLUMNS[1:]), session))


def erased_node(id: int, draft: Draft, now: int) -> Node:
    """The result for a draft that was erased on request: the erased id, the draft's text, the state `erased`."""
    return node_from_insert(id, draft_values(draft, "", now, None) | {"state": "erased"}, draft.session)


def node_from_row(row: Sequence[Any]) -> Node:
    """The record of a row of SELECT."""
    values = dict(zip((*COLUMNS, "session"), row, strict=True))
    for name in _TIMES:
        values[name] = to_datetime_or_none(values[name])
    kind, attributes, details, tags = (values.pop(name) for name in ("kind", "attributes", "details", "tags"))
    own = {name: as_tuple(value) for name, value in json.loads(attributes).items()} if attributes else {}
    return KINDS[kind](
        **values | {"sensitive": bool(values["sensitive"])},
        details=json.loads(details) if details else None,
        tags=tuple(json.loads(tags)) if tags else (),
        **own,
    )


def replace_columns(row: Sequence[Any], values: Mapping[str, Any]) -> tuple[Any, ...]:
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
