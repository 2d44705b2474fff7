"""Maintenance jobs: what a job may use, the steps it reports, and the report of a maintenance run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeVar

from omoide.clock import to_micros
from omoide.domain.importance import RetentionPolicy
from omoide.errors import Busy, CannotWrite, Closed, error_text
from omoide.providers.model_limits import ModelUsage
from omoide.providers.protocols import Embedder, LanguageModel
from omoide.settings import Settings
from omoide.store import Store

T = TypeVar("T")
SET_ASIDE = "set aside"
DAMAGE_FOUND = "found"  # what cannot be repaired here; the job counts as failed


@dataclass(frozen=True, slots=True, kw_only=True)
class JobContext:
    """What a job may use. `now` stays the same for the whole run, so all jobs see the same ages."""

    store: Store
    settings: Settings
    now: int
    dry_run: bool = False
    policy: RetentionPolicy = "carried"
    language_model: LanguageModel | None = None
    embedder: Embedder | None = None
    previewed: tuple[str, ...] = ()  # in a dry run, the jobs before this one, which have reported what they would do


@dataclass(frozen=True, slots=True)
class JobStep:
    """One change to one memory and its reason; in a dry run, a change that would be made."""

    verb: str
    kind: str
    text: str
    id: int | None
    why: str


@dataclass(frozen=True, slots=True)
class MaintenanceJob:
    """A named job that works in small, committed steps.

    `run` yields a step only after its transaction is committed. It may be closed at any yield: the work so far is
    consistent and the next run does the rest. A job with nothing to do yields nothing.
    """

    name: str
    does: str
    run: Callable[[JobContext], Iterator[JobStep]]
    undoable: bool = True  # what it changes can be put back with the night
    age_based: bool = False  # acts on the age of memories, so it is skipped while the clock is in doubt (clock_guard)


def for_each(
    context: JobContext, job: str, items: Iterable[T], name: Callable[[T], str], work: Callable[[T], Iterable[JobStep]]
) -> Iterator[JobStep]:
    """Does the work for each item. One that fails is set aside with its error; the others go on.

    An item that was set aside is skipped until its pause is over.
    """
    aside = {each.item: each for each in context.store.maintenance.list_set_aside(job)}
    erasures = context.store.erasure.last_erasure()
    for item in items:
        known = aside.get(name(item))
        if known is not None and to_micros(known.retry_at) > context.now:
            continue
        try:
            yield from context.store.derive_each(lambda item=item: iter(work(item)))  # type: ignore[misc]
        except (Closed, Busy, CannotWrite):
            raise  # not a failure of the item
        except Exception as error:
            if context.store.erasure.last_erasure() != erasures:
                continue  # it may have been erased since it was listed: the next run sees what is left
            yield _set_aside(context, job, name(item), error)
        else:
            if known is not None and not context.dry_run:
                context.store.maintenance.take_back(job, name(item))


def in_halves(
    context: JobContext, job: str, ids: Sequence[int], name: str, work: Callable[[Sequence[int]], Iterable[JobStep]]
) -> Iterator[JobStep]:
    """Does the work for all at once, or if that fails for each half. An item that fails alone is set aside."""
    if len(ids) == 1:
        yield from for_each(context, job, ids, f"{name} {{}}".format, lambda id: work([id]))
        return
    try:
        yield from work(ids)
    except (Closed, Busy, CannotWrite):
        raise
    except Exception:
        middle = len(ids) // 2
        yield from in_halves(context, job, ids[:middle], name, work)
        yield from in_halves(context, job, ids[middle:], name, work)


def _set_aside(context: JobContext, job: str, item: str, error: Exception) -> JobStep:
    why = error_text(error)
    kind, _, rest = item.partition(" ")
    if not context.dry_run:
        held = context.store.maintenance.set_aside(job, item, why)
        why = f"{why}; tried again after {held.retry_at:%Y-%m-%d %H:%M} UTC"
    return JobStep(SET_ASIDE, kind, rest, int(rest) if kind == "memory" else None, why)


JobOutcome = Literal["done", "skipped", "failed", "stopped"]
_MOST_STEPS = 10_000  # steps of one job that are kept; the rest are only counted


@dataclass(slots=True)
class JobReport:
    """What one job did, in order, and how it ended."""

    job: str
    does: str
    outcome: JobOutcome = "done"
    why: str = ""  # why it was skipped, failed or stopped
    steps: list[JobStep] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)  # by verb, including steps that are not kept

    def add(self, step: JobStep) -> None:
        self.counts[step.verb] += 1
        if len(self.steps) < _MOST_STEPS:
            self.steps.append(step)


@dataclass(slots=True)
class MaintenanceReport:
    """The result of a maintenance run, filled while jobs run. In a dry run, what would be done."""

    started_at: datetime
    dry_run: bool = False
    night: int | None = None  # the number of the run, for `admin.undo`; None for a dry run
    jobs: list[JobReport] = field(default_factory=list)
    stopped: bool = False  # interrupted: the work so far is consistent and the next run does the rest
    usage: ModelUsage = field(default_factory=ModelUsage)  # of the language model

    @property
    def counts(self) -> dict[str, int]:
        return dict(sum((ran.counts for ran in self.jobs), Counter()))

    @property
    def failed(self) -> dict[str, str]:
        """Reason by job name."""
        return {ran.job: ran.why for ran in self.jobs if ran.outcome == "failed"}
