"""Ageing by hand: what leaves use without being lost, and what comes back."""

from __future__ import annotations

from omoide.domain import Node
from omoide.memory.rooms import Rooms


class Ageing(Rooms):
    """Archiving is not forgetting: every word is kept, and found by `recall(…, archive=True)`."""

    def archive(self, id: int) -> Node:
        """Takes a memory out of use. Its words are packed away and given back whenever it is shown."""
        return self._store.archive(id, "by hand")

    def unarchive(self, id: int) -> Node:
        """Puts a memory back into use, as it was. No job takes what was restored by hand out of use again."""
        found = self._store.unarchive(id)
        self._background.wake()
        return found
