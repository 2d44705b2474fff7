"""Turns in stretches that are each about one thing and under one label, and what a summary of them may claim to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from omoide.clock import micros
from omoide.gist import Said
from omoide.layers import Node
from omoide.text import terms

_PAUSE = 3_600_000_000  # an hour's silence ends a subject more often than not
_MOST = 30  # turns: beyond, a summary of a quarter of the length is itself too long to be one memory
_SEEN = 6  # turns on either side of a place where a stretch may be parted
_LEAST = 6  # turns of a part

# Whose word is worth less stands later; a summary carries the last of its sources (DESIGN: the lowest origin).
_ORIGINS = ("user", "agent", "system")


@dataclass(frozen=True, slots=True)
class Label:
    """Who may read it, and whether they were asked first."""

    audience: str
    sensitive: bool


def label(node: Node) -> Label:
    return Label(node.audience, node.sensitive)


def origin(nodes: Iterable[Node]) -> str:
    return lowest(node.origin for node in nodes)


def lowest(origins: Iterable[str]) -> str:
    """Of user, agent, system, then what tools, documents and imports brought in."""
    return max(origins, key=lambda each: (_rank(each), each))


def said(nodes: Sequence[Node]) -> list[Said]:
    return [
        Said(node.role or node.origin, node.text, node.speaker, micros(node.event_at), node.importance)
        for node in nodes
    ]


def by_label(nodes: Sequence[Node]) -> list[list[Node]]:
    """Apart by label, so that a summary leaks nothing and what may be shared is not locked away with what may not."""
    order = sorted(nodes, key=lambda node: (label(node).audience, label(node).sensitive))
    return [list(group) for _, group in groupby(order, key=label)]


def stretches(nodes: Sequence[Node]) -> list[list[Node]]:
    """Parted at long pauses, then where the words change most, until each is short enough for one memory."""
    parted: list[list[Node]] = []
    for node in nodes:
        if parted and micros(node.event_at) - micros(parted[-1][-1].event_at) <= _PAUSE:
            parted[-1].append(node)
        else:
            parted.append([node])
    return [part for stretch in parted for part in _by_subject(stretch)]


def _by_subject(nodes: list[Node]) -> list[list[Node]]:
    waiting, done = [nodes], []
    while waiting:
        part = waiting.pop()
        if len(part) <= _MOST:
            done.append(part)
            continue
        at = _weakest(part)
        waiting += [part[at:], part[:at]]
    return done


def _weakest(nodes: Sequence[Node]) -> int:
    """Where what is said before has least in common with what is said after; of equals the one nearest the middle."""
    words = [frozenset(word.lower() for word in terms(node.text)) for node in nodes]
    middle = len(nodes) / 2

    def held(at: int) -> tuple[float, float]:
        before = frozenset().union(*words[max(0, at - _SEEN) : at])
        after = frozenset().union(*words[at : at + _SEEN])
        return len(before & after) / (min(len(before), len(after)) or 1), abs(at - middle)

    return min(range(_LEAST, len(nodes) - _LEAST + 1), key=held)


def _rank(origin: str) -> int:
    return _ORIGINS.index(origin) if origin in _ORIGINS else len(_ORIGINS)
