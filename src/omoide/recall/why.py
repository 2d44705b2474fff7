"""A hit's reason in words that a person reads."""

from __future__ import annotations

from omoide.layers import Node
from omoide.recall.fuse import Fused
from omoide.recall.question import Query
from omoide.recall.trace import ordinal
from omoide.recall.weigh import Factor

_NOTABLE = 0.05  # a multiplier that moves less is not worth a word


def explain(query: Query, node: Node, fused: Fused, factors: tuple[Factor, ...]) -> str:
    """For example: `words deploy, vercel (1st) · meaning 0.62 (3rd) · confirmed often`."""
    parts = [_arm(query, node, *given) for given in fused.given]
    parts += [_moved(factor) for factor in factors if abs(factor.value - 1) >= _NOTABLE]
    return " · ".join(parts)


def _arm(query: Query, node: Node, arm: str, rank: int, words: str) -> str:
    if arm in ("neighbour", "time"):
        return words
    if arm == "keyword":
        shared = _shared(query, node)
        words = f"words {', '.join(shared)}" if shared else "words of the same stem"
    if arm == "entity":
        words = "speaks of someone or something named"
    return f"{words} ({ordinal(rank)})"


def _shared(query: Query, node: Node) -> list[str]:
    """The words of the question that a reader will see in the hit, give or take an ending."""
    text = " ".join((node.text, node.speaker or "", *node.tags)).casefold()
    return [term for term in query.terms if term.casefold()[: max(3, len(term) - 2)] in text][:6]


def _moved(factor: Factor) -> str:
    up = factor.value > 1
    match factor.name:
        case "time":
            return "in the time asked for"
        case "speaker":
            return "said by whom it names"
        case "myself":
            return "said by yourself"
        case "confidence":
            return "not sure"
        case "reinforcement":
            return "found useful before" if up else "found unhelpful before"
        case "importance":
            return "important" if up else "minor"
        case _:
            return "recent" if up else factor.name
