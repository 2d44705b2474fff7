"""The controller: ranks what the sources post, keeps the budget, decides what leaves. Pure: values in, values out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from omoide.layers import Node
from omoide.recall.choose import Form, Item, Room, choose
from omoide.recall.fit import Line, Section
from omoide.recall.inject import CLOSE, OPEN, introduction, line
from omoide.recall.shorter import distinct, words
from omoide.text import shorten
from omoide.working.board import PROTECTED, Board, Held
from omoide.working.budget import Budget
from omoide.working.plans import Plan
from omoide.working.prompt import EARLIER, GOALS, STANDING, Message, cost, earlier, messages, spoken
from omoide.working.source import Posting

Counter = Callable[[str], int]
FADE = 0.7  # of a memory's relevance is left at each message that does not ask for it again
_FORGOTTEN = 0.03  # what is left of relevance when a memory leaves the board by itself
_TAIL = 8  # characters: a shorter end tells nothing
_ESSENTIALS = 3  # facts of a profile that is reduced (Kira-L)
_PREFERENCES, _PROFILE = STANDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """All that a prompt is made of: the board, the words of its turns, what was posted, and the room there is."""

    board: Board
    plan: Plan
    budget: Budget
    turns: Sequence[Node]  # of the board, oldest first
    summaries: Sequence[Node]
    message: str | None  # the latest turn in the user's own words, where it is not answered yet
    postings: Sequence[Posting]
    asked: Sequence[str]
    allowance: int  # tokens that one message may add
    now: datetime
    count: Counter
    essentials: bool = False

    def says(self, node: Node) -> str:
        return self.message if self.message is not None and node is self.turns[-1] else node.text


@dataclass(frozen=True, slots=True)
class Arranged:
    """A prompt that keeps the budget, and what of the memories is in it."""

    messages: tuple[Message, ...]
    sections: tuple[Section, ...]
    tokens: int
    retrieved: tuple[Held, ...]
    standing: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """What a prompt holds whatever was recalled, and what that costs: memories get the room that is left."""

    always: tuple[Section, ...]
    talk: list[Message]
    conversation: int
    spent: int


def conversation_cost(desk: Desk) -> int:
    return cost([spoken(node, desk.says(node)) for node in desk.turns], desk.count)


def laid(desk: Desk) -> Laid:
    talk = [spoken(node, desk.says(node)) for node in desk.turns]
    always = _always(desk)
    spent = cost(messages(desk.board.system, always, talk), desk.count)
    return Laid(always, talk, cost(talk, desk.count), spent)


def too_long(desk: Desk, found: Laid) -> bool:
    """Whether it would not fit even with no memory retrieved, which is what leaves first."""
    return found.conversation > desk.budget.conversation or found.spent > desk.budget.prompt


def arrange(desk: Desk, found: Laid) -> Arranged:
    """The prompt: what stands always, the conversation, and the best of the memories in the room that is left."""
    notes: list[str] = []
    always, talk, spent = found.always, found.talk, found.spent
    if spent > desk.budget.prompt:
        always, talk = _squeezed(desk, notes)
        spent = cost(messages(desk.board.system, always, talk), desk.count)
    known = {each.id for section in always for each in section.lines}
    sections, posted = _memories(desk, known, _room(desk, spent))
    while sections and cost(messages(desk.board.system, (*always, *sections), talk), desk.count) > desk.budget.prompt:
        sections = _without_least(sections, posted)  # a count of parts may fall short of the whole
    whole = messages(desk.board.system, (*always, *sections), talk)
    return Arranged(
        messages=tuple(whole),
        sections=(*always, *sections),
        tokens=cost(whole, desk.count),
        retrieved=_held(desk.board, sections, posted),
        standing=tuple(each.id for section in always if section.title in STANDING for each in section.lines if each.id),
        notes=tuple(notes),
    )


def still_held(board: Board, held: Mapping[int, Node], *, flushed: bool) -> list[Posting]:
    """What is on the board already and still matters a little; nothing where the topic is a new one, since what
    belongs to that is found again."""
    return [
        Posting(each.sort, value, "on the board", held[each.id])
        for each in board.retrieved
        if not flushed and each.id in held and (value := each.value * FADE) >= _FORGOTTEN
    ]


# ── what stands always ────────────────────────────────────────────────────────────────────────────────────────────


def _always(desk: Desk) -> tuple[Section, ...]:
    """Preferences first, then who the user is, what was said before, and what it is all for."""
    profile = [each for each in desk.postings if each.sort == "profile"]
    preferences = [each for each in desk.postings if each.sort == "preference"]
    if desk.essentials:
        profile, preferences = _best(profile), _best(preferences)
    sections = [
        _standing(desk, _PREFERENCES, preferences, desk.budget.preferences),
        _standing(desk, _PROFILE, profile, desk.budget.profile),
        Section(EARLIER, tuple(earlier(each, each.text) for each in desk.summaries)),
        goals(desk.postings, desk.now),
    ]
    return tuple(section for section in sections if section.lines)


def goals(postings: Sequence[Posting], now: datetime) -> Section:
    active = [each.node for each in postings if each.sort == "goal" and each.node is not None]
    return Section(GOALS, tuple(earlier(node, node.text) for node in active))


def _best(postings: Sequence[Posting]) -> list[Posting]:
    return sorted(postings, key=lambda each: -each.value)[:_ESSENTIALS]


def _standing(desk: Desk, title: str, postings: Sequence[Posting], room: int) -> Section:
    best: dict[int, Posting] = {}
    for each in postings:
        if each.node is not None and (each.node.id not in best or best[each.node.id].value < each.value):
            best[each.node.id] = each
    items = [item for each in best.values() if (item := _item(desk, each, title, each.value))]
    chosen = choose(items, Room(room, titles={title: desk.count(f"### {title}\n")}))
    lines = [Line(each.node, chosen[id].text, chosen[id].tokens) for id, each in best.items() if id in chosen]
    return Section(title, tuple(lines))


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _room(desk: Desk, spent: int) -> int:
    """Kira-R's sum, never more than the slot, nor more than one message may add to what is there."""
    held = {each.id for each in desk.board.retrieved}
    there = sum(desk.count(each.node.text) for each in desk.postings if each.node is not None and each.node.id in held)
    fence = desk.count(f"{OPEN}\n{CLOSE}\n\n")
    return min(desk.budget.left_for_memories(spent), desk.allowance + there) - fence


def _memories(desk: Desk, known: set[int | None], room: int) -> tuple[list[Section], dict[int, Posting]]:
    """The parts of the plan, filled by value for tokens; and what was posted of each memory in them."""
    window = {*desk.board.turns, *known, *desk.board.summaries}
    best: dict[tuple[str, int], Posting] = {}
    for each in desk.postings:
        if each.sort in ("preference", "profile", "goal") or (each.node is not None and each.node.id in window):
            continue  # what is in the window is not injected again
        if each.key not in best or best[each.key].value < each.value:
            best[each.key] = each
    items = {key: _item(desk, each, desk.plan.part_of(each.sort).title, each.value) for key, each in best.items()}
    titles = {part.title: desk.count(f"### {part.title}\n") for part in desk.plan.parts}
    chosen = choose([each for each in items.values() if each], Room(max(0, room), desk.plan.shares, titles))
    sections = []
    for part in desk.plan.parts:
        lines = [
            Line(each.node, form.text, form.tokens)
            for key, each in sorted(best.items(), key=lambda found: found[0][0] == "node")  # who it is before what
            if (item := items[key]) and item.part == part.title and (form := chosen.get(item.key))
        ]
        if lines:
            sections.append(Section(part.title, tuple(lines)))
    return sections, {each.node.id: each for each in best.values() if each.node is not None}


def _item(desk: Desk, posting: Posting, part: str, value: float) -> Item | None:
    if posting.node is None:
        assert posting.entity is not None
        text = introduction(posting.entity)
        form = Form(text, desk.count(text + "\n"))
        return Item(("entity", posting.entity.id), part, value, (form,), words(text))
    node = posting.node

    def written(text: str) -> str:
        return line(node, text, desk.now)

    found = distinct(lambda text: desk.count(written(text) + "\n"), node, desk.asked)
    forms = tuple(Form(written(text), tokens, keeps) for text, tokens, keeps in found)
    return Item(node.id, part, value, forms, words(node.text), frozenset(posting.rests_on))


def _without_least(sections: Sequence[Section], posted: Mapping[int, Posting]) -> list[Section]:
    """Kira-L's first eviction: the least relevant of what was retrieved."""
    worths = [
        (posted[each.id].value if each.id is not None else 0.0, -place, -number)
        for place, section in enumerate(sections)
        for number, each in enumerate(section.lines)
    ]
    _, place, number = min(worths)
    kept = [
        replace(section, lines=tuple(each for at, each in enumerate(section.lines) if (at, where) != (-number, -place)))
        for where, section in enumerate(sections)
    ]
    return [section for section in kept if section.lines]


def _held(board: Board, sections: Sequence[Section], posted: Mapping[int, Posting]) -> tuple[Held, ...]:
    """What is on the board now, in the order in which it came there."""
    since = {each.id: each.since for each in board.retrieved}
    ids = [each.id for section in sections for each in section.lines if each.id is not None]
    found = [Held(id, posted[id].sort, posted[id].value, since.get(id, board.said)) for id in ids]
    return tuple(sorted(found, key=lambda each: (each.since, ids.index(each.id))))


# ── when even the protected is too long ───────────────────────────────────────────────────────────────────────────


def _squeezed(desk: Desk, notes: list[str]) -> tuple[tuple[Section, ...], list[Message]]:
    """Only what is never evicted, each turn cut so far that all of them fit: the latest is whole if it fits."""
    always = tuple(section for section in _always(desk) if section.title == GOALS)
    kept = desk.turns[-PROTECTED:]
    bare = [spoken(node, "…") for node in kept]
    left = desk.budget.prompt - cost(messages(desk.board.system, always, bare), desk.count)
    talk = _cut_turns(desk, kept, left)
    while left > 0 and (over := cost(messages(desk.board.system, always, talk), desk.count) - desk.budget.prompt) > 0:
        left -= over  # a count of parts may fall short of the whole
        talk = _cut_turns(desk, kept, left)
    notes.append("what is never evicted does not fit: its turns are cut; whole they are in the file")
    return always, talk


def _cut_turns(desk: Desk, kept: Sequence[Node], left: int) -> list[Message]:
    talk: list[Message] = []
    for place, node in enumerate(reversed(kept)):
        share = left if place in (0, len(kept) - 1) else left // 2
        text = cut(desk.says(node), share + _said(desk, node, "…"), partial(_said, desk, node))
        left -= max(0, _said(desk, node, text) - _said(desk, node, "…"))
        talk.append(spoken(node, text))
    return talk[::-1]


def _said(desk: Desk, node: Node, text: str) -> int:
    return desk.count(spoken(node, text)["content"])


def cut(text: str, room: int, count: Counter) -> str:
    """As much of the beginning and of the end as fits, at least an ellipsis: what is asked often stands last."""
    if count(text) <= room:
        return text
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(_ends(text, middle)) <= room else (low, middle - 1)
    while low > 1 and count(_ends(text, low)) > room:  # a counter need not grow with the text
        low -= 1
    return _ends(text, low)


def _ends(text: str, size: int) -> str:
    """Both ends in so many characters, the end a third of them where it is more than a word."""
    tail = size // 3
    return shorten(text, size) if tail < _TAIL else f"{shorten(text, size - tail)}{text[-tail:]}"
