"""Finds what the user wants used instead of something else, and what they did otherwise than the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from omoide.language.statement_words import StatementWords
from omoide.learn.change import CHOICE
from omoide.learn.proposal import USER, ConversationTurn, LearningConversation, Quote, Statement, UserCorrection
from omoide.learn.statements.clauses import read_sentences
from omoide.learn.statements.masking import GAP, mask
from omoide.learn.statements.restate import named, ordered
from omoide.learn.statements.speakers import speakers_of
from omoide.learn.statements.statement_extractor import is_read, statement_language

_CONFIDENCE = 0.9
_SEEN_CONFIDENCE = 0.6  # done once, and not said to hold from now on
_CONTEXT = 4  # earlier turns in which a day that was set right is looked for
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
        yield from _day_repair(turn, conversation.turns[max(0, number - _CONTEXT) : number], words)
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
