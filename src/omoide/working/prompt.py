"""What goes to the model before a reply: memories and conversation as messages, and the memories alone as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from omoide.domain import Node
from omoide.language.text import shorten
from omoide.recall.budget_selection import PackItem, TextForm, TokenRoom, choose_forms, comparison_words, distinct_forms
from omoide.recall.context_pack import (
    FENCE_CLOSE,
    FENCE_OPEN,
    PackLine,
    PackSection,
    entity_line,
    escape_fence,
    memory_line,
    pack_markdown,
)
from omoide.recall.results import Recall
from omoide.working.board import PROTECTED_TURNS, Board, HeldMemory
from omoide.working.budget import MemoryPlan, WindowBudget
from omoide.working.sources import PostedMemory

TOKENS_PER_MESSAGE = (
    4  # tokens that a chat format spends on a message beside its words; OpenAI documents 3 and one for the role
)
STANDING_TITLES = ("Preferences", "About the user")
EARLIER_TITLE = "Earlier in this conversation"
GOALS_TITLE = "Goals"
ChatMessage = dict[str, str]
_BOLD = re.compile(r"\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """`messages` never cost more than `budget`; the memories alone are in them too, and cost less."""

    messages: tuple[ChatMessage, ...]
    sections: tuple[PackSection, ...]  # what changes least first
    tokens: int
    budget: int
    added: tuple[int, ...]  # memories that were not in the window before
    triggers: tuple[str, ...]
    notes: tuple[str, ...]
    recall: Recall | None

    @property
    def ids(self) -> list[int]:
        return [line.id for section in self.sections for line in section.lines if line.id is not None]

    @property
    def markdown(self) -> str:
        """All memories, fenced as data."""
        return pack_markdown(self.sections)

    @property
    def text(self) -> str:
        """The same without Markdown."""
        return plain_text(self.sections)

    @property
    def news(self) -> str:
        """Only what was not in the window before: for a loop that appends to a history of its own."""
        fresh = set(self.added)
        return pack_markdown(_only_lines(self.sections, fresh))


def plain_text(sections: Sequence[PackSection]) -> str:
    if not sections:
        return ""
    parts = [
        f"{section.title}:\n" + "\n".join(_BOLD.sub(r"\1", line.text) for line in section.lines) for section in sections
    ]
    return "\n".join((FENCE_OPEN, *parts, FENCE_CLOSE))


def _only_lines(sections: Sequence[PackSection], ids: set[int]) -> list[PackSection]:
    kept = [PackSection(each.title, tuple(line for line in each.lines if line.id in ids)) for each in sections]
    return [section for section in kept if section.lines]


def chat_messages(system: str, sections: Sequence[PackSection], talk: Sequence[ChatMessage]) -> list[ChatMessage]:
    """The system prompt with what stands always, the conversation, and the rest beside the latest message.

    In this order a prompt begins as the one before it did, up to the latest turn, and prompt caches hold: memories
    that change with every message stand at the end.
    """
    lasting = [each for each in sections if each.title in (*STANDING_TITLES, EARLIER_TITLE)]
    passing = [each for each in sections if each.title not in (*STANDING_TITLES, EARLIER_TITLE)]
    head = "\n\n".join(filter(None, (system, pack_markdown(lasting))))
    found = [{"role": "system", "content": head}] if head else []
    if not talk:
        return found + ([{"role": "user", "content": pack_markdown(passing)}] if passing else [])
    *before, latest = talk
    content = "\n\n".join(filter(None, (pack_markdown(passing), latest["content"])))
    return [*found, *before, {**latest, "content": content}]


def message_tokens(found: Sequence[ChatMessage], count: Callable[[str], int]) -> int:
    return sum(count(each["content"]) + TOKENS_PER_MESSAGE for each in found)


def turn_message(node: Node, text: str) -> ChatMessage:
    """A turn as chat formats have it. What tools and others said is told under their name, as data."""
    if node.role == "agent":
        return {"role": "assistant", "content": text}
    if node.role == "user":
        named = node.speaker and not text.startswith(f"{node.speaker}:")
        return {"role": "user", "content": f"{node.speaker}: {text}" if named else text}
    return {"role": "user", "content": f"[{node.role}] {escape_fence(text)}"}


def whole_line(node: Node, text: str) -> PackLine:
    """What is told whole and has neither age nor confidence: the turns that left the window, summed up; a goal."""
    return PackLine(node, f"- {escape_fence(' '.join(text.split()))} [id:{node.id}]", 0)


# The controller: ranks what the sources post, keeps the budget, decides what leaves. Pure: values in, values out.


PromptCounter = Callable[[str], int]
BOARD_DECAY = 0.7  # of a memory's relevance is left at each message that does not ask for it again
_LEAST_VALUE = 0.03  # what is left of relevance when a memory leaves the board by itself
_LEAST_TAIL = 8  # characters: a shorter end tells nothing
_ESSENTIALS = 3  # facts of a profile that is reduced (Kira-L)
_PREFERENCES_TITLE, _PROFILE_TITLE = STANDING_TITLES


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInputs:
    """All that a prompt is made of: the board, the words of its turns, what was posted, and the room there is."""

    board: Board
    plan: MemoryPlan
    budget: WindowBudget
    turns: Sequence[Node]  # of the board, oldest first
    summaries: Sequence[Node]
    message: str | None  # the latest turn in the user's own words, where it is not answered yet
    postings: Sequence[PostedMemory]
    asked: Sequence[str]
    allowance: int  # tokens that one message may add
    now: datetime
    count: PromptCounter
    essentials: bool = False

    def says(self, node: Node) -> str:
        return self.message if self.message is not None and node is self.turns[-1] else node.text


@dataclass(frozen=True, slots=True)
class ArrangedPrompt:
    """A prompt that keeps the budget, and what of the memories is in it."""

    messages: tuple[ChatMessage, ...]
    sections: tuple[PackSection, ...]
    tokens: int
    retrieved: tuple[HeldMemory, ...]
    standing: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedContent:
    """What a prompt holds whatever was recalled, and what that costs: memories get the room that is left."""

    always: tuple[PackSection, ...]
    talk: list[ChatMessage]
    conversation: int
    spent: int


def conversation_cost(desk: PromptInputs) -> int:
    return message_tokens([turn_message(node, desk.says(node)) for node in desk.turns], desk.count)


def fixed_content(desk: PromptInputs) -> FixedContent:
    talk = [turn_message(node, desk.says(node)) for node in desk.turns]
    always = _fixed_sections(desk)
    spent = message_tokens(chat_messages(desk.board.system, always, talk), desk.count)
    return FixedContent(always, talk, message_tokens(talk, desk.count), spent)


def exceeds_budget(desk: PromptInputs, found: FixedContent) -> bool:
    """Whether it would not fit even with no memory retrieved, which is what leaves first."""
    return found.conversation > desk.budget.conversation or found.spent > desk.budget.prompt


def arrange_prompt(desk: PromptInputs, found: FixedContent) -> ArrangedPrompt:
    """The prompt: what stands always, the conversation, and the best of the memories in the room that is left."""
    notes: list[str] = []
    always, talk, spent = found.always, found.talk, found.spent
    if spent > desk.budget.prompt:
        always, talk = _cut_protected(desk, notes)
        spent = message_tokens(chat_messages(desk.board.system, always, talk), desk.count)
    known = {each.id for section in always for each in section.lines}
    sections, posted = _memory_sections(desk, known, _memory_room(desk, spent))
    while (
        sections
        and message_tokens(chat_messages(desk.board.system, (*always, *sections), talk), desk.count)
        > desk.budget.prompt
    ):
        sections = _without_least_relevant(sections, posted)  # a count of parts may fall short of the whole
    whole = chat_messages(desk.board.system, (*always, *sections), talk)
    return ArrangedPrompt(
        messages=tuple(whole),
        sections=(*always, *sections),
        tokens=message_tokens(whole, desk.count),
        retrieved=_held_memories(desk.board, sections, posted),
        standing=tuple(
            each.id for section in always if section.title in STANDING_TITLES for each in section.lines if each.id
        ),
        notes=tuple(notes),
    )


def carried_over(board: Board, held: Mapping[int, Node], *, flushed: bool) -> list[PostedMemory]:
    """What is on the board already and still matters a little; nothing where the topic is a new one, since what
    belongs to that is found again."""
    return [
        PostedMemory(each.sort, value, "on the board", held[each.id])
        for each in board.retrieved
        if not flushed and each.id in held and (value := each.value * BOARD_DECAY) >= _LEAST_VALUE
    ]


# ── what stands always ────────────────────────────────────────────────────────────────────────────────────────────


def _fixed_sections(desk: PromptInputs) -> tuple[PackSection, ...]:
    """Preferences first, then who the user is, what was said before, and what it is all for."""
    profile = [each for each in desk.postings if each.sort == "profile"]
    preferences = [each for each in desk.postings if each.sort == "preference"]
    if desk.essentials:
        profile, preferences = _best(profile), _best(preferences)
    sections = [
        _standing_section(desk, _PREFERENCES_TITLE, preferences, desk.budget.preferences),
        _standing_section(desk, _PROFILE_TITLE, profile, desk.budget.profile),
        PackSection(EARLIER_TITLE, tuple(whole_line(each, each.text) for each in desk.summaries)),
        goals_section(desk.postings, desk.now),
    ]
    return tuple(section for section in sections if section.lines)


def goals_section(postings: Sequence[PostedMemory], now: datetime) -> PackSection:
    active = [each.node for each in postings if each.sort == "goal" and each.node is not None]
    return PackSection(GOALS_TITLE, tuple(whole_line(node, node.text) for node in active))


def _best(postings: Sequence[PostedMemory]) -> list[PostedMemory]:
    return sorted(postings, key=lambda each: -each.value)[:_ESSENTIALS]


def _standing_section(desk: PromptInputs, title: str, postings: Sequence[PostedMemory], room: int) -> PackSection:
    best: dict[int, PostedMemory] = {}
    for each in postings:
        if each.node is not None and (each.node.id not in best or best[each.node.id].value < each.value):
            best[each.node.id] = each
    items = [item for each in best.values() if (item := _pack_item(desk, each, title, each.value))]
    chosen = choose_forms(items, TokenRoom(room, titles={title: desk.count(f"### {title}\n")}))
    lines = [PackLine(each.node, chosen[id].text, chosen[id].tokens) for id, each in best.items() if id in chosen]
    return PackSection(title, tuple(lines))


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _memory_room(desk: PromptInputs, spent: int) -> int:
    """Kira-R's sum, never more than the slot, nor more than one message may add to what is there."""
    held = {each.id for each in desk.board.retrieved}
    there = sum(desk.count(each.node.text) for each in desk.postings if each.node is not None and each.node.id in held)
    fence = desk.count(f"{FENCE_OPEN}\n{FENCE_CLOSE}\n\n")
    return min(desk.budget.left_for_memories(spent), desk.allowance + there) - fence


def _memory_sections(
    desk: PromptInputs, known: set[int | None], room: int
) -> tuple[list[PackSection], dict[int, PostedMemory]]:
    """The parts of the plan, filled by value for tokens; and what was posted of each memory in them."""
    window = {*desk.board.turns, *known, *desk.board.summaries}
    best: dict[tuple[str, int], PostedMemory] = {}
    for each in desk.postings:
        if each.sort in ("preference", "profile", "goal") or (each.node is not None and each.node.id in window):
            continue  # what is in the window is not injected again
        if each.key not in best or best[each.key].value < each.value:
            best[each.key] = each
    items = {key: _pack_item(desk, each, desk.plan.part_of(each.sort).title, each.value) for key, each in best.items()}
    titles = {part.title: desk.count(f"### {part.title}\n") for part in desk.plan.parts}
    chosen = choose_forms([each for each in items.values() if each], TokenRoom(max(0, room), desk.plan.shares, titles))
    sections = []
    for part in desk.plan.parts:
        lines = [
            PackLine(each.node, form.text, form.tokens)
            for key, each in sorted(best.items(), key=lambda found: found[0][0] == "node")  # who it is before what
            if (item := items[key]) and item.part == part.title and (form := chosen.get(item.key))
        ]
        if lines:
            sections.append(PackSection(part.title, tuple(lines)))
    return sections, {each.node.id: each for each in best.values() if each.node is not None}


def _pack_item(desk: PromptInputs, posting: PostedMemory, part: str, value: float) -> PackItem | None:
    if posting.node is None:
        assert posting.entity is not None
        text = entity_line(posting.entity)
        form = TextForm(text, desk.count(text + "\n"))
        return PackItem(("entity", posting.entity.id), part, value, (form,), comparison_words(text))
    node = posting.node

    def written(text: str) -> str:
        return memory_line(node, text, desk.now)

    found = distinct_forms(lambda text: desk.count(written(text) + "\n"), node, desk.asked)
    forms = tuple(TextForm(written(text), tokens, keeps) for text, tokens, keeps in found)
    return PackItem(node.id, part, value, forms, comparison_words(node.text), frozenset(posting.rests_on))


def _without_least_relevant(sections: Sequence[PackSection], posted: Mapping[int, PostedMemory]) -> list[PackSection]:
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


def _held_memories(
    board: Board, sections: Sequence[PackSection], posted: Mapping[int, PostedMemory]
) -> tuple[HeldMemory, ...]:
    """What is on the board now, in the order in which it came there."""
    since = {each.id: each.since for each in board.retrieved}
    ids = [each.id for section in sections for each in section.lines if each.id is not None]
    found = [HeldMemory(id, posted[id].sort, posted[id].value, since.get(id, board.said)) for id in ids]
    return tuple(sorted(found, key=lambda each: (each.since, ids.index(each.id))))


# ── when even the protected is too long ───────────────────────────────────────────────────────────────────────────


def _cut_protected(desk: PromptInputs, notes: list[str]) -> tuple[tuple[PackSection, ...], list[ChatMessage]]:
    """Only what is never evicted, each turn cut so far that all of them fit: the latest is whole if it fits."""
    always = tuple(section for section in _fixed_sections(desk) if section.title == GOALS_TITLE)
    kept = desk.turns[-PROTECTED_TURNS:]
    bare = [turn_message(node, "…") for node in kept]
    left = desk.budget.prompt - message_tokens(chat_messages(desk.board.system, always, bare), desk.count)
    talk = _cut_turns(desk, kept, left)
    while (
        left > 0
        and (over := message_tokens(chat_messages(desk.board.system, always, talk), desk.count) - desk.budget.prompt)
        > 0
    ):
        left -= over  # a count of parts may fall short of the whole
        talk = _cut_turns(desk, kept, left)
    notes.append("what is never evicted does not fit: its turns are cut; whole they are in the file")
    return always, talk


def _cut_turns(desk: PromptInputs, kept: Sequence[Node], left: int) -> list[ChatMessage]:
    talk: list[ChatMessage] = []
    for place, node in enumerate(reversed(kept)):
        share = left if place in (0, len(kept) - 1) else left // 2
        text = cut_to_fit(desk.says(node), share + _turn_tokens(desk, node, "…"), partial(_turn_tokens, desk, node))
        left -= max(0, _turn_tokens(desk, node, text) - _turn_tokens(desk, node, "…"))
        talk.append(turn_message(node, text))
    return talk[::-1]


def _turn_tokens(desk: PromptInputs, node: Node, text: str) -> int:
    return desk.count(turn_message(node, text)["content"])


def cut_to_fit(text: str, room: int, count: PromptCounter) -> str:
    """As much of the beginning and of the end as fits, at least an ellipsis: what is asked often stands last."""
    if count(text) <= room:
        return text
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(_both_ends(text, middle)) <= room else (low, middle - 1)
    while low > 1 and count(_both_ends(text, low)) > room:  # a counter need not grow with the text
        low -= 1
    return _both_ends(text, low)


def _both_ends(text: str, size: int) -> str:
    """Both ends in so many characters, the end a third of them where it is more than a word."""
    tail = size // 3
    return shorten(text, size) if tail < _LEAST_TAIL else f"{shorten(text, size - tail)}{text[-tail:]}"
