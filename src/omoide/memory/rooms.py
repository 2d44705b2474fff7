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

from omoide import config, counting
from omoide.clock import Clock, micros, moment, system_clock
from omoide.embedding import checked_reranker, choose
from omoide.errors import Busy, CannotWrite, InvalidInput
from omoide.ids import Ids, ulid
from omoide.layers.names import Names, named_in
from omoide.observe.background import Background
from omoide.store import Store
from omoide.store.abandoned import crashed

if TYPE_CHECKING:
    from omoide.learn.report import Report
    from omoide.providers.embedder import Embedder
    from omoide.providers.languagemodel import LanguageModel
    from omoide.providers.reranker import Reranker
    from omoide.providers.tokencounter import TokenCounter
    from omoide.recall.cache import Answers
    from omoide.recall.chance import Chances

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
        settings: config.Settings | None = None,
        create: bool = True,
        clock: Clock = system_clock,
        ids: Ids = ulid,
    ) -> None:
        """Opens or creates a file; without a path the user's own space, with ":memory:" one that leaves no file.

        With `create=False` a file that is not there is an error, so that a mistyped name does not become a new memory.
        """
        self._settings = config.load() if settings is None else config.checked(settings)
        self._clock = clock
        self._embedder, self._no_embedder = choose(embedder)
        self._reranker = checked_reranker(reranker)
        self._count = counting.checked(counting.choose(token_counter, self._settings).count)
        self._store = Store(config.place(path, create), clock, ids, self._settings.busy_timeout)
        self._language_model = language_model
        self._background = Background(
            self._store,
            self._embedder,
            self._settings.embedding_batch,
            partial(learned, self._store, self._settings, language_model, stretch=_BESIDE) if self._learns() else None,
            self._settings.learn_after if self._settings.learn_automatically == config.WHEN_QUIET else 0.0,
        )
        self._background.resume()
        self._end_abandoned()
        self._answers: Answers | None = None
        self._chances: Chances | None = None
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
        if self._settings.learn_automatically == config.WHEN_QUIET:
            return self._language_model is None and not self._settings.llm_model
        return bool(self._settings.learn_automatically)

    def _asked(self, at: datetime | str | None) -> datetime:
        """The moment of asking in the asker's own zone, in which "yesterday" begins at their midnight."""
        if at is None:
            return moment(self._clock()).astimezone()
        micros(at)
        return datetime.fromisoformat(at) if isinstance(at, str) else at

    def _end_abandoned(self) -> None:
        """Tasks that a crash left open have failed. Opening must not fail over them: the next one sees them too."""
        with suppress(Busy, CannotWrite):
            left = self._store.abandoned_tasks(self._settings.task_lease_hours)
            names = self._store.entity_names() if left else Names()
            for each in left:
                with suppress(InvalidInput):  # somebody was faster
                    self._store.finish_task(each.id, crashed(each), lambda text: named_in(text, names))

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return named_in(text, self._store.entity_names())


def learned(
    store: Store,
    settings: config.Settings,
    given: LanguageModel | None,
    sessions: Iterable[str],
    progress: Callable[[str, int], None] | None = None,
    stretch: int | None = None,
) -> Report:
    """A run of learning, with a hold on the store and none on the memory: the background does it too."""
    from omoide import languagemodel
    from omoide.learn import teach
    from omoide.memory.purse import DayPurse

    per_day = settings.llm_max_cost_per_day
    chosen = languagemodel.choose(settings, given, purse=DayPurse(store, per_day) if per_day else None)
    size = {} if stretch is None else {"stretch": stretch}
    report = teach.learn(store, settings, chosen.model, sessions, progress, **size)
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
