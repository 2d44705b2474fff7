"""Blanks text in a turn that repeats recalled memories, so that nothing is learned from them a second time.

Whole context packs are replaced when a turn is observed. This filter finds their parts: single lines of a pack, text
introduced as "what you know", pasted chats, and sentences worded exactly like stored memories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import lru_cache

from omoide.learn.proposal import ConversationTurn, LearningConversation
from omoide.learn.statements.clauses import read_sentences
from omoide.learn.statements.statement_extractor import statement_language

REPEATED_MEMORY = "its words repeat a recalled memory"

_CONTEXT_PACK = re.compile(r"<omoide-memory\b.*?(?:</omoide-memory[-a-z]*>|\Z)|\[recalled: [^\]]*\]", re.DOTALL)
_PACK_LINE = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(?:[^\n]*\[id:\d+\][ \t]*|\[\d{4}-\d\d-\d\d[^\]\n]{0,20}\][ \t]+[\w.' -]{1,40}:[^\n]*)$",
    re.MULTILINE,
)
_QUOTED_EARLIER = re.compile(
    r"\b(?:what (?:you|we|i|it|omoide|the memory) (?:already |still )?(?:knows?|knew|remembers?|recalled|recalls?"
    r"|has stored|have stored|have on|noted|wrote down)(?: (?:about |of )?\w+)?"
    r"|(?:earlier|previously|before|last time|yesterday|back then|once),? (?:i|you|we) (?:said|told you|wrote"
    r"|mentioned)"
    r"|(?:i|you|we) (?:said|told you|wrote|mentioned)(?: \w+)? (?:earlier|before|previously|last time|yesterday)"
    r"|you(?: just| once| already)? (?:said|told (?:me|us)|wrote|answered|replied|claimed|mentioned|listed|reminded me)"
    r"|your (?:last|previous|earlier|latest|recent) (?:answer|reply|response|message|summary|output|list|words)"
    r"|your (?:answer|reply|response|message|summary|notes?|memory|memories|profile|records?)(?: \w+){0,3}"
    r" (?:was|were|said|says?|reads?|is|are)"
    r"|(?:summary|recap|transcript|log|copy|excerpt|minutes) of (?:our|your|the|this|my|a) "
    r"(?:last |previous |earlier )?(?:chat|conversation|session|talk|discussion|notes?|memory|memories|answers?)"
    r"|(?:from|in) (?:your|the) memor(?:y|ies)|(?:recalled|retrieved|stored) (?:memor(?:y|ies)|facts|context))"
    r"[^:\n.!?]{0,30}:"
    r"\s*.*?(?=\n[ \t]*\n|(?<=[.!?])\s+(?:but|now|actually|today|meanwhile|since then|that's (?:wrong|outdated|old|not)"
    r"|no,)(?!\w)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# A pasted chat has labels of both sides. It is blanked from the first label to the end of the last paragraph.
_USER_LABEL = re.compile(r"(?:(?<=[\s:*(\[])|^)(?:User|Human|Me|Customer)\*{0,2}: ", re.MULTILINE)
_AGENT_LABEL = re.compile(
    r"(?:(?<=[\s:*(\[])|^)(?:Assistant|AI|Bot|Agent|ChatGPT|GPT|Claude|Gemini)\*{0,2}: ", re.MULTILINE
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n|\Z")


@lru_cache(maxsize=256)
def blank_recalled(text: str) -> str:
    """Replace recalled text with spaces of the same length, so that offsets stay valid."""
    for pattern in (_CONTEXT_PACK, _PACK_LINE, _QUOTED_EARLIER):
        text = pattern.sub(lambda found: " " * len(found[0]), text)
    return _blank_pasted_chat(text)


def _blank_pasted_chat(text: str) -> str:
    mine, theirs = ([found.start() for found in side.finditer(text)] for side in (_USER_LABEL, _AGENT_LABEL))
    if not mine or not theirs:
        return text
    first, last = min(mine[0], theirs[0]), max(mine[-1], theirs[-1])
    ends = _BLANK_LINE.search(text, last)
    end = ends.start() if ends else len(text)
    return f"{text[:first]}{' ' * (end - first)}{text[end:]}"


def contains_pack(words: str) -> bool:
    """Whether words contain a context pack or a marker of one."""
    return _CONTEXT_PACK.search(words) is not None


# ── sentences worded exactly like a stored memory ──
# A paragraph that speaks of its own speaker in the third person ("User works at Aldi") probably repeats memories.


FindLearnedTexts = Callable[[Collection[str]], Collection[str]]
"""Returns those of the texts that are the text of a learned node."""

_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![ \t]*\n))+")
_USER_SUBJECT = re.compile(r"(?<![\w@#])User(?:'s|s')?(?= \w)")
_LIST_MARKS = " \t.-*•·"

_Span = tuple[int, int]


def blank_echoes(conversation: LearningConversation, find_learned: FindLearnedTexts) -> LearningConversation:
    """Blank sentences of new user turns that repeat a stored memory about the speaker."""
    fresh = conversation.turns[conversation.fresh :]
    spans = {turn.id: list(_third_person_sentences(turn, conversation.owner)) for turn in fresh if turn.role == "user"}
    texts = {turn.text[slice(*span)] for turn in fresh for span in spans.get(turn.id, ())}
    learned = frozenset(find_learned(texts)) if texts else frozenset[str]()
    heard = tuple(
        replace(turn, text=_blank_spans(turn.text, spans[turn.id], learned)) if spans.get(turn.id) else turn
        for turn in fresh
    )
    return replace(conversation, turns=(*conversation.turns[: conversation.fresh], *heard))


def _third_person_sentences(turn: ConversationTurn, owner: str | None) -> Iterable[_Span]:
    """Spans of the sentences in paragraphs that speak of their own speaker in the third person."""
    mine = owner if owner and turn.speaker in (None, owner) else None
    named = re.compile(rf"(?<!\w){re.escape(mine)}(?:'s)? \w") if mine else None
    for paragraph in _PARAGRAPH.finditer(turn.text):
        if _USER_SUBJECT.search(paragraph[0]) or (named and named.search(paragraph[0])):
            words = statement_language(paragraph[0]).statements
            for each in read_sentences(paragraph[0], words) if words else ():
                marked = len(each.text) - len(each.text.lstrip(_LIST_MARKS))
                start = paragraph.start() + each.start + marked
                yield start, start + len(each.text[marked:].rstrip(_LIST_MARKS))


def _blank_spans(text: str, spans: Iterable[_Span], learned: Collection[str]) -> str:
    for start, end in spans:
        if text[start:end] in learned:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
