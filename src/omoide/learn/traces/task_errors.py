"""Errors of task traces: which are the same, and which occur in any kind of task."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from omoide.domain.task import CRASHED, error_heading
from omoide.domain.trigger import error_codes, error_signature
from omoide.learn.across_sessions import action_shape
from omoide.learn.traces.similarity import content_stems, word_overlap
from omoide.store import TaskTrace

_SAME_ERROR = 0.5  # of the words of two descriptions of the same error
_SAME_RESOLUTION = 0.33  # resolutions are short: one shared word in three is enough


@dataclass(frozen=True, slots=True)
class TaskError:
    """An error, its resolution if there was one, and its trace."""

    trace: TaskTrace
    type: str
    message: str
    resolution: str

    @property
    def shape(self) -> tuple[str, str, str]:
        """Type, message and resolution in comparable form, with the numbers that distinguish errors."""
        told = " ".join((action_shape(self.message), *error_codes(self.message)))
        return action_shape(self.type), told, action_shape(self.resolution)

    @property
    def words(self) -> str:
        return error_heading(self.type, self.message)

    @property
    def helped(self) -> bool:
        return bool(self.resolution) and self.trace.outcome == "success"


def task_errors(trace: TaskTrace) -> list[TaskError]:
    """The errors of a trace, each once with its last resolution, without crashes of the process."""
    found = {}
    for each in trace.errors:
        if each.get("type") != CRASHED:
            said = (str(each.get(part) or "") for part in ("type", "message", "resolution"))
            error = TaskError(trace, *said)
            found[error.shape[:2]] = error
    return list(found.values())


def resolved_errors(trace: TaskTrace) -> list[TaskError]:
    """The errors of a trace that have a resolution."""
    return [each for each in task_errors(trace) if each.resolution]


def matches_lesson(error: TaskError, what_fails: str | None, why: str | None, prevention: str | None) -> bool:
    """Whether a stored lesson is about this error: similar words and the same resolution.

    Another resolution of the same error is another lesson.
    """
    told, cure = why or "", prevention or ""
    if action_shape(error.type) != action_shape(what_fails or "") or error_codes(error.message) != error_codes(told):
        return False
    own, theirs = content_stems(error.message, error.resolution), content_stems(told, cure)
    return is_same_resolution(error.resolution, cure) and word_overlap(own, theirs) >= _SAME_ERROR


def is_same_error(one: TaskError, other: TaskError) -> bool:
    """Whether two errors within a cluster are the same: equal type or similar words."""
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
    """Groups of errors that are the same, directly or through others, in order of their first one."""
    groups: list[list[TaskError]] = []
    for each in found:
        joined = [group for group in groups if any(same(each, other) for other in group)]
        own = [error for group in joined for error in group] + [each]
        groups = [group for group in groups if group not in joined]
        groups.append(own)
    return groups


# ── errors and steps that are common to all kinds of tasks ──

_MANY_CLUSTERS = 3  # clusters in which a minority met an incidental error, such as a network failure
_MIN_OTHER_TASKS = 10  # needed to decide which steps are common
_COMMON_SHARE = 0.3  # of the other tasks
# Steps of any task. They say nothing about a kind of task.
_COMMON_STEPS = frozenset(
    "read read_file open open_file view cat ls list list_files glob grep search find look write write_file create_file "
    "edit edit_file str_replace multiedit apply_patch patch bash shell run execute run_command test run_test run_tests "
    "run_test_suite pytest lint run_lint format build run_build commit git_commit think plan".split()
)


class TaskStatistics:
    """Statistics over all clusters of a run."""

    def __init__(self, clusters: Mapping[int, Sequence[TaskTrace]] | None = None) -> None:
        self._shares: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._steps: Counter[str] = Counter()
        self._tasks = 0
        for members in (clusters or {}).values():
            self._add(members)

    def _add(self, members: Sequence[TaskTrace]) -> None:
        if len(members) > 1:
            # Counted by error type, since the wording of an error varies within a cluster.
            kinds = Counter(kind for trace in members for kind in {_error_kind(each) for each in task_errors(trace)})
            found = {_error_key(each): _error_kind(each) for trace in members for each in task_errors(trace)}
            for key, kind in found.items():
                self._shares[key].append(kinds[kind] / len(members))
        for trace in members:
            self._tasks += bool(trace.actions)
            self._steps.update(_step_shapes(trace))

    def is_incidental(self, error: TaskError) -> bool:
        """Whether an error occurs in many clusters, but rarely in each of them."""
        shares = self._shares.get(_error_key(error), ())
        seldom = sum(share < 0.5 for share in shares)
        return seldom >= _MANY_CLUSTERS and 3 * seldom > 2 * len(shares)

    def is_specific_step(self, action: str, members: Sequence[TaskTrace]) -> bool:
        """Whether a step is specific to these tasks and not common to all others."""
        step = action_shape(action)
        if step in _COMMON_STEPS:
            return False
        others = self._tasks - sum(bool(trace.actions) for trace in members)
        seen = self._steps[step] - sum(step in _step_shapes(trace) for trace in members)
        return others < _MIN_OTHER_TASKS or seen < _COMMON_SHARE * others


def _error_key(error: TaskError) -> tuple[str, str]:
    return action_shape(error.type), error_signature(error.message)


def _error_kind(error: TaskError) -> str:
    return action_shape(error.type) or error_signature(error.message)


def _step_shapes(trace: TaskTrace) -> Iterable[str]:
    return {action_shape(str(each.get("action"))) for each in trace.actions}
