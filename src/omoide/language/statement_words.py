"""What a language gives the reader: the words by which people assert, ask, suppose, joke, report, and ask for
privacy."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, fields
from functools import cache

from omoide.errors import unknown_name

# Whether a text asks for privacy, and which sensitive matters it speaks of.


_DIGIT = re.compile(r"\d")
_NO_ASCII = re.compile(r"[^a-z]*")
_READ_CHARACTERS = 4_000
_SHORT_WORDS = 14  # a request of so many words that points at something speaks of what was said before


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyWords:
    """Alternatives of patterns over lower-case text, whole words where the language has spaces.

    They are strict: a sensitive memory is hidden until the user consents, so what people say every day is none.
    """

    requests: str = ""  # asks that others not learn it: "between us", "nobody at work knows"
    pointing: str = ""  # words by which a request points at what was said before: "that", "this"
    health: str = ""  # diagnoses, addiction, pregnancy; not allergies or medicine that a helper must know
    money: str = ""  # wages, debts, wealth
    intimacy: str = ""  # sexuality, affairs, violence in a relationship
    identity: str = ""  # numbers of documents and accounts
    minors: str = ""  # where children are, their trouble and custody


TOPICS = tuple(each.name for each in fields(PrivacyWords) if each.name not in ("requests", "pointing"))


@cache
def topics_named(names: str) -> tuple[str, ...]:
    """The topics of a list such as "health, money". Raises InvalidInput for an unknown one."""
    found = tuple(filter(None, (each.strip() for each in names.split(","))))
    if unknown := [each for each in found if each not in TOPICS]:
        raise unknown_name("sensitive topic", unknown[0], TOPICS)
    return found


def asks_for_privacy(text: str) -> bool:
    """Whether a text asks that others not learn what it speaks of."""
    return _finds("requests", _lowered(text))


def asks_for_earlier_privacy(text: str) -> bool:
    """Whether a text only asks for privacy, of what was said before: "keep that between us"."""
    lowered = _lowered(text)
    short = len(lowered.split()) <= _SHORT_WORDS and len(lowered) <= 100
    return short and asks_for_privacy(text) and _finds("pointing", lowered)


def sensitive_topics(text: str, wanted: Collection[str]) -> tuple[str, ...]:
    """Those of the topics that a text speaks of."""
    lowered = _lowered(text)
    asked = [each for each in TOPICS if each in wanted and (each != "identity" or _DIGIT.search(lowered))]
    return tuple(topic for topic in asked if _finds(topic, lowered))


def _lowered(text: str) -> str:
    return text[:_READ_CHARACTERS].lower().replace("’", "'")


def _finds(field: str, lowered: str) -> bool:
    return _pattern(field, ascii=lowered.isascii()).search(lowered) is not None


@cache
def _pattern(field: str, *, ascii: bool) -> re.Pattern[str]:
    """The alternatives of all languages, or of those that ASCII can write; whole words where they have spaces."""
    from omoide.language.registry import languages

    known = [
        each for each in languages() if each.privacy and not (ascii and _NO_ASCII.fullmatch(each.privacy.requests))
    ]
    spaced, other = (
        "|".join(
            filter(None, (_LINE_BREAK.sub("", getattr(each.privacy, field)) for each in known if each.spaced == has))
        )
        for has in (True, False)
    )
    return re.compile(rf"\b(?<!')(?:{spaced or _NEVER})(?!\w)|{other or _NEVER}")


_NEVER = r"(?!)"
_LINE_BREAK = re.compile(r"\s*\n\s*")
_MACRO = re.compile(r"\{([A-Z_]{3,})\}")
_SLOT_ROW = re.compile(r"\s*(\w+): (.*)")


@dataclass(frozen=True, slots=True)
class Kin:
    """A word for somebody related to the speaker: its slot, and the gender by which pronouns refer to them."""

    slot: str
    gender: str = ""  # m, f or empty: unknown


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatementWords:
    """Patterns that ignore case; spaces in them count, line breaks and the spaces around them do not.

    A pattern is tried at the beginning of a clause (`starts`) or anywhere in it (`finds`), as each comment says. In
    restated clauses USER stands for the speaker. {NAME} in a pattern stands for the macro of that name; {KIN} for any
    word for a relative, {SUBJECT} for a person at the beginning of a restated clause.
    """

    macros: dict[str, str] = field(default_factory=dict)

    # Where a sentence falls into clauses. A gap is cut out between two clauses that assert something on their own.
    gaps: str = _NEVER  # finds
    joint_subjects: str = _NEVER  # finds at the end, a gap included: "Carla and I" are one subject
    ordinal_dots: bool = False  # "am 3. Mai": a full stop after a number ends no sentence
    openings: str = _NEVER  # starts: words that a clause can do without: "oh and", "btw,"
    keep_asked: str = _NEVER  # finds in an opening: "remember that"
    closings: str = _NEVER  # finds at the end: ", thanks", " lol"
    repairs: str = _NEVER  # whole clauses that set the one before right, with a group `value`: "I mean Lyon"
    refers: str = _NEVER  # finds: an object that was named before: "never suggest it"
    backward: str = _NEVER  # finds: it is about something that was named before: "can't be around them"
    dependent: str = _NEVER  # starts: the clause says nothing without the one before: "it's", "that one"

    # Whether a clause is asserted.
    questions: str = _NEVER  # starts
    tags: str = _NEVER  # finds at the end: ", right"
    requests: str = _NEVER  # starts: "can you", "please write"
    alternatives: str = _NEVER  # whole clauses without a subject that ask which of two: "25 or 50 mm"
    tasks: str = _NEVER  # starts: a bare verb that gives the assistant a task
    standing: str = _NEVER  # finds: makes a request a lasting one: "never", "from now on"
    answering: str = _NEVER  # starts: says how the agent is to write and answer, in no one task: "no emojis"
    standing_starts: str = _NEVER  # starts: an instruction without a verb for it: "no emojis"
    weak_orders: str = _NEVER  # finds: it states something, "no garlic in the house", or holds once: "not this time"
    avoids: str = _NEVER  # starts: an instruction to leave something: "never", "stop"
    wants: str = _NEVER  # starts: "I want you to", "I'd rather you"
    supposed: str = _NEVER  # starts
    supposing: str = _NEVER  # finds
    imagined: str = _NEVER  # starts: a supposition that goes on in the sentences after it: "imagine", "what if"
    unreal: str = _NEVER  # finds: a verb of what is only supposed: "would"
    wishes: str = _NEVER  # finds
    reported: str = _NEVER  # finds
    trusted: str = _NEVER  # finds: whose report is worth keeping: "the vet says"
    jokes: str = _NEVER  # finds in a sentence
    laughs: str = _NEVER  # finds in a sentence: weak sign of a joke
    absurd: str = _NEVER  # finds: with a laugh, a joke
    retractions: str = _NEVER  # starts a sentence: the one before was not meant
    fiction: str = _NEVER  # finds in a sentence: from here on the turn tells a story
    belongs: str = _NEVER  # finds: what came before is a story: "that's for a sketch"
    role_play: str = _NEVER  # finds in a turn: from here on the speaker is somebody else
    role_over: str = _NEVER  # finds: the speaker is themselves again
    dictated: str = _NEVER  # finds in a sentence: a text to work on follows
    unkept: str = _NEVER  # finds: "don't remember this"
    hedges: str = _NEVER  # finds: "maybe", "I think"
    small_talk: str = _NEVER  # whole clauses

    # Answers to the agent's questions: patterns of a whole question, and what the answer states in the first person.
    answers: tuple[tuple[str, str], ...] = ()
    agreed: tuple[tuple[str, str], ...] = ()  # what "yes" states
    refused: tuple[tuple[str, str], ...] = ()
    yes: str = _NEVER  # whole clauses
    no: str = _NEVER
    unanswered: str = _NEVER  # finds: it is no plain answer
    answer_leads: str = _NEVER  # starts: what the statement already says: "in" Bari
    turned: tuple[tuple[str, str], ...] = ()  # the second person of a question, and the first that stands for it

    # Restating in the third person.
    pronouns: tuple[tuple[str, str], ...] = ()  # patterns of the first person, and what stands for them
    agreeing: str = _NEVER  # finds: the first person and its verb, as groups `adverbs` and `verb`
    unchanged_verbs: str = ""  # words: modals and past tenses
    verb_forms: tuple[tuple[str, str], ...] = ()  # endings of the third person: pattern and replacement
    participles: str = _NEVER  # starts, after "'s": it stands for "has"
    no_verbs: str = _NEVER  # starts, after "do": it is no auxiliary
    quoted_subjects: str = _NEVER  # finds: a first person that has no third: "we"
    has_subject: str = _NEVER  # starts: the clause names its subject
    has_verb: str = ""  # finds: a verb of a person or thing that is spoken of
    someone: str = _NEVER  # finds: a person who was named before
    something: str = _NEVER  # finds: a thing that was named before
    headings: str = _NEVER  # starts: words before a colon that say what the rest is about: "groceries: "
    relative: str = r"\b(?:{KIN})\b"  # finds: somebody whom "she" may mean
    therefore: str = _NEVER  # starts: "so never call"
    linked: str = _NEVER  # finds: it goes on from the clause before: "he goes too", "that Saturday", "same week"
    has_noun: str = _NEVER  # finds: whom or what such a word may mean
    dropped: str = _NEVER  # starts: a verb before which "I" was left out, or "I am": then as a group `going`
    restored: tuple[str, str] = ("I {}", "I am {}")
    asks_for: str = _NEVER  # starts: what an instruction can do without: "could you please", "from now on"
    again: tuple[tuple[str, str], ...] = ()  # a subject that is named again: pattern and pronoun
    possessive: str = "{}'s"
    user: str = "User"
    relation_template: str = "{} is {} {}"
    addressed: str = _NEVER  # finds: the listener
    second_person: tuple[str, ...] = ()  # how a clause about the assistant begins

    # People.
    kin: str = ""  # rows of a slot and its words; /m and /f give the gender, + is a space
    names: str = _NEVER  # a name in running text, case-sensitive
    kin_named: tuple[str, ...] = ()  # patterns with groups `kin` and `name`
    inflected: str = _NEVER  # finds: endings that tell a verb or adverb from a name in lower case
    not_lower_names: str = ""  # words after a relative that are no name: "birthday"
    kin_alone: str = _NEVER  # finds: group `kin`
    persons: str = _NEVER  # finds: group `name`, somebody who does what only people do
    he_she: dict[str, str] = field(default_factory=dict)  # pronoun at the start of a clause: gender
    before_things: str = ""  # words after which a name is that of a place or a thing: "in", "the"
    not_names: str = ""  # capitalised words that name nobody: weekdays, months, "I"

    # Kinds. Finds, unless said otherwise.
    plans: str = _NEVER
    events: str = _NEVER
    preferences: str = _NEVER
    opinions: str = _NEVER
    procedures: str = _NEVER
    sequence: str = _NEVER  # separates the steps of a procedure
    how_tos: str = _NEVER  # finds: groups `head`, `goal`, `steps`, and `colon` if the goal ends with one
    how_to_template: str = "To {}: {}"  # what is done, and its steps
    step_order: str = _NEVER  # separates steps told in order: "then"
    step_gaps: str = _NEVER  # separates steps in a list
    no_step: str = _NEVER  # starts what nobody is told to do: "I booked"
    topics: str = _NEVER  # starts a sentence: group `thing`, which "it" means in the next one
    topic_again: str = _NEVER  # finds: "it"
    exceptions: str = _NEVER  # group `exception`
    scopes: str = _NEVER  # group `scope`
    changes: tuple[tuple[str, str], ...] = ()  # change kind and pattern
    replacements: tuple[str, ...] = ()  # patterns found in a sentence: use `right` instead of `wrong`
    day_repairs: str = _NEVER  # finds: the day `right` of the month is meant, not `wrong`
    used_here: str = _NEVER  # whole sentences: `right` is used instead of what the agent used
    instead_template: str = "use {}, not {}"
    ran: str = _NEVER  # finds what the agent used: a group `program` or `ticked`
    did_otherwise: str = _NEVER  # finds: the user did what the agent had done, with another `command`
    corrections: tuple[str, ...] = ()  # whole sentences: `right` is meant, and not `wrong` if that is said
    slight_corrections: str = _NEVER  # whole sentences with a group `right`: "no, Lyon", which can mean something else
    no_value: str = _NEVER  # starts what sets nothing right: "no, thanks"
    denials: str = _NEVER  # starts a turn: what was said before is wrong, and nobody says what is right
    taken_back: str = _NEVER  # starts a turn: the last turn of its speaker does not hold
    forgotten: str = _NEVER  # starts a sentence: what the group `what` says no longer holds
    effects: str = _NEVER  # starts a turn: what the turn before says brought it about; group `cue`
    reasons: str = _NEVER  # starts a turn: it says what brought about the turn before; group `cue`
    lasting: str = _NEVER  # "always", "every Tuesday": true for good
    future: str = _NEVER
    past: str = _NEVER
    recurring: str = _NEVER  # finds before a time phrase: it recurs, so it has no date
    now: str = _NEVER  # finds: "now", which is no part of the date beside it
    undated: str = _NEVER  # whole time phrases that name no date: "now", "recently"

    # Slots: patterns of the restated clause with a group `value`, and `who` where it is not the subject.
    slots: str = ""  # rows of a slot and its pattern; a row without a slot continues the one before
    slot_leads: str = _NEVER  # starts: what may stand before the subject: "now"
    reason_leads: str = _NEVER  # starts a restated clause: "since", where it says why
    contrasts: tuple[tuple[str, str, str], ...] = ()  # "is not X but Y": the pattern, "is not X" and "is Y"
    starts: str = _NEVER  # finds: a job or home that begins on the coming day that is named
    once: str = _NEVER  # finds: it was so in the past, and is not said to be so today: "used to", "lived"
    elsewhen: str = _NEVER  # finds: it is not so today, and nobody says when it was or will be: "as a child"
    value_ends: str = _NEVER  # finds: where the value of a slot stops
    endings: tuple[tuple[str, str], ...] = ()  # what is no longer so, and how it would be said if it were
    matter_ignored: str = ""  # words that never say what a statement is about
    matter_generic: str = ""  # words that say it only together with another: "appointment"

    def pattern(self, field: str) -> re.Pattern[str]:
        """The compiled pattern of a field."""
        return _compiled(self, getattr(self, field))

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return _compiled(self, pattern)

    def words(self, field: str) -> frozenset[str]:
        return _word_set(getattr(self, field))

    @property
    def relatives(self) -> dict[str, Kin]:
        return _relatives(self.kin)

    @property
    def slot_patterns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return _slot_patterns(self)


@cache
def _compiled(words: StatementWords, pattern: str) -> re.Pattern[str]:
    pattern = _LINE_BREAK.sub("", pattern.strip()) if "\n" in pattern else pattern
    for _ in range(4):  # macros may use macros
        pattern = _MACRO.sub(lambda found: _macro(words, found), pattern)
    return re.compile(pattern, re.IGNORECASE)


def _macro(words: StatementWords, found: re.Match[str]) -> str:
    if found[1] == "KIN":
        return "|".join(map(re.escape, sorted(words.relatives, key=len, reverse=True)))
    return f"(?:{_LINE_BREAK.sub('', words.macros[found[1]].strip())})"


@cache
def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _relatives(rows: str) -> dict[str, Kin]:
    found: dict[str, Kin] = {}
    slot = ""
    for word in rows.split():
        if word.endswith(":"):
            slot = word[:-1]
            continue
        name, _, gender = word.partition("/")
        found[name.replace("+", " ")] = Kin(slot, gender)
    return found


@cache
def _slot_patterns(words: StatementWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows: list[list[str]] = []
    for line in words.slots.strip("\n").splitlines():
        row = _SLOT_ROW.fullmatch(line)
        if row:
            rows.append([row[1], row[2]])
        elif line.strip():
            rows[-1][1] += line.strip()
    return tuple((slot, _compiled(words, pattern)) for slot, pattern in rows)
