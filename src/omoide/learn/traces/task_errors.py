"""An error as one trace met it: which others are the same, and which cures are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from omoide.domain.task import CRASHED, error_heading
from omoide.domain.trigger import error_codes, error_signature
from omoide.learn.habits import action_shape
from omoide.learn.traces.similarity import content_stems, word_overlap
from omoide.store import TaskTrace

_SAME_ERROR = 0.5  # of their words: two accounts of one mistake
_SAME_RESOLUTION = 0.33  # a cure is told in few words: one in three is the thing that helped ("open as cp1252")


@dataclass(frozen=True, slots=True)
class TaskError:
    """An error, what helped against it where something did, and the trace that met it."""

    trace: TaskTrace
    type: str
    message: str
    resolution: str

    @property
    def shape(self) -> tuple[str, str, str]:
        """What makes two of them the same wherever they were made: the words, and only those numbers that tell."""
        told = " ".join((action_shape(self.message), *error_codes(self.message)))
        return action_shape(self.type), told, action_shape(self.resolution)

    @property
    def words(self) -> str:
        return error_heading(self.type, self.message)

    @property
    def helped(self) -> bool:
        return bool(self.resolution) and self.trace.outcome == "success"


def task_errors(trace: TaskTrace) -> list[TaskError]:
    """Of the same one met again and again in one task, the last word; that the process died is none of them."""
    found = {}
    for each in trace.errors:
        if each.get("type") != CRASHED:
            said = (str(each.get(part) or "") for part in ("type", "message", "resolution"))
            mistake = TaskError(trace, *said)
            found[mistake.shape[:2]] = mistake
    return list(found.values())


def resolved_errors(trace: TaskTrace) -> list[TaskError]:
    """Those that something helped against."""
    return [each for each in task_errors(trace) if each.resolution]


def matches_lesson(mistake: TaskError, what_fails: str | None, why: str | None, prevention: str | None) -> bool:
    """Whether it is the mistake that these fields tell of: the same error in much the same words, and the same cure.

    Another cure for the same message is another lesson: counted together, one of them would be lost.
    """
    told, cure = why or "", prevention or ""
    if action_shape(mistake.type) != action_shape(what_fails or "") or error_codes(mistake.message) != error_codes(
        told
    ):
        return False
    own, theirs = content_stems(mistake.message, mistake.resolution), content_stems(told, cure)
    return is_same_resolution(mistake.resolution, cure) and word_overlap(own, theirs) >= _SAME_ERROR


def is_same_error(one: TaskError, other: TaskError) -> bool:
    """Whether two traces of one cluster met the same error: of one type, or in much the same words."""
    if error_codes(one.message) != error_codes(other.message):
        return False
    if one.type and action_shape(one.type) == action_shape(other.type):
        return True
    return word_overlap(content_stems(one.message), content_stems(other.message)) >= _SAME_ERROR


def is_same_resolution(one: str, other: str) -> bool:
    return (
        action_shape(one) == action_shape(other)
        or word_overlap(content_stems(one), content_stems(other)) >= _SAME_RESOLUTION
    )


def group_errors(found: Sequence[TaskError], same: Callable[[TaskError, TaskError], bool]) -> list[list[TaskError]]:
    """Groups of those that are the same, directly or through others, in the order of their first."""
    groups: list[list[TaskError]] = []
    for each in found:
        joined = [group for group in groups if any(same(each, other) for other in group)]
        own = [mistake for group in joined for mistake in group] + [each]
        groups = [group for group in groups if group not in joined]
        groups.append(own)
    return groups


# What belongs to the house and to no kind of work in it: errors that anybody meets, steps that every task has.


_MANY_CLUSTERS = 3  # kinds of work, in each of which a minority met it: the network, a full disk
_MIN_OTHER_TASKS = 10  # tasks of other kinds: of fewer, what they have in common cannot be told
_COMMON_SHARE = 0.3  # of the other tasks
# Steps of any task whatever. What is done between them is the way of doing something.
_COMMON_STEPS = frozenset(
    "read read_file open open_file view cat ls list list_files glob grep search find look write write_file create_file "
    "edit edit_file str_replace multiedit apply_patch patch bash shell run execute run_command test run_test run_tests "
    "run_test_suite pytest lint run_lint format build run_build commit git_commit think plan".split()
)


class TaskStatistics:
    """All clusters of a run, for what can only be seen of many."""

    def __init__(self, clusters: Mapping[int, Sequence[TaskTrace]] | None = None) -> None:
        self._shares: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._steps: Counter[str] = Counter()
        self._tasks = 0
        for members in (clusters or {}).values():
            self._see(members)

    def _see(self, members: Sequence[TaskTrace]) -> None:
        if len(members) > 1:
            # By its type: a kind of work words its error in many ways, and each of them is a minority.
            kinds = Counter(kind for trace in members for kind in {_error_kind(each) for each in task_errors(trace)})
            found = {_error_key(each): _error_kind(each) for trace in members for each in task_errors(trace)}
            for key, kind in found.items():
                self._shares[key].append(kinds[kind] / len(members))
        for trace in members:
            self._tasks += bool(trace.actions)
            self._steps.update(_step_shapes(trace))

    def is_accident(self, mistake: TaskError) -> bool:
        """Whether it is met in many kinds of work, and seldom in each: then it says nothing of any."""
        shares = self._shares.get(_error_key(mistake), ())
        seldom = sum(share < 0.5 for share in shares)
        return seldom >= _MANY_CLUSTERS and 3 * seldom > 2 * len(shares)

    def tells(self, action: str, members: Sequence[TaskTrace]) -> bool:
        """Whether a step says something of these tasks that it does not say of all others."""
        step = action_shape(action)
        if step in _COMMON_STEPS:
            return False
        others = self._tasks - sum(bool(trace.actions) for trace in members)
        seen = self._steps[step] - sum(step in _step_shapes(trace) for trace in members)
        return others < _MIN_OTHER_TASKS or seen < _COMMON_SHARE * others


def _error_key(mistake: TaskError) -> tuple[str, str]:
    return action_shape(mistake.type), error_signature(mistake.message)


def _error_kind(mistake: TaskError) -> str:
    return action_shape(mistake.type) or error_signature(mistake.message)


def _step_shapes(trace: TaskTrace) -> Iterable[str]:
    return {action_shape(str(each.get("action"))) for each in trace.actions}
