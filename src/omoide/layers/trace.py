"""The trace of a task in Loki's shape: what was done, what went wrong, and all of it in words that can be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OUTCOMES = ("success", "failure", "partial")
CRASHED = "crashed"  # the type of the error of a task that nobody ended
_MOST_FILES = 12  # in the words of a trace; all of them are in its fields
_MOST_ERRORS = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened in a task: an action, an error, an artifact or a file, and when."""

    id: int
    at: int
    what: str
    body: Mapping[str, Any]


def folded(entries: Sequence[Entry], started_at: int, held: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a trace out of what was written down as it happened, on top of those it began with."""
    named = [str(each.body["path"]) for each in entries if each.what == "file"]
    files = dict.fromkeys((*held.get("files_involved", ()), *named))
    return {
        "files_involved": list(files),
        "action_log": [{"t": seconds(each.at - started_at), **each.body} for each in entries if each.what == "action"],
        "errors_encountered": [dict(each.body) for each in entries if each.what == "error"],
        "artifacts_produced": list(dict.fromkeys(str(e.body["path"]) for e in entries if e.what == "artifact")),
    }


def seconds(micros: int) -> float | int:
    """As Loki writes them: whole where they are."""
    exact = round(max(0, micros) / 1e6, 3)
    return int(exact) if exact.is_integer() else exact


def worded(attributes: Mapping[str, Any]) -> str:
    """A trace in one text: its goal, then where, what went wrong and what helped, then how it ended."""
    parts = [_sentence(str(attributes["goal"]))]
    if constraints := attributes.get("constraints"):
        parts.append(_sentence(f"Constraints: {', '.join(map(str, constraints))}"))
    if files := attributes.get("files_involved"):
        parts.append(_sentence(f"Files: {', '.join(map(str, files[:_MOST_FILES]))}"))
    parts += [_sentence(error_in_words(each)) for each in attributes.get("errors_encountered", ())[:_MOST_ERRORS]]
    outcome = attributes.get("outcome")
    if outcome in OUTCOMES:
        parts.append(f"Outcome: {outcome}.")
    return " ".join(parts)


def error_in_words(error: Mapping[str, Any]) -> str:
    """`TypeError: x is None → check for None first`."""
    said = headed(str(error.get("type") or ""), str(error.get("message") or ""))
    return f"{said} → {error['resolution']}" if error.get("resolution") else said


def headed(type: str, message: str) -> str:
    """`TypeError: x is None`, also where the message names its type itself."""
    if message.casefold().startswith((type.casefold(), type.casefold().rpartition(".")[2] or type)):
        return message or type
    return f"{type}: {message}" if message else type


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
