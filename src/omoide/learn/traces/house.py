"""What belongs to the house and to no kind of work in it: errors that anybody meets, steps that every task has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from omoide.layers.trigger import signature
from omoide.learn.habit import shape
from omoide.learn.traces.mistake import Mistake, met
from omoide.store import Trace

_MANY = 3  # kinds of work, in each of which a minority met it: the network, a full disk
_FEW = 10  # tasks of other kinds: of fewer, what they have in common cannot be told
_USUAL = 0.3  # of the other tasks
# Steps of any task whatever. What is done between them is the way of doing something.
_COMMONPLACE = frozenset(
    "read read_file open open_file view cat ls list list_files glob grep search find look write write_file create_file "
    "edit edit_file str_replace multiedit apply_patch patch bash shell run execute run_command test run_test run_tests "
    "run_test_suite pytest lint run_lint format build run_build commit git_commit think plan".split()
)


class House:
    """All clusters of a run, for what can only be seen of many."""

    def __init__(self, clusters: Mapping[int, Sequence[Trace]] | None = None) -> None:
        self._shares: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._steps: Counter[str] = Counter()
        self._tasks = 0
        for members in (clusters or {}).values():
            self._see(members)

    def _see(self, members: Sequence[Trace]) -> None:
        if len(members) > 1:
            # By its type: a kind of work words its error in many ways, and each of them is a minority.
            kinds = Counter(kind for trace in members for kind in {_kind(each) for each in met(trace)})
            found = {_key(each): _kind(each) for trace in members for each in met(trace)}
            for key, kind in found.items():
                self._shares[key].append(kinds[kind] / len(members))
        for trace in members:
            self._tasks += bool(trace.actions)
            self._steps.update(_steps(trace))

    def is_accident(self, mistake: Mistake) -> bool:
        """Whether it is met in many kinds of work, and seldom in each: then it says nothing of any."""
        shares = self._shares.get(_key(mistake), ())
        seldom = sum(share < 0.5 for share in shares)
        return seldom >= _MANY and 3 * seldom > 2 * len(shares)

    def tells(self, action: str, members: Sequence[Trace]) -> bool:
        """Whether a step says something of these tasks that it does not say of all others."""
        step = shape(action)
        if step in _COMMONPLACE:
            return False
        others = self._tasks - sum(bool(trace.actions) for trace in members)
        seen = self._steps[step] - sum(step in _steps(trace) for trace in members)
        return others < _FEW or seen < _USUAL * others


def _key(mistake: Mistake) -> tuple[str, str]:
    return shape(mistake.type), signature(mistake.message)


def _kind(mistake: Mistake) -> str:
    return shape(mistake.type) or signature(mistake.message)


def _steps(trace: Trace) -> Iterable[str]:
    return {shape(str(each.get("action"))) for each in trace.actions}
