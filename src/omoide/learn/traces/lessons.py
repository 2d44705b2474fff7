"""A cluster of like traces → the pattern in them: when it applies, what works, what does not. Only their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.domain.trigger import Trigger, error_signature
from omoide.learn.traces.similarity import content_stems, word_overlap
from omoide.learn.traces.task_errors import (
    TaskError,
    TaskStatistics,
    group_errors,
    is_same_error,
    is_same_resolution,
    task_errors,
)
from omoide.store import TaskTrace

MIN_TRACES = 2  # Loki: once is an accident
MIN_PATTERN_CONFIDENCE = 0.8  # Loki
_MIN_ERROR_SHARE = 0.25  # of a cluster that meets an error: below it, it happened to them, it is not of their kind
_MAX_PATTERN_GOALS = 4  # wordings of what was wanted, so that another wording finds it
_MAX_FILES = 4
_MAX_STEPS = 40  # of a run: a longer one is a day's work, not a way of doing something
_MAX_APPROACH = 300  # characters of an approach: a longer one is a log


@dataclass(frozen=True, slots=True)
class TraceLesson:
    """What is to be kept: the words that are searched and shown, the fields, how sure it is, and who bears it out."""

    text: str
    attributes: dict[str, Any]
    confidence: float
    sources: tuple[TaskTrace, ...] = ()
    belongs: bool = True  # to the kind of work of its sources; an accident that befalls any task does not


@dataclass(frozen=True, slots=True)
class _Approach:
    """A way of doing it: what works, what does not, and the traces that speak of it."""

    works: str
    fails: str | None
    bearing: tuple[TaskTrace, ...]  # went well with it
    neutral: tuple[TaskTrace, ...]  # met the same, and nothing is known to have helped
    against: tuple[TaskTrace, ...]  # did the same and failed

    @property
    def confidence(self) -> float:
        return pattern_confidence(len(self.bearing), len(self.neutral), len(self.against))

    @property
    def traces(self) -> tuple[TaskTrace, ...]:
        ids = {each.id: each for each in (*self.bearing, *self.neutral, *self.against)}
        return tuple(sorted(ids.values(), key=lambda each: each.number))


def make_pattern(members: Sequence[TaskTrace], house: TaskStatistics | None = None) -> TraceLesson | None:
    """What the traces have in common, if enough of them bear it out and they say what to do."""
    if len(members) < MIN_TRACES:
        return None
    house = house or TaskStatistics()
    ways = [*_resolved_approaches(members, house), *_shared_step_approaches(members, house)]
    way = max(ways, key=lambda each: (bool(each.fails), each.confidence), default=None)
    if way is None:
        return None
    # When it applies is what all of the cluster have in common; how sure it is, only those say who bear it out.
    goals = typical_wordings(each.goal for each in members)[:_MAX_PATTERN_GOALS]
    files = common_values([each.files for each in members])[:_MAX_FILES]
    attributes = {
        "category": lesson_category(members),
        "conditions": [*goals[:1], *_shared_conditions(members), *files],
        "correct_approach": way.works[:_MAX_APPROACH],
        "incorrect_approach": way.fails[:_MAX_APPROACH] if way.fails else None,
    }
    text = lesson_text(
        goals[0],
        Works=way.works[:_MAX_APPROACH],
        Fails=way.fails and way.fails[:_MAX_APPROACH],
        Also=goals[1:],
        Files=files,
    )
    return TraceLesson(text, {name: value for name, value in attributes.items() if value}, way.confidence, way.traces)


def pattern_confidence(bearing: int, neutral: int = 0, against: int = 0) -> float:
    """Grows with those that bear it out (2: .8, 3: .86, 5: .91), falls with those that did the same and failed.

    A failure without a way out neither bears it out nor speaks against it: it counts half.
    """
    if not bearing:
        return 0.0
    return (1 - 1 / (2 * bearing + neutral + 1)) * bearing / (bearing + against)


def _resolved_approaches(members: Sequence[TaskTrace], house: TaskStatistics) -> Iterator[_Approach]:
    """What helped against an error that these tasks meet: one that few of them met is an accident, not their kind."""
    found = [each for trace in members for each in task_errors(trace) if not house.is_accident(each)]
    for same in group_errors(found, is_same_error):
        traces = {each.trace.id: each.trace for each in same}
        if len(traces) < max(MIN_TRACES, _MIN_ERROR_SHARE * len(members)):
            continue
        yield from _approaches_for_error(same)


def _approaches_for_error(same: Sequence[TaskError]) -> Iterator[_Approach]:
    """Each cure with its own evidence: another cure for the same error is no evidence for this one."""
    for cure in group_errors(
        [each for each in same if each.resolution],
        lambda one, other: is_same_resolution(one.resolution, other.resolution),
    ):
        helped = [each for each in cure if each.helped]
        if not helped:
            continue
        cured = _unique_traces(each for each in cure)
        yield _Approach(
            works=typical_wordings(each.resolution for each in helped)[0],
            fails=next(iter(typical_wordings(each.words for each in cure)), None),
            bearing=_unique_traces(helped),
            neutral=_unique_traces(each for each in same if not each.resolution and each.trace not in cured),
            against=tuple(each for each in cured if each.outcome == "failure"),
        )


def _shared_step_approaches(members: Sequence[TaskTrace], house: TaskStatistics) -> Iterator[_Approach]:
    """The steps that all that succeeded share, in their order; one step is no way of doing something, nor are steps
    that every task has."""
    won = [trace for trace in members if trace.outcome == "success"]
    if len(won) < MIN_TRACES:
        return
    shared = _action_names(won[0])
    for trace in won[1:]:
        shared = _longest_common_sequence(shared, _action_names(trace))
    if len(shared) > 1 and any(house.tells(each, members) for each in shared):
        lost = [trace for trace in members if trace.outcome == "failure"]
        against = tuple(
            trace
            for trace in lost
            if trace.actions and _longest_common_sequence(shared, _action_names(trace)) == shared
        )
        neutral = tuple(trace for trace in members if trace not in won and trace not in against)
        yield _Approach(", then ".join(shared), None, tuple(won), neutral, against)


def lesson_text(head: str, **parts: str | Sequence[str] | None) -> str:
    """`head. Works: … Fails: …`: a label, then words of the traces."""
    said = [_with_end_mark(head)]
    for label, part in parts.items():
        if part:
            said.append(_with_end_mark(f"{label}: {part if isinstance(part, str) else '; '.join(part)}"))
    return " ".join(said)


def typical_wordings(texts: Iterable[str]) -> list[str]:
    """Each wording once, the one most like all the others first, then those that say it most differently."""
    counted = Counter(" ".join(text.split()) for text in texts)
    words = {text: content_stems(text) for text in counted}
    centrality = {
        text: sum(count * word_overlap(words[text], words[other]) for other, count in counted.items())
        for text in counted
    }
    first = max(counted, key=lambda text: (centrality[text], text), default=None)
    if first is None:
        return []
    chosen, left = [first], sorted(set(counted) - {first})
    while left:
        least = min(left, key=lambda text: (max(word_overlap(words[text], words[each]) for each in chosen), text))
        chosen.append(least)
        left.remove(least)
    return chosen


def common_values(lists: Sequence[Sequence[str]]) -> list[str]:
    """What at least half of them hold, the commonest first."""
    counts = Counter(each for items in lists for each in set(items))
    return [
        each for each, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if 2 * count >= len(lists)
    ]


def lesson_category(members: Sequence[TaskTrace]) -> str | None:
    """Its type of work, or else its commonest error."""
    return _most_common(each.type for each in members) or _most_common(
        each.type for trace in members for each in task_errors(trace)
    )


def _shared_conditions(members: Sequence[TaskTrace]) -> list[str]:
    return [
        *common_values([each.constraints for each in members]),
        *common_values([[each.phase] if each.phase else [] for each in members]),
    ]


def _action_names(trace: TaskTrace) -> list[str]:
    return [str(each.get("action")) for each in trace.actions[:_MAX_STEPS]]


def _unique_traces(found: Iterable[TaskError]) -> tuple[TaskTrace, ...]:
    return tuple({each.trace.id: each.trace for each in found}.values())


def _longest_common_sequence(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The longest sequence that stands in both, gaps allowed."""
    best: list[list[list[str]]] = [[[] for _ in range(len(other) + 1)] for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            best[i + 1][j + 1] = [*best[i][j], a] if a == b else max(best[i][j + 1], best[i + 1][j], key=len)
    return best[-1][-1]


def _most_common(values: Iterable[str | None]) -> str | None:
    counts = Counter(value for value in values if value)
    return max(counts, key=lambda value: (counts[value], value), default=None)


def _with_end_mark(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


# Errors that were resolved → mistakes to avoid: what fails, why, what prevents it, and where it was met.


_MAX_ANTIPATTERN_GOALS = 3
_MAX_ANTIPATTERN_FILES = 4
_MAX_SEARCH_TAGS = 16  # goals, and files, that it is found by
_MAX_WORDING = 300
_MIN_TRIGGER_WORDS = 2  # of a message: one alone stands in too many errors
_MAX_TRIGGER_WORDS = 12  # the beginning of a long message tells it apart
_UNPROVEN_CONFIDENCE = 0.3  # the most that is believed of a cure that no task succeeded with
_FAILED_LABEL = "Tried, and the task failed all the same"
# Words of any failure: a lesson that is bound to nothing else would be told for everything.
_VAGUE_WORDS = frozenset(
    "error errors exception failed failure failing fail fails problem bug issue test tests process exited exit code "
    "request requests response status with command returned return non zero http https call script run running job "
    "task build step unknown unexpected internal fatal invalid bad could cannot can not t the a an is was of to in on "
    "while during and for from by server client stderr stdout output 0 1 2".split()
)


def make_antipattern(met: Sequence[TaskError], accident: bool = False) -> TraceLesson:
    """The first account of it, with the goals and files of all who made it: so it is found by any of them.

    An accident that befalls any task is found by its message alone.
    """
    first = met[0]
    traces = [each.trace for each in met]
    attributes: dict[str, Any] = {
        "what_fails": first.type or first.message,
        "why": first.message or first.type,
        "prevention": first.resolution,
        "category": lesson_category(traces),
    }
    cure = "Prevention" if any(each.helped for each in met) else _FAILED_LABEL
    where = {} if accident else {"While": lesson_goals(traces), "Files": lesson_files(traces)}
    text = lesson_text(first.words[:_MAX_WORDING], **{cure: first.resolution[:_MAX_WORDING]}, **where)
    kept = {name: value for name, value in attributes.items() if value}
    return TraceLesson(text, kept, antipattern_confidence(met), tuple(traces), belongs=not accident)


def lesson_goals(traces: Sequence[TaskTrace]) -> list[str]:
    """Of those who made it, worded as differently as they come."""
    return typical_wordings(each.goal for each in traces)[:_MAX_ANTIPATTERN_GOALS]


def lesson_files(traces: Sequence[TaskTrace]) -> list[str]:
    return common_values([each.files for each in traces])[:_MAX_ANTIPATTERN_FILES]


def search_tags(traces: Sequence[TaskTrace]) -> list[str]:
    """The goals and files of all who met it, beside its words: whoever wants the same finds it."""
    counted = Counter(file for each in traces for file in each.files)
    return [
        *typical_wordings(each.goal for each in traces)[:_MAX_SEARCH_TAGS],
        *(file for file, _ in counted.most_common(_MAX_SEARCH_TAGS)),
    ]


def error_trigger(mistake: TaskError) -> Trigger | None:
    """The error by which it is told again when somebody meets it: its message, or else a telling name of its kind."""
    head = mistake.message.strip().partition("\n")[0]
    for said, least in ((head, _MIN_TRIGGER_WORDS), (mistake.type, 1)):
        words = error_signature(" ".join(error_signature(said).split()[:_MAX_TRIGGER_WORDS])).split()
        if len(words) >= least and not _VAGUE_WORDS.issuperset(words):
            return Trigger(error=" ".join(words))
    return None


def antipattern_confidence(met: Sequence[TaskError]) -> float:
    """Once: .67, twice: .8, three times: .86; less where the task failed all the same, little where it always did."""
    helped = sum(1.0 if each.trace.outcome == "success" else 0.5 for each in met)
    sure = 1 - 1 / (2 * helped + 1)
    return sure if any(each.helped for each in met) else min(_UNPROVEN_CONFIDENCE, sure)
