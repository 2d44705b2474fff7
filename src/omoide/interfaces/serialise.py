"""Records as plain dictionaries and lists, for every interface that speaks JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any


def serialise(record: Any) -> Any:
    """Converts dataclasses to dictionaries with the same names; times stay `datetime` objects (see `json_default`)."""
    if is_dataclass(record) and not isinstance(record, type):
        body = {item.name: serialise(getattr(record, item.name)) for item in fields(record)}
        kind = getattr(type(record), "kind", None)  # a node's kind belongs to its class and is not a field
        if isinstance(kind, str) and body.get("written") is None:
            body.pop("written", None)  # only what a writing verb returns has it
        return {"id": body.pop("id"), "kind": kind, **body} if isinstance(kind, str) else body
    if isinstance(record, Mapping):
        return {name: serialise(value) for name, value in record.items()}
    if isinstance(record, list | tuple):
        return [serialise(each) for each in record]
    if isinstance(record, PurePath):
        return str(record)
    return record


def json_default(value: Any) -> str:
    """The `default` of json.dumps: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def as_json(record: Any, **options: Any) -> str:
    return json.dumps(serialise(record), default=json_default, **options)
