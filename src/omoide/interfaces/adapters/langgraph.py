"""LangGraph's store: items are documents of a collection, found by namespace and key, and by their text."""

from __future__ import annotations

import asyncio
import json
import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from omoide.domain import Node
from omoide.errors import InvalidInput, NotFound, needs_extra
from omoide.interfaces.adapters.conversation import cosine, packed_vector, unpacked_vector
from omoide.memory import Memory

with needs_extra("a store for LangGraph needs langgraph", "langgraph"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        ensure_embeddings,
        get_text_at_path,
        tokenize_path,
        validate_op_namespace,
    )

_COLLECTION = "langgraph"
_TAG_BYTES = 400  # a longer namespace is cut in its tag; what is found is compared with the whole one
_OVERFETCH = 4  # times as many are searched for where a filter may drop some
_COMPARED = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}

Namespace = tuple[str, ...]


class MemoryStore(BaseStore):
    """`graph.compile(store=MemoryStore(memory))`. Values are stored whole; a query uses recall.

    Deleting withdraws an item; with `erase` it is erased for good. With LangGraph's `index` configuration a query
    compares all items by its embeddings instead, as LangGraph's own stores do.
    """

    __slots__ = ("_erase", "_index", "_memory", "embeddings", "index_config")

    def __init__(self, memory: Memory, *, erase: bool = False, index: Any = None) -> None:
        self._memory = memory
        self._erase = erase
        self.index_config = index
        self._index = None if index is None else _Index(index)
        self.embeddings = None if self._index is None else self._index.embeddings

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see the state before the writes of the same batch; of two writes of one key the last one wins."""
        results: list[Result] = []
        writes: dict[tuple[Namespace, str], PutOp] = {}
        for op in ops:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                writes[op.namespace, op.key] = op
                results.append(None)
            else:
                results.append(self._read(op))
        for op in writes.values():
            self._write(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._memory.documents.get(_COLLECTION, _name(op.namespace, op.key))
                return None if found is None or found.state != "live" else _item(found)
            case SearchOp():
                asked = self._compared if self._index else self._asked
                found_items = asked(op) if op.query else self._listed(op)
                return list(found_items)[op.offset : op.offset + op.limit]
            case ListNamespacesOp():
                return self._namespaces(op)
        raise ValueError(f"unknown operation {type(op).__name__}")

    def _write(self, op: PutOp) -> None:
        name = _name(op.namespace, op.key)
        if op.value is None:
            found = self._memory.documents.get(_COLLECTION, name)
            if found is not None and self._erase:
                with suppress(NotFound):  # the same
                    self._memory.forget(found.id)
            elif found is not None and found.state == "live":
                with suppress(InvalidInput):  # another thread was faster
                    self._memory.admin.archive(found.id, withdraw=True)
            return
        body: dict[str, Any] = {"namespace": list(op.namespace), "key": op.key, "value": dict(op.value)}
        if self._index:
            body["vectors"] = self._index.vectors(op)
        self._memory.documents.save(_COLLECTION, name, _text(op) or name, body=body, tags=_tags(op.namespace))

    def _listed(self, op: SearchOp) -> Iterator[SearchItem]:
        return (_hit(node, None) for node in self._memory.documents.list(_COLLECTION) if _passes(node, op))

    def _asked(self, op: SearchOp) -> Iterator[SearchItem]:
        wanted = (op.offset + op.limit) * (_OVERFETCH if op.filter or not op.namespace_prefix else 1)
        prefix = _tags(op.namespace_prefix)[-1:]
        found = self._memory.recall(op.query or "", kinds=("note",), tags=prefix, limit=max(wanted, 1))
        return (_hit(hit.node, hit.score) for hit in found if _passes(hit.node, op))

    def _compared(self, op: SearchOp) -> Iterator[SearchItem]:
        """All items, best first; those without vectors come last, without a score."""
        assert self._index is not None
        nodes = [node for node in self._memory.documents.list(_COLLECTION) if _passes(node, op)]
        scores = self._index.scores(op.query or "", [node.details.get("vectors") or [] for node in nodes])
        scored = sorted(zip(scores, nodes, strict=True), key=lambda each: -math.inf if each[0] is None else each[0])
        return (_hit(node, score) for score, node in reversed(scored))

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        known = {tuple(node.details["namespace"]) for node in self._memory.documents.list(_COLLECTION)}
        kept = {each for each in known if all(_matches(each, wanted) for wanted in op.match_conditions or ())}
        cut = sorted({each[: op.max_depth] if op.max_depth is not None else each for each in kept})
        return cut[op.offset : op.offset + op.limit]


class _Index:
    """Vectors of items by the embeddings of an index configuration, one for each text that its fields hold."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.embeddings = ensure_embeddings(config["embed"])
        self._fields = list(config.get("fields") or config.get("text_fields") or ["$"])  # as their SQLite store says

    def vectors(self, op: PutOp) -> list[str]:
        """The vectors of a value, as JSON can hold them."""
        paths = [] if op.index is False else self._fields if op.index is None else op.index
        found = (get_text_at_path(op.value, each if each == "$" else tokenize_path(each)) for each in paths)
        texts = [text for at_path in found for text in at_path]
        vectors = self.embeddings.embed_documents(texts) if texts else []
        return [packed_vector(each) for each in vectors]

    def scores(self, query: str, items: list[list[str]]) -> list[float | None]:
        """The cosine of the best vector of each item; None for an item without vectors."""
        asked = np.asarray(self.embeddings.embed_query(query), np.float32)
        return [max((cosine(asked, unpacked_vector(each)) for each in vectors), default=None) for vectors in items]


def _name(namespace: Namespace, key: str) -> str:
    return json.dumps([*namespace, key], ensure_ascii=False)


def _tags(namespace: Namespace) -> list[str]:
    """Every namespace that contains it, the widest first. LangGraph allows no dots in a label."""
    joined = (".".join(namespace[: length + 1]) for length in range(len(namespace)))
    return [each.encode()[:_TAG_BYTES].decode(errors="ignore") for each in joined]


def _text(op: PutOp) -> str:
    """The text that an item is found by: the named fields, none, or every text in it."""
    if op.index is False:
        return ""
    if op.index is None:
        return "\n".join(_leaves(op.value))
    return "\n".join(text for path in op.index for text in get_text_at_path(op.value, tokenize_path(path)))


def _leaves(value: Any) -> Iterator[str]:
    """Texts and numbers with the names of their fields: `city: Berlin`."""
    if not isinstance(value, Mapping):
        yield from [value] if isinstance(value, str) else [json.dumps(value, ensure_ascii=False)]
        return
    for name, each in value.items():
        if isinstance(each, Mapping):
            yield from _leaves(each)
        elif each not in (None, "", [], ()):
            text = each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
            yield f"{name}: {text}"


def _item(node: Node) -> Item:
    return Item(
        value=node.details["value"],
        key=node.details["key"],
        namespace=tuple(node.details["namespace"]),
        created_at=node.recorded_at,
        updated_at=node.updated_at,
    )


def _hit(node: Node, score: float | None) -> SearchItem:
    found = _item(node)
    return SearchItem(found.namespace, found.key, found.value, found.created_at, found.updated_at, score)


def _passes(node: Node, op: SearchOp) -> bool:
    if node.attributes.get("category") != _COLLECTION or not isinstance(node.details, dict):
        return False
    prefix = tuple(op.namespace_prefix)
    if tuple(node.details["namespace"][: len(prefix)]) != prefix:
        return False
    value = node.details["value"]
    return all(_compares(_field(value, name), wanted) for name, wanted in (op.filter or {}).items())


def _field(value: Mapping[str, Any], name: str) -> Any:
    """The field of a name; a name with dots that is none leads into nested objects."""
    if name in value or "." not in name:
        return value.get(name)
    first, _, rest = name.partition(".")
    return _field(value[first], rest) if isinstance(value.get(first), Mapping) else None


def _compares(value: Any, wanted: Any) -> bool:
    """Whether a value equals the wanted one, or satisfies all given operators; nested objects field by field."""
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(map(_compares, value, wanted))
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_holds(name, value, each) for name, each in wanted.items())
    return isinstance(value, Mapping) and all(_compares(value.get(name), each) for name, each in wanted.items())


def _holds(name: str, value: Any, wanted: Any) -> bool:
    if name not in _COMPARED:
        raise ValueError(f"unsupported operator {name}; known are {', '.join(_COMPARED)}")
    if name in ("$eq", "$ne"):
        return bool(_COMPARED[name](value, wanted))
    try:
        return bool(_COMPARED[name](float(value), float(wanted)))
    except (TypeError, ValueError):
        return False


def _matches(namespace: Namespace, wanted: MatchCondition) -> bool:
    if len(namespace) < len(wanted.path):
        return False
    length = len(wanted.path)
    part = namespace[:length] if wanted.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(pattern in ("*", label) for pattern, label in zip(wanted.path, part, strict=True))
