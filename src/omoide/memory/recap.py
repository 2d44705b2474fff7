"""Builds a recap: the last session, the latest narratives, open questions, active goals and news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from omoide.domain import Node, Session
from omoide.domain.viewer import Viewer
from omoide.memory.core import Core
from omoide.memory.live_sessions import active_goals
from omoide.store import NarrativeFilter, NodeFilter

if TYPE_CHECKING:
    from omoide.working.recap import OpenQuestion, Recap

_NARRATIVES = 3
_SESSIONS = 3  # whose open questions are still of interest
_TURNS = 300  # of these sessions, searched for questions and plans
_OPEN_QUESTIONS = 8
_NEWS = 5
_SESSIONS_SEARCHED = 50  # for the last one that may be shown
_CLOSED_NOTES = 200  # the latest; earlier ones do not belong to the last sessions
OPEN_TAG = "open-thread"  # tag of a note that keeps a question open
CLOSED_TAG = "closed-thread"  # tag of a note that closes a question


@dataclass(frozen=True, slots=True)
class Visibility:
    """Which memories the reader may see."""

    shared: bool
    sensitive: bool

    @classmethod
    def of(cls, viewer: Viewer) -> Visibility:
        return cls(viewer.shared, viewer.sees_all)

    @property
    def audience(self) -> str:
        return "shared" if self.shared else "private"

    def allows(self, node: Node) -> bool:
        """Whether the reader may see a memory."""
        return (node.audience == "shared" or not self.shared) and (self.sensitive or not node.sensitive)


def recap_of(
    core: Core, *, session: str | None, channel: str | None, at: datetime, budget: int, visible: Visibility
) -> Recap:
    """Returns the recap. `session` is the one that begins now."""
    from omoide.working.recap import Recap

    store = core.seen
    last, turns = _last_session(core, session, channel, visible)
    wanted = NarrativeFilter(limit=_NARRATIVES, channel=channel, shared=visible.shared, sensitive=visible.sensitive)
    since = 0 if last is None else store.narratives.last_turn(last.name)
    return Recap(
        at=at,
        session=last,
        latest=_since_last_narrative(core, last, visible),
        narratives=tuple(store.narratives.list_narratives(wanted)),
        open=tuple(_open_questions(core, turns, visible)),
        goals=tuple(node for node in active_goals(core) if visible.allows(node)),
        news=tuple(store.narratives.learned_since(since, _NEWS, shared=visible.shared, sensitive=visible.sensitive)),
        budget=budget,
        fence=core.new_fence(),
    )


def _last_session(
    core: Core, begins: str | None, channel: str | None, visible: Visibility
) -> tuple[Session | None, list[Node]]:
    """The last session of which something may be shown, and the turns of it and a few before it."""
    found = [
        each
        for each in core.seen.sessions.recent(_SESSIONS_SEARCHED)
        if each.name != begins and each.episode_count and channel in (None, each.channel)
    ]
    while found:
        names = [each.name for each in found[:_SESSIONS]]
        turns = [node for node in core.seen.narratives.latest_turns(names, _TURNS) if visible.allows(node)]
        if any(node.session == found[0].name for node in turns):
            return replace(found[0], summary=None if visible.shared else found[0].summary), turns
        del found[0]
    return None, []


def _since_last_narrative(core: Core, last: Session | None, visible: Visibility) -> str | None:
    """What was said since the last narrative, in a sentence made by rules; nothing is stored."""
    from omoide.learn.narrative import narrative_sentence

    if last is None:
        return None
    ids = core.seen.narratives.unnarrated(last.name)
    found = core.seen.nodes.fetch(ids)
    made = narrative_sentence([found[id] for id in ids if id in found and visible.allows(found[id])])
    return None if made is None else made.text


def _open_questions(core: Core, turns: Sequence[Node], visible: Visibility) -> list[OpenQuestion]:
    """Notes that keep a question open, then the latest questions and plans that no later turn has closed."""
    from omoide.maintain.summaries import find_open_items, is_closed
    from omoide.working.recap import OpenQuestion

    keep = NodeFilter(
        kinds=("note",),
        tags=(OPEN_TAG,),
        audience=visible.audience,
        sensitive=visible.sensitive,
        valid_at=core.clock(),
    )
    over = _closed_ids(core)
    ids = [id for id in core.seen.search.matching(keep, _OPEN_QUESTIONS + len(over)) if id not in over]
    notes = core.seen.nodes.fetch(ids)
    found = find_open_items(turns)
    open = (each for each in found.open if each.turn not in over and not is_closed(each, found.done))
    distinct = {each.text.casefold(): each for each in open}
    by_hand = [OpenQuestion(id, notes[id].text) for id in ids]
    return [*by_hand, *(OpenQuestion(each.turn, each.text) for each in reversed(distinct.values()))][:_OPEN_QUESTIONS]


def _closed_ids(core: Core) -> set[int]:
    ids = core.seen.search.matching(NodeFilter(kinds=("note",), tags=(CLOSED_TAG,)), _CLOSED_NOTES)
    details = [node.details for node in core.seen.nodes.fetch(ids).values()]
    return {int(each["closes"]) for each in details if isinstance(each, dict) and "closes" in each}
