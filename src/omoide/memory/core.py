"""What all parts of a memory share: the open file, the settings, the models and the background worker."""

from __future__ import annotations

import atexit
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from omoide.clock import Clock, system_clock, to_datetime, to_micros
from omoide.domain import Draft, Node
from omoide.domain.entity import EntityNames, entities_named_in
from omoide.domain.quotation import Fence
from omoide.domain.trust import Audience, Viewer
from omoide.errors import Busy, CannotWrite, Conflict, EmbedderFailed, InvalidInput, NotAllowed, NotFound
from omoide.ids import UlidFactory, new_ulid
from omoide.language.statement_words import asks_for_earlier_privacy
from omoide.observe import validate
from omoide.observe.background import BackgroundWorker
from omoide.observe.drafts import RememberedStatement, draft_statement
from omoide.providers import selection
from omoide.providers.selection import check_reranker, choose_embedder
from omoide.settings import LEARN_WHEN_IDLE, Settings, check_settings, load_settings, memory_path
from omoide.store import DailySpending, Store
from omoide.store.engine.writer import Replica
from omoide.store.tasks.task_lifecycle import crash_ending

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.learn.learning_context import LearningReport
    from omoide.providers.model_limits import ModelUsage
    from omoide.providers.protocols import Embedder, LanguageModel, Reranker, TokenCounter
    from omoide.recall.noise_floor import NoiseFloor
    from omoide.recall.results import RecallCache
    from omoide.store.engine.encryption import FileKey, KeySource

CONSENT_HINT = "grant it for a session with trust.grant_consent, and name the session as consent"
_LARGEST_COUNT = 1_000_000_000
_SUMMARISED_TURNS = 2_000  # a longer session gets its summary at night
_BACKGROUND_BATCH = 20  # turns learned at once in the background: a new message waits for no more than that


@dataclass(slots=True)
class RecallCaches:
    """Recent answers and the noise floor of each recipe, created by the first question."""

    answers: RecallCache | None = None
    noise_floor: NoiseFloor | None = None


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Core:
    """The shared parts of one open memory. Every namespace of `Memory` works on the same core."""

    store: Store
    settings: Settings
    clock: Clock
    background: BackgroundWorker
    count_tokens: Callable[[str], int]
    embedder: Embedder | None
    no_embedder: str  # why there is none
    reranker: Reranker | None
    language_model: LanguageModel | None
    caches: RecallCaches = field(default_factory=RecallCaches)
    views: dict[Viewer, Store] = field(default_factory=dict)
    audience: Audience = "private"  # who reads
    consent: str | None = None  # the session for which the user consented to show sensitive memories
    ids: UlidFactory = new_ulid

    @property
    def viewer(self) -> Viewer:
        """What the reader may see now: a consent may have expired meanwhile."""
        granted = self.consent is not None and self.store.consents.is_granted(self.consent)
        return Viewer(self.audience, granted and self.audience == "private")

    @property
    def seen(self) -> Store:
        """The store without what the reader may not see. Every verb that reads uses it."""
        return self.seen_by(self.viewer)

    def seen_by(self, viewer: Viewer) -> Store:
        if viewer.sees_all:
            return self.store
        if viewer not in self.views:
            self.views[viewer] = self.store.viewed(viewer)
        return self.views[viewer]

    def new_fence(self) -> Fence:
        """The fence of one pack."""
        return Fence.new(self.ids)

    def as_viewer(self, audience: str = "private", consent: str | None = None) -> Core:
        """The same memory for another reader. What is hidden from this reader stays hidden.

        `consent` is a session for which the user consented to show sensitive memories. Raises InvalidInput without it.
        """
        wanted = validate.audience(audience)
        if consent is not None:
            self.store.consents.use(validate.required_name(consent, "consent"))
        narrowed: Audience = "shared" if "shared" in (wanted, self.audience) else "private"
        if narrowed == self.audience and consent is None:
            return self
        return replace(self, audience=narrowed, consent=consent or self.consent)

    def require_user(self) -> None:
        """Raises InvalidInput if others read."""
        if self.audience != "private":
            raise NotAllowed("only the user may do this; others see what is shared and nothing else")

    def require_exportable(self, unencrypted: bool) -> None:
        """Raises InvalidInput if an export would be readable, the memory is not, and the caller did not allow it."""
        if self.store.is_encrypted and not validate.boolean(unencrypted, "unencrypted"):
            raise Conflict(
                "the memory is encrypted and an export is not; allow it with unencrypted (--unencrypted), "
                "or make a backup, which is encrypted"
            )

    def require(self, id: int) -> Node:
        """A memory that the reader may see. Raises NotFound."""
        try:
            return self.seen.nodes.require(id)
        except NotFound:
            if self.audience == "private" and self.store.nodes.fetch([id]):
                raise NotFound(f"memory {id} is sensitive and needs consent: {CONSENT_HINT}") from None
            raise

    def local_time(self, at: datetime | str | None, name: str = "at") -> datetime:
        """Returns `at`, or the current time, in the caller's time zone: "yesterday" begins at their midnight.

        `name` is the parameter that error messages mention.
        """
        if at is None:
            return to_datetime(self.clock()).astimezone()
        to_micros(at, name)
        return datetime.fromisoformat(at) if isinstance(at, str) else at

    def entities_in(self, text: str) -> tuple[int, ...]:
        """Returns the ids of the known entities that a text mentions."""
        return entities_named_in(text, self.store.entities.name_index())

    def entity_finder(self) -> Callable[[str], tuple[int, ...]]:
        """Returns `entities_in` over names read now, for use inside a transaction, where nothing may be read."""
        names = self.store.entities.name_index()
        return lambda text: entities_named_in(text, names)

    def draft(self, statement: RememberedStatement) -> Draft:
        """Checks a statement and returns it as a draft, ready to be stored."""
        return draft_statement(statement, self.clock(), self.settings, self.entities_in)

    def keep_promised_privacy(self, turns: Sequence[Node]) -> None:
        """Makes private what was said before a turn such as "keep that between us"."""
        for each in turns:
            if each.role == "user" and each.session is not None and asks_for_earlier_privacy(each.text):
                self.store.nodes.hide_earlier(each.id)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Embeds texts; returns None without an embedder or when it fails, so that callers fall back to words."""
        from omoide.store import embed_texts

        if self.embedder is None:
            return None
        try:
            return embed_texts(self.embedder, list(texts)).vectors
        except EmbedderFailed:
            return None

    def end_abandoned_tasks(self) -> None:
        """Records tasks whose process crashed as failed. Never raises: the next call finds the same tasks."""
        with suppress(Busy, CannotWrite):
            left = self.store.tasks.abandoned_tasks(self.settings.task_lease_hours)
            names = self.store.entities.name_index() if left else EntityNames()
            for each in left:
                with suppress(InvalidInput):  # another process was faster
                    self.store.tasks.finish_task(
                        each.id, crash_ending(each), lambda text: entities_named_in(text, names)
                    )

    def close(self) -> None:
        """Finishes the current batch of background work and closes the file. Closing twice is safe."""
        if not self.store.is_forked:  # a forked child has none of its parent's threads, but may hold their locks
            self.background.close()
        self.store.close()
        _OPEN.discard(self)  # last: what an interrupt left open is closed when the program ends


class Namespace:
    """A group of verbs of an open memory, such as `memory.graph`."""

    _for_others = True  # whether readers other than the user may use it

    def __init__(self, core: Core) -> None:
        self._own = core

    @property
    def _core(self) -> Core:
        if not self._for_others:
            self._own.require_user()
        return self._own

    def __repr__(self) -> str:
        verbs = [name for name in vars(type(self)) if not name.startswith("_")]
        return f"{type(self).__name__}({', '.join(verbs)})"


def open_core(
    path: str | Path | None,
    *,
    embedder: Embedder | Literal["default"] | None,
    reranker: Reranker | None,
    language_model: LanguageModel | None,
    token_counter: TokenCounter | None,
    settings: Settings | None,
    create: bool,
    clock: Clock,
    ids: UlidFactory,
    replica: Replica | None,
    key: KeySource | None = None,
) -> Core:
    """Opens the file of a memory and starts what works beside it."""
    chosen = load_settings() if settings is None else check_settings(settings)
    place = memory_path(path, create)
    secret = file_key(place, key, chosen)  # asked for before anything else is loaded
    used_embedder, no_embedder = choose_embedder(embedder)
    used_reranker = check_reranker(reranker)
    count = selection.validated_counter(selection.choose_token_counter(token_counter, chosen).count)
    store = Store(place, clock, ids, chosen.busy_timeout, replica=replica, key=secret)
    learn = partial(learn_sessions, store, chosen, language_model, batch=_BACKGROUND_BATCH)
    background = BackgroundWorker(
        store,
        used_embedder,
        chosen.embedding_batch,
        learn if _learns_automatically(chosen, language_model) else None,
        chosen.learn_idle_seconds if chosen.learn_automatically == LEARN_WHEN_IDLE else 0.0,
    )
    models = (used_embedder, no_embedder, used_reranker, language_model)
    core = Core(store, chosen, clock, background, count, *models, ids=ids)
    background.resume()
    core.end_abandoned_tasks()
    _OPEN.add(core)
    weakref.finalize(core, background.stop).atexit = False  # a memory that is dropped leaves no thread behind
    return core


def file_key(path: str, key: KeySource | None, settings: Settings) -> FileKey | None:
    """The key of a file, from where the caller or the settings say. A memory without a file needs none.

    Raises InvalidInput or KeyRefused.
    """
    if path == ":memory:":
        if key is not None:
            raise InvalidInput("a memory without a file has nothing to encrypt; leave out the key or name a file")
        return None
    source = key if key is not None else settings.key_from
    if not source:
        return None
    from omoide.store.engine.encryption import read_key

    return read_key(source, path)


def _learns_automatically(settings: Settings, language_model: LanguageModel | None) -> bool:
    """Whether the background learns. A model that costs money is used only where the settings say so."""
    if settings.learn_automatically == LEARN_WHEN_IDLE:
        return language_model is None and not settings.llm_model
    return bool(settings.learn_automatically)


def learn_sessions(
    store: Store,
    settings: Settings,
    language_model: LanguageModel | None,
    sessions: Iterable[str],
    progress: Callable[[str, int], None] | None = None,
    batch: int | None = None,
) -> LearningReport:
    """Learns from sessions. It holds the store but not the memory, so the background can run it too."""
    from omoide.learn import learner

    chosen = selection.choose_language_model(settings, language_model, daily_limit=daily_limit(store, settings))
    size = {} if batch is None else {"segment_turns": batch}
    named = _summarised(store, settings, sessions)
    report = learner.learn_sessions(store, settings, chosen.model, named, progress, **size)
    report.usage = chosen.usage
    return report


def _summarised(store: Store, settings: Settings, sessions: Iterable[str]) -> Iterator[str]:
    """The sessions, each with a summary by rules before it is learned from; a model words it at night."""
    from omoide.maintain.job import JobContext
    from omoide.maintain.summaries import summarise_session

    context = JobContext(store=store, settings=settings, now=system_clock())
    for name in sessions:
        if ids := store.summaries.unsummarised_turns(name, _SUMMARISED_TURNS):
            summarise_session(context, name, ids)
        yield name


@dataclass(frozen=True, slots=True)
class StoredSpendingLimit:
    """What language models may cost in a day, shared by all processes that open the file."""

    store: Store
    limit: float  # dollars a day

    def reserve(self, expected: ModelUsage) -> str | None:
        """Reserves the expected cost; returns the name of the reservation, or None above the limit."""
        return self.store.maintenance.reserve_today(expected.cost, self.limit)

    def settle(self, name: str, expected: ModelUsage, spent: ModelUsage) -> None:
        """Replaces a reservation by what was really spent."""
        taken = DailySpending(spent.calls, spent.input_tokens, spent.output_tokens, spent.cost)
        self.store.maintenance.settle_spending(name, expected.cost, taken)


def daily_limit(store: Store, settings: Settings) -> StoredSpendingLimit | None:
    """Returns the daily spending limit, or None where the settings have none."""
    per_day = settings.llm_max_cost_per_day
    return StoredSpendingLimit(store, per_day) if per_day else None


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
