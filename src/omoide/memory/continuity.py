"""Builds the continuity page from a memory, and stores what others added to the page."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from omoide.domain import Node
from omoide.language.text import validate_text
from omoide.memory.core import Core
from omoide.memory.read import search
from omoide.memory.recap import CLOSED_TAG, OPEN_TAG, Visibility, recap_of
from omoide.memory.write import store_statement
from omoide.observe.drafts import RememberedStatement, content_key
from omoide.store import NodeFilter

if TYPE_CHECKING:
    from omoide.transfer.continuity import ContinuityAddition, ContinuityLine, ContinuityPage, ContinuitySection

_MEMORIES, _MISTAKES, _HANDOFFS, _LEDGERS = 15, 10, 5, 5
_SEARCHED = 100  # handoffs and ledgers, of which the visible ones are shown
_RECAP_TOKENS = 500
_TAG = "continuity"
_TITLES = ("Relevant Memories", "Mistakes to Avoid", "Open Threads", "Where I Was", "Handoffs", "Ledgers")
_SHARES = (0.38, 0.2, 0.14, 0.14, 0.08, 0.06)  # of the budget


def export_page(core: Core, page: str, *, goal: str | None, budget: int, visible: Visibility) -> str:
    """Returns the page with our part made anew."""
    from omoide.transfer import continuity

    unread = [each for each in _additions(core, page) if each.generated_part and not _is_stored(core, each)]
    sections = _sections(core, goal, visible, continuity.split_page(page))
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


def _sections(core: Core, goal: str | None, visible: Visibility, page: ContinuityPage) -> list[ContinuitySection]:
    """The sections in the order of the page, without lines that someone wrote on the page themselves."""
    from omoide.transfer.continuity import ContinuityLine, ContinuitySection

    now = core.local_time(None)
    recap = recap_of(core, session=None, channel=None, at=now, budget=_RECAP_TOKENS, visible=visible)
    story = [_line(node) for node in recap.narratives]
    if recap.latest is not None and recap.session is not None:
        story.insert(0, ContinuityLine(core.seen.narratives.last_turn(recap.session.name), "latest", recap.latest))
    questions = [ContinuityLine(each.id, "open", each.text) for each in recap.open]
    wrong = core.seen.narratives.mistakes(_MISTAKES, shared=visible.shared, sensitive=visible.sensitive)
    mistakes = [_mistake(core, node, visible) for node in wrong]
    handoffs = [_line(node) for node in _handoffs(core, visible)]
    ledgers = [_line(node) for node in _ledgers(core, visible)]
    taken = {line.id for line in (*story, *questions, *mistakes, *handoffs, *ledgers)}
    memories = [_line(node) for node in _relevant(core, goal, visible) if node.id not in taken]
    found = (memories, mistakes, questions, story, handoffs, ledgers)
    return [
        ContinuitySection(title, tuple(line for line in lines if " ".join(line.text.split()) not in page.around), share)
        for title, lines, share in zip(_TITLES, found, _SHARES, strict=True)
    ]


def _mistake(core: Core, node: Node, visible: Visibility) -> ContinuityLine:
    """What had to be corrected, with the wrong version."""
    from omoide.transfer.continuity import ContinuityLine

    before = [id for id in core.seen.nodes.versions(node.id) if id < node.id]
    old = core.seen.nodes.fetch(before[-1:]).get(before[-1]) if before else None
    was = f" (not: {old.full_text})" if old is not None and old.full_text and visible.allows(old) else ""
    return ContinuityLine(node.id, node.kind, f"{node.full_text}{was}")


def _relevant(core: Core, goal: str | None, visible: Visibility) -> list[Node]:
    """The best memories for the goal, or for the start of a session, in a stable order."""
    keep = NodeFilter(audience=visible.audience, sensitive=visible.sensitive, valid_at=core.clock())
    found = search(core, goal or "", None, _MEMORIES, keep, "everyday" if goal else "session_start")
    nodes = (hit.node for hit in found if hit.node.kind not in ("narrative", "handoff"))
    return sorted(nodes, key=lambda node: node.id)


def _handoffs(core: Core, visible: Visibility) -> list[Node]:
    """Handoffs that nobody has accepted."""
    return [node for node in core.seen.agents.list_handoffs(None, True, _SEARCHED) if visible.allows(node)][:_HANDOFFS]


def _ledgers(core: Core, visible: Visibility) -> list[Node]:
    """The memory of each agent's latest checkpoint."""
    ids = [each.node_id for each in core.seen.agents.list_ledgers() if each.node_id is not None][:_SEARCHED]
    held = core.seen.nodes.fetch(ids)
    return [held[id] for id in ids if id in held and visible.allows(held[id])][:_LEDGERS]


def _line(node: Node) -> ContinuityLine:
    from omoide.transfer.continuity import ContinuityLine

    return ContinuityLine(node.id, node.kind, node.full_text)


def _key(each: ContinuityAddition) -> str:
    """The same text is the same addition, wherever it is on the page."""
    words = blake2b(" ".join(each.text.split()).encode(), digest_size=16).hexdigest()
    return f"{_TAG}:done:{words}" if each.done else f"{_TAG}:{words}"
