"""A task → the draft of its trace, and what happens in it → entries: checked, without secrets, short enough to keep."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide import tokens
from omoide.clock import micros
from omoide.config import Settings
from omoide.errors import InvalidInput
from omoide.layers import Draft
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode, importance
from omoide.layers.trace import OUTCOMES, worded
from omoide.observe import checked
from omoide.observe.redact import redact
from omoide.observe.turn import keyed
from omoide.store.tasks import Mentioned
from omoide.text import clean, shorten

_LONGEST = 4_000  # characters of one result or message: the head of a log says what went wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A task as it is begun."""

    goal: str
    agent: str | None = None
    phase: str | None = None
    type: str | None = None
    constraints: Collection[str] = ()
    files: Collection[str] = ()
    name: str | None = None
    session: str | None = None
    tags: Collection[str] = ()
    origin: str = "agent"
    sensitive: bool = False
    audience: str = "private"
    at: datetime | str | None = None
    details: Any = None
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What is known of a task that is over when it is told as a whole."""

    outcome: str
    actions: Sequence[Mapping[str, Any]] = ()
    errors: Sequence[Mapping[str, Any]] = ()
    artifacts: Collection[str] = ()
    commit: str | None = None
    seconds: float | None = None


def drafted(begun: Begun, now: int, settings: Settings, mentioned: Mentioned, ended: Ended | None = None) -> Draft:
    """The trace's draft. It does not expire by itself: what becomes of old traces is a rule of their own."""
    tags = checked.tags(begun.tags)
    attributes = validated(Episode, _fields(begun, settings) | (_ending(ended) if ended else {"outcome": "pending"}))
    text = worded(attributes)
    return Draft(
        kind="episode",
        text=text,
        details=checked.details(begun.details),
        attributes=attributes,
        event_at=now if begun.at is None else micros(begun.at),
        importance=importance(text, type="action", role="agent", outcome=attributes["outcome"], tags=tags),
        origin=checked.origin(begun.origin),
        role="agent",
        source_type="observed",
        session=checked.name(begun.session, "session"),
        task_id=checked.name(begun.name, "name"),
        tags=tags,
        token_count=tokens.estimate(text),
        sensitive=checked.yes_or_no(begun.sensitive, "sensitive"),
        audience=checked.audience(begun.audience),
        key=None if begun.key is None else keyed("task", checked.name(begun.key, "key")),
        entities=mentioned(text),
    )


def _fields(begun: Begun, settings: Settings) -> dict[str, Any]:
    return {
        "type": "action",
        "goal": redact(clean(begun.goal, settings.max_text_bytes)).text,
        "agent": checked.name(begun.agent, "agent"),
        "phase": checked.name(begun.phase, "phase"),
        "task_type": checked.name(begun.type, "type"),
        "constraints": named(begun.constraints, "constraints"),
        "files_involved": named(begun.files, "files"),
    }


def _ending(ended: Ended) -> dict[str, Any]:
    return {
        "outcome": outcome(ended.outcome),
        "action_log": [_told(each, "action") for each in ended.actions],
        "errors_encountered": [_told(each, "error") for each in ended.errors],
        "artifacts_produced": named(ended.artifacts, "artifacts"),
        "git_commit": checked.name(ended.commit, "commit"),
        "duration_seconds": ended.seconds,
    }


def named(given: Collection[str] | str, field: str) -> list[str]:
    """A few names, each once, in their order."""
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return list(dict.fromkeys(checked.required(each, field) for each in given))


def outcome(given: str) -> str:
    if given not in OUTCOMES:
        raise InvalidInput(f"outcome: expected {', '.join(OUTCOMES)}, got {given!r}")
    return given


def action(name: str, **said: Any) -> dict[str, Any]:
    """Loki's action: what was done, to what, with which result or error; more fields may stand beside them."""
    body = {"action": checked.required(name, "action")}
    return body | {key: _short(value) for key, value in checked.details(said).items() if value is not None}


def error(type: str, message: str, resolution: str | None = None) -> dict[str, Any]:
    """Loki's error."""
    return {
        "type": words(type, "type"),
        "message": words(message, "message") if message and not message.isspace() else "",
        "resolution": None if resolution is None else words(resolution, "resolution"),
    }


def words(given: str, field: str) -> str:
    """Some sentences without secrets; of very many, the first."""
    try:
        return shorten(redact(clean(given)).text, _LONGEST)
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error}") from None


def raised(by: BaseException) -> dict[str, Any]:
    """The error of a task that an exception ended."""
    said = str(by).replace("\0", "").encode("utf-8", "replace").decode()
    return error(by.__class__.__name__, said[:_LONGEST])


def _told(given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """An action or error of a trace that is told as a whole: its own fields stay as they are."""
    if not isinstance(given, Mapping) or (what == "action" and "action" not in given):
        raise InvalidInput(f"{what}s: expected dictionaries in Loki's shape, got {given!r}")
    return {key: _short(value) for key, value in checked.details(dict(given), what).items()}


def _short(value: Any) -> Any:
    return shorten(value, _LONGEST) if isinstance(value, str) else value
