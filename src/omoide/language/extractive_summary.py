"""Summarizes a conversation by choosing its most important sentences, within a token budget and without a model.

The summary is extractive, so nothing that was not said can appear in it, and deterministic. The score of a sentence
depends on what it states (a decision, an outcome, a preference or feeling, a name, a number), on how close it is to the
topic of the conversation, and on how much of it was chosen already.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from omoide.language.sentences import (
    CLASS_BONUS,
    FEELING,
    OUTCOME,
    is_about_self,
    is_acknowledgement,
    is_courtesy,
    is_filler,
    is_greeting,
    is_hedge,
    is_question,
    is_unexplained_feeling,
    is_work_report,
    is_yes_or_no,
    split_sentences,
    statement_weights,
    states_preference,
    with_end_mark,
    without_opening,
)
from omoide.language.text import has_unspaced_script, search_terms, shorten, stem, word_rank
from omoide.language.tokens import estimate

_BRIEF_TOKENS = 40
_MAX_SENTENCES = 400  # that are considered: comparing them costs their number times the number chosen
_LONGEST_TURN = 20_000  # characters; what follows is a document, and its beginning says what it is
_TOOL_LINE = 160  # characters that are kept of a long tool output
_LONG_OUTPUT = 300  # characters from which a tool output is reduced to one line
_REDUNDANT = 0.6  # share of a sentence's words, by weight, that a chosen sentence already contains
_BRIEF_SHARE = 0.3  # of the best sentence's score that a second one needs in a brief summary
_DENSITY = 0.3  # exponent of the length: how much a short sentence is preferred to a long one of the same score
_CAUSE_DISTANCE = 6  # sentences before a feeling among which its cause is looked for
_MAX_NAME = 60  # characters before a colon that may be a speaker's name
_ROLES = {"Agent": "agent", "System": "system"}
_SHORT_ANSWER = 4  # words: "yes" and "on Tuesday" mean nothing without their question
_ROLE_FACTORS = {"user": 1.0, "agent": 0.65, "system": 0.5}  # agents use more words for less; tools most of all

# What the parts of an answer weigh, and how much it takes to exceed the budget: one rare word.
_NUMBER_WEIGHT, _NAME_WEIGHT, _RARE_WEIGHT, _LESS_COMMON_WEIGHT = 1.0, 0.8, 0.5, 0.2
_EVERYDAY = 600  # rank by frequency up to which a word names nothing
_AGENT_MATTER = 0.7
_MATTER = 2.0  # times the weight, added to the score beyond the budget
_WORTH_MORE = 0.5

_WORD = re.compile(r"[\w'’.:/-]*\w")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w'’.-]*|\b[A-Z]{2,}\b|\b\w+[._/]\w[\w./-]*")
_TOOL_RESULT = re.compile(r"error|fail|exception|success|passed|warning|denied|not found|done|deployed", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn of a conversation. `at` is microseconds UTC."""

    role: str
    text: str
    speaker: str | None = None
    at: int | None = None
    importance: int = 5

    @property
    def who(self) -> str:
        """The name to print before the words."""
        return self.speaker or (self.role.removeprefix("tool:") if self.is_tool else self.role.capitalize())

    @property
    def is_tool(self) -> bool:
        return self.role.startswith("tool:")


@dataclass(frozen=True, slots=True)
class ExtractiveSummary:
    """A summary, and the indexes of the turns it was taken from."""

    text: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence with its turn; `asked` is the index of the turn whose question it answers."""

    number: int
    turn: SpokenTurn
    text: str
    asked: int | None = None


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence that may be chosen; `turn` and `asked` are indexes of turns."""

    text: str
    turn: int
    asked: int | None
    who: str
    score: float
    words: tuple[str, ...]
    classes: frozenset[str] = frozenset()
    matter: Mapping[str, float] = field(default_factory=dict)  # numbers, names and rare words, with their weights
    needs: str | None = None  # the sentence without which this one says little


def summarize(turns: Sequence[SpokenTurn], tokens: int, at_most: int = 0) -> ExtractiveSummary:
    """Return the most important sentences in their order, each with its speaker's name, in at most `tokens`.

    Sentences that name something new (a number, a name, a rare word) are still added up to `at_most` tokens.
    """
    return _render(_scored(turns), tokens, most=_MAX_SENTENCES, at_most=at_most)


def brief_summary(turns: Sequence[SpokenTurn], tokens: int = _BRIEF_TOKENS) -> ExtractiveSummary:
    """Return the one or two most important sentences."""
    found = _scored(turns)
    best = max((sentence.score for sentence in found), default=0.0)
    candidates = [sentence for sentence in found if sentence.score >= _BRIEF_SHARE * best]
    # Chosen for the larger budget first, so that a shorter summary says nothing that a longer one does not.
    chosen = _choose(candidates, max(tokens, _BRIEF_TOKENS), most=2)
    fitting = [each for each in chosen if estimate(_joined([each])) <= tokens]
    return _render(fitting or candidates, tokens, most=2)


def parse_summary(text: str, role: str = "user") -> list[SpokenTurn]:
    """Return the turns of a summary that was written by this module; `role` is that of a line without a name."""
    turns: list[SpokenTurn] = []
    for line in text.splitlines():
        who, colon, words = line.partition(": ")
        named = colon and words and len(who) <= _MAX_NAME
        turns.append(SpokenTurn(_ROLES.get(who, "user"), words, who) if named else SpokenTurn(role, line))
    return turns


def _scored(turns: Sequence[SpokenTurn]) -> list[ScoredSentence]:
    """The sentences that are not small talk, with their scores, in order."""
    lines = _answered([_Line(number, turn, line) for number, turn in enumerate(turns) for line in _lines(turn)])
    words = [tuple(dict.fromkeys(word.lower() for word in search_terms(line.text))) for line in lines]
    counts = Counter(word for each in words for word in each)
    said = frozenset(word.lower() for turn in turns if turn.role == "user" for word in _WORD.findall(turn.text))
    found = [
        ScoredSentence(
            text=_without_opening(line.text),
            turn=line.number,
            asked=line.asked,
            who=line.turn.who,
            score=(_statement_score(line) + _topic_score(each, counts, len(lines))) * _role_factor(line)
            + _position_score(line.number, len(turns)),
            words=each,
            classes=_classes(line),
            matter=_matter(line, said),
        )
        for line, each in zip(lines, words, strict=True)
    ]
    if len(found) > _MAX_SENTENCES:
        least = sorted((sentence.score for sentence in found), reverse=True)[_MAX_SENTENCES - 1]
        found = [sentence for sentence in found if sentence.score >= least][: 2 * _MAX_SENTENCES]
    return _with_causes(found)


def _lines(turn: SpokenTurn) -> list[str]:
    """The sentences of a turn, or one line for a long tool output."""
    text = turn.text[:_LONGEST_TURN]
    if turn.speaker and text.startswith(f"{turn.speaker}:"):  # a transcript that names the speaker in the text
        text = text[len(turn.speaker) + 1 :]
    if turn.is_tool and len(text) > _LONG_OUTPUT:
        return [_output_line(turn.text)]
    return split_sentences(text)


def _output_line(text: str) -> str:
    """The line of a long output that says how it went, else the last one, and the number of lines."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    result = next((line for line in lines if _TOOL_RESULT.search(line)), lines[-1] if lines else "")
    return shorten(result, _TOOL_LINE) + (f" [{len(lines)} lines]" if len(lines) > 1 else "")


def _answered(lines: Sequence[_Line]) -> list[_Line]:
    """Without small talk and answered questions; a question with a very short answer is put before the answer."""
    kept: list[_Line] = []
    asked: _Line | None = None
    for line in lines:
        said_yes = asked and line.turn.role == "user" and asked.turn.role != "user" and is_yes_or_no(line.text)
        if (is_filler(line.text) and not said_yes) or (is_greeting(line.text) and not asked):
            continue
        if line.turn.role != "user" and is_courtesy(line.text):
            continue
        if asked and line.turn.who != asked.turn.who:
            if len(search_terms(line.text)) < _SHORT_ANSWER and not is_question(line.text):
                line = replace(line, text=f"({asked.text}) {line.text}", asked=asked.number)
            asked = None
        if line.asked is None and is_question(line.text):
            if asked and asked.number != line.number:
                kept.append(asked)
            asked = line
            continue
        kept.append(line)
    return [*kept, asked] if asked else kept


def _without_opening(line: str) -> str:
    """Without "well, so", except where people speak about themselves."""
    if states_preference(line) or (is_about_self(line) and FEELING in statement_weights(line)):
        return line
    shorter = without_opening(line)
    return shorter[:1].upper() + shorter[1:] if shorter != line else line


def _statement_score(line: _Line) -> float:
    text, turn, by_user = line.text, line.turn, line.turn.role == "user"
    score = sum(statement_weights(text).values())
    score += 2.5 if by_user and states_preference(text) else 0.0
    score += min(1.5, 0.5 * len(_NUMBER.findall(text))) + min(1.5, 0.5 * len(_NAME.findall(text)))
    score += 0.5 if is_about_self(text) else 0.0
    score += 0.3 * (turn.importance - 5)
    score += 1.0 if by_user and line.asked is not None else 0.0
    score -= 1.5 if is_hedge(text) else 0.0
    score -= 1.5 if not by_user and is_acknowledgement(text) else 0.0
    score -= 1.0 if text.startswith("[") else 0.0  # the line that replaces code
    score -= 0.5 if is_question(text) else 0.0
    return score * _length_factor(text)


def _role_factor(line: _Line) -> float:
    """How much a role's sentences count; an agent's report of its own work counts fully."""
    if line.turn.role == "agent" and is_work_report(line.text):
        return 1.0
    return _ROLE_FACTORS.get(line.turn.role, 0.5)


def _classes(line: _Line) -> frozenset[str]:
    """Only users state decisions, events and feelings; outcomes may come from anybody. A question states nothing."""
    if is_question(line.text):
        return frozenset()
    found = statement_weights(line.text).keys() & CLASS_BONUS.keys()
    if line.turn.role == "user":
        return frozenset(found | ({FEELING} if states_preference(line.text) else set()))
    return frozenset({OUTCOME} & found) if line.turn.is_tool or is_work_report(line.text) else frozenset()


def _with_causes(found: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """Link an unexplained feeling to the earlier sentence of its speaker that explains it, and score that as high."""
    sentences = list(found)
    for index, each in enumerate(sentences):
        if FEELING not in each.classes or not is_unexplained_feeling(each.text) or states_preference(each.text):
            continue
        before = [at for at in range(max(0, index - _CAUSE_DISTANCE), index) if sentences[at].who == each.who]
        explaining = [at for at in before if sentences[at].classes - {FEELING}]
        if cause := (explaining or before)[-1:]:
            why = sentences[cause[0]]
            sentences[cause[0]] = replace(why, score=max(why.score, each.score))
            sentences[index] = replace(each, needs=why.text)
    return sentences


def _length_factor(line: str) -> float:
    """A fragment says little by itself, and a very long sentence takes the place of several."""
    size = len(line) * (3 if has_unspaced_script(line) else 1)
    return min(1.0, 0.4 + size / 60) if size < 160 else max(0.6, 1.0 - (size - 160) / 1_000)


def _topic_score(words: Sequence[str], counts: Counter[str], lines: int) -> float:
    """How close a sentence is to the topic: it has words that were said more than once, but not everywhere."""
    if not words:
        return 0.0
    values = (math.log1p(counts[word]) * _rarity(word, counts, lines) for word in words)
    return sum(values) / math.sqrt(len(words) + 4) / 3


def _rarity(word: str, counts: Counter[str], lines: int) -> float:
    return math.log(1 + lines / (1 + counts[word]))


def _position_score(number: int, turns: int) -> float:
    """The first turn says what a conversation is about, the last two how it ended."""
    return 0.5 if number == 0 else 0.4 if number >= turns - 2 else 0.0


def _render(found: list[ScoredSentence], tokens: int, most: int, at_most: int = 0) -> ExtractiveSummary:
    chosen = _choose(found, tokens, most, at_most)
    if not chosen and found and tokens > 0:  # nothing fits whole
        best = max(found, key=lambda sentence: sentence.score)
        text = _clipped(best, tokens)
        return ExtractiveSummary(text, _turn_indexes([best]) if text else ())
    return ExtractiveSummary(_joined(chosen), _turn_indexes(chosen))


def _turn_indexes(chosen: Sequence[ScoredSentence]) -> tuple[int, ...]:
    return tuple(sorted({index for each in chosen for index in (each.turn, each.asked) if index is not None}))


def _choose(found: list[ScoredSentence], tokens: int, most: int, at_most: int = 0) -> list[ScoredSentence]:
    """Take the best sentence again and again, while it fits and says something that the chosen ones do not.

    Beyond `tokens`, up to `at_most`, only those that name something new.
    """
    counts = Counter(word for sentence in found for word in sentence.words)
    rarity = {word: _rarity(word, counts, len(found)) for word in counts}
    order = {id(sentence): index for index, sentence in enumerate(found)}
    costs = {id(each): estimate(f"{each.who}: {each.text}") for each in found}
    least = {id(each): estimate(each.text) for each in found}  # if its speaker is named already
    waiting = sorted(found, key=lambda each: (-each.score, each.turn))
    chosen: list[ScoredSentence] = []
    told: set[str] = set()  # the matter of the chosen ones
    matter = _MATTER if at_most > tokens else 0.0
    used = 0
    while waiting and len(chosen) < most:
        covered = frozenset(name for each in chosen for name in each.classes)
        texts = {each.text for each in chosen}
        values = {id(each): _value(each, covered) + matter * _new_matter(each, told) for each in waiting}
        ready = [each for each in waiting if each.needs is None or each.needs in texts]
        tried: set[int] = set()
        for best in sorted(ready, key=lambda each: -values[id(each)] / costs[id(each)] ** _DENSITY):
            tried.add(id(best))
            room = max(tokens, at_most) if _new_matter(best, told) >= _WORTH_MORE else tokens
            named = any(other.who == best.who for other in chosen)  # the name may be printed already
            cost = least[id(best)] if named else costs[id(best)]
            if used + cost > room or any(_overlap(best, each, rarity) > _REDUNDANT for each in chosen):
                continue
            more = sorted([*chosen, best], key=lambda sentence: order[id(sentence)])
            if estimate(_joined(more)) <= room:  # joined, they may cost more than one by one
                chosen, used = more, used + cost
                told |= best.matter.keys()
                break
        else:
            break
        waiting = [each for each in waiting if id(each) not in tried and used + least[id(each)] <= max(tokens, at_most)]
    return chosen


def _value(sentence: ScoredSentence, covered: frozenset[str]) -> float:
    """The score, and a bonus for the first sentence of a class: ten outcomes may hide one decision."""
    return max(0.0, sentence.score) + max((CLASS_BONUS[name] for name in sentence.classes - covered), default=0.0)


def _new_matter(sentence: ScoredSentence, told: Container[str]) -> float:
    return sum(weight for word, weight in sentence.matter.items() if word not in told)


def _matter(line: _Line, said: frozenset[str]) -> dict[str, float]:
    """Numbers, names and rare words of a sentence: what an answer consists of. `said` are the words of the user.

    What the agent repeats of them is nothing new.
    """
    by_user = line.turn.role == "user"
    factor = 1.0 if by_user or line.turn.is_tool or is_work_report(line.text) else _AGENT_MATTER
    found: dict[str, float] = {}
    for place, word in enumerate(_WORD.findall(line.text)):
        low = word.lower()
        rank = word_rank(low)
        if not by_user and low in said:
            continue
        if any(char.isdigit() for char in word):
            found[low] = _NUMBER_WEIGHT * factor
        elif word[0].isupper() and place:
            found[stem(low)] = _NAME_WEIGHT * factor
        elif rank is None and len(word) > 2 and word.isascii() and "'" not in word:
            found[stem(low)] = _RARE_WEIGHT * factor
        elif rank is not None and rank > _EVERYDAY:
            found.setdefault(stem(low), _LESS_COMMON_WEIGHT * factor)
    return found


def _overlap(sentence: ScoredSentence, other: ScoredSentence, rarity: Mapping[str, float]) -> float:
    """The share of a sentence's words that another one has, by the rarity of the words."""
    there = set(other.words)
    whole = sum(rarity[word] for word in sentence.words)
    return sum(rarity[word] for word in sentence.words if word in there) / whole if whole else 0.0


def _joined(chosen: Sequence[ScoredSentence]) -> str:
    """One line for each run of sentences by the same speaker."""
    lines: list[str] = []
    speaker = None
    for sentence in chosen:
        if sentence.who == speaker:
            lines[-1] = f"{with_end_mark(lines[-1])} {sentence.text}"
        else:
            lines.append(f"{sentence.who}: {sentence.text}")
        speaker = sentence.who
    return "\n".join(lines)


def _clipped(sentence: ScoredSentence, tokens: int) -> str:
    """As much of the beginning of a sentence as fits."""
    low, high = 0, len(sentence.text)
    while low < high:
        middle = (low + high + 1) // 2
        shorter = replace(sentence, text=shorten(sentence.text, middle))
        low, high = (middle, high) if estimate(_joined([shorter])) <= tokens else (low, middle - 1)
    text = shorten(sentence.text, low)
    return _joined([replace(sentence, text=text)]) if text.strip("… ") else ""
