"""Finds what the user sets right, takes back ("no wait, Lyon", "ignore that") or replaces, and what caused what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from omoide.domain.entity import name_key
from omoide.language.registry import languages
from omoide.language.statement_words import StatementWords
from omoide.learn.change import CHOICE
from omoide.learn.proposal import (
    USER,
    CausalLink,
    ConversationTurn,
    LearningConversation,
    Quote,
    Statement,
    UserCorrection,
)
from omoide.learn.statements.candidates import Candidate
from omoide.learn.statements.clauses import GAP, Sentence, mask, read_sentences
from omoide.learn.statements.people import names_in, speakers_of
from omoide.learn.statements.restate import named, ordered
from omoide.learn.statements.statement_extractor import (
    ConversationReader,
    compose_statement,
    is_read,
    statement_language,
)

_CONTEXT = 6  # earlier turns that a correction can be about
_LONGEST = 4  # words of what is right
_ALIKE = 0.6  # of the letters: Jon and John, Marta and Martha
_NUMBER = re.compile(r"(?<![\w.])\d[\w.:,%-]*(?<![.,:])")


@dataclass(frozen=True, slots=True)
class FoundCorrections:
    """Corrections, statements that only end something, and notes on what cannot be set right."""

    corrections: tuple[UserCorrection, ...] = ()
    ends: tuple[Statement, ...] = ()
    denials: tuple[Quote, ...] = ()  # words that only say that something is wrong
    notes: tuple[str, ...] = ()


def find_corrections(conversation: LearningConversation) -> FoundCorrections:
    """What the owner of the memory sets right or takes back in the turns to learn from."""
    speakers = speakers_of(conversation)
    corrections: list[UserCorrection] = []
    ends: list[Statement] = []
    notes: list[str] = []
    denials: list[Quote] = []
    for number, turn in enumerate(conversation.turns):
        if number < conversation.fresh or not is_read(turn) or speakers[turn.speaker].subject != USER:
            continue
        scene = _Scene(turn, conversation.turns[max(0, number - _CONTEXT) : number])
        found = list(scene.corrections())
        corrections += found
        ends += [_ending(quote, conversation) for quote in scene.endings()]
        if not found and (words := scene.denial()):
            notes.append(f"a correction does not say what is right: {words!r} [id:{turn.id}]")
            denials.append(Quote(turn.id, words))
    return FoundCorrections(tuple(corrections), tuple(ends), tuple(denials), tuple(notes))


def _ending(quote: Quote, conversation: LearningConversation) -> Statement:
    """The statement that ends what the quoted words say."""
    [turn] = [each for each in conversation.turns if each.id == quote.episode]
    found = _read(replace(turn, text=quote.words))[0]
    speaker = speakers_of(conversation)[turn.speaker]
    return replace(compose_statement(found, 1.0, speaker), text="", quote=quote, change="ends")


class _Scene:
    """A turn, and what was said before it."""

    def __init__(self, turn: ConversationTurn, before: Sequence[ConversationTurn]) -> None:
        self.turn, self.before = turn, before
        self.said = [each for each in reversed(before) if is_read(each) and each.speaker == turn.speaker]
        self.own = self.said[0] if self.said else None
        both = f"{self.own.text if self.own else ''}\n{turn.text}"  # a correction alone is too short to tell
        self.words = statement_language(both).statements
        self.text = mask(turn.text, turn.speaker)

    def corrections(self) -> Iterator[UserCorrection]:
        """At most one: what was taken back as a whole, or one value that another replaces."""
        if self.words is None or self.own is None:
            return
        if whole := self.words.pattern("taken_back").match(self.text):
            quote = Quote(self.turn.id, self.turn.text[: whole.end()].strip())
            yield UserCorrection(wrong=None, right=None, text=quote.words, quote=quote, about=self.own.id, whole=True)
            return
        for number, sentence in enumerate(read_sentences(self.text, self.words)[:3]):
            if "?" in sentence.mark or GAP in sentence.text:
                continue
            found = self._pair(sentence, self.words, first=number == 0)
            if found:
                wrong, right, about = found
                quote = Quote(self.turn.id, self.turn.text[sentence.start : sentence.start + len(sentence.text)])
                text = f"Not {wrong}: {right}"
                yield UserCorrection(wrong=wrong, right=right, text=text, quote=quote, about=about.id)
                return

    def _pair(
        self, sentence: Sentence, words: StatementWords, *, first: bool
    ) -> tuple[str, str, ConversationTurn] | None:
        """What was wrong, what is right, and the turn that was wrong."""
        for pattern in words.corrections:
            match = words.compiled(pattern).match(sentence.text)
            if match is None or not _is_value(match["right"], words):
                continue
            right = match["right"].strip()
            wrong = match.groupdict().get("wrong")
            if wrong is not None:
                about = next((each for each in self.said if contains(each.text, wrong)), None)
                return (wrong.strip(), right, about) if about and _is_value(wrong, words) else None
            return self._counterpart(right, words) if first else None
        match = words.pattern("slight_corrections").match(sentence.text) if first else None
        if match is None or not _is_value(match["right"], words) or self._may_answer(match["right"], words):
            return None
        return self._counterpart(match["right"].strip(), words)

    def _may_answer(self, right: str, words: StatementWords) -> bool:
        """Whether "no, Lyon" may speak of what the agent asked or named in between."""
        last = self.before[-1]
        if not (right[:1].isupper() or right[:1].isdigit()):
            return True
        own = self.own.text if self.own else ""
        return last.role == "agent" and (
            last.text.rstrip().endswith("?") or any(name not in own for name in names_in(last.text, words))
        )

    def _counterpart(self, right: str, words: StatementWords) -> tuple[str, str, ConversationTurn] | None:
        """The one thing of the same sort that the speaker said just before."""
        turn = self.own
        if turn is None or turn not in self.before[-3:]:
            return None
        for found in (
            _same_list(right, turn.text),
            self._same_slot(right, turn),
            _similar_name(right, turn.text, words),
        ):
            others = {name_key(each): each for each in found if name_key(each) != name_key(right)}
            if len(others) == 1:
                return next(iter(others.values())), right, turn
        return None

    def _same_slot(self, right: str, turn: ConversationTurn) -> Iterator[str]:
        """Values of slots in whose place `right` fills the same slot."""
        for each in _read(turn):
            value = each.slot.value if each.slot else ""
            if not value or value not in turn.text or value[:1].isupper() != right[:1].isupper():
                continue
            anew = _read(replace(turn, text=turn.text.replace(value, right, 1)))
            if any(
                other.slot and (other.slot.slot, other.slot.value) == (each.slot.slot, right)
                for other in anew
                if each.slot
            ):
                yield value

    def endings(self) -> Iterator[Quote]:
        """What is to be forgotten: "forget that I live in Rome"."""
        for sentence in read_sentences(self.text, self.words) if self.words else ():
            match = self.words.pattern("forgotten").match(sentence.text) if self.words else None
            if match and "?" not in sentence.mark and GAP not in match["what"]:
                quote = Quote(self.turn.id, match["what"])
                if _read(replace(self.turn, text=quote.words)):
                    yield quote

    def denial(self) -> str:
        """The words that say that something is wrong and not what is right; empty if there are none."""
        match = self.words.pattern("denials").match(self.text) if self.words and self.before else None
        return match[0].strip(" .,!") if match else ""


def contains(text: str, words: str) -> bool:
    """Whether a text has some words, whole and in any case."""
    return re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", text, re.IGNORECASE) is not None


def _read(turn: ConversationTurn) -> list[Candidate]:
    found = ConversationReader(None).candidates(turn, "")
    return [each for each in found if each.unit.modality in {"asserted", "instructed"}]


def _is_value(text: str, words: StatementWords) -> bool:
    return 0 < len(text.split()) <= _LONGEST and words.pattern("no_value").match(text) is None


def _same_list(right: str, text: str) -> list[str]:
    """Other weekdays, months or numbers in a text, if `right` is one."""
    if _NUMBER.fullmatch(right):
        return _NUMBER.findall(text)
    for language in languages():
        for listed in (language.weekdays, language.months):
            known = set(listed.replace("/", " ").lower().split())
            if right.lower() in known:
                return [word for word in re.findall(r"\w+", text) if word.lower() in known]
    return []


def _similar_name(right: str, text: str, words: StatementWords) -> list[str]:
    """Names in a text that are nearly this one."""
    if not right[:1].isupper():
        return []
    parts = (part for name in names_in(text, words) for part in name.split())
    return [name for name in parts if SequenceMatcher(None, name.casefold(), right.casefold()).ratio() > _ALIKE]


# Finds what the user wants used instead of something else, and what they did otherwise than the agent.


_CONFIDENCE = 0.9
_SEEN_CONFIDENCE = 0.6  # done once, and not said to hold from now on
_REPLACEMENT_CONTEXT = 4  # earlier turns in which a day that was set right is looked for
_NO_TOOL = frozenset("it this that them me you us the a an my your one there here so now all only just".split())


def replacements_in(conversation: LearningConversation) -> Iterator[UserCorrection | Statement]:
    """A lasting correction and an instruction for each "use pnpm, not npm", in the turns to learn from."""
    speakers = speakers_of(conversation)
    for number, turn in enumerate(conversation.turns):
        if number < conversation.fresh or not is_read(turn) or speakers[turn.speaker].subject != USER:
            continue
        words = statement_language(turn.text).statements
        if words is None:
            continue
        name = speakers[turn.speaker].in_text(words)
        before = conversation.turns[number - 1] if number else None
        answered = before if before is not None and before.role == "agent" else None
        yield from _in_turn(turn, answered, words, name)
        yield from _day_repair(turn, conversation.turns[max(0, number - _REPLACEMENT_CONTEXT) : number], words)
        if answered is not None:
            yield from _done_otherwise(turn, answered, words, name)


def _in_turn(
    turn: ConversationTurn, answered: ConversationTurn | None, words: StatementWords, name: str
) -> Iterator[UserCorrection | Statement]:
    for sentence in read_sentences(mask(turn.text, turn.speaker), words):
        text = sentence.text
        if "?" in sentence.mark or any(words.pattern(cue).search(text) for cue in ("supposing", "jokes", "fiction")):
            continue
        if words.pattern("supposed").match(text) or words.pattern("questions").match(text):
            continue
        quote = Quote(turn.id, turn.text[sentence.start : sentence.start + len(text)])
        said = quote.words
        pair = _pair_in(text, words)
        if pair is None and answered is not None and (pair := _pair_with(answered.text, text, words)):
            said = f"{words.instead_template.format(pair[1], pair[0])} ({quote.words})"
        if pair is None:
            continue
        wrong, right = pair
        yield UserCorrection(
            wrong=wrong, right=right, text=f"Not {wrong}: {right}", quote=quote, about=None, lasting=True
        )
        yield Statement(
            form="instruction",
            subject=USER,
            text=named(ordered(said, words), name),
            quote=quote,
            confidence=_CONFIDENCE,
            slot="rule",
            value=right,
            matter=CHOICE.join(sorted((wrong.lower(), right.lower()))),
        )


def _day_repair(
    turn: ConversationTurn, before: Sequence[ConversationTurn], words: StatementWords
) -> Iterator[UserCorrection]:
    """ "Not the 9th, the 12th", of a day that the user named just before."""
    found = words.pattern("day_repairs").search(turn.text)
    if found is None or "?" in turn.text:
        return
    own = [each for each in reversed(before) if is_read(each)]
    for each in own:
        if said := re.search(rf"(?<!\w){found['wrong']}(?:st|nd|rd|th)?(?!\w)", each.text):
            right = found["right"]
            quote = Quote(turn.id, found[0].strip())
            yield UserCorrection(wrong=said[0], right=right, text=f"Not {said[0]}: {right}", quote=quote, about=each.id)
            return


def _pair_in(text: str, words: StatementWords) -> tuple[str, str] | None:
    """(wrong, right), where both name something."""
    for pattern in words.replacements:
        found = words.compiled(pattern).search(text)
        if found is None or GAP in found[0]:
            continue
        pair = _differing(found["wrong"].rstrip(".,"), found["right"].rstrip(".,"))
        if pair and all(_names_a_tool(each) for each in pair):
            return pair
    return None


def _pair_with(answer: str, text: str, words: StatementWords) -> tuple[str, str] | None:
    """The one program that the agent used, and what the user says is used instead: "it's pnpm here"."""
    found = words.pattern("used_here").fullmatch(text)
    used = {each["program"] or each["ticked"] for each in words.pattern("ran").finditer(answer)}
    if found is None or len(used) != 1 or found["right"] in used:
        return None
    pair = used.pop(), found["right"]
    return pair if all(_names_a_tool(each) for each in pair) else None


def _differing(wrong: str, right: str) -> tuple[str, str] | None:
    """The one word by which two commands differ: npm and pnpm in "npm install" and "pnpm install"."""
    if " " not in wrong:
        return wrong, right
    pairs = [(one, other) for one, other in zip_longest(wrong.split(), right.split()) if one != other]
    return pairs[0] if len(pairs) == 1 and all(pairs[0]) else None


def _names_a_tool(word: str) -> bool:
    """Whether a word may be the name of a tool; people and places begin with a capital letter."""
    return word[:1].islower() and word.lower() not in _NO_TOOL and not word.endswith(("ing", "ly"))


def _done_otherwise(
    turn: ConversationTurn, before: ConversationTurn, words: StatementWords, name: str
) -> Iterator[Statement]:
    """The user ran a command that the agent had run with another program."""
    if "?" in turn.text:
        return
    for found in words.pattern("did_otherwise").finditer(turn.text):
        program, _, rest = found["command"].partition(" ")
        told = rest.split(" ")[0]
        if not told or not _names_a_tool(program):
            continue
        used = re.search(rf"(?<![\w-])([a-z][\w.-]*) {re.escape(told)}(?![\w-])", before.text)
        if used is None or used[1] == program or not _names_a_tool(used[1]):
            continue
        text = f"{words.possessive.format(name)} own way: {program} {told}, not {used[1]} {told}"
        yield Statement(
            form="preference",
            subject=USER,
            text=text,
            quote=Quote(turn.id, found[0].strip()),
            confidence=_SEEN_CONFIDENCE,
            source_type="observed",
            value=program,
            matter=CHOICE.join(sorted((program, used[1]))),
        )


# Finds turns of which one brought about the next, by the words that say so at the beginning of a turn.


_END = re.compile(r"[.!?\n。！？]|\Z")


def causes_in(turns: Sequence[ConversationTurn], fresh: int) -> Iterator[CausalLink]:
    """Links between consecutive turns from `fresh` on; a turn that only asks why links nothing."""
    for before, turn in zip(turns[max(fresh - 1, 0) :], turns[max(fresh, 1) :], strict=False):
        words = statement_language(turn.text).statements
        if turn.role not in {"user", "agent"} or turn.text.rstrip().endswith("?") or words is None:
            continue
        start = len(turn.speaker) + 1 if turn.speaker and turn.text.startswith(f"{turn.speaker}:") else 0
        effect = words.pattern("effects").match(turn.text, start)
        reason = words.pattern("reasons").match(turn.text, start)
        if found := effect or reason:
            end = _END.search(turn.text, found.end())
            quote = Quote(turn.id, turn.text[found.start("cue") : end.start() if end else None].strip())
            cause, effected = (before, turn) if effect else (turn, before)
            yield CausalLink(cause=cause.id, effect=effected.id, quote=quote)


def says_reason(words: str) -> bool:
    """Whether words begin by giving the reason of what was said before: "that's because"."""
    language = statement_language(words).statements
    return language is not None and language.pattern("reasons").match(words) is not None
