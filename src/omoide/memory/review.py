"""`memory.review`: what a person or an agent says about memories that are stored already."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from omoide.domain import Node
from omoide.domain.edge import Contradiction
from omoide.errors import InvalidInput
from omoide.memory.core import Namespace, positive
from omoide.observe import validate
from omoide.observe.drafts import NodeUpdate, draft_update


class ReviewNamespace(Namespace):
    """Confirm, change, rate and reconcile memories."""

    def confirm(self, id: int) -> Node:
        """Confirm a memory: sets its confidence to 1.0 and stops its decay.

        Args:
            id: Id of the memory.

        Returns:
            The confirmed memory.

        Raises:
            NotFound: There is no memory with this id.
        """
        return self._core.store.nodes.confirm(id)

    def update(
        self,
        /,
        id: int,
        text: str | None = None,
        *,
        tags: Collection[str] | None = None,
        importance: int | None = None,
        sensitive: bool | None = None,
        audience: str | None = None,
        **attributes: Any,
    ) -> Node:
        """Change a memory in place. Its score is kept and the earlier text stays in the history.

        Args:
            id: Id of the memory.
            text: The new text.
            tags: The new tags.
            importance: The new importance, from 1 to 10.
            sensitive: Whether it is left out of prompts unless the caller has consent.
            audience: Who may read it: `private` or `shared`.
            attributes: Fields of the kind to change.

        Returns:
            The changed memory.

        Raises:
            NotFound: There is no memory with this id.
            InvalidInput: The memory is an episode and its text cannot change, or a value is invalid.
        """
        core = self._core
        update = NodeUpdate(
            text=text,
            tags=tags,
            importance=importance,
            sensitive=sensitive,
            audience=audience,
            attributes=attributes,
        )
        words, values = draft_update(core.store.nodes.require(id), update, core.settings, core.entities_in)
        node = core.store.nodes.update(id, words, values)
        core.background.wake()
        return node

    def reinforce(self, id: int) -> Node:
        """Record that a memory helped: raises its score by `reinforce_weight`.

        Args:
            id: Id of the memory.

        Returns:
            The memory with its new score.
        """
        return self._core.store.nodes.adjust_score(id, self._core.settings.reinforce_weight, hit=True)

    def demote(self, id: int) -> Node:
        """Record that a memory was outdated or irrelevant: lowers its score by `demote_weight`.

        Args:
            id: Id of the memory.

        Returns:
            The memory with its new score.
        """
        return self._core.store.nodes.adjust_score(id, -self._core.settings.demote_weight, hit=False)

    def uncertain(self, limit: int = 20, *, below: float = 0.5) -> list[Node]:
        """List what to ask about or confirm: uncertain or contradicted memories, then what may have changed since.

        Args:
            limit: Greatest number of memories.
            below: Only memories with less confidence than this, from 0 to 1.

        Returns:
            The memories, the least certain first, then those that are due longest.
        """
        return self._core.store.nodes.uncertain(validate.fraction(below, "below"), positive(limit, "limit"))

    def contradictions(self, limit: int = 20) -> list[Contradiction]:
        """List pairs of live memories that contradict each other, the latest first.

        Args:
            limit: Greatest number of pairs.

        Returns:
            The pairs; `resolve` keeps one memory of a pair.
        """
        return self._core.store.links.contradictions(positive(limit, "limit"))

    def resolve(self, keep: int, over: int) -> Node:
        """Resolve a contradiction: keeps one memory and supersedes the other.

        Args:
            keep: Id of the memory to keep.
            over: Id of the memory to supersede.

        Returns:
            The kept memory.

        Raises:
            InvalidInput: Both ids are the same.
        """
        if keep == over:
            raise InvalidInput(f"memory {keep} cannot supersede itself; pass the two ids that contradict each other")
        return self._core.store.links.resolve_contradiction(keep, over)
