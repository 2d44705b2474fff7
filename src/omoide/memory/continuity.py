"""What an agent reads when it returns: the recap, and the continuity page with what others added to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from omoide.domain import Node, Session
from omoide.domain.quotation import Fence, labelled, one_line
from omoide.domain.trust import Viewer
from omoide.language.text import validate_text
from omoide.language.tokens import estimate
from omoide.memory.core import Core
from omoide.memory.live_sessions import active_goals
from omoide.memory.read import search
from omoide.memory.write import store_statement
from omoide.observe.drafts import RememberedStatement, content_key
from omoide.store import NarrativeFilter, NodeFilter

if TYPE_CHECKING:
    from omoide.transfer.continuity import ContinuityAddition, ContinuityLine, ContinuityPage, ContinuitySection


_MEMORIES, _MISTAKES, _HANDOFFS, _LEDGERS = 15, 10, 5, 5
_SEARCHED = 100  # handoffs and ledgers, of which the visible ones are shown
_RECAP_TOKENS = 500
_TAG = "continuity"
_TITLES = ("Relevant Memories", "Mistakes to Avoid", "Open Threads", "Where I Was", "Handoffs", "Ledgers")
_SHARES = (0.38, 0.2, 0.14, 0.14, 0.08, 0.06)  # of the budget


def export_page(core: Core, page: str, *, goal: str | None, budget: int, viewer: Viewer) -> str:
    """Returns the page with our part made anew."""
    from omoide.transfer import continuity

    unread = [each for each in _additions(core, page) if each.generated_part and not _is_stored(core, each)]
    sections = _sections(core, goal, viewer, continuity.split_page(page))
    return continuity.render_continuity(page, sections, budget, unread)


def import_page(core: Core, page: str) -> list[Node]:
    """Stores what others added to the page or ticked off, each once."""
    from omoide.transfer import continuity

    validate_text(page, core.settings.max_text_bytes)
    new = [each for each in _additions(core, page) if not _is_stored(core, each)]
    stored = [_store_addition(core, each) for each in new]
    for id, text in continuity.checked_off_lines(page):
        key = f"{_TAG}:closed:{id}"
        if core.store.summaries.summary_by_key(content_key("statement", key)) is None:
            stored.append(_note(core, f"Done: {text}", key, CLOSED_TAG, details={"closes": id}))
    return [node for node in stored if node.state != "erased"]


def _additions(core: Core, page: str) -> list[ContinuityAddition]:
    """What others wrote, including lines with an id that this file never gave."""
    from omoide.transfer import continuity

    newest = core.store.boards.highest_node_id()  # an erased memory had a lower id, and must not come back from a page
    return [*continuity.read_additions(page), *(each for id, each in continuity.lines_with_id(page) if id > newest)]


def _store_addition(core: Core, each: ContinuityAddition) -> Node:
    heading = each.heading.casefold()
    if each.done:
        return _note(core, f"Done: {each.text}", _key(each), CLOSED_TAG)
    if "mistake" in heading or "avoid" in heading:
        return _note(core, each.text, _key(each), kind="antipattern")
    if any(word in heading for word in ("thread", "open", "todo", "to do", "next")):
        return _note(core, each.text, _key(each), OPEN_TAG)
    return _note(core, each.text, _key(each))


def _note(core: Core, text: str, key: str, *tags: str, kind: str = "note", details: Any = None) -> Node:
    statement = RememberedStatement(
        text=text, kind=kind, tags=[_TAG, *tags], details=details, origin="document", key=key
    )
    return store_statement(core, statement)


def _is_stored(core: Core, each: ContinuityAddition) -> bool:
    return core.store.summaries.summary_by_key(content_key("statement", _key(each))) is not None


def _sections(core: Core, goal: str | None, viewer: Viewer, page: ContinuityPage) -> list[ContinuitySection]:
    """The sections in the order of the page, without lines that someone wrote on the page themselves."""
    from omoide.transfer.continuity import ContinuityLine, ContinuitySection

    now = core.local_time(None)
    recap = recap_of(core, session=None, channel=None, at=now, budget=_RECAP_TOKENS, viewer=viewer)
    story = [_line(node) for node in recap.narratives]
    if recap.latest is not None and recap.session is not None:
        story.insert(0, ContinuityLine(core.seen.narratives.last_turn(recap.session.name), "latest", recap.latest))
    questions = [ContinuityLine(each.id, "open", each.text) for each in recap.open]
    wrong = core.seen.narratives.mistakes(_MISTAKES, shared=viewer.shared, sensitive=viewer.sees_all)
    mistakes = [_mistake(core, node, viewer) for node in wrong]
    handoffs = [_line(node) for node in _handoffs(core, viewer)]
    ledgers = [_line(node) for node in _ledgers(core, viewer)]
    taken = {line.id for line in (*story, *questions, *mistakes, *handoffs, *ledgers)}
    memories = [_line(node) for node in _relevant(core, goal, viewer) if node.id not in taken]
    found = (memories, mistakes, questions, story, handoffs, ledgers)
    return [
        ContinuitySection(title, tuple(line for line in lines if " ".join(line.text.split()) not in page.around), share)
        for title, lines, share in zip(_TITLES, found, _SHARES, strict=True)
    ]


def _mistake(core: Core, node: Node, viewer: Viewer) -> ContinuityLine:
    """What had to be corrected, with the wrong version."""
    from omoide.transfer.continuity import ContinuityLine

    before = [id for id in core.seen.nodes.versions(node.id) if id < node.id]
    old = core.seen.nodes.fetch(before[-1:]).get(before[-1]) if before else None
    was = f" (not: {old.full_text})" if old is not None and old.full_text and viewer.allows(old) else ""
    return ContinuityLine(node.id, node.kind, f"{node.full_text}{was}")


def _relevant(core: Core, goal: str | None, viewer: Viewer) -> list[Node]:
    """The best memories for the goal, or for the start of a session, in a stable order."""
    keep = NodeFilter(audience=viewer.audience, sensitive=viewer.sees_all, valid_at=core.clock())
    found = search(core, goal or "", None, _MEMORIES, keep, "everyday" if goal else "session_start")
    nodes = (hit.node for hit in found if hit.node.kind not in ("narrative", "handoff"))
    return sorted(nodes, key=lambda node: node.id)


def _handoffs(core: Core, viewer: Viewer) -> list[Node]:
    """Handoffs that nobody has accepted."""
    return [node for node in core.seen.agents.list_handoffs(None, True, _SEARCHED) if viewer.allows(node)][:_HANDOFFS]


def _ledgers(core: Core, viewer: Viewer) -> list[Node]:
    """The memory of each agent's latest checkpoint."""
    ids = [each.node_id for each in core.seen.agents.list_ledgers() if each.node_id is not None][:_SEARCHED]
    held = core.seen.nodes.fetch(ids)
    return [held[id] for id in ids if id in held and viewer.allows(held[id])][:_LEDGERS]


def _line(node: Node) -> ContinuityLine:
    from omoide.transfer.continuity import ContinuityLine

    return ContinuityLine(node.id, node.kind, node.full_text)


def _key(each: ContinuityAddition) -> str:
    """The same text is the same addition, wherever it is on the page."""
    words = blake2b(" ".join(each.text.split()).encode(), digest_size=16).hexdigest()
    return f"{_TAG}:done:{words}" if each.done else f"{_TAG}:{words}"


# Builds a recap: the last session, the latest narratives, open questions, active goals and news.


_NARRATIVES = 3
_SESSIONS = 3  # whose open questions are still of interest
_TURNS = 300  # of these sessions, searched for questions and plans
_OPEN_QUESTIONS = 8
_NEWS = 5
_SESSIONS_SEARCHED = 50  # for the last one that may be shown
_CLOSED_NOTES = 200  # the latest; earlier ones do not belong to the last sessions
OPEN_TAG = "open-thread"  # tag of a note that keeps a question open
CLOSED_TAG = "closed-thread"  # tag of a note that closes a question


def recap_of(
    core: Core, *, session: str | None, channel: str | None, at: datetime, budget: int, viewer: Viewer
) -> Recap:
    """Returns the recap. `session` is the one that begins now."""

    store = core.seen
    last, turns = _last_session(core, session, channel, viewer)
    wanted = NarrativeFilter(limit=_NARRATIVES, channel=channel, shared=viewer.shared, sensitive=viewer.sees_all)
    since = 0 if last is None else store.narratives.last_turn(last.name)
    return Recap(
        at=at,
        session=last,
        latest=_since_last_narrative(core, last, viewer),
        narratives=tuple(store.narratives.list_narratives(wanted)),
        open=tuple(_open_questions(core, turns, viewer)),
        goals=tuple(node for node in active_goals(core) if viewer.allows(node)),
        news=tuple(store.narratives.learned_since(since, _NEWS, shared=viewer.shared, sensitive=viewer.sees_all)),
        budget=budget,
        fence=core.new_fence(),
    )


def _last_session(
    core: Core, begins: str | None, channel: str | None, viewer: Viewer
) -> tuple[Session | None, list[Node]]:
    """The last session of which something may be shown, and the turns of it and a few before it."""
    found = [
        each
        for each in core.seen.sessions.recent(_SESSIONS_SEARCHED)
        if each.name != begins and each.episode_count and channel in (None, each.channel)
    ]
    while found:
        names = [each.name for each in found[:_SESSIONS]]
        turns = [node for node in core.seen.narratives.latest_turns(names, _TURNS) if viewer.allows(node)]
        if any(node.session == found[0].name for node in turns):
            return replace(found[0], summary=None if viewer.shared else found[0].summary), turns
        del found[0]
    return None, []


def _since_last_narrative(core: Core, last: Session | None, viewer: Viewer) -> str | None:
    """What was said since the last narrative, in a sentence made by rules; nothing is stored."""
    from omoide.learn.narrative import narrative_sentence

    if last is None:
        return None
    ids = core.seen.narratives.unnarrated(last.name)
    found = core.seen.nodes.fetch(ids)
    made = narrative_sentence([found[id] for id in ids if id in found and viewer.allows(found[id])])
    return None if made is None else made.text


def _open_questions(core: Core, turns: Sequence[Node], viewer: Viewer) -> list[OpenQuestion]:
    """Notes that keep a question open, then the latest questions and plans that no later turn has closed."""
    from omoide.maintain.summaries import find_open_items, is_closed

    keep = NodeFilter(
        kinds=("note",),
        tags=(OPEN_TAG,),
        audience=viewer.audience,
        sensitive=viewer.sees_all,
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


# The recap: what an agent needs to know when it comes back, and the place of a narrative in its chain.


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativePassage:
    """A narrative with its neighbours in the chain, and the ids of the nodes it was written from."""

    narrative: Node
    previous: Node | None
    next: Node | None
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question without an answer, or a plan without a report: text of a turn or a note."""

    id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recap:
    """The last session: where it stood, its goals, what is still open, and what became known since.

    `narratives` and `news` have the latest first. `latest` is a sentence on what was said after the last narrative.
    """

    at: datetime
    session: Session | None = None
    latest: str | None = None
    narratives: tuple[Node, ...] = ()
    open: tuple[OpenQuestion, ...] = ()
    goals: tuple[Node, ...] = ()
    news: tuple[Node, ...] = ()
    budget: int = 500
    fence: Fence = field(default_factory=Fence.new)

    def __bool__(self) -> bool:
        return self.session is not None or bool(self.narratives)

    def __repr__(self) -> str:
        name = self.session.name if self.session else None
        return f"Recap({name!r}, {len(self.narratives)} narratives, {len(self.open)} open, {len(self.news)} new)"

    def __str__(self) -> str:
        return self.text

    @property
    def markdown(self) -> str:
        """Markdown for a prompt, fenced as data; empty if there is nothing to say."""
        text = _rendered(self._sections(), self.budget - estimate(self.fence.empty) - 1, "### ")
        return self.fence.around(text) if text else ""

    @property
    def text(self) -> str:
        return _rendered(self._sections(), self.budget, "")

    @property
    def tokens(self) -> int:
        return estimate(self.markdown)

    def _sections(self) -> list[tuple[str, list[str]]]:
        """Most important first: what does not fit is left out at the end."""
        lines = [f"- {one_line(self.latest)}"] if self.latest else []
        lines += [_node_line(node, f"{iso_day(node.event_at)}: ") for node in self.narratives]
        return [
            (self._head(), lines),
            ("Goals", [_node_line(node) for node in self.goals]),
            ("Still open", [f"- {one_line(each.text)} [id:{each.id}]" for each in self.open]),
            ("New since", [_node_line(node) for node in self.news]),
        ]

    def _head(self) -> str:
        if self.session is None:
            return "Where you were"
        return f"Where you were: {one_line(self.session.name)}, {iso_day(self.session.last_at)}"


def iso_day(at: datetime) -> str:
    """The date. Unlike an age it stays the same tomorrow."""
    return at.date().isoformat()


def _node_line(node: Node, front: str = "") -> str:
    return f"- {front}{labelled(node, node.full_text)} [id:{node.id}]"


def _rendered(sections: Sequence[tuple[str, Sequence[str]]], budget: int, mark: str) -> str:
    """Whole lines within the budget; a heading only if one of its lines fits."""
    lines: list[str] = []
    for title, found in sections:
        head = [f"{mark}{title}"]
        for line in found:
            if estimate("\n".join([*lines, *head, line])) > budget:
                return "\n".join(lines)
            lines += [*head, line]
            head = []
    return "\n".join(lines)
