"""Memories as resources: an entity, a session, a node, the context for a message. A client reads them by address."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.document import document, iso
from omoide.interfaces.tools import chosen
from omoide.memory import Memory

_SCHEME = "omoide://"
_JSON, _MARKDOWN = "application/json", "text/markdown"
_DIGITS = 18  # of a number that an id can be
_LATEST = 20  # sessions that a listing names; any other is read by its address

TEMPLATES: tuple[dict[str, str], ...] = (
    {
        "name": "entity",
        "uriTemplate": f"{_SCHEME}entity/{{name}}",
        "description": "A person, project, place or tool: what it is, its relations and its timeline.",
        "mimeType": _MARKDOWN,
    },
    {
        "name": "session",
        "uriTemplate": f"{_SCHEME}session/{{name}}",
        "description": "One conversation: when it was, its summary and how far it was learned from.",
        "mimeType": _JSON,
    },
    {
        "name": "node",
        "uriTemplate": f"{_SCHEME}node/{{id}}",
        "description": "One memory, every field.",
        "mimeType": _JSON,
    },
    {
        "name": "context",
        "uriTemplate": f"{_SCHEME}context/{{message}}",
        "description": "What matters for a message, formatted for a prompt.",
        "mimeType": _MARKDOWN,
    },
)
_GRAPH = {
    "name": "knowledge-graph",
    "uri": "memory://knowledge-graph",  # the reference memory server's own address
    "title": "Knowledge Graph",
    "description": "The full knowledge graph with all entities and relations",
    "mimeType": _JSON,
}


def listed(memory: Memory, *, graph: bool = False) -> list[dict[str, Any]]:
    """The latest conversations: what a person may want to attach."""
    found = [
        {
            "name": f"conversation {each.name}",
            "uri": f"{_SCHEME}session/{quote(each.name, safe='')}",
            **({"description": each.summary} if each.summary else {}),
            "mimeType": _JSON,
        }
        for each in memory.sessions(_LATEST)
    ]
    return [*found, _GRAPH] if graph else found


def read(memory: Memory, uri: str) -> dict[str, str]:
    if uri == _GRAPH["uri"]:
        (graph,) = chosen("read_graph")
        return {"uri": uri, "mimeType": _JSON, "text": graph(memory).text}
    what, _, name = uri.removeprefix(_SCHEME).partition("/")
    if not uri.startswith(_SCHEME) or what not in _READERS or not name:
        known = ", ".join(each["uriTemplate"] for each in TEMPLATES)
        raise InvalidInput(f"there is no resource {uri!r}; addresses are {known}")
    mime, reader = _READERS[what]
    return {"uri": uri, "mimeType": mime, "text": reader(memory, unquote(name))}


def _entity(memory: Memory, name: str) -> str:
    (info,) = chosen("get_entity_info")
    return info(memory, {"name": name}).text


def _session(memory: Memory, name: str) -> str:
    return _written(document(memory.session(name)))


def _node(memory: Memory, id: str) -> str:
    if not id.isdecimal():
        raise InvalidInput(f"a node is read by its number, such as {_SCHEME}node/7, not by {id!r}")
    if len(id) > _DIGITS:
        raise NotFound(f"there is no node {id[:_DIGITS]}…")
    return _written(document(memory.get(int(id))))


def _context(memory: Memory, message: str) -> str:
    return memory.context(message).markdown


def _written(record: Any) -> str:
    return json.dumps(record, default=iso, ensure_ascii=False, indent=2)


_READERS: dict[str, tuple[str, Callable[[Memory, str], str]]] = {
    "entity": (_MARKDOWN, _entity),
    "session": (_JSON, _session),
    "node": (_JSON, _node),
    "context": (_MARKDOWN, _context),
}
