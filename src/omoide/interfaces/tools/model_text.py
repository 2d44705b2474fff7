"""How a model writes arguments, and how memories are written for a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field

from omoide.clock import system_clock, to_datetime
from omoide.domain import Agenda, Node
from omoide.domain.currency import currency_note
from omoide.domain.quotation import labelled, one_line, redaction_note
from omoide.errors import InvalidInput
from omoide.interfaces.serialise import serialise
from omoide.interfaces.tools.tool import ToolAnswer

_LONGEST = 600  # characters of one memory in a list; get_memory shows it whole
_AGES = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))
_DAYS_BACK = {"today": 0, "yesterday": 1, "last_week": 7, "last_month": 30, "last_year": 365}
_PRINTED_ID = re.compile(r"\s*\[?\s*(?:id\s*:)?\s*(\d{1,18})\s*\]?\s*", re.IGNORECASE)


# ── arguments ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _number(given: Any) -> Any:
    """Accepts `[id:7]`: results print ids like that, so models send them back like that."""
    found = _PRINTED_ID.fullmatch(given) if isinstance(given, str) else None
    return int(found[1]) if found else given


def _joined(given: Any) -> Any:
    is_list = isinstance(given, list | tuple) and all(isinstance(each, str) for each in given)
    return ", ".join(given) if is_list else given


Number = Annotated[int, BeforeValidator(_number)]
Id = Annotated[Number, Field(ge=1, description="The N of [id:N] in a result.")]
CommaSeparated = Annotated[str, BeforeValidator(_joined)]
Tags = Annotated[CommaSeparated, Field(description="Comma-separated keywords.")]
Limit = Annotated[int, Field(ge=1, le=50, description="How many at most.")]
EntityName = Annotated[
    str, Field(description="A name or alias.", validation_alias=AliasChoices("entity_name", "name", "entity"))
]


def split(tags: str | None) -> list[str]:
    return [word for each in (tags or "").split(",") if (word := each.strip())]


def instant(text: str | None, field: str, now: datetime | None = None) -> datetime | None:
    """Reads `last_week`, `last_month`, `YYYY-MM-DD` or an ISO time; a date begins at its midnight, UTC."""
    if text is None:
        return None
    now = now or to_datetime(system_clock())
    word = text.strip().lower().replace(" ", "_").replace("-", "_")
    if word in _DAYS_BACK:
        back = now - timedelta(days=_DAYS_BACK[word])
        return back if _DAYS_BACK[word] > 1 else back.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        known = ", ".join(_DAYS_BACK)
        raise InvalidInput(f"{field}: expected {known}, YYYY-MM-DD or an ISO time, got {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def line(node: Node, *, now: datetime | None = None) -> str:
    """A memory in one line, its id first: `[id:7] Otto lives in Berlin (fact, 3 days ago)`."""
    now = now or to_datetime(system_clock())
    text = " ".join(node.full_text.split())
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"[id:{node.id}] {labelled(node, text)} ({', '.join(_remarks(node, now))})"


def _remarks(node: Node, now: datetime) -> Iterable[str]:
    yield node.kind
    yield age(node.event_at, now)
    if note := currency_note(node, now):
        yield note
    if node.state != "live":
        yield node.state


def lines(nodes: Sequence[Node], nothing: str) -> str:
    """One line per memory, or `nothing`."""
    shown = "\n".join(line(node) for node in nodes)
    return "\n".join(filter(None, (shown, redaction_note(shown)))) or nothing


def age(then: datetime, now: datetime) -> str:
    """today, 3 days ago, 2 months ago; for the future, the date."""
    days = (now - then).days
    if days < 0:
        return f"on {then:%Y-%m-%d}"
    for length, word in _AGES:
        if days >= length:
            count = days // length
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "today"


def agenda(found: Agenda) -> str:
    """One line per entry: `2026-09-26 (Sat): [id:7] The dentist is on the 26th`, with its state unless it is coming."""
    states = {"coming": "", "moved": " (moved)", "cancelled": " (cancelled)", "past": " (past)"}
    shown = (f"{each.when}: [id:{each.id}] {one_line(each.text)}{states[each.state]}" for each in found)
    return "\n".join(shown) or "nothing is known of that time"


def brief(node: Node) -> dict[str, Any]:
    """The fields of a memory that a program needs first."""
    body = serialise(node)
    wanted = ("id", "kind", "text", "event_at", "confidence", "origin", "session", "tags", "state")
    return {name: body[name] for name in wanted} | {"confidence": round(float(body["confidence"]), 4)}


def proposed(node: Node) -> ToolAnswer | None:
    """The answer to a change of the user's words, which waits as a proposal; None if the change was made."""
    if node.written is None or node.written.verb != "proposed":
        return None
    number, said = node.written.others[0], one_line(node.text)
    text = (
        f"not changed: the user said [id:{node.id}] {said}. Your change waits as proposal {number}; tell the "
        f"user, who can accept it (omoide review accept {number})"
    )
    return ToolAnswer(text, {"memory": brief(node), "proposal": number})


def outcome(node: Node, verb: str) -> str:
    """What writing a memory did: "stored as [id:7]; it replaces [id:3]"."""
    written = node.written
    if written is not None and written.verb in ("confirmed", "known"):
        return f"already known as [id:{node.id}]; confirmed"
    told = {"superseded": "replaces", "ended": "ends", "contradicted": "contradicts"}
    others = ", ".join(f"[id:{id}]" for id in written.others) if written is not None else ""
    tail = f"; it {told[written.verb]} {others}" if written is not None and others else ""
    return f"{verb} as [id:{node.id}]{tail}"
