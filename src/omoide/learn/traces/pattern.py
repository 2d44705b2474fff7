"""A cluster of like traces → the pattern in them: when it applies, what works, what does not. Only their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.layers.trace import CRASHED, error_in_words
from omoide.learn.traces.likeness import overlap, stems
from omoide.store import Trace

LEAST_TRACES = 2  # Loki: once is an accident
LEAST_CONFIDENCE = 0.8  # Loki
_MOST_GOALS = 4  # wordings of what was wanted, so that another wording finds it
_MOST_FILES = 4
_MOST_STEPS = 40  # of a run: a longer one is a day's work, not a way of doing something
_LONGEST = 300  # characters of an approach: a longer one is a log


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be kept: the words that are searched and shown, the fields, how sure it is."""

    text: str
    attributes: dict[str, Any]
    confidence: float


def pattern(members: Sequence[Trace]) -> Lesson | None:
    """What the traces have in common, if enough of them bear it out and they say what to do."""
    if len(members) < LEAST_TRACES:
        return None
    wrong = [error_in_words({**each, "resolution": None}) for each in _errors(members)]
    right = [str(each["resolution"]) for each in _errors(members) if each.get("resolution")]
    correct = _most_typical(right) or _common_actions(members)
    if correct is None:
        return None
    goals = typical(each.goal for each in members)[:_MOST_GOALS]
    files = common([each.files for each in members])[:_MOST_FILES]
    incorrect = _most_typical(wrong)
    attributes = {
        "category": category(members),
        "conditions": [*goals[:1], *_shared_conditions(members), *files],
        "correct_approach": correct[:_LONGEST],
        "incorrect_approach": incorrect[:_LONGEST] if incorrect else None,
    }
    text = worded(
        goals[0], Works=correct[:_LONGEST], Fails=incorrect and incorrect[:_LONGEST], Also=goals[1:], Files=files
    )
    return Lesson(text, {name: value for name, value in attributes.items() if value}, confidence(members))


def confidence(members: Sequence[Trace]) -> float:
    """Grows with those that bear it out (2: .8, 3: .86, 5: .91), falls with those that did the same and failed.

    A failure without a way out neither bears it out nor speaks against it: it counts half.
    """
    bearing = sum(each.outcome == "success" for each in members)
    against = sum(each.outcome == "failure" and _is_resolved(each) for each in members)
    if not bearing:
        return 0.0
    support = bearing + 0.5 * (len(members) - bearing - against)
    return (1 - 1 / (2 * support + 1)) * bearing / (bearing + against)


def worded(head: str, **parts: str | Sequence[str] | None) -> str:
    """`head. Works: … Fails: …`: a label, then words of the traces."""
    said = [_ended(head)]
    for label, part in parts.items():
        if part:
            said.append(_ended(f"{label}: {part if isinstance(part, str) else '; '.join(part)}"))
    return " ".join(said)


def typical(texts: Iterable[str]) -> list[str]:
    """Each wording once, the one most like all the others first, then those that say it most differently."""
    counted = Counter(" ".join(text.split()) for text in texts)
    words = {text: stems(text) for text in counted}
    centrality = {
        text: sum(count * overlap(words[text], words[other]) for other, count in counted.items()) for text in counted
    }
    first = max(counted, key=lambda text: (centrality[text], text), default=None)
    if first is None:
        return []
    chosen, left = [first], sorted(set(counted) - {first})
    while left:
        least = min(left, key=lambda text: (max(overlap(words[text], words[each]) for each in chosen), text))
        chosen.append(least)
        left.remove(least)
    return chosen


def common(lists: Sequence[Sequence[str]]) -> list[str]:
    """What at least half of them hold, the commonest first."""
    counts = Counter(each for items in lists for each in set(items))
    return [
        each for each, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if 2 * count >= len(lists)
    ]


def category(members: Sequence[Trace]) -> str | None:
    """Its type of work, or else its commonest error."""
    return _commonest(each.type for each in members) or _commonest(str(each.get("type")) for each in _errors(members))


def _shared_conditions(members: Sequence[Trace]) -> list[str]:
    return [
        *common([each.constraints for each in members]),
        *common([[each.phase] if each.phase else [] for each in members]),
    ]


def _errors(members: Sequence[Trace]) -> list[dict[str, Any]]:
    return [error for each in members for error in each.errors if error.get("type") != CRASHED]


def _is_resolved(trace: Trace) -> bool:
    return any(error.get("resolution") for error in trace.errors)


def _most_typical(texts: Sequence[str]) -> str | None:
    return next(iter(typical(texts)), None)


def _common_actions(members: Sequence[Trace]) -> str | None:
    """The steps that all that succeeded share, in their order; one step is no way of doing something."""
    won = [trace for trace in members if trace.outcome == "success"]
    runs = [[str(each.get("action")) for each in trace.actions[:_MOST_STEPS]] for trace in won]
    if len(runs) < LEAST_TRACES:
        return None
    shared = runs[0]
    for run in runs[1:]:
        shared = _in_both(shared, run)
    return ", then ".join(shared) if len(shared) > 1 else None


def _in_both(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest sequence that stands in both, gaps allowed."""
    best: list[list[list[str]]] = [[[] for _ in range(len(other) + 1)] for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            best[i + 1][j + 1] = [*best[i][j], a] if a == b else max(best[i][j + 1], best[i + 1][j], key=len)
    return best[-1][-1]


def _commonest(values: Iterable[str | None]) -> str | None:
    counts = Counter(value for value in values if value)
    return max(counts, key=lambda value: (counts[value], value), default=None)


def _ended(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
