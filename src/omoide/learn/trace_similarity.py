"""Similarity of task traces, their clusters, and their errors: which are the same, and which occur in any kind of task.

A trace is only compared with traces of tasks that ended before it. So the clusters do not depend on how many traces are
learned at once, and an interrupted run can continue.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omoide.domain.task import CRASHED, error_heading
from omoide.domain.trigger import error_codes, error_signature
from omoide.language.registry import words_of
from omoide.language.text import search_terms, stem
from omoide.learn.across_sessions import action_shape
from omoide.store import TaskTrace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MIN_CLUSTER_SIMILARITY = 0.4  # gave clusters with a purity of .98, with and without vectors (bench/tasks.py)
_COMPARED_MEMBERS = 3  # most similar members that decide
_MAX_CANDIDATES = 60  # earlier traces that share the rarest words


def assign_clusters(traces: Iterable[TaskTrace]) -> dict[int, int]:
    """Clusters of the traces that have none, by trace id."""
    sorter = _ClusterIndex()
    found: dict[int, int] = {}
    for trace in traces:
        cluster = trace.cluster if trace.cluster is not None else sorter.cluster_of(trace)
        if trace.cluster is None:
            found[trace.id] = cluster
        sorter.put(trace, cluster)
    return found


class _ClusterIndex:
    """The traces seen so far, by their words."""

    def __init__(self) -> None:
        self._rarity = WordRarity()
        self._centre = VectorCentre()
        self._features: dict[int, TraceFeatures] = {}
        self._cluster: dict[int, int] = {}
        self._by_word: dict[tuple[object, str], list[int]] = defaultdict(list)

    def put(self, trace: TaskTrace, cluster: int) -> None:
        own = trace_features(trace)
        self._features[trace.id] = own
        self._cluster[trace.id] = cluster
        self._rarity.see(own.words)
        self._centre.see(own.vector)
        for word in own.words:
            self._by_word[trace.labels, word].append(trace.id)

    def cluster_of(self, trace: TaskTrace) -> int:
        """The most similar cluster, or a new one named after the trace."""
        own = trace_features(trace)
        alike: dict[int, list[float]] = defaultdict(list)
        for id in self._candidates(trace, own):
            alike[self._cluster[id]].append(trace_similarity(own, self._features[id], self._rarity, self._centre))
        scored = [(mean_of_best(values, _COMPARED_MEMBERS), cluster) for cluster, values in alike.items()]
        best = max(scored, key=lambda each: (each[0], -each[1]), default=(0.0, trace.id))
        return best[1] if best[0] >= MIN_CLUSTER_SIMILARITY else trace.id

    def _candidates(self, trace: TaskTrace, own: TraceFeatures) -> list[int]:
        """Earlier traces with the same labels, by the rarity of the words they share."""
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(own.words):
            weight = self._rarity.of(word) ** 2
            for id in self._by_word.get((trace.labels, word), ()):
                scores[id] += weight
        return sorted(scores, key=lambda id: (-scores[id], id))[:_MAX_CANDIDATES]


# ── similarity ──

# Weight of each part, where both traces have it. Goal and error say most about a task; many tasks share files and
# actions.
GOAL_WEIGHT, MEANING_WEIGHT, ERROR_WEIGHT, FILES_WEIGHT, ACTIONS_WEIGHT = 0.4, 0.4, 0.35, 0.15, 0.1
_MIN_VECTORS = 10  # needed to estimate what all vectors have in common


@dataclass(frozen=True, slots=True)
class TraceFeatures:
    """The compared parts of a trace, as stems without stop words."""

    goal: frozenset[str]
    error: frozenset[str]
    files: frozenset[str]
    actions: frozenset[str]
    vector: NDArray[np.float32] | None = None

    @property
    def words(self) -> frozenset[str]:
        return self.goal | self.error | self.files


def trace_features(trace: TaskTrace) -> TraceFeatures:
    met = [each for each in trace.errors if each.get("type") != CRASHED]
    return TraceFeatures(
        goal=content_stems(trace.goal),
        error=content_stems(*(str(each.get(part) or "") for each in met for part in ("type", "message", "resolution"))),
        files=content_stems(*trace.files),
        actions=frozenset(str(each.get("action")) for each in trace.actions),
        vector=_unit_vector(trace.vector),
    )


def content_stems(*texts: str) -> frozenset[str]:
    """Stems of the words that are not stop words."""
    found = (word.lower() for text in texts for word in search_terms(text))
    return frozenset(stem(word) for word in found if word not in words_of("stop_words"))


class WordRarity:
    """Rarity of words among the traces seen so far."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._traces = 0

    def see(self, words: Iterable[str]) -> None:
        self._traces += 1
        self._seen.update(words)

    def of(self, word: str) -> float:
        return math.log(1 + (self._traces + 1) / (self._seen[word] + 1))


class VectorCentre:
    """The mean of all vectors, which is subtracted before they are compared."""

    def __init__(self) -> None:
        self._sum: NDArray[np.float32] | None = None
        self._count = 0

    def see(self, vector: NDArray[np.float32] | None) -> None:
        if vector is None or (self._sum is not None and len(self._sum) != len(vector)):
            return
        self._sum = vector.copy() if self._sum is None else self._sum + vector
        self._count += 1

    def likeness(self, one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> float | None:
        """The cosine of two centred vectors; None if one is missing or there are too few."""
        if one is None or other is None or self._sum is None or self._count < _MIN_VECTORS:
            return None
        if not len(one) == len(other) == len(self._sum):
            return None
        mean = self._sum / self._count
        a, b = one - mean, other - mean
        length = math.sqrt(float(a @ a) * float(b @ b))
        return max(0.0, float(a @ b) / length) if length else 0.0


def trace_similarity(one: TraceFeatures, other: TraceFeatures, rarity: WordRarity, centre: VectorCentre) -> float:
    """0 to 1. Parts that one of the traces lacks are ignored, except the goal."""
    parts = [(GOAL_WEIGHT, weighted_cosine(one.goal, other.goal, rarity))]
    meaning = centre.likeness(one.vector, other.vector)
    if meaning is not None:
        parts.append((MEANING_WEIGHT, meaning))
    if one.error and other.error:
        parts.append((ERROR_WEIGHT, weighted_cosine(one.error, other.error, rarity)))
    if one.files and other.files:
        parts.append((FILES_WEIGHT, weighted_cosine(one.files, other.files, rarity)))
    if one.actions and other.actions:
        parts.append((ACTIONS_WEIGHT, len(one.actions & other.actions) / len(one.actions | other.actions)))
    return sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)


def weighted_cosine(one: frozenset[str], other: frozenset[str], rarity: WordRarity) -> float:
    """The cosine of two sets of words, weighted by rarity."""
    common = sum(rarity.of(word) ** 2 for word in sorted(one & other))
    if not common:
        return 0.0
    return common / math.sqrt(_squared_length(one, rarity) * _squared_length(other, rarity))


def word_overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The cosine of two sets of words without weights."""
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


def _squared_length(words: frozenset[str], rarity: WordRarity) -> float:
    return sum(rarity.of(word) ** 2 for word in sorted(words))


def _unit_vector(data: bytes | None) -> NDArray[np.float32] | None:
    if data is None:
        return None
    import numpy as np

    found = np.frombuffer(data, "<f2").astype(np.float32)
    length = float(np.linalg.norm(found))
    return found / length if length else None


def mean_of_best(likenesses: Sequence[float], count: int) -> float:
    """The mean of the best values, so that one accidental similarity does not decide."""
    best = sorted(likenesses, reverse=True)[:count]
    return sum(best) / len(best)


# Errors of task traces: which are the same, and which occur in any kind of task.


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
