"""Warming up: what the first question would have to wait for."""

from __future__ import annotations

from omoide.clock import to_micros
from omoide.errors import EmbedderFailed
from omoide.memory.asking import Asking
from omoide.store import NodeFilter

_QUESTION = "What do we know so far?"  # any that is likely to find something: what weighs hits is loaded too


class Warming(Asking):
    """For programs that live long enough to be asked twice."""

    def warm(self) -> bool:
        """Loads what the first question needs, the embedder above all, by asking one that nobody hears of: no memory
        counts as recalled. False where there is no embedder, or it fails: then words must do."""
        from omoide.recall.pipeline import answer
        from omoide.recall.question import RecallQuestion
        from omoide.recall.recipes import recipe_by_name
        from omoide.store import embed_texts

        loaded = self._embedder is not None
        if self._embedder is not None:
            try:
                embed_texts(self._embedder, [_QUESTION])
            except EmbedderFailed:
                loaded = False
        if self._answers is None:  # else somebody asks already, and two at once would only slow each other
            now, plan = self._asked(None), recipe_by_name("everyday", self._settings)
            asked = RecallQuestion(
                text=_QUESTION, at=now, limit=None, keep=NodeFilter(valid_at=to_micros(now)), recipe=plan
            )
            answer(asked, self._sources())
        return loaded
