"""Validates tasks, handoffs and ledgers, and builds the drafts of traces and the statements of handoffs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.clock import to_micros
from omoide.domain import Draft
from omoide.domain.importance import classify_importance
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.domain.task import TASK_OUTCOMES, trace_text
from omoide.errors import InvalidInput
from omoide.language import tokens
from omoide.language.text import shorten, validate_text
from omoide.observe import validate
from omoide.observe.drafts import RememberedStatement, content_key
from omoide.observe.redaction import redact
from omoide.settings import Settings
from omoide.store.tasks.task_lifecycle import FindEntities

_MAX_CHARACTERS = 4_000  # of one result or message; the head of a log says what went wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStart:
    """What is known of a task when it starts."""

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
    """What is known of a finished task that is recorded as a whole."""

    outcome: str
    actions: Sequence[Mapping[str, Any]] = ()
    errors: Sequence[Mapping[str, Any]] = ()
    artifacts: Collection[str] = ()
    commit: str | None = None
    seconds: float | None = None


def draft_task_trace(
    start: TaskStart, now: int, settings: Settings, mentioned: FindEntities, end: TaskEnd | None = None
) -> Draft:
    """Returns the draft of a trace. It has no expiry date: `retention_trace_days` decides about old traces."""
    tags = validate.tags(start.tags)
    attributes = validate_attributes(
        Episode, _start_fields(start, settings) | (_end_fields(end) if end else {"outcome": "pending"})
    )
    text = trace_text(attributes)
    return Draft(
        kind="episode",
        text=text,
        details=validate.details(start.details),
        attributes=attributes,
        event_at=now if start.at is None else to_micros(start.at),
        importance=classify_importance(text, type="action", role="agent", outcome=attributes["outcome"], tags=tags),
        origin=validate.origin(start.origin),
        role="agent",
        source_type="observed",
        session=validate.name(start.session, "session"),
        task_id=validate.name(start.name, "name"),
        tags=tags,
        token_count=tokens.estimate(text),
        sensitive=validate.boolean(start.sensitive, "sensitive"),
        audience=validate.audience(start.audience),
        key=None if start.key is None else content_key("task", validate.name(start.key, "key")),
        entities=mentioned(text),
    )


def _start_fields(start: TaskStart, settings: Settings) -> dict[str, Any]:
    return {
        "type": "action",
        "goal": redact(validate_text(start.goal, settings.max_text_bytes)).text,
        "agent": validate.name(start.agent, "agent"),
        "phase": validate.name(start.phase, "phase"),
        "task_type": validate.name(start.type, "type"),
        "constraints": unique_names(start.constraints, "constraints"),
        "files_involved": unique_names(start.files, "files"),
    }


def _end_fields(end: TaskEnd) -> dict[str, Any]:
    return {
        "outcome": check_outcome(end.outcome),
        "action_log": [_recorded_entry(each, "action") for each in end.actions],
        "errors_encountered": [_recorded_entry(each, "error") for each in end.errors],
        "artifacts_produced": unique_names(end.artifacts, "artifacts"),
        "git_commit": validate.name(end.commit, "commit"),
        "duration_seconds": end.seconds,
    }


def unique_names(given: Collection[str] | str, field: str) -> list[str]:
    """Returns each name once, in order."""
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return list(dict.fromkeys(validate.required_name(each, field) for each in given))


def check_outcome(given: str) -> str:
    if given not in TASK_OUTCOMES:
        raise InvalidInput(f"outcome: expected {', '.join(TASK_OUTCOMES)}, got {given!r}")
    return given


def action_entry(name: str, **fields: Any) -> dict[str, Any]:
    """Returns the log entry of an action: its name, and fields such as target, result or error."""
    body = {"action": validate.required_name(name, "action")}
    return body | {key: _shorten_text(value) for key, value in validate.details(fields).items() if value is not None}


def error_entry(type: str, message: str, resolution: str | None = None) -> dict[str, Any]:
    """Returns the log entry of an error."""
    return {
        "type": short_text(type, "type"),
        "message": short_text(message, "message") if message and not message.isspace() else "",
        "resolution": None if resolution is None else short_text(resolution, "resolution"),
    }


def short_text(given: str, field: str) -> str:
    """Returns a text without secrets, shortened to _MAX_CHARACTERS."""
    try:
        return shorten(redact(validate_text(given)).text, _MAX_CHARACTERS)
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error}") from None


def exception_entry(by: BaseException) -> dict[str, Any]:
    """Returns the log entry of an exception that ended a task."""
    message = str(by).replace("\0", "").encode("utf-8", "replace").decode()
    return error_entry(by.__class__.__name__, message[:_MAX_CHARACTERS])


def _recorded_entry(given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Returns an action or error of a finished task with all its fields."""
    if not isinstance(given, Mapping) or (what == "action" and "action" not in given):
        raise InvalidInput(f"{what}s: expected dictionaries, such as the entries of a trace, got {given!r}")
    return {key: _shorten_text(value) for key, value in validate.details(dict(given), what).items()}


def _shorten_text(value: Any) -> Any:
    return shorten(value, _MAX_CHARACTERS) if isinstance(value, str) else value


_MAX_TEXT_BYTES = 10_000


def handoff_statement(
    given: Mapping[str, Any], at: datetime | str | None = None, details: Any = None, key: str | None = None
) -> RememberedStatement:
    """Returns the statement of a handoff with checked fields."""
    fields: dict[str, Any] = {
        "from_agent": validate.name(given["from_"], "from_"),
        "to_agent": validate.name(given["to"], "to"),
        "what_was_done": validate.description(given["what_was_done"], "what_was_done") or "",
        "artifacts": unique_names(given["artifacts"], "artifacts"),
        "git_state": validate.name(given["git_state"], "git_state"),
        "needs_testing": _text_list(given["needs_testing"], "needs_testing"),
        "known_issues": _text_list(given["known_issues"], "known_issues"),
        "relevant_patterns": list(given["relevant_patterns"]),
    }
    return RememberedStatement(
        text=_handoff_text(fields),
        kind="handoff",
        origin="agent",
        source_type="agent",
        at=at,
        details=details,
        key=key,
        attributes=fields,
    )


def json_object(given: Mapping[str, Any] | None, field: str) -> dict[str, Any] | None:
    """Returns a dictionary that JSON can hold, without secrets."""
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput(f"{field}: expected a dictionary, got {type(given).__name__}")
    found: dict[str, Any] | None = None if given is None else validate.details(dict(given), field)
    return found


def completed_count(given: int) -> int:
    """Returns the number of tasks that were completed since the last checkpoint."""
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InvalidInput(f"completed: expected the number of newly completed tasks, got {given!r}")
    return given


def _text_list(given: Collection[str] | str, field: str) -> list[str]:
    several = (given,) if isinstance(given, str) else given
    if not isinstance(several, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return [text for each in several if (text := validate.name(each, field, _MAX_TEXT_BYTES))]


def _handoff_text(fields: Mapping[str, Any]) -> str:
    ends = [f"{word} {fields[name]}" for word, name in (("from", "from_agent"), ("to", "to_agent")) if fields[name]]
    parts = [f"{' '.join(['Handoff', *ends])}: {fields['what_was_done'].rstrip('.')}"]
    titles = {"artifacts": "Artifacts", "needs_testing": "Needs testing", "known_issues": "Known issues"}
    for name, title in titles.items():
        if fields[name]:
            parts.append(f"{title}: {', '.join(map(str, fields[name]))}")
    if fields["git_state"]:
        parts.append(f"Git: {fields['git_state']}")
    return ". ".join(parts) + "."
