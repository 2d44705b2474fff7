"""Conversion between rows and records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar, cast

from omoide.clock import to_datetime, to_datetime_or_none
from omoide.domain import KINDS, Draft, Node
from omoide.domain.node import INFERRED_SOURCE_TYPES
from omoide.language.text import index_text

T = TypeVar("T")

# The columns of a node in the order of SELECT; each is a field of Node. The session's name is joined.
COLUMNS = (
    "id", "ulid", "kind", "text", "summary", "details", "attributes", "tags",
    "event_at", "recorded_at", "updated_at", "valid_from", "valid_until", "expires_at",
    "importance", "confidence", "score", "access_count", "last_accessed_at", "last_hit_at", "confirmed_at",
    "user_confirmed_at", "decay_rate", "origin", "role", "speaker", "source_type", "narrative_id", "task_id",
    "token_count", "sensitive", "audience", "state", "state_at",
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


_TIMES = frozenset(filter(_is_time, COLUMNS))
_PLACES = {name: place for place, name in enumerate((*COLUMNS, "session"))}


def record(kind: Callable[..., T], row: Sequence[Any]) -> T:
    """The record of a row with its fields in their order, by their types: times, truth values and JSON are read."""
    values: dict[str, Any] = {}
    for field, value in zip(fields(cast(Any, kind)), row, strict=True):
        type = str(field.type)
        if type.startswith("datetime"):
            value = to_datetime_or_none(value)
        elif type.startswith(("Mapping", "tuple")):
            value = None if value is None else as_tuple(json.loads(value))
        values[field.name] = bool(value) if type == "bool" else value
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
    values = dict(zip(_PLACES, row, strict=True))
    for name in _TIMES:
        if values[name] is not None:
            values[name] = to_datetime(values[name])
    attributes, details, tags = values.pop("attributes"), values["details"], values["tags"]
    values["sensitive"] = bool(values["sensitive"])
    values["details"] = json.loads(details) if details else None
    values["tags"] = tuple(json.loads(tags)) if tags else ()
    kind = KINDS[values.pop("kind")]
    if attributes:  # a flipped bit may have made another name
        known = kind.__dataclass_fields__
        values |= {name: as_tuple(value) for name, value in json.loads(attributes).items() if name in known}
    node = object.__new__(kind)  # the constructor would set fifty fields one by one
    node.__dict__.update(values)
    return node


class NodeRow:
    """A row of SELECT that answers for the fields of its node; the record is made when it is needed."""

    _READ = ("id", "kind", "text", "importance", "confidence", "score", "role", "speaker", "source_type", "session")
    _pick = itemgetter(*(_PLACES[name] for name in _READ))
    __slots__ = (*_READ, "_record", "_row", "event_at")  # the time is converted when it is first asked for

    def __init__(self, row: Sequence[Any]) -> None:
        """`row` may have further columns at the end."""
        self._row = row
        self._record: Node | None = None
        (
            self.id, self.kind, self.text, self.importance, self.confidence, self.score,
            self.role, self.speaker, self.source_type, self.session,
        ) = NodeRow._pick(row)  # fmt: skip

    @property
    def record(self) -> Node:
        if self._record is None:
            self._record = node_from_row(self._row[: len(_PLACES)])
        return self._record

    @property
    def attributes(self) -> dict[str, Any]:
        found = self._row[_PLACES["attributes"]]
        return json.loads(found) if found else {}

    def effective_confidence(self, now: datetime) -> float:
        """As `Node.effective_confidence`; only inferred memories decay."""
        inferred = self.source_type in INFERRED_SOURCE_TYPES and self.confirmed_at is None
        return self.record.effective_confidence(now) if inferred else float(self.confidence)

    def __getattr__(self, name: str) -> Any:
        value = self._row[_PLACES[name]]
        if name == "event_at":
            self.event_at = value = to_datetime(value)
            return value
        return to_datetime_or_none(value) if name in _TIMES else value


def replace_columns(row: Sequence[Any], values: Mapping[str, Any]) -> tuple[Any, ...]:
    """A row of SELECT, which may have further columns at the end, with other values in some columns."""
    return (*(values.get(name, value) for name, value in zip(_PLACES, row, strict=False)), *row[len(_PLACES) :])


def as_tuple(value: Any) -> Any:
    """Records are frozen and hold JSON lists as tuples."""
    return tuple(value) if isinstance(value, list) else value


def text_columns(text: str, token_count: int | None) -> dict[str, Any]:
    """The columns that follow from a text."""
    folded, hashed = index_text(text), content_hash(text)
    return {"text": text, "folded_text": folded, "content_hash": hashed, "token_count": token_count}


def content_hash(text: str) -> bytes:
    """A hash that detects damaged text; sixteen bytes are enough for that."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def to_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
