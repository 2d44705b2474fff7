"""Checks the fields of handoffs and ledgers, and words a handoff so that search finds it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from omoide.errors import InvalidInput
from omoide.observe import validate
from omoide.observe.drafts import RememberedStatement
from omoide.observe.task_trace import unique_names

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
        "needs_testing": _texts(given["needs_testing"], "needs_testing"),
        "known_issues": _texts(given["known_issues"], "known_issues"),
        "relevant_patterns": list(given["relevant_patterns"]),
    }
    return RememberedStatement(
        text=_wording(fields),
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


def _texts(given: Collection[str] | str, field: str) -> list[str]:
    several = (given,) if isinstance(given, str) else given
    if not isinstance(several, Collection):
        raise InvalidInput(f"{field}: expected a list of texts, got {type(given).__name__}")
    return [text for each in several if (text := validate.name(each, field, _MAX_TEXT_BYTES))]


def _wording(fields: Mapping[str, Any]) -> str:
    ends = [f"{word} {fields[name]}" for word, name in (("from", "from_agent"), ("to", "to_agent")) if fields[name]]
    parts = [f"{' '.join(['Handoff', *ends])}: {fields['what_was_done'].rstrip('.')}"]
    titles = {"artifacts": "Artifacts", "needs_testing": "Needs testing", "known_issues": "Known issues"}
    for name, title in titles.items():
        if fields[name]:
            parts.append(f"{title}: {', '.join(map(str, fields[name]))}")
    if fields["git_state"]:
        parts.append(f"Git: {fields['git_state']}")
    return ". ".join(parts) + "."
