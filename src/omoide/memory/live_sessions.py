"""Opens live sessions, with the state that an earlier process left behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from omoide.domain import Node, Session
from omoide.domain.importance import Retention
from omoide.memory.core import Core, positive
from omoide.memory.read import search
from omoide.observe import validate
from omoide.observe.redaction import redact

if TYPE_CHECKING:
    from omoide.language.extractive_summary import SpokenTurn
    from omoide.recall.results import Recall
    from omoide.store import NodeFilter
    from omoide.working.board import Board, SummariseTurns
    from omoide.working.live_session import LiveSession

_EARLIER_TURNS = 50  # of a session that was not live before
_ALL_TURNS = 1_000_000


def open_live(
    core: Core,
    session: str,
    given: Mapping[str, Any],
    observe: Callable[..., Node],
    update: Callable[..., Node],
    end: Callable[..., Session],
    summarise: SummariseTurns | None,
) -> LiveSession:
    """Starts or resumes a live session. `given` overrides the stored state; None keeps it."""
    from omoide.working.board import Board
    from omoide.working.budget import plan_by_name
    from omoide.working.live_session import LiveSession
    from omoide.working.session_view import LiveServices

    name = validate.required_name(session, "session")
    checks: dict[str, Callable[[Any], Any]] = {
        "window": lambda value: positive(value, "window"),
        "system": lambda value: redact(value).text,
        "plan": lambda value: plan_by_name(value).name,
        "audience": validate.audience,
    }
    board = stored_board(core, name) or Board(session=name, window=core.settings.window_tokens)
    board = replace(board, fence=board.fence or core.new_fence().mark)
    board = replace(board, **{field: checks[field](value) for field, value in given.items() if value is not None})
    kept = core.settings

    def ask(text: str, at: datetime, keep: NodeFilter, recipe: str, limit: int) -> Recall:
        reader = core.as_viewer(keep.audience, name if keep.sensitive else None)
        return search(reader, text, at, limit, keep, recipe)

    services = LiveServices(
        store=core.store,
        observe=observe,
        update=update,
        end=end,
        recall=ask,
        consented=lambda: core.store.consents.is_granted(name),
        embed=core.embed,
        entities_in=core.entities_in,
        local_time=core.local_time,
        count=core.count_tokens,
        new_fence=core.new_fence,
        summarise=summarise or (lambda turns, tokens: _summarise(core, turns, tokens)),
        narrate=lambda session: _narrate(core, session),
        retention=Retention(kept.retention_raw_days, kept.retention_raw_important_days, kept.retention_compressed_days),
        response=kept.response_reserve_tokens or None,
    )
    return LiveSession(services, caught_up(core, board))


def stored_board(core: Core, session: str) -> Board | None:
    """Returns the last snapshot of a live session, or None."""
    from omoide.working.board import board_from_json

    found = core.store.boards.find_board(session)
    return None if found is None else board_from_json(found.board, found.system)


def caught_up(core: Core, board: Board) -> Board:
    """Adds what was said, or set as a goal, after the last snapshot: a process may end between the two."""
    limit = _EARLIER_TURNS if board.newest == 0 else _ALL_TURNS
    ids = core.store.boards.session_episodes(board.session, board.newest, limit)
    held = core.store.nodes.fetch([*ids, *board.goals])
    for id in ids:
        board = board if is_goal(held[id]) else board.with_turn(id)
    goals = (id for id in dict.fromkeys((*board.goals, *ids)) if id in held and is_goal(held[id]))
    active = tuple(id for id in goals if held[id].attributes["outcome"] == "pending")
    return replace(board, goals=active)


def active_goals(core: Core) -> list[Node]:
    """Returns the pending goals of the session that was live last."""
    from omoide.working.board import board_from_json

    lives = core.store.boards.list_boards()
    if not lives:
        return []
    goals = board_from_json(lives[0].board, lives[0].system).goals
    held = core.store.nodes.fetch(goals)
    return [held[id] for id in goals if id in held and held[id].attributes.get("outcome") == "pending"]


def is_goal(node: Node) -> bool:
    """Whether an episode sets a goal of a live session."""
    return "goal" in node.tags and node.attributes.get("type") == "event"


def _narrate(core: Core, session: str) -> None:
    """Writes the narrative by rules: a reply must not wait for a language model."""
    from omoide.learn.narrative import write_narrative

    write_narrative(core.store, session)
    core.background.wake()


def _summarise(core: Core, turns: Sequence[SpokenTurn], tokens: int) -> str:
    """Summarises with a language model where one is configured, else with the most telling sentences."""
    from omoide.language.extractive_summary import summarize
    from omoide.providers import selection

    model = selection.choose_language_model(core.settings, core.language_model).model
    if model is None:
        return summarize(turns, tokens).text
    from omoide.learn.model.summaries import summarize_period

    return summarize_period(model, turns, tokens, of="the beginning of a conversation that goes on")
