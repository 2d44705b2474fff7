"""Grounding: every proposed item must be supported by words of its turn, or it is refused with a reason.

It works the same for every extractor. What can be repaired with certainty is repaired; the report shows the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from omoide.language.registry import language_pattern
from omoide.learn import assertion_checks, echo_filter, quote_matching
from omoide.learn.assertion_checks import UnrecoverableMask, unmask_item
from omoide.learn.proposal import (
    USER,
    CausalLink,
    Claim,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    ProposalItem,
    Quote,
    StatedOpinion,
    StatedPreference,
    StatedRelation,
    Statement,
    TaughtProcedure,
    UserCorrection,
)
from omoide.learn.quote_matching import is_supported, supported_share, unsupported_words
from omoide.learn.rules.reader import agreed

_CONTEXT_TURNS = 3  # earlier turns in which the name behind a pronoun is searched
_PRONOUN = re.compile(
    r"(?i)\b(?:he|she|they|it|his|her|their|its|him|them|er|sie|ihr|sein|il|elle|ils|lui|él|ella|su|ele|ela)\b"
    r"|(?i:\b(?:my|our) (?:wife|husband|partner|(?:girl|boy)?friend|fianc\w+|sister|brother|mother|mom|mum|father|dad"
    r"|daughter|son|boss|colleague|cousin|aunt|uncle|neighbou?r|roommate)\b)"  # may refer to somebody named earlier
)
_IMPLIED_CONFIDENCE = 0.8  # strongly implied by context
_INFERRED_CONFIDENCE = 0.6
_NAME = re.compile(
    r"(?<!^)(?<![.!?] )\b[A-Z][\w'’-]+|(?<!\w)\d[\w.,:]*"
)  # a capitalised word inside a sentence, or a number
_LIST_NUMBER = re.compile(r"(?:^|\s)\d{1,2}[.)]\s")  # numbers of a list claim nothing
_BOOLEAN_WORDS = frozenset("true false yes no none always never on off".split())
_STYLE_VALUES = frozenset("brief detailed formal casual welcome minimal".split())  # values that summarise many wordings
_CONFIRMED_CONFIDENCE = 0.9  # confirmed when asked
# Words that the text of a claim may add, because its predicate already implies them.
_NEUTRAL_WORDS = frozenset(
    """
    user users named called name pet past longer currently now still also years year old number wants live lives lived
    living work works worked working own owns owned use uses used using like likes liked love loves enjoy enjoys prefer
    prefers dislike dislikes hate hates born married single company city country person people time since until
    wife husband partner friend brother sister mother father son daughter dog cat together their
    plans plan learning speaks plays eat
    """.split()
)
_MIN_SUPPORT = 0.5  # share of the words of a step or preference value that must be in the turn


@dataclass(frozen=True, slots=True)
class RefusedItem:
    """An item that was refused, and why."""

    item: ProposalItem
    reason: str


@dataclass(frozen=True, slots=True)
class GroundedProposal:
    """The grounded items of a proposal, and the refused ones."""

    proposal: Proposal
    refused: tuple[RefusedItem, ...] = ()


_WordedItem = Claim | StatedOpinion | StatedPreference | TaughtProcedure | UserCorrection


class _NotGrounded(Exception):
    pass


def ground_proposal(conversation: LearningConversation, proposal: Proposal) -> GroundedProposal:
    """Correct the quotes of a proposal and refuse items without support."""
    introduced = {item.object for item in proposal.claims if item.predicate == "name" and item.subject == USER}
    ground = _Grounder(conversation, introduced)
    refused: list[RefusedItem] = []

    def kept(items: tuple[Any, ...]) -> tuple[Any, ...]:
        found = []
        for item in items:
            try:
                found.append(ground.checked(item))
            except _NotGrounded as why:
                refused.append(RefusedItem(item, str(why)))
        return tuple(found)

    lists = "entities statements claims opinions relations preferences procedures corrections causes".split()
    sound = replace(proposal, **{name: kept(getattr(proposal, name)) for name in lists})
    groundless = {_relation_key(each.item): each.reason for each in refused if isinstance(each.item, Claim)}
    refused += [
        RefusedItem(each, groundless[key]) for each in sound.relations if (key := _relation_key(each)) in groundless
    ]
    held = tuple(each for each in sound.relations if _relation_key(each) not in groundless)
    return GroundedProposal(replace(sound, relations=held), tuple(refused))


def _relation_key(item: Claim | StatedRelation) -> tuple[int, str, str]:
    """Turn and both ends, by which a relation is refused together with its claim."""
    ends = (item.subject, item.object) if isinstance(item, Claim) else (item.source, item.target)
    return item.quote.episode, ends[0].casefold(), ends[1].casefold()


class _Grounder:
    """Checks items against one conversation."""

    def __init__(self, conversation: LearningConversation, introduced: Collection[str] = ()) -> None:
        self._places = {turn.id: place for place, turn in enumerate(conversation.turns)}
        self._turns = conversation.turns
        self._fresh = conversation.fresh
        speakers = {turn.speaker for turn in conversation.turns if turn.origin == "user" and turn.speaker}
        alone = speakers if conversation.owner is None and len(speakers) == 1 else set()
        self._user = {name.casefold() for name in {USER, conversation.owner or USER} | alone}
        self._named = (self._user | {name.casefold() for name in introduced}) - {USER}

    def checked(self, item: ProposalItem) -> ProposalItem:
        turn = self._turn(item.quote)
        if isinstance(item, Statement):
            return replace(item, quote=_exact_quote(item.quote, turn))
        item = _unmask(replace(item, quote=_exact_quote(item.quote, turn)), turn)
        turn = replace(turn, text=echo_filter.blank_recalled(turn.text))
        why = assertion_checks.modality_objection(item, turn, of_user=self._of_user(item))
        if isinstance(item, EntityMention):  # a name in a question is a mention of somebody known
            return self._mentioned(item if why is None else replace(item, existing_only=True), turn)
        if why is not None:
            raise _NotGrounded(why)
        match item:
            case Claim():
                return self._claim(item, turn)
            case StatedOpinion():
                return self._judgement(item, turn)
            case StatedRelation():
                return self._relating(item, turn)
            case StatedPreference():
                return self._wish(item, turn)
            case TaughtProcedure():
                return self._howto(item, turn)
            case UserCorrection():
                return self._correction(item, turn)
            case CausalLink():
                return self._cause(item)
            case Statement():
                return item

    def _turn(self, quote: Quote) -> ConversationTurn:
        place = self._places.get(quote.episode)
        if place is None:
            raise _NotGrounded(f"there is no turn {quote.episode} in this session")
        if place < self._fresh and not (place + 1 == self._fresh and self._confirmed(self._turns[place])):
            raise _NotGrounded("its turn was already learned from")
        return self._turns[place]

    # ── one check per kind of item ──

    def _mentioned(self, item: EntityMention, turn: ConversationTurn) -> ProposalItem:
        if not is_supported(item.name, turn.text) and not self._speaks(item.name, turn):
            raise _NotGrounded(f"the name {item.name!r} is not in its turn")
        aliases = tuple(alias for alias in item.aliases if self._said_somewhere(alias))
        known = item.description is None or is_supported(item.description, self._near(turn))
        return replace(item, aliases=aliases, description=item.description if known else None)

    def _claim(self, item: Claim, turn: ConversationTurn) -> ProposalItem:
        by_context = self._whom(item.subject, turn)
        self._no_namesake(item.subject, item, turn)
        if turn.origin == "user" and (
            why := assertion_checks.meaning_objection(item, turn, of_user=self._is_me(item.subject, turn))
        ):
            raise _NotGrounded(why)
        if item.object.casefold() in _BOOLEAN_WORDS:
            if not supported_share(item.predicate, turn.text):
                raise _NotGrounded(f"nothing in its turn says {item.predicate!r}")
        elif (
            not self._is_me(item.object, turn)
            and not self._is_user(item.object)
            and (gone := _missing_words(item.object, turn))
        ):
            raise _NotGrounded(f"the object {item.object!r} is not in its turn ({', '.join(gone)})")
        item = replace(item, text=self._own_words(item, turn, item.subject, item.object, item.predicate))
        if by_context:
            item = replace(item, confidence=min(item.confidence, _IMPLIED_CONFIDENCE))
        return self._by_origin(item, turn)

    def _by_origin(self, item: Claim, turn: ConversationTurn) -> ProposalItem:
        """Limit claims from other origins. They are not believed about the user unless the user confirmed them."""
        if turn.origin == "user":
            return item
        if self._confirmed(turn):
            return replace(item, confidence=min(item.confidence, _CONFIRMED_CONFIDENCE))
        self._not_of_user(turn, item.subject)
        source = item.source_type if item.source_type in ("inferred", "observed") else "observed"
        return replace(item, source_type=source, confidence=min(item.confidence, _INFERRED_CONFIDENCE))

    def _judgement(self, item: StatedOpinion, turn: ConversationTurn) -> ProposalItem:
        self._whom(item.holder, turn)
        if self._is_user(item.holder) and turn.origin != "user":
            raise _NotGrounded(f"{turn.origin} says what the user thinks")
        if gone := _missing_words(item.about, turn):
            raise _NotGrounded(f"what it is about, {item.about!r}, is not in its turn ({', '.join(gone)})")
        return replace(item, text=self._own_words(item, turn, item.holder, item.about))

    def _relating(self, item: StatedRelation, turn: ConversationTurn) -> ProposalItem:
        self._whom(item.source, turn)
        self._whom(item.target, turn)
        if {item.source.casefold(), item.target.casefold()} <= self._named | {USER}:
            raise _NotGrounded("nobody is related to themselves")
        if turn.origin != "user" and not self._confirmed(turn):
            self._not_of_user(turn, item.source, item.target)
        return item

    def _wish(self, item: StatedPreference, turn: ConversationTurn) -> ProposalItem:
        if turn.origin != "user":
            raise _NotGrounded(f"only the user states preferences, this is from {turn.origin}")
        checked = isinstance(item.value, str) and item.value.casefold() not in _BOOLEAN_WORDS | _STYLE_VALUES
        if checked and supported_share(item.value, f"{turn.text} {item.name}") < _MIN_SUPPORT:
            raise _NotGrounded(f"the value {item.value!r} is not in its turn")
        instead = item.instead_of if item.instead_of and is_supported(item.instead_of, turn.text) else None
        value = str(item.value) if isinstance(item.value, str | int | float) else ""
        return replace(item, instead_of=instead, text=self._own_words(item, turn, item.name, value))

    def _howto(self, item: TaughtProcedure, turn: ConversationTurn) -> ProposalItem:
        if _is_data(turn):
            raise _NotGrounded(f"procedures are not learned from the text of {turn.origin}")
        nearby = self._near(turn)
        for number, step in enumerate(item.steps, 1):
            if supported_share(step, nearby) < _MIN_SUPPORT:
                raise _NotGrounded(f"step {number}, {step!r}, is not in the conversation")
        if not item.steps:
            raise _NotGrounded("it has no steps")
        return replace(item, text=self._own_words(item, turn, item.name, *item.steps))

    def _correction(self, item: UserCorrection, turn: ConversationTurn) -> ProposalItem:
        if turn.origin != "user":
            raise _NotGrounded(f"only the user corrects, this is from {turn.origin}")
        if item.whole or item.lasting:
            return item
        right = item.right if item.right and is_supported(item.right, turn.text) else None
        wrong = item.wrong if item.wrong and self._said_somewhere(item.wrong) else None
        if right is None and wrong is None:
            raise _NotGrounded("neither the wrong nor the right value is in the conversation")
        about = item.about if item.about in self._places else None
        return replace(item, right=right, wrong=wrong, about=about, text=self._own_words(item, turn, right, wrong))

    def _cause(self, item: CausalLink) -> ProposalItem:
        cause, effect = self._places.get(item.cause), self._places.get(item.effect)
        if cause is None or effect is None:
            raise _NotGrounded("it names a turn that is not in this session")
        if cause >= effect:
            raise _NotGrounded("a cause must come before its effect")
        if item.quote.episode not in (item.cause, item.effect):
            raise _NotGrounded("its quote is in neither of the two turns")
        other = self._turns[effect if item.quote.episode == item.cause else cause]
        linked = language_pattern("causal_words").search(item.quote.words)
        if not linked and not supported_share(item.quote.words, other.text):
            raise _NotGrounded("its quote does not say that one brought about the other")
        return item

    # ── lookups in the conversation ──

    def _whom(self, name: str, turn: ConversationTurn) -> bool:
        """Refuse a name that is not mentioned. Returns True if a pronoun refers to it and an earlier turn names it."""
        if self._is_user(name) or self._speaks(name, turn) or is_supported(name, turn.text):
            return False
        if _PRONOUN.search(turn.text) and is_supported(name, self._near(turn)):
            return True
        raise _NotGrounded(f"{name!r} is not in its turn")

    def _own_words(self, item: _WordedItem, turn: ConversationTurn, *parts: str | None) -> str:
        """The text of an item if it adds no name, number or meaning; otherwise its quote."""
        known = " ".join([self._near(turn), *self._user, *(part for part in parts if part)])
        brought = _NAME.findall(_LIST_NUMBER.sub(" ", item.text))
        if any(unsupported_words(name, known) for name in brought) or (
            isinstance(item, Claim) and _adds_meaning(item, known)
        ):
            return item.quote.words
        return item.text

    def _no_namesake(self, name: str, item: Claim, turn: ConversationTurn) -> None:
        """Refuse claims about somebody who has the same name as the user: "my brother Tom", said by Tom."""
        namesake = name.casefold() in self._named and turn.origin == "user" and not self._speaks(name, turn)
        if namesake and assertion_checks.meaning_objection(item, turn, of_user=True) == assertion_checks.ABOUT_OTHERS:
            raise _NotGrounded(f"{name} is the user's own name, and somebody else is meant")

    def _not_of_user(self, turn: ConversationTurn, *names: str) -> None:
        if any(map(self._is_user, names)):
            why = "that is data, not a statement of the user" if _is_data(turn) else "the user did not confirm it"
            raise _NotGrounded(f"{turn.origin} says it about the user; {why}")

    def _is_me(self, name: str, turn: ConversationTurn) -> bool:
        """Whether a name is the speaker of the turn."""
        return self._speaks(name, turn) or (self._is_user(name) and turn.origin == "user")

    def _confirmed(self, turn: ConversationTurn) -> bool:
        """Whether the user said yes to an agent's turn, so that it counts as the user's statement."""
        place = self._places[turn.id] + 1
        if turn.origin != "agent" or place >= len(self._turns):
            return False
        return self._turns[place].origin == "user" and agreed(self._turns[place].text)

    def _of_user(self, item: ProposalItem) -> bool:
        match item:
            case Claim():
                return self._is_user(item.subject)
            case StatedOpinion():
                return self._is_user(item.holder)
            case StatedRelation():
                return self._is_user(item.source)
        return True

    def _is_user(self, name: str) -> bool:
        return name.casefold() in self._user

    def _speaks(self, name: str, turn: ConversationTurn) -> bool:
        return turn.speaker is not None and turn.speaker.casefold() == name.casefold()

    def _near(self, turn: ConversationTurn) -> str:
        place = self._places[turn.id]
        around = self._turns[max(0, place - _CONTEXT_TURNS) : place + 1]
        return "\n".join(part for each in around for part in (each.speaker, each.text) if part)

    def _said_somewhere(self, words: str) -> bool:
        return any(is_supported(words, turn.text) for turn in self._turns)


def _exact_quote(quote: Quote, turn: ConversationTurn) -> Quote:
    """The quote exactly as written in the turn, outside of recalled memories."""
    found = quote_matching.find_quote(quote.words, echo_filter.blank_recalled(turn.text))
    if found is None and quote_matching.find_quote(quote.words, turn.text) is not None:
        raise _NotGrounded(echo_filter.REPEATED_MEMORY)
    words = turn.text[slice(*found)] if found else ""
    if not words or echo_filter.contains_pack(words):
        raise _NotGrounded("its quote is not in its turn")
    return Quote(quote.episode, words)


def _unmask(item: ProposalItem, turn: ConversationTurn) -> ProposalItem:
    try:
        return unmask_item(item, turn.text)
    except UnrecoverableMask:
        raise _NotGrounded("a part of it is quoted, or code, or a link") from None


def _adds_meaning(item: Claim, known: str) -> bool:
    """Whether the text of a claim says more than its turn, or negates what the turn does not."""
    known = f"{known} {item.predicate.replace('_', ' ')}"
    turned = assertion_checks.is_negated(item.text) and not item.negated and not assertion_checks.is_negated(known)
    return turned or any(len(word) > 2 and word not in _NEUTRAL_WORDS for word in unsupported_words(item.text, known))


def _is_data(turn: ConversationTurn) -> bool:
    """Whether a turn is data of a tool, document or import."""
    return turn.origin not in ("user", "agent", "system")


def _missing_words(words: str, turn: ConversationTurn) -> list[str]:
    return unsupported_words(words, turn.text) if any(map(str.isalnum, words)) else [words]
