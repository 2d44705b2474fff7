"""Makes patterns and anti-patterns from task traces, in the words of the traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.domain.trigger import Trigger, error_signature
from omoide.learn.trace_similarity import (
    TaskError,
    TaskStatistics,
    content_stems,
    group_errors,
    is_same_error,
    is_same_resolution,
    task_errors,
    word_overlap,
)
from omoide.store import TaskTrace

MIN_TRACES = 2
MIN_PATTERN_CONFIDENCE = 0.8
_MIN_ERROR_SHARE = 0.25  # of a cluster that must meet an error for it to belong to this kind of task
_MAX_PATTERN_GOALS = 4  # different wordings, so that each of them finds the pattern
_MAX_FILES = 4
_MAX_STEPS = 40  # actions of a trace that are compared
_MAX_APPROACH = 300  # characters


@dataclass(frozen=True, slots=True)
class TraceLesson:
    """The content of a pattern or anti-pattern, its confidence and the traces that support it."""

    text: str
    attributes: dict[str, Any]
    confidence: float
    sources: tuple[TaskTrace, ...] = ()
    is_specific: bool = True  # to the kind of task; False for errors that any task may meet


@dataclass(frozen=True, slots=True)
class _Approach:
    """What works, what fails, and the traces for and against it."""

    works: str
    fails: str | None
    supporting: tuple[TaskTrace, ...]  # succeeded with it
    neutral: tuple[TaskTrace, ...]  # met the same error without a known resolution
    opposing: tuple[TaskTrace, ...]  # did the same and failed

    @property
    def confidence(self) -> float:
        return pattern_confidence(len(self.supporting), len(self.neutral), len(self.opposing))

    @property
    def traces(self) -> tuple[TaskTrace, ...]:
        ids = {each.id: each for each in (*self.supporting, *self.neutral, *self.opposing)}
        return tuple(sorted(ids.values(), key=lambda each: each.number))


def make_pattern(members: Sequence[TaskTrace], statistics: TaskStatistics | None = None) -> TraceLesson | None:
    """The pattern of similar traces, if at least two of them succeeded the same way."""
    if len(members) < MIN_TRACES:
        return None
    statistics = statistics or TaskStatistics()
    ways = [*_resolved_approaches(members, statistics), *_shared_step_approaches(members, statistics)]
    way = max(ways, key=lambda each: (bool(each.fails), each.confidence), default=None)
    if way is None:
        return None
    # The conditions come from all members, the confidence only from the traces for and against the approach.
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


def pattern_confidence(supporting: int, neutral: int = 0, opposing: int = 0) -> float:
    """Grows with supporting traces (2: .8, 3: .86, 5: .91) and falls with opposing ones. Neutral ones count half."""
    if not supporting:
        return 0.0
    return (1 - 1 / (2 * supporting + neutral + 1)) * supporting / (supporting + opposing)


def _resolved_approaches(members: Sequence[TaskTrace], statistics: TaskStatistics) -> Iterator[_Approach]:
    """Approaches that resolved an error which enough members met."""
    found = [each for trace in members for each in task_errors(trace) if not statistics.is_incidental(each)]
    for same in group_errors(found, is_same_error):
        traces = {each.trace.id: each.trace for each in same}
        if len(traces) < max(MIN_TRACES, _MIN_ERROR_SHARE * len(members)):
            continue
        yield from _approaches_for_error(same)


def _approaches_for_error(same: Sequence[TaskError]) -> Iterator[_Approach]:
    """One approach per resolution of an error, each with its own evidence."""
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
            supporting=_unique_traces(helped),
            neutral=_unique_traces(each for each in same if not each.resolution and each.trace not in cured),
            opposing=tuple(each for each in cured if each.outcome == "failure"),
        )


def _shared_step_approaches(members: Sequence[TaskTrace], statistics: TaskStatistics) -> Iterator[_Approach]:
    """The sequence of at least two steps that all successful members share, if it is not common to all tasks."""
    won = [trace for trace in members if trace.outcome == "success"]
    if len(won) < MIN_TRACES:
        return
    shared = _action_names(won[0])
    for trace in won[1:]:
        shared = _longest_common_sequence(shared, _action_names(trace))
    if len(shared) > 1 and any(statistics.is_specific_step(each, members) for each in shared):
        lost = [trace for trace in members if trace.outcome == "failure"]
        against = tuple(
            trace
            for trace in lost
            if trace.actions and _longest_common_sequence(shared, _action_names(trace)) == shared
        )
        neutral = tuple(trace for trace in members if trace not in won and trace not in against)
        yield _Approach(", then ".join(shared), None, tuple(won), neutral, against)


def lesson_text(head: str, **parts: str | Sequence[str] | None) -> str:
    """`head. Works: … Fails: …`: labels followed by words of the traces."""
    said = [_with_end_mark(head)]
    for label, part in parts.items():
        if part:
            said.append(_with_end_mark(f"{label}: {part if isinstance(part, str) else '; '.join(part)}"))
    return " ".join(said)


def typical_wordings(texts: Iterable[str]) -> list[str]:
    """Distinct wordings: first the one most similar to all, then the most different ones."""
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
    """Values that occur in at least half of the lists, the most common first."""
    counts = Counter(each for items in lists for each in set(items))
    return [
        each for each, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if 2 * count >= len(lists)
    ]


def lesson_category(members: Sequence[TaskTrace]) -> str | None:
    """The most common task type, or else the most common error type."""
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
    """The longest common subsequence."""
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


# ── anti-patterns ──

_MAX_ANTIPATTERN_GOALS = 3
_MAX_ANTIPATTERN_FILES = 4
_MAX_SEARCH_TAGS = 16  # goals and files each
_MAX_WORDING = 300
_MIN_TRIGGER_WORDS = 2  # a single word occurs in too many errors
_MAX_TRIGGER_WORDS = 12  # the beginning of a long message is specific enough
_UNPROVEN_CONFIDENCE = 0.3  # at most, for a resolution with which no task succeeded
_FAILED_LABEL = "Tried, and the task failed all the same"
# Words that occur in any failure and are too vague for a trigger.
_VAGUE_WORDS = frozenset(
    "error errors exception failed failure failing fail fails problem bug issue test tests process exited exit code "
    "request requests response status with command returned return non zero http https call script run running job "
    "task build step unknown unexpected internal fatal invalid bad could cannot can not t the a an is was of to in on "
    "while during and for from by server client stderr stdout output 0 1 2".split()
)


def make_antipattern(occurrences: Sequence[TaskError], incidental: bool = False) -> TraceLesson:
    """The lesson of an error, worded like its first occurrence, with the goals and files of all of its traces.

    `incidental`: any task may meet it, so goals and files are left out.
    """
    first = occurrences[0]
    traces = [each.trace for each in occurrences]
    attributes: dict[str, Any] = {
        "what_fails": first.type or first.message,
        "why": first.message or first.type,
        "prevention": first.resolution,
        "category": lesson_category(traces),
    }
    label = "Prevention" if any(each.helped for each in occurrences) else _FAILED_LABEL
    where = {} if incidental else {"While": lesson_goals(traces), "Files": lesson_files(traces)}
    text = lesson_text(first.words[:_MAX_WORDING], **{label: first.resolution[:_MAX_WORDING]}, **where)
    kept = {name: value for name, value in attributes.items() if value}
    return TraceLesson(text, kept, antipattern_confidence(occurrences), tuple(traces), is_specific=not incidental)


def lesson_goals(traces: Sequence[TaskTrace]) -> list[str]:
    """Different wordings of the goals of traces."""
    return typical_wordings(each.goal for each in traces)[:_MAX_ANTIPATTERN_GOALS]


def lesson_files(traces: Sequence[TaskTrace]) -> list[str]:
    return common_values([each.files for each in traces])[:_MAX_ANTIPATTERN_FILES]


def search_tags(traces: Sequence[TaskTrace]) -> list[str]:
    """Goals and files by which a lesson is found in addition to its text."""
    counted = Counter(file for each in traces for file in each.files)
    return [
        *typical_wordings(each.goal for each in traces)[:_MAX_SEARCH_TAGS],
        *(file for file, _ in counted.most_common(_MAX_SEARCH_TAGS)),
    ]


def error_trigger(mistake: TaskError) -> Trigger | None:
    """The trigger for an error: its message, or else its type if that is specific. None if both are vague."""
    head = mistake.message.strip().partition("\n")[0]
    for said, least in ((head, _MIN_TRIGGER_WORDS), (mistake.type, 1)):
        words = error_signature(" ".join(error_signature(said).split()[:_MAX_TRIGGER_WORDS])).split()
        if len(words) >= least and not _VAGUE_WORDS.issuperset(words):
            return Trigger(error=" ".join(words))
    return None


def antipattern_confidence(met: Sequence[TaskError]) -> float:
    """Once: .67, twice: .8, three times: .86; less if tasks failed anyway, low if all did."""
    helped = sum(1.0 if each.trace.outcome == "success" else 0.5 for each in met)
    sure = 1 - 1 / (2 * helped + 1)
    return sure if any(each.helped for each in met) else min(_UNPROVEN_CONFIDENCE, sure)
