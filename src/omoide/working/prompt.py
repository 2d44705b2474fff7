"""The prompt of a live session: memories and conversation as chat messages that fit the window. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from omoide.domain import Node
from omoide.domain.node import is_data_origin
from omoide.domain.quotation import Fence, labelled, one_line, speaker_label
from omoide.language.escaping import escape_text
from omoide.language.text import shorten
from omoide.recall.budget_selection import PackItem, TokenRoom, choose_forms
from omoide.recall.context_pack import (
    QUOTED,
    CountTokens,
    PackWriter,
    entity_item,
    memory_item,
    pack_line,
    quoting_room,
)
from omoide.recall.pack_markdown import (
    PackLine,
    PackSection,
    line_ids,
    newest_first,
    pack_markdown,
    written_lines,
)
from omoide.recall.results import Recall
from omoide.working.board import PROTECTED_TURNS, Board, HeldMemory
from omoide.working.budget import MemoryPlan, WindowBudget
from omoide.working.sources import PostedMemory

TOKENS_PER_MESSAGE = 4  # what a chat format adds to the text of a message
STANDING_TITLES = ("Preferences", "About the user")
EARLIER_TITLE = "Earlier in this conversation"
GOALS_TITLE = "Goals"
BOARD_DECAY = 0.7  # factor of a memory's value at each message that does not recall it again
_LEAST_VALUE = 0.03  # below it a memory leaves the board
_LEAST_TAIL = 8  # characters; a shorter end of a cut text is left out
_ESSENTIALS = 3  # profile facts, and preferences, when there is little room
_FIXED_CATEGORIES = ("preference", "profile", "goal")
_BOLD = re.compile(r"\*\*(.+?)\*\*")

ChatMessage = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Prompt:
    """What the agent sends to its model. `messages` contain the memories and never cost more than `budget`."""

    messages: tuple[ChatMessage, ...]
    sections: tuple[PackSection, ...]  # what changes least first
    fence: Fence
    tokens: int
    budget: int
    added: tuple[int, ...]  # memories that were not in the window before
    triggers: tuple[str, ...]
    notes: tuple[str, ...]
    recall: Recall | None

    @property
    def ids(self) -> list[int]:
        return line_ids(self.sections)

    @property
    def markdown(self) -> str:
        """All memories as Markdown, fenced as data."""
        return pack_markdown(self.sections, self.fence)

    @property
    def text(self) -> str:
        """All memories as plain text, fenced as data."""
        if not self.sections:
            return ""
        parts = [
            f"{each.title}:\n" + "\n".join(_BOLD.sub(r"\1", line) for line in written_lines(each))
            for each in self.sections
        ]
        return self.fence.around("\n".join(parts))

    @property
    def news(self) -> str:
        """Only the memories that were not in the window before, for a loop that appends to its own history."""
        added = set(self.added)
        sections = [
            replace(each, lines=tuple(line for line in each.lines if line.id in added)) for each in self.sections
        ]
        return pack_markdown([each for each in sections if each.lines], self.fence)

    def __repr__(self) -> str:
        return f"Prompt({len(self.messages)} messages, {len(self.ids)} memories, {self.tokens} of {self.budget} tokens)"

    def __str__(self) -> str:
        return self.markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInputs:
    """Everything that a prompt is built from."""

    board: Board
    plan: MemoryPlan
    budget: WindowBudget
    turns: Sequence[Node]  # of the board, oldest first
    summaries: Sequence[Node]
    message: str | None  # the latest turn as the user wrote it, if it has no reply yet
    postings: Sequence[PostedMemory]
    terms: Sequence[str]
    allowance: int  # tokens that one message may add
    now: datetime
    count: CountTokens
    fence: Fence
    essentials_only: bool = False

    def text_of(self, turn: Node) -> str:
        return self.message if self.message is not None and turn is self.turns[-1] else turn.text

    @property
    def turn_messages(self) -> list[ChatMessage]:
        return [turn_message(turn, self.text_of(turn)) for turn in self.turns]

    def tokens(self, sections: Sequence[PackSection], conversation: Sequence[ChatMessage]) -> int:
        """The cost of a prompt with these sections and this conversation."""
        return message_tokens(chat_messages(self.board, sections, conversation, self.fence), self.count)


@dataclass(frozen=True, slots=True)
class ArrangedPrompt:
    """Messages that fit the budget, and the memories in them."""

    messages: tuple[ChatMessage, ...]
    sections: tuple[PackSection, ...]
    fence: Fence
    tokens: int
    retrieved: tuple[HeldMemory, ...]
    standing: tuple[int, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedContent:
    """What a prompt contains whatever was recalled, and its cost. Memories get the rest."""

    sections: tuple[PackSection, ...]
    conversation: list[ChatMessage]
    conversation_tokens: int
    tokens: int


# ── chat messages ─────────────────────────────────────────────────────────────────────────────────────────────────


def chat_messages(
    board: Board, sections: Sequence[PackSection], conversation: Sequence[ChatMessage], fence: Fence
) -> list[ChatMessage]:
    """System prompt with the standing sections, conversation, and the other sections in the latest message.

    A prompt thus starts like the one before it, and prompt caches stay valid up to the latest turn: the standing
    sections have the fence of the session, the others that of the call.
    """
    titles = (*STANDING_TITLES, EARLIER_TITLE)
    stable = [each for each in sections if each.title in titles]
    changing = [each for each in sections if each.title not in titles]
    head = "\n\n".join(filter(None, (board.system, pack_markdown(stable, Fence(board.fence)))))
    found = [{"role": "system", "content": head}] if head else []
    if not conversation:
        return found + ([{"role": "user", "content": pack_markdown(changing, fence)}] if changing else [])
    *before, latest = conversation
    content = "\n\n".join(filter(None, (pack_markdown(changing, fence), latest["content"])))
    return [*found, *before, {**latest, "content": content}]


def message_tokens(messages: Sequence[ChatMessage], count: Callable[[str], int]) -> int:
    return sum(count(each["content"]) + TOKENS_PER_MESSAGE for each in messages)


def turn_message(turn: Node, text: str) -> ChatMessage:
    """A turn as a chat message. Turns of tools and others become user messages with their role in front."""
    if turn.role == "agent":
        return {"role": "assistant", "content": text}
    if turn.role == "user" and not is_data_origin(turn.origin):
        named = turn.speaker and not text.startswith(f"{turn.speaker}:")
        return {"role": "user", "content": f"{turn.speaker}: {text}" if named else text}
    label = speaker_label(turn.origin, turn.role, turn.speaker)
    return {"role": "user", "content": f"[{one_line(label)}] {escape_text(text)}"}


def whole_line(node: Node) -> PackLine:
    """A summary or a goal: never shortened, without age and confidence."""
    text = labelled(node, node.text) if is_data_origin(node.origin) else one_line(node.text)
    return PackLine(node, f"- {text} [id:{node.id}]", 0)


# ── fitting everything into the window ────────────────────────────────────────────────────────────────────────────


def fixed_content(inputs: PromptInputs) -> FixedContent:
    conversation = inputs.turn_messages
    sections = _fixed_sections(inputs)
    tokens = inputs.tokens(sections, conversation)
    return FixedContent(sections, conversation, message_tokens(conversation, inputs.count), tokens)


def exceeds_budget(inputs: PromptInputs, content: FixedContent) -> bool:
    """Whether the fixed content is too long even without any memory."""
    budget = inputs.budget
    return content.conversation_tokens > budget.conversation or content.tokens > budget.prompt


def arrange_prompt(inputs: PromptInputs, content: FixedContent) -> ArrangedPrompt:
    """The fixed content, and the best memories in what is left of the window."""
    notes: list[str] = []
    fixed, conversation, tokens = content.sections, content.conversation, content.tokens
    if tokens > inputs.budget.prompt:
        fixed, conversation = _cut_protected(inputs, notes)
        tokens = inputs.tokens(fixed, conversation)
    sections, posted = _memory_sections(inputs, line_ids(fixed), _memory_room(inputs, tokens))
    while sections and inputs.tokens((*fixed, *sections), conversation) > inputs.budget.prompt:
        sections = _without_least_relevant(sections, posted)  # the sum of the parts may be less than the whole
    messages = chat_messages(inputs.board, (*fixed, *sections), conversation, inputs.fence)
    return ArrangedPrompt(
        messages=tuple(messages),
        sections=(*fixed, *sections),
        fence=inputs.fence,
        tokens=message_tokens(messages, inputs.count),
        retrieved=_held_memories(inputs.board, sections, posted),
        standing=tuple(line_ids([each for each in fixed if each.title in STANDING_TITLES])),
        notes=tuple(notes),
    )


def carried_over(board: Board, nodes: Mapping[int, Node]) -> list[PostedMemory]:
    """Memories that are on the board already, with a lower value than before."""
    return [
        PostedMemory(each.category, value, "on the board", nodes[each.id])
        for each in board.retrieved
        if each.id in nodes and (value := each.value * BOARD_DECAY) >= _LEAST_VALUE
    ]


# ── fixed sections ────────────────────────────────────────────────────────────────────────────────────────────────


def _fixed_sections(inputs: PromptInputs) -> tuple[PackSection, ...]:
    """Preferences, profile, the summary of the conversation so far, and goals."""
    preferences_title, profile_title = STANDING_TITLES
    sections = [
        _standing_section(inputs, preferences_title, "preference", inputs.budget.preferences),
        _standing_section(inputs, profile_title, "profile", inputs.budget.profile),
        PackSection(EARLIER_TITLE, tuple(map(whole_line, inputs.summaries))),
        goals_section(inputs.postings),
    ]
    return tuple(section for section in sections if section.lines)


def goals_section(postings: Sequence[PostedMemory]) -> PackSection:
    active = [each.node for each in postings if each.category == "goal" and each.node is not None]
    return PackSection(GOALS_TITLE, tuple(map(whole_line, active)))


def _standing_section(inputs: PromptInputs, title: str, category: str, room: int) -> PackSection:
    postings = [each for each in inputs.postings if each.category == category]
    if inputs.essentials_only:
        postings = sorted(postings, key=lambda each: -each.value)[:_ESSENTIALS]
    best = _best_by_key(each for each in postings if each.node is not None)
    items = {key: _pack_item(inputs, each, title) for key, each in best.items()}
    chosen = choose_forms(list(items.values()), TokenRoom(room, titles={title: inputs.count(f"### {title}\n")}))
    forms = [(best[key].node, chosen[item.key]) for key, item in items.items() if item.key in chosen]
    return PackSection(title, tuple(PackLine(node, form.text, form.tokens) for node, form in forms))


def _best_by_key(postings: Iterable[PostedMemory]) -> dict[tuple[str, int], PostedMemory]:
    """Each memory once, with its highest value."""
    best: dict[tuple[str, int], PostedMemory] = {}
    for each in postings:
        if each.key not in best or best[each.key].value < each.value:
            best[each.key] = each
    return best


# ── memories ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _memory_room(inputs: PromptInputs, spent: int) -> int:
    """What is left of the window, at most the slot, and at most what one message may add to the board."""
    held = {each.id for each in inputs.board.retrieved}
    nodes = [each.node for each in inputs.postings if each.node is not None]
    on_board = sum(inputs.count(node.text) for node in nodes if node.id in held)
    fence = inputs.count(f"{inputs.fence.empty}\n")
    return min(inputs.budget.left_for_memories(spent), inputs.allowance + on_board) - fence


def _memory_sections(
    inputs: PromptInputs, fixed: Sequence[int], room: int
) -> tuple[list[PackSection], dict[int, PostedMemory]]:
    """Fill the parts of the plan with the memories that are worth most per token; and the posting of each memory.

    What is already in the window is left out.
    """
    plan = inputs.plan
    window = {*inputs.board.turns, *fixed, *inputs.board.summaries}
    candidates = (each for each in inputs.postings if each.category not in _FIXED_CATEGORIES)
    best = _best_by_key(each for each in candidates if each.node is None or each.node.id not in window)
    items = {key: _pack_item(inputs, each, _part_title(plan, each)) for key, each in best.items()}
    order = [*(part.title for part in plan.parts), QUOTED]
    titles = {title: inputs.count(f"### {title}\n") for title in order}
    chosen = choose_forms(list(items.values()), quoting_room(list(items.values()), max(0, room), plan.shares, titles))
    ordered = sorted(best, key=lambda key: key[0] == "node")  # entities before facts about them
    sections = []
    for title in order:
        lines = [
            pack_line(items[key], best[key].node, form)
            for key in ordered
            if items[key].part == title and (form := chosen.get(items[key].key))
        ]
        if lines:
            sections.append(PackSection(title, newest_first(lines)))
    return sections, {each.node.id: each for each in best.values() if each.node is not None}


def _part_title(plan: MemoryPlan, posting: PostedMemory) -> str:
    quoted = posting.node is not None and is_data_origin(posting.node.origin)
    return QUOTED if quoted else plan.part_of(posting.category).title


def _pack_item(inputs: PromptInputs, posting: PostedMemory, part: str) -> PackItem:
    if posting.node is None:
        assert posting.entity is not None
        return entity_item(posting.entity, part, posting.value, inputs.count)
    writer = PackWriter(inputs.terms, inputs.now, inputs.count, inputs.fence)
    return memory_item(posting.node, part, posting.value, writer, posting.sources)


def _without_least_relevant(sections: Sequence[PackSection], posted: Mapping[int, PostedMemory]) -> list[PackSection]:
    """Drop the line with the lowest value; of equals, the last."""
    lines = [(place, number) for place, section in enumerate(sections) for number in range(len(section.lines))]

    def value(at: tuple[int, int]) -> float:
        id = sections[at[0]].lines[at[1]].id
        return 0.0 if id is None else posted[id].value

    least = min(lines, key=lambda at: (value(at), -at[0], -at[1]))
    kept = [
        replace(section, lines=tuple(line for number, line in enumerate(section.lines) if (place, number) != least))
        for place, section in enumerate(sections)
    ]
    return [section for section in kept if section.lines]


def _held_memories(
    board: Board, sections: Sequence[PackSection], posted: Mapping[int, PostedMemory]
) -> tuple[HeldMemory, ...]:
    """What is on the board now, in the order in which it came there."""
    since = {each.id: each.since for each in board.retrieved}
    ids = line_ids(sections)
    found = [HeldMemory(id, posted[id].category, posted[id].value, since.get(id, board.turn_count)) for id in ids]
    return tuple(sorted(found, key=lambda each: (each.since, ids.index(each.id))))


# ── cutting turns that never leave the window ─────────────────────────────────────────────────────────────────────


def _cut_protected(inputs: PromptInputs, notes: list[str]) -> tuple[tuple[PackSection, ...], list[ChatMessage]]:
    """Only goals and the protected turns, cut so that all of them fit. The latest turn is kept whole if possible."""
    sections = tuple(section for section in _fixed_sections(inputs) if section.title == GOALS_TITLE)
    turns = inputs.turns[-PROTECTED_TURNS:]
    left = inputs.budget.prompt - inputs.tokens(sections, [turn_message(turn, "…") for turn in turns])
    conversation = _cut_turns(inputs, turns, left)
    while left > 0 and (over := inputs.tokens(sections, conversation) - inputs.budget.prompt) > 0:
        left -= over  # the sum of the parts may be less than the whole
        conversation = _cut_turns(inputs, turns, left)
    notes.append("the protected turns do not fit and were cut; the file has them whole")
    return sections, conversation


def _cut_turns(inputs: PromptInputs, turns: Sequence[Node], left: int) -> list[ChatMessage]:
    messages: list[ChatMessage] = []
    for place, turn in enumerate(reversed(turns)):
        count = partial(_turn_tokens, inputs, turn)
        share = left if place in (0, len(turns) - 1) else left // 2
        text = cut_to_fit(inputs.text_of(turn), share + count("…"), count)
        left -= max(0, count(text) - count("…"))
        messages.append(turn_message(turn, text))
    return messages[::-1]


def _turn_tokens(inputs: PromptInputs, turn: Node, text: str) -> int:
    return inputs.count(turn_message(turn, text)["content"])


def cut_to_fit(text: str, room: int, count: CountTokens) -> str:
    """The longest start and end of a text that fit, at least an ellipsis. The end often holds the question."""
    if count(text) <= room:
        return text
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(_both_ends(text, middle)) <= room else (low, middle - 1)
    while low > 1 and count(_both_ends(text, low)) > room:  # a token count need not grow with the text
        low -= 1
    return _both_ends(text, low)


def _both_ends(text: str, size: int) -> str:
    """Start and end of a text in `size` characters; the end gets a third, unless that is too short."""
    tail = size // 3
    return shorten(text, size) if tail < _LEAST_TAIL else f"{shorten(text, size - tail)}{text[-tail:]}"
