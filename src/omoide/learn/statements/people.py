"""Who speaks, who was named, and whom "he", "she" and "my husband" mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from omoide.domain.entity import name_key
from omoide.language.registry import words_of
from omoide.language.statement_words import Kin, StatementWords
from omoide.language.text import word_rank
from omoide.learn.proposal import USER, LearningConversation

_FAMILIAR = frozenset({"partner", "spouse", "child", "parent", "sibling", "relative", "friend", "colleague"})
_RARE = 8_000  # from this place by frequency on, a word is more likely a name than a word
_REACH = 3  # user turns over which a pronoun finds its person


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who was mentioned: by name, by their relation to the speaker, or both."""

    name: str  # empty for an unnamed "my mother"
    kin: str  # the word of the relation; empty if none was said
    slot: str
    gender: str
    turn: int  # of the latest mention
    place: int  # in that turn
    mine: bool = True  # related to the speaker and not to somebody else
    fictional: bool = False
    weak: bool = False  # nothing but a name, which may also be that of a thing


@dataclass(slots=True)
class People:
    """The people mentioned so far in a conversation."""

    words: StatementWords
    known: list[Person] = field(default_factory=list)
    names: list[tuple[int, int, str]] = field(default_factory=list)  # turn, place and words of everything that has one

    def read(self, text: str, turn: int, offset: int) -> list[Person]:
        """Take notice of everybody in a part of a turn, which begins at `offset`.

        Returns those who are named there with their relation.
        """
        related: list[Person] = []
        taken: list[tuple[int, int]] = []
        for pattern in self.words.kin_named:
            for found in self.words.compiled(pattern).finditer(text):
                name = clean_name(found["name"], self.words)
                kin = self.words.relatives.get(found["kin"].lower())
                if name.islower() and not (kin and kin.slot in _FAMILIAR and is_unusual(name, self.words)):
                    continue
                if name and kin and not _overlaps(found.span(), taken):
                    taken.append(found.span())
                    whose = found.groupdict().get("whose") or ""
                    mine = whose.lower() not in {"his", "her", "their"}
                    related.append(self._note(name, found["kin"].lower(), kin, turn, offset + found.start(), mine))
        for found in self.words.pattern("kin_alone").finditer(text):
            if not _overlaps(found.span(), taken):
                word = found["kin"].lower()
                same = [each for each in self.known if each.kin == word and each.mine and not each.fictional]
                name = same[0].name if len({each.name for each in same}) == 1 else ""
                self._note(name, word, self.words.relatives[word], turn, offset + found.start())
        for found in self.words.pattern("persons").finditer(text):
            name = clean_name(found["name"], self.words)
            if name and not _overlaps(found.span("name"), taken):
                self._note(name, "", Kin(""), turn, offset + found.start())
        self.names = [each for each in self.names if turn - each[0] <= _REACH]
        for found in self.words.pattern("names").finditer(text):
            name = clean_name(found[0], self.words)
            self.names += [(turn, offset + found.start(), name)] if name else []
            before = text[: found.start()].split()[-1:]
            placed = bool(before) and before[0].lower() in self.words.words("before_things")
            placed = placed or not (before or is_unusual(name.lower(), self.words))
            if name and not placed and not _overlaps(found.span(), taken) and self.find(name) is None:
                self._note(name, "", Kin(""), turn, offset + found.start(), weak=True)
        for index, each in enumerate(self.known):  # a name that is known needs no sign that it is a person
            if not each.name or each.turn == turn or each.name not in text:
                continue
            if again := re.search(rf"(?<!\w){re.escape(each.name)}(?!\w)", text):
                self.known[index] = replace(each, turn=turn, place=offset + again.start())
        return related

    def invent(self, names: Iterable[str], turn: int, place: int) -> None:
        """Take notice of those in a story; pronouns may mean them, or somebody there who has no name."""
        for name in names:
            if self.find(name) is None:
                self.known.append(Person(name, "", "", "", turn, place, mine=False, fictional=True))
        self.known = [each for each in self.known if each.name or not each.fictional]
        self.known.append(Person("", "", "", "", turn, place, mine=False, fictional=True))

    def _note(
        self, name: str, word: str, kin: Kin, turn: int, place: int, mine: bool = True, weak: bool = False
    ) -> Person:
        for index, each in enumerate(self.known):
            same = each.name == name and (each.kin == word or not each.kin or not word) and not each.fictional
            if same or (word and not each.name and each.kin == word):
                gender, slot, word = each.gender or kin.gender, each.slot or kin.slot, each.kin or word
                self.known[index] = Person(name, word, slot, gender, turn, place, mine)
                return self.known[index]
        self.known.append(Person(name, word, kin.slot, kin.gender, turn, place, mine, weak=weak))
        return self.known[-1]

    def meant_by(self, pronoun: str, turn: int, place: int) -> Person | None:
        """The one person a pronoun can refer to, or None if there is none or more than one."""
        gender = self.words.he_she[pronoun]
        before = [each for each in self.known if (each.turn, each.place) < (turn, place) and turn - each.turn <= _REACH]
        before = [each for each in before if not each.weak or each.turn == turn]
        fitting = [each for each in before if each.gender == gender and each.slot != "pet"]
        open_ = [each for each in before if not each.gender or each.slot == "pet"]
        possible = fitting or open_
        if not possible:
            return None
        latest = max(possible, key=lambda each: (each.turn, each.place))
        nearer = [each for each in open_ if each is not latest and each.turn == turn and each.place >= latest.place]
        if fitting and latest.turn < turn and len(nearer) == 1:  # "Mr Fairweather, he's the surgeon"
            latest, nearer = nearer[0], []
        rivals = [each for each in possible if each.turn == latest.turn and each is not latest and each not in nearer]
        if (fitting and nearer) or (rivals and len(fitting) != 1):
            return None
        if not latest.gender and self._is_followed(latest, (turn, place)):
            return None
        return self._of_gender(latest, gender)

    def _is_followed(self, person: Person, pronoun: tuple[int, int]) -> bool:
        """Whether another name stands between a person, who may be a man or a woman, and a pronoun."""
        begin = (person.turn, person.place if person.turn == pronoun[0] else -1)
        between = {name for turn, place, name in self.names if begin < (turn, place) < pronoun}
        return any(not each.startswith(person.name) and each not in person.name for each in between)

    def _of_gender(self, person: Person, gender: str) -> Person:
        """The person, whose gender is known from now on."""
        if person.gender or person.slot == "pet" or person.fictional:
            return person
        found = replace(person, gender=gender, weak=False)
        self.known[self.known.index(person)] = found
        return found

    def named(self, kin: str) -> str:
        """The name of "my husband", if it was said and only one has that relation."""
        names = {each.name for each in self.known if each.kin == kin and each.name and each.mine}
        return names.pop() if len(names) == 1 else ""

    def find(self, name: str) -> Person | None:
        return next((each for each in self.known if each.name == name and not each.fictional), None)


def clean_name(name: str, words: StatementWords) -> str:
    """A name without the words around it that only look like one; empty if nothing is left."""
    parts = name.split()
    known = words.words("not_names")
    while parts and (parts[0] in known or parts[0].removesuffix("'s") in known):
        parts.pop(0)
    while parts and parts[-1] in known:
        parts.pop()
    return " ".join(parts)


def is_unusual(word: str, words: StatementWords) -> bool:
    """Whether a word in lower case can only be a name: it is no everyday word and has no ending of a verb."""
    if words.pattern("inflected").search(word):
        return False
    everyday = words_of("common_words", "general_words", "minor_words", "stop_words", "function_words")
    everyday |= words.words("not_lower_names")
    if (word_rank(word) or _RARE) < _RARE:
        return False
    return word not in everyday and word not in words.words("unchanged_verbs") and word not in words.relatives


def names_in(text: str, words: StatementWords) -> Iterator[str]:
    """Every name in running text; the first word of a sentence only if it is no ordinary word."""
    for found in words.pattern("names").finditer(text):
        name = clean_name(found[0], words)
        if name and len(name) > 1:
            yield name


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(low < span[1] and span[0] < high for low, high in taken)


# Who speaks in a conversation.


_NOBODY = frozenset({"user", "me", "human", "you", "customer", "client", "assistant", "ai", "agent", "bot", "system"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who "I" is: `subject` in a statement, `name` in its text."""

    subject: str
    name: str | None  # None: not known
    introduced: str = ""  # the name that the speaker gives in this conversation

    def in_text(self, words: StatementWords) -> str:
        return self.name or words.user


def speakers_of(conversation: LearningConversation) -> dict[str | None, Speaker]:
    """One memory has one owner: two people who both talk in it are told apart by their names."""
    owner = conversation.owner
    said = {turn.speaker for turn in conversation.turns if turn.role == "user"}
    named = {name for name in said if name and name_key(name) not in _NOBODY}
    alone = owner is None and len(named) == 1
    return {
        name: Speaker(USER, owner or (name if alone and name in named else None))
        if name not in named or alone or name_key(name or "") == name_key(owner or "")
        else Speaker(name or USER, name)
        for name in said
    }
