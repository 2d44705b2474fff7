"""Profile arm: standing preferences and instructions, considered whatever is asked.

A preference shares few words with the questions that it should shape, and most of its vector says only that it is a
preference, as most of a question's says only that it is a question. Both are taken away before the two are compared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from omoide.errors import EmbedderFailed
from omoide.providers.embedder import Embedder
from omoide.recall.advice import seeks_advice
from omoide.recall.meaning import Meaning
from omoide.recall.question import Query
from omoide.recall.search.arm import Candidate, Found, Skipped, Sources
from omoide.store import Filter, Store, embedded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST = 1_000  # the newest so many; compared one by one in about two milliseconds
_ALIKE = 0.2  # of the likeness that is left: below, a wish has nothing to do with the question
_ASIDE = 0.1  # what a wish counts for a question that seeks no advice: it is a fact about the asker, and no more
# What asking sounds like when nothing is asked about.
_ASKING = (
    "Can you recommend something?",
    "What should I do?",
    "Could you suggest some good options?",
    "I need some advice.",
    "What are the best ones?",
    "Can you help me plan this?",
    "How do I choose?",
    "Any ideas?",
)


def search(query: Query, sources: Sources) -> Found | Skipped:
    held = _kept_kinds(query.keep, "preference")
    said = _kept_kinds(query.keep, "episode")
    ids = _stated(held, said, sources.store)
    if not ids:
        return Skipped("profile", "no lasting preference or instruction was stated")
    if not query.wanted:  # nothing is asked, as at the start of a session: all of them, the strongest first
        return _found({id: 1 / place for place, id in enumerate(ids, start=1)}, query)
    worth = 1.0 if seeks_advice(query.question.text) else _ASIDE
    try:
        if isinstance(query.meaning, Meaning):
            alike = _alike(ids, query.meaning, sources)
        else:
            alike = _by_words(query, held, said, sources.store)
    except EmbedderFailed as error:
        return Skipped("profile", str(error))
    return _found({id: worth * (score - _ALIKE) for id, score in alike.items() if score > _ALIKE}, query)


def _found(scores: dict[int, float], query: Query) -> Found:
    best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: query.reach]
    return Found("profile", tuple(Candidate(id, score, "a standing wish") for id, score in best))


def _kept_kinds(keep: Filter, kind: str) -> Filter | None:
    """What may be found of a kind: preferences that were kept, or turns that state one."""
    if keep.kinds and kind not in keep.kinds:
        return None
    return replace(keep, kinds=(kind,), wish=kind == "episode")


def _stated(held: Filter | None, said: Filter | None, store: Store) -> list[int]:
    """Preferences by their strength, then turns, the newest first."""
    strong = store.matching(held, _MOST, "strongest") if held else []
    return [*strong, *(store.matching(said, _MOST) if said else [])]


def _by_words(query: Query, held: Filter | None, said: Filter | None, store: Store) -> dict[int, float]:
    keeps = [keep for keep in (held, said) if keep]
    found = [each for keep in keeps for each in store.search_text(query.wanted, keep, query.reach)]
    best = max((score for _, score in found), default=0.0)
    return {id: score / best for id, score in found} if best > 0 else {}


def _alike(ids: list[int], asked: Meaning, sources: Sources) -> dict[int, float]:
    import numpy as np

    known, vectors = sources.store.planes(sources.model_id()).rows(ids)
    if not known:
        return {}
    shared = vectors.mean(axis=0) if len(known) > 1 else np.zeros_like(asked.vector)
    question = asked.vector - _asking(sources)
    question /= max(float(np.linalg.norm(question)), 1e-6)
    # The cosine of `vector - shared` with the question, without a second matrix: every vector has length 1.
    along = vectors @ np.stack((question, shared), axis=1)
    lengths = np.sqrt(np.maximum(1e-6, 1 - 2 * along[:, 1] + shared @ shared))
    return dict(zip(known, ((along[:, 0] - shared @ question) / lengths).tolist(), strict=True))


_FORMS: WeakKeyDictionary[Embedder, NDArray[np.float32]] = WeakKeyDictionary()


def _asking(sources: Sources) -> NDArray[np.float32]:
    """The direction of asking as such, once for each embedder."""
    embedder = sources.embedder
    assert embedder is not None
    try:
        known = _FORMS.get(embedder)
    except TypeError:  # somebody's embedder that cannot be a key: asked anew each time
        return _mean(embedder)
    if known is None:
        known = _FORMS[embedder] = _mean(embedder)
    return known


def _mean(embedder: Embedder) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(embedded(embedder, _ASKING).vectors.mean(axis=0))
