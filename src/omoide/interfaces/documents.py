"""The JSON document of every verb's result, the same for `--json`, HTTP and tools, and records as dictionaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from omoide.clock import system_clock, to_datetime
from omoide.errors import NotFound
from omoide.history import EntityChange, Version
from omoide.interfaces.verbs import Verb

if TYPE_CHECKING:
    from omoide.memory import Memory

Document = dict[str, Any]

_TRACE_TEXTS = 20  # candidates of a trace that are shown with their text
_PROFILE_MENTIONS = 1_000  # the latest memories that a profile is made of
_BOARD_FIELDS = ("id", "kind", "role", "speaker", "text", "event_at")


def document_of(verb: Verb, memory: Memory, result: Any) -> Any:
    """The document of a verb's result. A list or a single value gets the verb's `key` as its name."""
    if verb.method in _SPECIAL:
        return _SPECIAL[verb.method](memory, result)
    document = {verb.key: serialise(result)} if verb.key else serialise(result)
    more = {name: getattr(result, name) for name in _PROPERTIES.get(verb.method, ())}
    return document | more if more else document


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


def hit(found: Any) -> Document:
    body = {"id": found.id, "kind": found.kind, "text": found.text, "score": found.score, "why": found.why}
    more = {"arms": found.arms, "confidence": found.confidence, "archived": found.archived}
    return {**body, **more, "node": serialise(found.node)}


def recall(memory: Memory, result: Any) -> Document:
    hits = [hit(each) for each in result.hits]
    why_not = [{"id": id, "fate": fate} for id, fate in result.why_not.items()]
    body = {"question": result.question, "hits": hits, "probability": result.probability, "note": result.note}
    return body | ({"why_not": why_not} if why_not else {})


def trace(memory: Memory, found: Any) -> Document:
    """Every stage of a recall with the candidates that it passed on; the best of them with their texts."""
    return {
        "milliseconds": found.milliseconds,
        "steps": [
            {
                "stage": step.stage,
                "milliseconds": step.milliseconds,
                "note": step.note,
                "candidates": [{"id": id, "score": score} for id, score in step.candidates],
            }
            for step in found.steps
        ],
        "considered": [{"id": id, "text": memory.get(id).text} for id in found.considered[:_TRACE_TEXTS]],
        "dropped": [{"id": id, "reason": reason} for id, reason in found.dropped.items()],
    }


def _context(memory: Memory, pack: Any) -> Document:
    sections = [
        {"title": part.title, "lines": [{"id": line.id, "text": line.text} for line in part.lines]}
        for part in pack.sections
    ]
    head = {name: getattr(pack, name) for name in ("markdown", "tokens", "budget", "reason")}
    return {**head, "sections": sections}


def _agenda(memory: Memory, found: Any) -> Document:
    entries = [{**serialise(each), "when": each.when} for each in found]
    return {"since": found.since, "until": found.until, "entries": entries}


def _briefing(memory: Memory, found: Any) -> Document:
    parts = ("patterns", "mistakes", "skills", "preferences", "successes", "failures")
    hits = {name: [hit(each) for each in getattr(found, name)] for name in parts}
    return {name: getattr(found, name) for name in ("goal", "markdown", "tokens", "budget")} | hits


def _page(memory: Memory, page: Any) -> Document:
    return {"memories": serialise(page.items), "next_cursor": page.next_cursor}


def memory_with_history(memory: Memory, id: int) -> Document:
    """One memory with its links and its history."""
    node = memory.get(id)
    return {
        "node": serialise(node),
        "confidence_today": _confidence_today(node),
        "links": serialise(memory.graph.links(id)),
        "history": serialise(memory.history(id)),
    }


def _history(memory: Memory, found: Iterable[Any]) -> Document:
    versions = [each for each in found if isinstance(each, Version)]
    return {"versions": serialise(versions), "entity_changes": entity_changes(found)}


def entity_changes(found: Iterable[Any]) -> list[Document]:
    """Merges, splits and renames of entities, each with a sentence."""
    return [{**serialise(each), "text": str(each)} for each in found if isinstance(each, EntityChange)]


def _explanation(memory: Memory, why: Any) -> Document:
    chain = [*why.supersedes[::-1], why.node.id, *why.superseded_by]
    return {
        **serialise(why),
        "entity_changes": entity_changes(why.entity_changes),
        "confidence_today": why.confidence,
        "chain": [serialise(memory.get(each)) for each in chain],
        "against": [serialise(memory.get(each)) for each in why.contradicts],
    }


def _uncertain(memory: Memory, nodes: Iterable[Any]) -> Document:
    rows = [
        {
            "node": serialise(node),
            "confidence_today": _confidence_today(node),
            "contradicts": memory.explain(node.id).contradicts,
        }
        for node in nodes
    ]
    return {"uncertain": rows}


def _confidence_today(node: Any) -> float:
    return float(node.effective_confidence(to_datetime(system_clock())))


def profile(memory: Memory, entity: Any, limit: int) -> Document:
    """An entity with its relations, what is known of it today, and the end of its timeline."""
    now = to_datetime(system_clock())
    mentions = sorted(memory.graph.timeline(entity.name, _PROFILE_MENTIONS), key=_begin)
    shown = mentions[-limit:]
    return {
        "entity": serialise(entity),
        "relations": serialise(memory.graph.relations(entity.name)),
        "known": serialise([node for node in mentions if _holds(node, now)]),
        "timeline": serialise(shown),
        "earlier": len(mentions) - len(shown),
        "entity_changes": entity_changes(memory.history(entity.name)),
    }


def _begin(node: Any) -> Any:
    return node.valid_from or min(node.event_at, node.valid_until or node.event_at)


def _holds(node: Any, now: Any) -> bool:
    """Whether it was learned and is still true. Episodes stand in the timeline only."""
    ended = node.valid_until is not None and node.valid_until <= now
    return bool(node.kind != "episode" and node.state == "live" and not ended)


def _graph(memory: Memory, found: Any) -> Document:
    return {"entities": serialise(found.entities), "relations": serialise(found.relations)}


def _forgotten(memory: Memory, result: Any) -> Document:
    """A preview, or a receipt with whether it is clean."""
    return {**serialise(result), "clean": result.clean} if hasattr(result, "clean") else dict(serialise(result))


def _receipts(memory: Memory, found: Iterable[Any]) -> Document:
    return {"receipts": [_forgotten(memory, each) for each in found], "id_states": _id_states(memory)}


def _id_states(memory: Memory, found: Any = None) -> Document:
    states = memory.admin.id_states() if found is None else found
    return {**serialise(states), "lost": states.lost}


def _doctor(memory: Memory, findings: Any) -> Document:
    healthy = all(each.ok or each.repaired for each in findings)
    return {"path": memory.path, "healthy": healthy, "findings": serialise(findings)}


def _efficiency(memory: Memory, found: Any) -> Document:
    return {"types": [{**serialise(each), "success_rate": each.success_rate} for each in found]}


def _board(memory: Memory, board: Any) -> Document:
    """The state of a live session, with the texts that its ids stand for."""
    turns = _texts(memory, board.turns)
    summary = _texts(memory, [board.summary] if board.summary else [])
    return {
        **serialise(board),
        "goals": _texts(memory, board.goals),
        "turns": turns,
        "summary": summary[0] if summary else None,
        "retrieved": [{**each, "value": held.value} for held in board.retrieved for each in _texts(memory, [held.id])],
        "waits": bool(turns) and turns[-1]["role"] == "user",
        "live": memory.admin.live_sessions(),
    }


def _texts(memory: Memory, ids: Iterable[int]) -> list[Document]:
    """Those that still exist: a board holds ids, and a memory may have been erased since."""
    found: list[Document] = []
    for id in ids:
        try:
            whole = serialise(memory.get(id))
        except NotFound:
            continue
        found.append({name: whole[name] for name in _BOARD_FIELDS})
    return found


# Properties of a record that its document has beside the fields.
_PROPERTIES = {
    "learn": ("counts",),
    "tasks.learn": ("counts",),
    "admin.maintain": ("counts", "failed"),
    "narrative.recap": ("text", "markdown"),
}
_SPECIAL: dict[str, Callable[[Memory, Any], Any]] = {
    "recall": recall,
    "agenda": _agenda,
    "context": _context,
    "list": _page,
    "history": _history,
    "explain": _explanation,
    "stats": lambda memory, found: {"path": memory.path, **serialise(found)},
    "forget": _forgotten,
    "tasks.start": lambda memory, task: serialise(task.trace),
    "tasks.resume": lambda memory, task: serialise(task.trace),
    "tasks.before": _briefing,
    "tasks.efficiency": _efficiency,
    "tasks.skills": lambda memory, found: {"skills": [hit(each) for each in found]},
    "graph.add": _graph,
    "graph.read": _graph,
    "review.uncertain": _uncertain,
    "admin.jobs": lambda memory, jobs: {"jobs": [{"job": each.name, "does": each.does} for each in jobs]},
    "admin.doctor": _doctor,
    "admin.receipts": _receipts,
    "admin.id_states": _id_states,
    "admin.live_state": _board,
}
