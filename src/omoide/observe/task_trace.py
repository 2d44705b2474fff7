"""A task → the draft of its trace, and what happens in it → entries: checked, without secrets, short enough to keep."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Draft
from omoide.domain.kinds import Episode, classify_importance
from omoide.domain.node import validate_attributes
from omoide.domain.task import TASK_OUTCOMES, trace_text
from omoide.errors import InvalidInput
from omoide.language import tokens
from omoide.language.text import shorten, validate_text
from omoide.observe import validate
from omoide.observe.drafts import content_key
from omoide.observe.redaction import redact
from omoide.settings import Settings
from omoide.store.tasks.task_lifecycle import FindEntities

_MAX_CHARACTERS = 4_000  # characters of one result or message: the head of a log says what went wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStart:
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
class TaskEnd:
    """What is known of a task that is over when it is told as a whole."""

    outcome: str
    actions: Sequence[Mapping[str, Any]] = ()
    errors: Sequence[Mapping[str, Any]] = ()
    artifacts: Collection[str] = ()
    commit: str | None = None
    seconds: float | None = None


def draft_task_trace(
    begun: TaskStart, now: int, settings: Settings, mentioned: FindEntities, ended: TaskEnd | None = None
) -> Draft:
    """The trace's draft. It does not expire by itself: what becomes of old traces is a rule of their own."""
    tags = validate.tags(begun.tags)
    attributes = validate_attributes(
        Episode, _start_fields(begun, settings) | (_end_fields(ended) if ended else {"outcome": "pending"})
    )
    text = trace_text(attributes)
    return Draft(
        kind="episode",
        text=text,
        details=validate.details(begun.details),
        attributes=attributes,
        event_at=now if begun.at is None else to_micros(begun.at),
        importance=classify_importance(text, type="action", role="agent", outcome=attributes["outcome"], tags=tags),
        origin=validate.origin(begun.origin),
        role="agent",
        source_type="observed",
        session=validate.name(begun.session, "session"),
        task_id=validate.name(begun.name, "name"),
        tags=tags,
        token_count=tokens.estimate(text),
        sensitive=validate.boolean(begun.sensitive, "sensitive"),
        audience=validate.audience(begun.audience),
        key=None if begun.key is None else content_key("task", validate.name(begun.key, "key")),
        entities=mentioned(text),
    )


def _start_fields(begun: TaskStart, settings: Settings) -> dict[str, Any]:
    return {
        "type": "action",
        "goal": redact(validate_text(begun.goal, settings.max_text_bytes)).text,
        "agent": validate.name(begun.agent, "agent"),
        "phase": validate.name(begun.phase, "phase"),
        "task_type": validate.name(begun.type, "type"),
        "constraints": unique_names(begun.constraints, "constraints"),
        "files_involved": unique_names(begun.files, "files"),
    }


def _end_fields(ended: TaskEnd) -> dict[str, Any]:
    return {
        "outcome": check_outcome(ended.outcome),
        "action_log": [_recorded_entry(each, "action") for each in ended.actions],
        "errors_encountered": [_recorded_entry(each, "error") for each in ended.errors],
        "artifacts_produced": unique_names(ended.artifacts, "artifacts"),
        "git_commit": validate.name(ended.commit, "commit"),
        "duration_seconds": ended.seconds,
    }


def unique_names(given: Collection[str] | str, field: str) -> list[str]:
    """A few names, each once, in their order."""
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return list(dict.fromkeys(validate.required_name(each, field) for each in given))


def check_outcome(given: str) -> str:
    if given not in TASK_OUTCOMES:
        raise InvalidInput(f"outcome: expected {', '.join(TASK_OUTCOMES)}, got {given!r}")
    return given


def action_entry(name: str, **said: Any) -> dict[str, Any]:
    """Loki's action: what was done, to what, with which result or error; more fields may stand beside them."""
    body = {"action": validate.required_name(name, "action")}
    return body | {key: _shorten_text(value) for key, value in validate.details(said).items() if value is not None}


def error_entry(type: str, message: str, resolution: str | None = None) -> dict[str, Any]:
    """Loki's error."""
    return {
        "type": short_text(type, "type"),
        "message": short_text(message, "message") if message and not message.isspace() else "",
        "resolution": None if resolution is None else short_text(resolution, "resolution"),
    }


def short_text(given: str, field: str) -> str:
    """Some sentences without secrets; of very many, the first."""
    try:
        return shorten(redact(validate_text(given)).text, _MAX_CHARACTERS)
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error}") from None


def exception_entry(by: BaseException) -> dict[str, Any]:
    """The error of a task that an exception ended."""
    said = str(by).replace("\0", "").encode("utf-8", "replace").decode()
    return error_entry(by.__class__.__name__, said[:_MAX_CHARACTERS])


def _recorded_entry(given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """An action or error of a trace that is told as a whole: its own fields stay as they are."""
    if not isinstance(given, Mapping) or (what == "action" and "action" not in given):
        raise InvalidInput(f"{what}s: expected dictionaries in Loki's shape, got {given!r}")
    return {key: _shorten_text(value) for key, value in validate.details(dict(given), what).items()}


def _shorten_text(value: Any) -> Any:
    return shorten(value, _MAX_CHARACTERS) if isinstance(value, str) else value
