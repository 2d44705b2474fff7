"""A cluster of like traces → the pattern in them: when it applies, what works, what does not. Only their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.learn.traces.house import House
from omoide.learn.traces.likeness import overlap, stems
from omoide.learn.traces.mistake import Mistake, gathered, is_cure, is_error, met
from omoide.store import Trace

LEAST_TRACES = 2  # Loki: once is an accident
LEAST_CONFIDENCE = 0.8  # Loki
_SHARE = 0.25  # of a cluster that meets an error: below it, it happened to them, it is not of their kind
_MOST_GOALS = 4  # wordings of what was wanted, so that another wording finds it
_MOST_FILES = 4
_MOST_STEPS = 40  # of a run: a longer one is a day's work, not a way of doing something
_LONGEST = 300  # characters of an approach: a longer one is a log


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is to be kept: the words that are searched and shown, the fields, how sure it is, and who bears it out."""

    text: str
    attributes: dict[str, Any]
    confidence: float
    sources: tuple[Trace, ...] = ()
    belongs: bool = True  # to the kind of work of its sources; an accident that befalls any task does not


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of doing it: what works, what does not, and the traces that speak of it."""

    works: str
    fails: str | None
    bearing: tuple[Trace, ...]  # went well with it
    neutral: tuple[Trace, ...]  # met the same, and nothing is known to have helped
    against: tuple[Trace, ...]  # did the same and failed

    @property
    def confidence(self) -> float:
        return confidence(len(self.bearing), len(self.neutral), len(self.against))

    @property
    def traces(self) -> tuple[Trace, ...]:
        ids = {each.id: each for each in (*self.bearing, *self.neutral, *self.against)}
        return tuple(sorted(ids.values(), key=lambda each: each.number))


def pattern(members: Sequence[Trace], house: House | None = None) -> Lesson | None:
    """What the traces have in common, if enough of them bear it out and they say what to do."""
    if len(members) < LEAST_TRACES:
        return None
    house = house or House()
    ways = [*_cures(members, house), *_steps(members, house)]
    way = max(ways, key=lambda each: (bool(each.fails), each.confidence), default=None)
    if way is None:
        return None
    # When it applies is what all of the cluster have in common; how sure it is, only those say who bear it out.
    goals = typical(each.goal for each in members)[:_MOST_GOALS]
    files = common([each.files for each in members])[:_MOST_FILES]
    attributes = {
        "category": category(members),
        "conditions": [*goals[:1], *_shared_conditions(members), *files],
        "correct_approach": way.works[:_LONGEST],
        "incorrect_approach": way.fails[:_LONGEST] if way.fails else None,
    }
    text = worded(
        goals[0], Works=way.works[:_LONGEST], Fails=way.fails and way.fails[:_LONGEST], Also=goals[1:], Files=files
    )
    return Lesson(text, {name: value for name, value in attributes.items() if value}, way.confidence, way.traces)


def confidence(bearing: int, neutral: int = 0, against: int = 0) -> float:
    """Grows with those that bear it out (2: .8, 3: .86, 5: .91), falls with those that did the same and failed.

    A failure without a way out neither bears it out nor speaks against it: it counts half.
    """
    if not bearing:
        return 0.0
    return (1 - 1 / (2 * bearing + neutral + 1)) * bearing / (bearing + against)


def _cures(members: Sequence[Trace], house: House) -> Iterator[_Way]:
    """What helped against an error that these tasks meet: one that few of them met is an accident, not their kind."""
    found = [each for trace in members for each in met(trace) if not house.is_accident(each)]
    for same in gathered(found, is_error):
        traces = {each.trace.id: each.trace for each in same}
        if len(traces) < max(LEAST_TRACES, _SHARE * len(members)):
            continue
        yield from _helped(same)


def _helped(same: Sequence[Mistake]) -> Iterator[_Way]:
    """Each cure with its own evidence: another cure for the same error is no evidence for this one."""
    for cure in gathered(
        [each for each in same if each.resolution], lambda one, other: is_cure(one.resolution, other.resolution)
    ):
        helped = [each for each in cure if each.helped]
        if not helped:
            continue
        cured = _traces(each for each in cure)
        yield _Way(
            works=typical(each.resolution for each in helped)[0],
            fails=next(iter(typical(each.words for each in cure)), None),
            bearing=_traces(helped),
            neutral=_traces(each for each in same if not each.resolution and each.trace not in cured),
            against=tuple(each for each in cured if each.outcome == "failure"),
        )


def _steps(members: Sequence[Trace], house: House) -> Iterator[_Way]:
    """The steps that all that succeeded share, in their order; one step is no way of doing something, nor are steps
    that every task has."""
    won = [trace for trace in members if trace.outcome == "success"]
    if len(won) < LEAST_TRACES:
        return
    shared = _run(won[0])
    for trace in won[1:]:
        shared = _in_both(shared, _run(trace))
    if len(shared) > 1 and any(house.tells(each, members) for each in shared):
        lost = [trace for trace in members if trace.outcome == "failure"]
        against = tuple(trace for trace in lost if trace.actions and _in_both(shared, _run(trace)) == shared)
        neutral = tuple(trace for trace in members if trace not in won and trace not in against)
        yield _Way(", then ".join(shared), None, tuple(won), neutral, against)


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
    return _commonest(each.type for each in members) or _commonest(
        each.type for trace in members for each in met(trace)
    )


def _shared_conditions(members: Sequence[Trace]) -> list[str]:
    return [
        *common([each.constraints for each in members]),
        *common([[each.phase] if each.phase else [] for each in members]),
    ]


def _run(trace: Trace) -> list[str]:
    return [str(each.get("action")) for each in trace.actions[:_MOST_STEPS]]


def _traces(found: Iterable[Mistake]) -> tuple[Trace, ...]:
    return tuple({each.trace.id: each.trace for each in found}.values())


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
