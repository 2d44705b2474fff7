"""A proposal as JSON and back: what is written down before anything of it is applied."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from omoide.learn.proposal import (
    Cause,
    Claim,
    Correction,
    HowTo,
    Item,
    Judgement,
    Mentioned,
    Proposal,
    Quote,
    Relating,
    Wish,
)

_ITEMS: dict[str, type[Item]] = {
    "entities": Mentioned,
    "claims": Claim,
    "judgements": Judgement,
    "relations": Relating,
    "wishes": Wish,
    "howtos": HowTo,
    "corrections": Correction,
    "causes": Cause,
}
_MOMENTS = ("valid_from", "valid_until")
_TUPLES = ("aliases", "steps")


def dump(proposal: Proposal) -> str:
    return json.dumps(asdict(proposal), default=_plain, ensure_ascii=False)


def load(text: str) -> Proposal:
    found = json.loads(text)
    items: dict[str, Any] = {name: tuple(_item(kind, each) for each in found[name]) for name, kind in _ITEMS.items()}
    return Proposal(**items, notes=tuple(found["notes"]))


def _item(kind: type[Item], given: dict[str, Any]) -> Item:
    known = {item.name for item in fields(kind)}
    values = {name: value for name, value in given.items() if name in known}
    values["quote"] = Quote(**given["quote"])
    for name in _MOMENTS:
        if values.get(name):
            values[name] = datetime.fromisoformat(values[name])
    for name in _TUPLES:
        if name in values:
            values[name] = tuple(values[name])
    return kind(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a proposal holds plain values, not {type(value).__name__}")
