"""Grounding: every proposed item must be supported by words of its turn, or it is refused with a reason.

It works the same for every extractor. The words of statements are checked in `learn.model.statement_check`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from omoide.language.registry import language_pattern
from omoide.learn import quote_matching
from omoide.learn.proposal import (
    ITEM_TYPES,
    CausalLink,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    ProposalItem,
    Quote,
    Refusal,
    Statement,
    UserCorrection,
)
from omoide.learn.quote_matching import is_supported
from omoide.learn.statements.clauses import LONGEST, mask, read_sentences
from omoide.learn.statements.corrections import says_reason
from omoide.learn.statements.modality import Frame, Modality, ReadClause, read_turn
from omoide.learn.statements.statement_extractor import statement_language

_CONTEXT_TURNS = 3  # earlier turns that may describe a name
_TOLD: frozenset[Modality] = frozenset({"asserted", "instructed"})
_NOT_MEANT: frozenset[Modality] = frozenset({"staged", "joking", "asked", "supposed", "reported"})


@dataclass(frozen=True, slots=True)
class GroundedProposal:
    """The grounded items of a proposal, and the refused ones."""

    proposal: Proposal
    refused: tuple[Refusal, ...] = ()


class _NotGrounded(Exception):
    pass


def ground_proposal(conversation: LearningConversation, proposal: Proposal) -> GroundedProposal:
    """Correct the quotes of a proposal and refuse items without support."""
    ground = _Grounder(conversation)
    refused: list[Refusal] = []

    def kept(items: tuple[Any, ...]) -> tuple[Any, ...]:
        found = []
        for item in items:
            try:
                found.append(ground.checked(item))
            except _NotGrounded as why:
                refused.append(Refusal(item.quote, item.kind, getattr(item, "text", item.quote.words), str(why)))
        return tuple(found)

    sound = replace(proposal, **{name: kept(getattr(proposal, name)) for name in ITEM_TYPES})
    return GroundedProposal(sound, tuple(refused))


class _Grounder:
    """Checks items against one conversation."""

    def __init__(self, conversation: LearningConversation) -> None:
        self._places = {turn.id: place for place, turn in enumerate(conversation.turns)}
        self._turns = conversation.turns
        self._fresh = conversation.fresh

    def checked(self, item: ProposalItem) -> ProposalItem:
        turn = self._turn(item.quote)
        item = replace(item, quote=_exact_quote(item.quote, turn))
        if isinstance(item, Statement):
            return item
        turn = replace(turn, text=blank_recalled(turn.text))
        match item:
            case EntityMention():
                return self._mention(item, turn)
            case UserCorrection():
                return self._correction(item, turn)
            case CausalLink():
                return self._cause(item)

    def _turn(self, quote: Quote) -> ConversationTurn:
        place = self._places.get(quote.episode)
        if place is None:
            raise _NotGrounded(f"there is no turn {quote.episode} in this session")
        if place < self._fresh:
            raise _NotGrounded("its turn was already learned from")
        return self._turns[place]

    # ── one check per kind of item ──

    def _mention(self, item: EntityMention, turn: ConversationTurn) -> ProposalItem:
        """A name in a question or a supposition is only a mention of somebody known."""
        if not is_supported(item.name, turn.text) and not _speaks(item.name, turn):
            raise _NotGrounded(f"the name {item.name!r} is not in its turn")
        aliases = tuple(alias for alias in item.aliases if self._said_somewhere(alias))
        known = item.description is None or is_supported(item.description, self._near(turn))
        item = replace(item, aliases=aliases, description=item.description if known else None)
        told = not _is_users(turn) or bool(_modalities(item.quote, turn) & _TOLD)
        return item if told else replace(item, existing_only=True)

    def _correction(self, item: UserCorrection, turn: ConversationTurn) -> ProposalItem:
        if turn.origin != "user":
            raise _NotGrounded(f"only the user corrects, this is from {turn.origin}")
        if item.whole or item.lasting:
            return item
        modalities = _modalities(item.quote, turn)
        if not modalities:
            raise _NotGrounded("it is quoted, or code, or a log")
        if modalities <= _NOT_MEANT:
            raise _NotGrounded(f"it is {min(modalities)}, not told")
        right = item.right if item.right and is_supported(item.right, turn.text) else None
        wrong = item.wrong if item.wrong and self._said_somewhere(item.wrong) else None
        if right is None and wrong is None:
            raise _NotGrounded("neither the wrong nor the right value is in the conversation")
        about = item.about if item.about in self._places else None
        return replace(item, right=right, wrong=wrong, about=about)

    def _cause(self, item: CausalLink) -> ProposalItem:
        cause, effect = self._places.get(item.cause), self._places.get(item.effect)
        if cause is None or effect is None:
            raise _NotGrounded("it names a turn that is not in this session")
        if item.quote.episode not in (item.cause, item.effect):
            raise _NotGrounded("its quote is in neither of the two turns")
        told_after = item.quote.episode == item.cause and says_reason(item.quote.words)
        if cause == effect or (cause > effect and not told_after):
            raise _NotGrounded("a cause must come before its effect")
        if not language_pattern("causal_words").search(item.quote.words):
            raise _NotGrounded("its quote does not say that one brought about the other")
        return item

    # ── lookups in the conversation ──

    def _near(self, turn: ConversationTurn) -> str:
        place = self._places[turn.id]
        around = self._turns[max(0, place - _CONTEXT_TURNS) : place + 1]
        return "\n".join(part for each in around for part in (each.speaker, each.text) if part)

    def _said_somewhere(self, words: str) -> bool:
        return any(is_supported(words, turn.text) for turn in self._turns)


def _exact_quote(quote: Quote, turn: ConversationTurn) -> Quote:
    """The quote exactly as written in the turn, outside of recalled memories."""
    found = quote_matching.find_quote(quote.words, blank_recalled(turn.text))
    if found is None and quote_matching.find_quote(quote.words, turn.text) is not None:
        raise _NotGrounded(REPEATED_MEMORY)
    words = turn.text[slice(*found)] if found else ""
    if not words or contains_pack(words):
        raise _NotGrounded("its quote is not in its turn")
    return Quote(quote.episode, words)


def _is_users(turn: ConversationTurn) -> bool:
    return turn.role == "user" and turn.origin == "user"


def _speaks(name: str, turn: ConversationTurn) -> bool:
    return turn.speaker is not None and turn.speaker.casefold() == name.casefold()


def _modalities(quote: Quote, turn: ConversationTurn) -> set[Modality]:
    """How the clauses are meant that the quote touches; none if all of it is masked."""
    spans = [found.span() for found in re.finditer(re.escape(quote.words), turn.text)][:20]
    return {
        each.modality
        for each in _clauses(turn)
        if any(each.clause.start < end and start < each.clause.end for start, end in spans)
    }


@lru_cache(maxsize=256)
def _clauses(turn: ConversationTurn) -> tuple[ReadClause, ...]:
    words = statement_language(turn.text).statements
    if words is None:
        return ()
    text = mask(turn.text, turn.speaker)
    return tuple(read_turn(turn, text, read_sentences(text, words), words, Frame()))


# Blanks text in a turn that repeats recalled memories, so that nothing is learned from them a second time.
#
# Whole context packs are replaced when a turn is observed. This filter finds their parts: single lines of a pack, text
# introduced as "what you know", pasted chats, and sentences worded exactly like stored memories.


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
    for paragraph in _PARAGRAPH.finditer(turn.text, 0, LONGEST):  # what is learned from
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
