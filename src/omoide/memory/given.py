"""Packs for one reader that never repeat: what it was given, and what was said in its own session, is left out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omoide.recall.context_pack import Pack, PackExtras
from omoide.recall.results import Recall

if TYPE_CHECKING:
    from omoide.memory.core import Core

_STARTS = "session_start"  # the recipe that a fresh conversation begins with
_MOST_MORE = 200  # hits looked for beyond the limit, because the first ones may be known


@dataclass(frozen=True, slots=True)
class PackReader:
    """A conversation that is given packs. `known` holds ids of memories, and of entities as negative numbers.

    Without a name it is nobody, who knows nothing and of whom nothing is noted.
    """

    digest: bytes = b""
    known: frozenset[int] = frozenset()

    @classmethod
    def of(cls, core: Core, name: str | None, recipe: str) -> PackReader:
        """The reader of this name; one that starts a session has been given nothing yet."""
        if name is None:
            return cls()
        digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
        if recipe == _STARTS:
            core.store.given.forget_given(digest)
        return cls(digest, core.store.given.given_to(digest) | core.store.given.said_in(name))

    def enough(self, limit: int) -> int:
        """How many hits to look for, so that `limit` new ones may be among them."""
        return limit + min(len(self.known), _MOST_MORE)

    def without_known(self, core: Core, found: Recall, limit: int) -> Recall:
        """The hits that are new to the reader, at most `limit`."""
        if not self.known:
            return found
        ids = [hit.id for hit in found.hits]
        told = self.known | core.store.given.learned_only_from(ids, sorted(each for each in self.known if each > 0))
        return replace(found, hits=tuple(hit for hit in found.hits if hit.id not in told)[:limit])

    def new_extras(self, extras: PackExtras) -> PackExtras:
        """The standing preferences and entities that are new to the reader."""
        return replace(
            extras,
            standing=[hit for hit in extras.standing if hit.id not in self.known],
            named=[each for each in extras.named if -each.id not in self.known],
        )

    def record(self, core: Core, pack: Pack, extras: PackExtras) -> None:
        """Notes what the pack gives."""
        entities = [-each.id for each in extras.named if each.name in pack.markdown]
        if self.digest and (pack.ids or entities):
            core.store.given.record_given(self.digest, [*pack.ids, *entities])
