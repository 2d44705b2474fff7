"""What a nightly job is: a name, what it is for, and work in small steps that are each whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from omoide.config import Settings
from omoide.providers.languagemodel import LanguageModel
from omoide.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What a job may use. `now` is one moment for the whole run, so that every job sees the same ages."""

    store: Store
    settings: Settings
    now: int
    dry_run: bool = False
    language_model: LanguageModel | None = None
    foretold: tuple[str, ...] = ()  # in a dry run, the jobs before this one, which have told what they would do


@dataclass(frozen=True, slots=True)
class Step:
    """What was done to one memory, and why; in a dry run, what would have been done."""

    verb: str
    kind: str
    text: str
    id: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Job:
    """`run` yields a step only after the transaction that it tells of, and may be left at any yield: what was done is
    whole, and running again does the rest. A job that finds nothing to do yields nothing."""

    name: str
    does: str
    run: Callable[[Upkeep], Iterator[Step]]
    takes_away: bool = False  # it acts by the age of things, and not before the clock is known to be right (steady.py)
