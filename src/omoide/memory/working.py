"""Working: a live session with its blackboard, begun or resumed, and what the agent was doing when it was killed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.domain import Node
from omoide.domain.kinds import Retention
from omoide.errors import EmbedderFailed, NotFound
from omoide.memory.asking import Asking
from omoide.memory.rooms import positive
from omoide.memory.writing import Writing
from omoide.observe import validate
from omoide.observe.redaction import redact

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from omoide.language.extractive_summary import SpokenTurn
    from omoide.recall.results import Recall
    from omoide.store import NodeFilter
    from omoide.working.board import Board
    from omoide.working.compaction import SummariseTurns
    from omoide.working.live_session import LiveSession
    from omoide.working.session_view import LiveServices

_EARLIER = 50  # turns of a session that was not live before: what it was about when it stopped
_MANY = 1_000_000


class Working(Writing, Asking):
    """One live session is one `Live`; several may go on beside each other."""

    def live(
        self,
        session: str,
        *,
        window: int | None = None,
        system: str | None = None,
        plan: str | None = None,
        audience: str | None = None,
        consent: bool | None = None,
        summarise: SummariseTurns | None = None,
    ) -> LiveSession:
        """The blackboard of a session, which an agent loop drives: `before(message)`, `after(reply)`, `end()`.

        One that was live when its process ended goes on where it was, with what is not given as it was. `window` is the
        model's, in tokens; `system` its system prompt; `plan` divides the room for memories (kira, yodoca); `audience`
        and `consent` are as in context(). `summarise(said, tokens)` writes the summaries of compaction.
        """
        from omoide.working.board import Board
        from omoide.working.budget import plan_by_name
        from omoide.working.live_session import LiveSession

        name = validate.required_name(session, "session")
        board = self._resumed(name) or Board(session=name, window=self._settings.window_tokens)
        given: dict[str, Any] = {
            "window": None if window is None else positive(window, "window"),
            "system": None if system is None else redact(system).text,
            "plan": None if plan is None else plan_by_name(plan).name,
            "audience": None if audience is None else validate.audience(audience),
            "consent": None if consent is None else validate.boolean(consent, "consent"),
        }
        board = replace(board, **{field: value for field, value in given.items() if value is not None})
        return LiveSession(self._means(summarise), self._caught_up(board))

    def resume(self, session: str | None = None) -> Board:
        """What an agent was thinking about when it stopped: the board of a live session, or of the latest."""
        if session is None:
            found = self._store.lives()
            if not found:
                raise NotFound("no session is live; memory.live(session) begins one")
            session = found[0].session
        board = self._resumed(validate.required_name(session, "session"))
        if board is None:
            raise NotFound(f"there is no live session {session!r}; memory.live({session!r}) begins it")
        return self._caught_up(board)

    def lives(self) -> list[str]:
        """The names of the sessions that are live, the latest first."""
        return [each.session for each in self._store.lives()]

    def _resumed(self, session: str) -> Board | None:
        from omoide.working.board import board_from_json

        found = self._store.live(session)
        return None if found is None else board_from_json(found.board, found.system)

    def _caught_up(self, board: Board) -> Board:
        """With what was said, or set as a goal, after the last snapshot: a process may end between the two."""
        new = board.last == 0
        ids = self._store.said_in(board.session, board.last, _EARLIER if new else _MANY)
        held = self._store.nodes([*ids, *board.goals])
        for id in ids:
            board = board if is_goal(held[id]) else board.heard(id)
        goals = (id for id in dict.fromkeys((*board.goals, *ids)) if id in held and is_goal(held[id]))
        active = tuple(id for id in goals if held[id].attributes["outcome"] == "pending")
        return replace(board, goals=active)

    def _means(self, summarise: SummariseTurns | None) -> LiveServices:
        from omoide.working.session_view import LiveServices

        kept = self._settings
        return LiveServices(
            store=self._store,
            observe=self.observe,
            update=self.update,
            end=self.end,
            ask=self._ask,
            embed=self._embed,
            named=self._mentioned,
            moment=self._asked,
            count=self._count,
            summarise=summarise or self._summarise,
            narrate=self._narrate,
            retention=Retention(
                kept.retention_raw_days, kept.retention_raw_important_days, kept.retention_compressed_days
            ),
            response=kept.response_reserve_tokens or None,
        )

    def _ask(self, text: str, at: datetime, keep: NodeFilter, recipe: str, limit: int) -> Recall:
        return self._recall(text, at, limit, keep, recipe)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """None where there is no embedder, or it fails: then words must do."""
        from omoide.store import embed_texts

        if self._embedder is None:
            return None
        try:
            return embed_texts(self._embedder, list(texts)).vectors
        except EmbedderFailed:
            return None

    def _narrate(self, session: str) -> None:
        """By rules: a reply must not wait for a language model to say what the last topic was."""
        from omoide.learn.narrative import write_narrative

        write_narrative(self._store, session)
        self._background.wake()

    def _summarise(self, said: Sequence[SpokenTurn], tokens: int) -> str:
        """By a language model where one is configured, else the most telling sentences."""
        from omoide.language.extractive_summary import summary_text
        from omoide.providers import selection

        model = selection.choose_language_model(self._settings, self._language_model).model
        if model is None:
            return summary_text(said, tokens)
        from omoide.learn.model.summaries import summarize_period

        return summarize_period(model, said, tokens, of="the beginning of a conversation that goes on")


def is_goal(node: Node) -> bool:
    return "goal" in node.tags and node.attributes.get("type") == "event"
