"""Records of ours as plain dictionaries and lists, for every door that speaks JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any


def document(record: Any) -> Any:
    """The same names as in Python; times stay times, see `iso`."""
    if is_dataclass(record) and not isinstance(record, type):
        body = {item.name: document(getattr(record, item.name)) for item in fields(record)}
        kind = getattr(type(record), "kind", None)  # of a node it is its class's, not a field
        return {"id": body.pop("id"), "kind": kind, **body} if isinstance(kind, str) else body
    if isinstance(record, Mapping):
        return {name: document(value) for name, value in record.items()}
    if isinstance(record, list | tuple):
        return [document(each) for each in record]
    return record


def iso(value: Any) -> str:
    """What JSON has no word for; given to json.dumps as `default`."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in JSON")
