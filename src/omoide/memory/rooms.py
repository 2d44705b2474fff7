"""What every verb of a memory stands on: the rooms opened together, and closed together."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from omoide import settings as settings_module
from omoide.clock import Clock, system_clock, to_datetime, to_micros
from omoide.domain.entity import EntityNames, entities_named_in
from omoide.errors import Busy, CannotWrite, InvalidInput
from omoide.ids import UlidFactory, new_ulid
from omoide.observe.background import BackgroundWorker
from omoide.providers import token_counting
from omoide.providers.selection import check_reranker, choose_embedder
from omoide.store import Store
from omoide.store.tasks.task_lifecycle import crash_ending

if TYPE_CHECKING:
    from omoide.learn.learning_context import LearningReport
    from omoide.providers.protocols import Embedder, LanguageModel, Reranker, TokenCounter
    from omoide.recall.noise_floor import NoiseFloor
    from omoide.recall.results import RecallCache

_LARGEST = 1_000_000_000
_BESIDE = 20  # turns learned from at once in the background: a message that comes meanwhile waits for no more than that


class Rooms:
    """Opens the file and what works beside it."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | Literal["default"] | None = "default",
        reranker: Reranker | None = None,
        language_model: LanguageModel | None = None,
        token_counter: TokenCounter | None = None,
        settings: settings_module.Settings | None = None,
        create: bool = True,
        clock: Clock = system_clock,
        ids: UlidFactory = new_ulid,
    ) -> None:
        """Opens or creates a file; without a path the user's own space, with ":memory:" one that leaves no file.

        With `create=False` a file that is not there is an error, so that a mistyped name does not become a new memory.
        """
        self._settings = (
            settings_module.load_settings() if settings is None else settings_module.check_settings(settings)
        )
        self._clock = clock
        self._embedder, self._no_embedder = choose_embedder(embedder)
        self._reranker = check_reranker(reranker)
        self._count = token_counting.validated_counter(
            token_counting.choose_token_counter(token_counter, self._settings).count
        )
        self._store = Store(settings_module.memory_path(path, create), clock, ids, self._settings.busy_timeout)
        self._language_model = language_model
        self._background = BackgroundWorker(
            self._store,
            self._embedder,
            self._settings.embedding_batch,
            partial(learned, self._store, self._settings, language_model, stretch=_BESIDE) if self._learns() else None,
            self._settings.learn_after
            if self._settings.learn_automatically == settings_module.LEARN_WHEN_IDLE
            else 0.0,
        )
        self._background.resume()
        self._end_abandoned()
        self._answers: RecallCache | None = None
        self._chances: NoiseFloor | None = None
        _OPEN.add(self)
        weakref.finalize(self, self._background.stop).atexit = False  # one that is dropped leaves no thread behind

    @property
    def path(self) -> str:
        return self._store.path

    def close(self) -> None:
        """Finishes the batch in hand and closes the file. Closing twice is fine."""
        _OPEN.discard(self)
        if not self._store.is_forked:  # a child has none of its parent's threads, but may have its locks, held for ever
            self._background.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r})"

    def _learns(self) -> bool:
        """By itself: a model that costs money is asked only where that was said."""
        if self._settings.learn_automatically == settings_module.LEARN_WHEN_IDLE:
            return self._language_model is None and not self._settings.llm_model
        return bool(self._settings.learn_automatically)

    def _asked(self, at: datetime | str | None) -> datetime:
        """The moment of asking in the asker's own zone, in which "yesterday" begins at their midnight."""
        if at is None:
            return to_datetime(self._clock()).astimezone()
        to_micros(at)
        return datetime.fromisoformat(at) if isinstance(at, str) else at

    def _end_abandoned(self) -> None:
        """Tasks that a crash left open have failed. Opening must not fail over them: the next one sees them too."""
        with suppress(Busy, CannotWrite):
            left = self._store.abandoned_tasks(self._settings.task_lease_hours)
            names = self._store.entity_names() if left else EntityNames()
            for each in left:
                with suppress(InvalidInput):  # somebody was faster
                    self._store.finish_task(each.id, crash_ending(each), lambda text: entities_named_in(text, names))

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return entities_named_in(text, self._store.entity_names())


def learned(
    store: Store,
    settings: settings_module.Settings,
    given: LanguageModel | None,
    sessions: Iterable[str],
    progress: Callable[[str, int], None] | None = None,
    stretch: int | None = None,
) -> LearningReport:
    """A run of learning, with a hold on the store and none on the memory: the background does it too."""
    from omoide.learn import learner
    from omoide.memory.purse import DayPurse
    from omoide.providers import selection

    per_day = settings.llm_max_cost_per_day
    chosen = selection.choose_language_model(settings, given, purse=DayPurse(store, per_day) if per_day else None)
    size = {} if stretch is None else {"stretch": stretch}
    report = learner.learn_sessions(store, settings, chosen.model, sessions, progress, **size)
    report.bill = chosen.meter.bill
    return report


_OPEN: weakref.WeakSet[Rooms] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """A program that ends without close() must not end inside the embedder."""
    for memory in list(_OPEN):
        memory.close()


def positive(number: int, field: str) -> int:
    """A count that a caller gave, if it is one."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _LARGEST:
        raise InvalidInput(f"{field}: expected a whole number from 1 to {_LARGEST:,}, got {number!r}")
    return number
