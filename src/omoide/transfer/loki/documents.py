"""Converts documents of a .loki folder to memories and back. Fields without a counterpart stay in the document."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from omoide.domain import Node, kind_of
from omoide.domain.node import validate_attributes
from omoide.domain.task import Ledger
from omoide.errors import InvalidInput

JsonDocument = dict[str, Any]
_TEXT_FIELDS = "fact learning lesson pattern text content statement summary description message".split()
_OUTCOMES = {"success": "success", "succeeded": "success", "pass": "success", "completed": "success"}
_OUTCOMES |= {"failure": "failure", "failed": "failure", "fail": "failure", "error": "failure", "crashed": "failure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LokiMemory:
    """The memory that a document describes: kind, text, fields of the kind, and fields that all memories have."""

    kind: str
    text: str
    attributes: JsonDocument
    id: str | None
    at: str | None = None
    confidence: float = 1.0
    task_id: str | None = None


def from_document(what: str, body: Mapping[str, Any]) -> LokiMemory:
    """Reads a document. Fields with values of another type are left in the document."""
    shape = _READERS[what](body)
    exported = _mapping_field(body, "omoide")
    text = _text(exported.get("text"))  # an exported memory comes back with its original text, unless it was edited
    return replace(shape, text=text) if text and what != "trace" and not is_text_edited(what, body) else shape


def is_edited(body: Mapping[str, Any]) -> bool:
    """Whether somebody changed a document that was written from a memory. One without a digest counts as unchanged."""
    digest = _mapping_field(body, "omoide").get("digest")
    return isinstance(digest, str) and digest.partition("-")[0] != _digest(body)


def is_text_edited(what: str, body: Mapping[str, Any]) -> bool:
    """Whether the fields that make up the text of the memory were changed."""
    digest = _mapping_field(body, "omoide").get("digest")
    return isinstance(digest, str) and digest.partition("-")[2] != _checksum(_READERS[what](body).text)


def _digest(body: Mapping[str, Any]) -> str:
    """Of everything but the links, which are read by themselves."""
    own = {name: value for name, value in body.items() if name not in ("omoide", "links", "source_episodes")}
    return _checksum(json.dumps(own, sort_keys=True, ensure_ascii=False))


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode(errors='surrogatepass')):08x}"


def _read_trace(body: Mapping[str, Any]) -> LokiMemory:
    context = _mapping_field(body, "context")
    given = {
        "type": "action",
        "goal": _text(context.get("goal")) or _text(body.get("goal")) or _text(body.get("task_id")) or "a task",
        "phase": context.get("phase"),
        "constraints": context.get("constraints"),
        "files_involved": context.get("files_involved"),
        "agent": body.get("agent"),
        "task_type": body.get("task_type") or body.get("type") or context.get("task_type"),
        "outcome": _OUTCOMES.get(str(body.get("outcome")).casefold(), "partial"),
        "duration_seconds": body.get("duration_seconds"),
        "action_log": body.get("action_log"),
        "errors_encountered": body.get("errors_encountered"),
        "artifacts_produced": body.get("artifacts_produced"),
        "git_commit": body.get("git_commit"),
    }
    fields = _valid_fields("episode", given)
    task = _text(body.get("task_id"))
    return LokiMemory(kind="episode", text="", attributes=fields, id=_id(body), at=_document_time(body), task_id=task)


def _read_pattern(body: Mapping[str, Any]) -> LokiMemory:
    names = ("category", "conditions", "correct_approach", "incorrect_approach", "usage_count", "last_used")
    return LokiMemory(
        kind="pattern",
        text=_text(body.get("pattern")) or _main_text(body),
        attributes=_valid_fields("pattern", {name: body.get(name) for name in names}),
        id=_id(body),
        at=_document_time(body),
        confidence=_fraction(body.get("confidence")),
    )


def _read_antipattern(body: Mapping[str, Any]) -> LokiMemory:
    what = _text(body.get("what_fails")) or _text(body.get("anti_pattern")) or _text(body.get("type"))
    why = _text(body.get("why")) or _text(body.get("message"))
    prevention = _text(body.get("prevention")) or _text(body.get("resolution"))
    head = ": ".join(part for part in (what, why) if part) or _main_text(body)
    given = {"what_fails": what, "why": why, "prevention": prevention, "category": body.get("category")}
    return LokiMemory(
        kind="antipattern",
        text=f"{head}. Prevention: {prevention}." if prevention else head,
        attributes=_valid_fields("antipattern", {**given, "source": body.get("source")}),
        id=_id(body),
        at=_document_time(body),
        confidence=_fraction(body.get("confidence")),
    )


def _read_fact(body: Mapping[str, Any]) -> LokiMemory:
    kind = body.get("kind") if body.get("kind") in ("note", "opinion") else "fact"
    names = ("subject", "predicate", "object") if kind == "fact" else ()
    return LokiMemory(
        kind=str(kind),
        text=_main_text(body),
        attributes=_valid_fields(str(kind), {name: body.get(name) for name in names}),
        id=_id(body),
        at=_document_time(body),
        confidence=_fraction(body.get("confidence")),
    )


def _read_learning(body: Mapping[str, Any]) -> LokiMemory:
    """A learning from an error becomes an antipattern, any other a note."""
    if any(_text(body.get(name)) for name in ("what_fails", "prevention", "resolution")):
        return _read_antipattern(body)
    fields = _valid_fields("note", {"category": "learning", "title": body.get("title")})
    return LokiMemory(kind="note", text=_main_text(body), attributes=fields, id=_id(body), at=_document_time(body))


def _read_handoff(body: Mapping[str, Any]) -> LokiMemory:
    context = _mapping_field(body, "context")
    inner = ("what_was_done", "artifacts", "git_state", "needs_testing", "known_issues", "relevant_patterns")
    outer = ("from_agent", "to_agent", "accepted_at", "accepted_by")
    given = {name: context.get(name) for name in inner} | {name: body.get(name) for name in outer}
    fields = _valid_fields("handoff", given)
    done = fields.get("what_was_done") or _main_text(body)
    ends = [f"{word} {fields[name]}" for word, name in (("from", "from_agent"), ("to", "to_agent")) if name in fields]
    text = f"{' '.join(['Handoff', *ends])}: {done.rstrip('.')}."
    for title, name in (("Needs testing", "needs_testing"), ("Known issues", "known_issues")):
        if fields.get(name):
            text += f" {title}: {', '.join(map(str, fields[name]))}."
    return LokiMemory(kind="handoff", text=text, attributes=fields, id=_id(body), at=_document_time(body))


_READERS: dict[str, Callable[[Mapping[str, Any]], LokiMemory]] = {
    "trace": _read_trace,
    "pattern": _read_pattern,
    "antipattern": _read_antipattern,
    "fact": _read_fact,
    "learning": _read_learning,
    "handoff": _read_handoff,
}


def to_document(node: Node, what: str, original: Mapping[str, Any] | None, id: str) -> JsonDocument:
    """Returns the document of a memory: the original with the fields that changed since, or a new one."""
    if original is not None and what == "trace":  # a trace never changes
        return dict(original)
    new = _WRITERS[what](node, id)
    if original is None:
        digest = f"{_digest(new)}-{_checksum(_READERS[what](new).text)}"
        return new | {"omoide": {"ulid": node.ulid, "text": node.text, "digest": digest}}
    before = from_document(what, original)
    now = _held(node)
    defaults = {each.name: _lists(each.default) for each in fields(node) if each.name in now}
    then = defaults | before.attributes
    changed = {name for name in now if now[name] != then[name]}
    if before.text and before.text != node.text:
        changed.add("text")
    if abs(before.confidence - node.confidence) > 1e-9:
        changed.add("confidence")
    return _overlay(dict(original), new, changed) if changed else dict(original)


def _overlay(body: JsonDocument, new: Mapping[str, Any], changed: set[str]) -> JsonDocument:
    for name, value in new.items():
        if isinstance(value, Mapping) and name == "context":
            inner = body.get("context")
            body["context"] = _overlay(dict(inner) if isinstance(inner, Mapping) else {}, value, changed)
        elif name in changed or ("text" in changed and name in ("pattern", "fact", "learning")):
            body[name] = value
    return body


def ledger_document(held: Ledger) -> JsonDocument:
    new: JsonDocument = {
        "agent_id": held.agent_id,
        "last_checkpoint": iso_utc(held.last_checkpoint),
        "tasks_completed": held.tasks_completed,
        "current_task": held.current_task,
        "state": dict(held.state),
        "context": dict(held.context),
    }
    source = (held.details or {}).get("loki")
    if source is None:
        return new
    read_at = source.get("read_at")  # unchanged if no checkpoint came after the import
    return dict(source["body"]) if read_at == iso_utc(held.last_checkpoint) else source["body"] | new


def _write_trace(node: Node, id: str) -> JsonDocument:
    held = _held(node)
    body: JsonDocument = {
        "id": id,
        "task_id": node.task_id,
        "timestamp": iso_utc(node.event_at),
        "duration_seconds": _whole_if_integral(held["duration_seconds"]),
        "agent": held["agent"],
        "context": {name: held[name] for name in ("phase", "goal", "constraints", "files_involved")},
        **{name: held[name] for name in ("action_log", "outcome", "errors_encountered", "artifacts_produced")},
        "git_commit": held["git_commit"],
    }
    return body | ({"task_type": held["task_type"]} if held["task_type"] else {})


def _write_pattern(node: Node, id: str) -> JsonDocument:
    return {"id": id, "pattern": node.text, "confidence": node.confidence, **_held(node)}


def _write_antipattern(node: Node, id: str) -> JsonDocument:
    return {"id": id, **_filled(node), "confidence": node.confidence}


def _write_fact(node: Node, id: str) -> JsonDocument:
    kind = {} if node.kind == "fact" else {"kind": node.kind}
    rest = {"confidence": node.confidence, "timestamp": iso_utc(node.event_at)}
    return {"id": id, "fact": node.text, **kind, **_filled(node), **rest}


def _write_handoff(node: Node, id: str) -> JsonDocument:
    held = _held(node)
    inner = ("what_was_done", "artifacts", "git_state", "needs_testing", "known_issues", "relevant_patterns")
    accepted = {name: held[name] for name in ("accepted_at", "accepted_by") if held[name] is not None}
    ends = {"id": id, **{name: held[name] for name in ("from_agent", "to_agent")}, "timestamp": iso_utc(node.event_at)}
    return {**ends, "context": {name: held[name] for name in inner}, **accepted}


def _write_learning(node: Node, id: str) -> JsonDocument:
    return _write_antipattern(node, id) if node.kind == "antipattern" else {"id": id, "learning": node.text}


_WRITERS: dict[str, Callable[[Node, str], JsonDocument]] = {
    "trace": _write_trace,
    "pattern": _write_pattern,
    "antipattern": _write_antipattern,
    "fact": _write_fact,
    "learning": _write_learning,
    "handoff": _write_handoff,
}


def _valid_fields(kind: str, given: Mapping[str, Any]) -> JsonDocument:
    """Returns the fields that are valid for this kind of memory."""
    found: JsonDocument = {}
    for name, value in given.items():
        try:
            found |= validate_attributes(kind_of(kind), {name: value})
        except (InvalidInput, TypeError):
            continue
    return {name: _lists(value) for name, value in found.items()}


def _mapping_field(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = body.get(name)
    return found if isinstance(found, Mapping) else {}


def _main_text(body: Mapping[str, Any]) -> str:
    for name in _TEXT_FIELDS:
        if found := _text(body.get(name)):
            return found
    texts = [value for value in body.values() if _text(value)]
    return max(texts, key=len, default="an empty document")


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() and "\0" not in value else None


def _id(body: Mapping[str, Any]) -> str | None:
    return _text(body.get("id"))


def _document_time(body: Mapping[str, Any]) -> str | None:
    for name in ("timestamp", "created_at", "date", "last_used"):
        if (at := parse_instant(body.get(name))) is not None:
            return at.isoformat()
    return None


def parse_instant(value: Any) -> datetime | None:
    """Returns a time with its zone, UTC if it names none, or None."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return None if found is None else found if found.tzinfo else found.replace(tzinfo=UTC)
    except ValueError:
        return None


def _fraction(value: Any) -> float:
    ok = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if ok else 1.0


def _whole_if_integral(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def iso_utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _held(node: Node) -> JsonDocument:
    """The fields of its kind, as JSON has them."""
    return {name: _lists(value) for name, value in node.attributes.items()}


def _filled(node: Node) -> JsonDocument:
    return {name: value for name, value in _held(node).items() if value is not None}


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value
