"""A hit's reason in words that a person reads."""

from __future__ import annotations

from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.recall.fuse import Fused
from omoide.recall.question import Query
from omoide.recall.trace import ordinal
from omoide.recall.weigh import Factor

_RANKED = ("keyword", "vector", "late")  # arms whose place says something; the others' words say all
_NOTABLE = 0.05  # a multiplier that moves less is not worth a word


def explain(query: Query, node: Node, fused: Fused, factors: tuple[Factor, ...]) -> str:
    """For example: `words deploy, vercel (1st) · meaning 0.62 (3rd) · confirmed often`."""
    replaced = fused.id != node.id
    parts = [f"replaces [id:{fused.id}], which was found"] if replaced else []
    parts += [_arm(query, node, *given) for given in fused.given]
    parts += [str(slip) for slip in query.slips if f" {name_key(slip.name)} " in f" {name_key(node.text)} "]
    parts += [_moved(factor) for factor in factors if _says_something(factor)]
    parts += [node.state] if node.state in ("archived", "expired") else []
    return " · ".join(parts)


def told(query: Query) -> list[str]:
    """What was understood of a question, for the trace."""
    found = [f"words {', '.join(query.terms) or 'none'}"]
    if query.phrases:
        found.append(f"phrases {', '.join(query.phrases)}")
    if query.entities:
        found.append(f"{len(query.entities)} entities")
    found += [str(slip) for slip in query.slips]
    if query.when is not None:
        found.append("time " + ", ".join(clue.phrase.text for clue in query.when.clues))
    found.append(f"intent: {query.intent}")
    found.append(f"complexity: {query.complexity}")
    if query.speaker is not None:
        found.append(f"said by: {query.speaker}")
    if query.explicit is not None:
        found.append(f"asks to remember: {query.explicit!r}")
    return [" · ".join(found)]


def _says_something(factor: Factor) -> bool:
    """A small move is not worth a word, and who said a turn is seen on it."""
    return factor.name != "agent" and abs(factor.value - 1) >= _NOTABLE


def _arm(query: Query, node: Node, arm: str, rank: int, words: str) -> str:
    if arm not in _RANKED:
        return words
    if arm == "keyword":
        shared = _shared(query, node)
        words = f"words {', '.join(shared)}" if shared else "its words"
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
        case "first" | "latest":
            return f"among the {factor.name}"
        case "speaker":
            return "said by whom it names"
        case "myself":
            return "said by yourself"
        case "confidence":
            return "not sure"
        case "reinforcement":
            return "found useful before" if up else "found unhelpful before"
        case "outcome":
            return "tasks that were told it went well" if up else "tasks that were told it went badly"
        case "over":
            return "tells what is over"
        case "importance":
            return "important" if up else "minor"
        case _:
            return "recent" if up else factor.name
