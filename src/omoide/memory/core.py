"""What all parts of a memory share: the open file, the settings, the models and the background worker."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omoide import config, counting
from omoide.clock import Clock, micros, moment
from omoide.embedding import checked_reranker, choose
from omoide.errors import Busy, CannotWrite, EmbedderFailed, InvalidInput
from omoide.ids import Ids
from omoide.layers import Draft
from omoide.layers.names import Names, named_in
from omoide.observe.background import Background
from omoide.observe.statement import Statement, drafted
from omoide.store import Spent, Store
from omoide.store.abandoned import crashed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.learn.report import Report
    from omoide.providers.embedder import Embedder
    from omoide.providers.languagemodel import LanguageModel
    from omoide.providers.meter import Bill
    from omoide.providers.reranker import Reranker
    from omoide.providers.tokencounter import TokenCounter
    from omoide.recall.cache import Answers
    from omoide.recall.chance import Chances

_LARGEST_COUNT = 1_000_000_000
_BACKGROUND_BATCH = 20  # turns learned at once in the background: a new message waits for no more than that


@dataclass(slots=True)
class RecallCaches:
    """Recent answers and the noise floor of each recipe, created by the first question."""

    answers: Answers | None = None
    chances: Chances | None = None


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Core:
    """The shared parts of one open memory. Every namespace of `Memory` works on the same core."""

    store: Store
    settings: config.Settings
    clock: Clock
    background: Background
    count_tokens: Callable[[str], int]
    embedder: Embedder | None
    no_embedder: str  # why there is none
    reranker: Reranker | None
    language_model: LanguageModel | None
    caches: RecallCaches = field(default_factory=RecallCaches)

    def local_time(self, at: datetime | str | None) -> datetime:
        """Returns `at`, or the current time, in the caller's time zone: "yesterday" begins at their midnight."""
        if at is None:
            return moment(self.clock()).astimezone()
        micros(at)
        return datetime.fromisoformat(at) if isinstance(at, str) else at

    def entities_in(self, text: str) -> tuple[int, ...]:
        """Returns the ids of the known entities that a text mentions."""
        return named_in(text, self.store.entity_names())

    def entity_finder(self) -> Callable[[str], tuple[int, ...]]:
        """Returns `entities_in` over names read now, for use inside a transaction, where nothing may be read."""
        names = self.store.entity_names()
        return lambda text: named_in(text, names)

    def draft(self, statement: Statement) -> Draft:
        """Checks a statement and returns it as a draft, ready to be stored."""
        return drafted(statement, self.clock(), self.settings, self.entities_in)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Embeds texts; returns None without an embedder or when it fails, so that callers fall back to words."""
        from omoide.store import embedded

        if self.embedder is None:
            return None
        try:
            return embedded(self.embedder, list(texts)).vectors
        except EmbedderFailed:
            return None

    def end_abandoned_tasks(self) -> None:
        """Records tasks whose process crashed as failed. Never raises: the next call finds the same tasks."""
        with suppress(Busy, CannotWrite):
            left = self.store.abandoned_tasks(self.settings.task_lease_hours)
            names = self.store.entity_names() if left else Names()
            for each in left:
                with suppress(InvalidInput):  # another process was faster
                    self.store.finish_task(each.id, crashed(each), lambda text: named_in(text, names))

    def close(self) -> None:
        """Finishes the current batch of background work and closes the file. Closing twice is safe."""
        _OPEN.discard(self)
        if not self.store.is_forked:  # a forked child has none of its parent's threads, but may hold their locks
            self.background.close()
        self.store.close()


def open_core(
    path: str | Path | None,
    *,
    embedder: Embedder | Literal["default"] | None,
    reranker: Reranker | None,
    language_model: LanguageModel | None,
    token_counter: TokenCounter | None,
    settings: config.Settings | None,
    create: bool,
    clock: Clock,
    ids: Ids,
) -> Core:
    """Opens the file of a memory and starts what works beside it."""
    chosen = config.load() if settings is None else config.checked(settings)
    used_embedder, no_embedder = choose(embedder)
    used_reranker = checked_reranker(reranker)
    count = counting.checked(counting.choose(token_counter, chosen).count)
    store = Store(config.place(path, create), clock, ids, chosen.busy_timeout)
    learn = partial(learn_sessions, store, chosen, language_model, batch=_BACKGROUND_BATCH)
    background = Background(
        store,
        used_embedder,
        chosen.embedding_batch,
        learn if _learns_automatically(chosen, language_model) else None,
        chosen.learn_after if chosen.learn_automatically == config.WHEN_QUIET else 0.0,
    )
    core = Core(store, chosen, clock, background, count, used_embedder, no_embedder, used_reranker, language_model)
    background.resume()
    core.end_abandoned_tasks()
    _OPEN.add(core)
    weakref.finalize(core, background.stop).atexit = False  # a memory that is dropped leaves no thread behind
    return core


def _learns_automatically(settings: config.Settings, language_model: LanguageModel | None) -> bool:
    """Whether the background learns. A model that costs money is used only where the settings say so."""
    if settings.learn_automatically == config.WHEN_QUIET:
        return language_model is None and not settings.llm_model
    return bool(settings.learn_automatically)


def learn_sessions(
    store: Store,
    settings: config.Settings,
    language_model: LanguageModel | None,
    sessions: Iterable[str],
    progress: Callable[[str, int], None] | None = None,
    batch: int | None = None,
) -> Report:
    """Learns from sessions. It holds the store but not the memory, so the background can run it too."""
    from omoide import languagemodel
    from omoide.learn import teach

    chosen = languagemodel.choose(settings, language_model, purse=daily_limit(store, settings))
    size = {} if batch is None else {"stretch": batch}
    report = teach.learn(store, settings, chosen.model, sessions, progress, **size)
    report.bill = chosen.meter.bill
    return report


@dataclass(frozen=True, slots=True)
class DailySpendingLimit:
    """What language models may cost in a day, shared by all processes that open the file."""

    store: Store
    limit: float  # dollars a day

    def reserve(self, expected: Bill) -> str | None:
        """Reserves the expected cost; returns the name of the reservation, or None above the limit."""
        return self.store.reserve_spending(expected.cost, self.limit)

    def settle(self, name: str, expected: Bill, spent: Bill) -> None:
        """Replaces a reservation by what was really spent."""
        taken = Spent(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost)
        self.store.settle_spending(name, expected.cost, taken)


def daily_limit(store: Store, settings: config.Settings) -> DailySpendingLimit | None:
    """Returns the daily spending limit, or None where the settings have none."""
    per_day = settings.llm_max_cost_per_day
    return DailySpendingLimit(store, per_day) if per_day else None


def positive(number: int, field: str) -> int:
    """Returns a count that a caller gave.

    Raises:
        InvalidInput: It is not a whole number above zero.
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _LARGEST_COUNT:
        raise InvalidInput(f"{field}: expected a whole number from 1 to {_LARGEST_COUNT:,}, got {number!r}")
    return number


def file_path(path: str | Path) -> str:
    """Returns the path of a file or folder that a caller gave, with `~` expanded."""
    if not isinstance(path, str | Path) or not str(path) or "\x00" in str(path):
        raise InvalidInput(f"path: expected a file name, got {path!r}")
    try:
        return str(Path(path).expanduser())
    except RuntimeError as error:  # "~name" of an unknown user
        raise InvalidInput(f"path: expected a file name, got {path!r} ({error})") from None


_OPEN: weakref.WeakSet[Core] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Closes what is still open: a program must not end while its embedder runs."""
    for core in list(_OPEN):
        core.close()
