"""How memories are told to a model: one line each, its id first, so that the next call can name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from omoide.clock import system_clock, to_datetime
from omoide.domain import Node
from omoide.interfaces.document import document

_LONGEST = 600  # characters of one memory in a list; get_memory shows it whole
_AGES = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))


def line(node: Node, *, now: datetime | None = None) -> str:
    """`[id:7] Otto lives in Berlin (fact, 3 days ago)`."""
    now = now or to_datetime(system_clock())
    words = " ".join(node.full_text.split())
    words = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    said = f"{node.speaker or node.role}: " if node.kind == "episode" and (node.speaker or node.role) else ""
    return f"[id:{node.id}] {said}{words} ({', '.join(_remarks(node, now))})"


def _remarks(node: Node, now: datetime) -> Iterable[str]:
    yield node.kind
    yield age(node.event_at, now)
    sure = node.effective_confidence(now)
    if node.kind != "episode" and sure < 0.995:
        yield f"confidence {sure:.2f}"
    if node.state != "live":
        yield node.state


def lines(nodes: Sequence[Node], nothing: str) -> str:
    return "\n".join(line(node) for node in nodes) if nodes else nothing


def age(then: datetime, now: datetime) -> str:
    """As people say it: today, 3 days ago, 2 months ago; what lies ahead by its date."""
    days = (now - then).days
    if days < 0:
        return f"on {then:%Y-%m-%d}"
    for length, word in _AGES:
        if days >= length:
            count = days // length
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "today"


def brief(node: Node) -> dict[str, Any]:
    """The fields of a memory that a program asks for first, instead of all thirty."""
    body = document(node)
    wanted = ("id", "kind", "text", "event_at", "confidence", "origin", "session", "tags", "state")
    return {name: body[name] for name in wanted} | {"confidence": round(float(body["confidence"]), 4)}
