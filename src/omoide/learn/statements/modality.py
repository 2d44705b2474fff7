"""Whether a clause says how things are, and what the judge sees of it. Questions, jokes, fiction and hearsay do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from omoide.language.statement_words import StatementWords
from omoide.learn.proposal import ConversationTurn
from omoide.learn.statements.clauses import GAP, Clause, Sentence, how_to_in
from omoide.learn.statements.people import names_in

_PAUSE = timedelta(hours=4)  # nobody stays in a role over night
_TURNS_IN_ROLE = 5
_CODE_MARKS = re.compile(r"[=;{}<>|\\]|\w\(|\)\.|--\w|\w_\w|::|\b[A-Z]\w+(?:Error|Warning|Exception)\b|\d\dT\d\d:")
_CODE_SHARE = 0.03  # marks of code per character
_HANDED_OVER = 0.5  # share of a clause that is blanked: the rest only introduces it


@dataclass(slots=True)
class Frame:
    """Whose words a turn holds: a role that the speaker plays lasts over turns."""

    acting: int = 0  # turns that the role is expected to go on
    last: ConversationTurn | None = None

    def enter(self, turn: ConversationTurn, text: str, words: StatementWords) -> int:
        """The place up to which the turn is spoken in a role; the role may begin or end in it."""
        if self.last is not None and turn.at - self.last.at > _PAUSE:
            self.acting = 0
        self.last = turn
        if not self.acting:
            return 0
        self.acting -= 1
        over = words.pattern("role_over").search(text)
        if over is None:
            return len(text)
        self.acting = 0
        return over.end()


@dataclass(frozen=True, slots=True)
class ReadClause:
    clause: Clause
    text: str  # without its opening words
    start: int  # where that text begins in the turn
    modality: Modality
    in_question: bool
    in_request: bool
    laughs: bool
    keep_asked: bool = False  # "remember that …"
    said: str = ""  # what it states as the answer to a question of the agent


def read_turn(
    turn: ConversationTurn, text: str, sentences: Sequence[Sentence], words: StatementWords, frame: Frame
) -> list[ReadClause]:
    """Every clause of a turn with its modality."""
    if words.pattern("unkept").search(text):
        return []
    spoken_from = frame.enter(turn, text, words)
    after = [each.start + len(each.text) for each in sentences if 0 < spoken_from <= each.start + len(each.text)]
    begins = words.pattern("role_play").search(text, after[0] if after else spoken_from)
    if begins:
        frame.acting = _TURNS_IN_ROLE
    staged_from = begins.start() if begins else len(text)
    if any(words.pattern("belongs").search(each.text) for each in sentences[1:]):
        staged_from = 0
    found: list[ReadClause] = []
    for number, sentence in enumerate(sentences):
        staged_from = min(staged_from, _staged_from(sentence, words))
        follows = sentences[number + 1] if number + 1 < len(sentences) else None
        taken_back = follows is not None and words.pattern("retractions").match(follows.text) is not None
        found += _read_sentence(sentence, words, (spoken_from, staged_from), joking=taken_back)
    return list(_framed(found, words))


def _framed(clauses: Sequence[ReadClause], words: StatementWords) -> Iterator[ReadClause]:
    """What is supposed or reported goes on in the clauses that follow.

    "Imagine" and "what if" last until the speaker comes back to what is so; "if I were" and "he says" only over what
    has no subject of its own, says "would", or follows from it in the same sentence.
    """
    frame: Modality | None = None
    lasting, conditional, said_in = False, False, -1
    for each in clauses:
        back = frame is not None and words.pattern("role_over").search(each.clause.text) is not None
        if back or each.modality in {"asked", "requested"}:
            frame = None
        if frame and each.modality in {"asserted", "instructed"}:
            told_on = frame == "reported" and each.clause.sentence == said_in and _begins_with_pronoun(each.text, words)
            follows_if = conditional and each.modality == "asserted" and each.clause.sentence == said_in
            goes_on = (
                told_on
                or follows_if
                or _has_no_subject(each, said_in, words)
                or (frame == "supposed" and (lasting or words.pattern("unreal").search(each.text) is not None))
            )
            if goes_on:
                yield replace(each, modality=frame)
                continue
            frame, conditional = None, False
        if each.modality in {"supposed", "reported"}:
            frame, said_in = each.modality, each.clause.sentence
            lasting = words.pattern("imagined").match(each.text) is not None
            conditional = words.pattern("supposed").match(each.text) is not None
        yield each


def _has_no_subject(clause: ReadClause, said_in: int, words: StatementWords) -> bool:
    """Whether a clause has no subject of its own; in another sentence, neither a name nor a number."""
    if words.pattern("has_subject").match(clause.text) is not None:
        return False
    told = any(map(str.isdigit, clause.text)) or next(names_in(clause.text, words), None)
    return clause.clause.sentence == said_in or not told


def _begins_with_pronoun(text: str, words: StatementWords) -> bool:
    """Whether a clause is about "she" or "it", as what somebody goes on to say is."""
    return text.split(" ", 1)[0].lower() in words.he_she or words.pattern("dependent").match(text) is not None


def _staged_from(sentence: Sentence, words: StatementWords) -> int:
    """Where a story, or a text to work on, begins in a sentence; far away if nowhere."""
    if words.pattern("fiction").search(sentence.text):
        return sentence.start
    if how_to_in(sentence.text, words):
        return 1 << 30
    handed = words.pattern("dictated").search(sentence.text)
    return sentence.start + handed.end() if handed else 1 << 30


def _read_sentence(
    sentence: Sentence, words: StatementWords, own: tuple[int, int], *, joking: bool
) -> list[ReadClause]:
    """The clauses of a sentence; only what ends between the places `own` is said by the speaker as themselves."""
    laughs = words.pattern("laughs").search(sentence.text) is not None
    joking = joking or words.pattern("jokes").search(sentence.text) is not None
    asks = "?" in sentence.mark or "？" in sentence.mark
    found: list[ReadClause] = []
    for clause in sentence.clauses:
        staged = clause.end <= own[0] or clause.end > own[1]
        opening = words.pattern("openings").match(clause.text)
        text = clause.text[opening.end() :] if opening else clause.text
        closing = words.pattern("closings").search(text)
        text = text[: closing.start()] if closing and closing.start() > 0 else text
        modality: Modality = (
            "staged"
            if staged
            else "joking"
            if joking
            else _modality(
                clause,
                text,
                words,
                asks=asks,
                asked_before=bool(found) and found[-1].modality == "asked",
                laughs=laughs,
            )
        )
        start = clause.start + (opening.end() if opening else 0)
        kept = opening is not None and words.pattern("keep_asked").search(opening[0]) is not None
        found.append(ReadClause(clause, text, start, modality, asks, False, laughs, kept))
    demands = any(each.modality == "requested" for each in found)
    return [replace(each, in_request=demands) for each in found]


def _modality(
    clause: Clause, text: str, words: StatementWords, *, asks: bool, asked_before: bool, laughs: bool
) -> Modality:
    def starts(field: str) -> bool:
        return words.pattern(field).match(text) is not None

    def finds(field: str) -> bool:
        return words.pattern(field).search(text) is not None

    if words.pattern("small_talk").fullmatch(text) or not any(map(str.isalpha, text.replace(GAP, ""))):
        return "small talk"
    if text.count(GAP) > len(text) * _HANDED_OVER or _looks_like_code(text):
        return "staged"
    if not asks and how_to_in(text, words):
        return "asserted"
    if starts("supposed") or finds("supposing"):
        return "supposed"
    if starts("standing_starts") or starts("answering") or (starts("wants") and not (asks and clause.last)):
        return "instructed"
    if starts("requests"):
        return "instructed" if finds("standing") and not starts("questions") else "requested"
    if starts("questions") or finds("tags") or (asks and clause.last and not (asked_before and starts("has_subject"))):
        return "asked"
    if not starts("has_subject") and words.pattern("alternatives").fullmatch(text):
        return "asked"
    if starts("tasks"):
        return "instructed" if finds("standing") else "requested"
    if finds("wishes"):
        return "wished"
    if finds("reported") and not finds("trusted"):
        return "reported"
    if laughs and finds("absurd"):
        return "joking"
    return "asserted"


def _looks_like_code(text: str) -> bool:
    return len(_CODE_MARKS.findall(text)) > max(1, len(text) * _CODE_SHARE)


# What is known about a clause before it is decided whether to keep it: the input of the judge.


Modality = Literal[
    "asserted", "instructed", "asked", "requested", "supposed", "wished", "reported", "joking", "staged", "small talk"
]
"""Asserted and instructed clauses can be kept; all others never are."""

Person = Literal["first", "kin", "named", "second", "thing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseFeatures:
    """A clause as the judge sees it.

    `flags` are cues found by the tables of the language, independent of the language: name, kin, number, date, future,
    past, lasting, change, hedge, laugh, preference, opinion, plan, event, procedure, standing, possessive,
    unresolved (a pronoun that refers to nobody known), fragment (no subject of its own), in_question (its sentence
    also asks), in_request (its sentence also gives a task), bullet, addressed (it
    speaks of the listener). Those of `Discourse` say what stands around it.
    """

    text: str  # the words of the turn
    restated: str  # the same in the third person
    modality: Modality
    person: Person  # whom it is about
    slot: str | None
    flags: frozenset[str]
    position: float  # in the turn: 0 at the beginning, 1 at the end
    turn_words: int
    before: str = ""  # the clause before it in the turn
    follows: str = ""  # the clause after it
    reply: str = ""  # the turn of the agent just before
    answer: str = ""  # the turn of the agent just after: it shows how the turn was taken
