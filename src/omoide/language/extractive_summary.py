"""The most telling sentences of a stretch of talk, within a token budget: chosen, never rewritten, the same every time.

Extractive on purpose: what was not said cannot come out. A sentence is worth what it tells (a decision, an outcome, a
wish or feeling, a name, a number), how near it is to what the talk is about, and how little of it was chosen already.
The libraries for this bring tokenisers, corpora or numpy for a ranking that knows nothing of decisions or wishes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from omoide.language.preference_statements import states_preference
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
    with_end_mark,
    without_opening,
)
from omoide.language.text import has_unspaced_script, search_terms, shorten
from omoide.language.tokens import estimate

_ESSENCE_TOKENS = 40  # Kira-L's distilled example
_CONSIDERED = 400  # sentences; the redundancy check is their number times the number chosen
_TOOL_LINE = 160  # characters that are kept of a long output
_LONG_OUTPUT = 300  # characters from which an output is one line of itself
_REDUNDANT = 0.6  # of the weight of a sentence's words were said by one that was chosen
_WORTHY = 0.3  # of the best one's weight: an essence needs no second sentence that says nothing
_DENSITY = 0.3  # how far a short sentence stands before a long one of its worth: two of them may take its place
_NEAR = 6  # sentences before a feeling among which its cause is looked for
_LONGEST_NAME = 60  # characters: what is longer before a colon is part of what was said
_ROLES = {"Agent": "agent", "System": "system"}
_SHORT_ANSWER = 4  # words: "yes" and "on Tuesday" mean nothing without their question


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn of a talk. `at` is microseconds UTC."""

    role: str
    text: str
    speaker: str | None = None
    at: int | None = None
    importance: int = 5

    @property
    def who(self) -> str:
        """The name that stands before their words."""
        if self.speaker:
            return self.speaker
        return self.role.removeprefix("tool:") if self.role.startswith("tool:") else self.role.capitalize()

    @property
    def is_tool(self) -> bool:
        return self.role.startswith("tool:")


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """What somebody said in one breath: `turn` is its turn's place in the talk, `asked` its question's."""

    text: str
    turn: int
    asked: int | None
    who: str
    weight: float
    words: tuple[str, ...]
    classes: frozenset[str] = frozenset()
    because: str | None = None  # the words without which it says little


@dataclass(frozen=True, slots=True)
class ExtractiveSummary:
    """The words, and the turns that they come from by their places in the talk."""

    text: str
    turns: tuple[int, ...]


def summary_text(said: Sequence[SpokenTurn], tokens: int) -> str:
    """The most telling sentences in the order of the talk, each under its speaker's name, in at most so many tokens."""
    return summarize(said, tokens).text


def summarize(said: Sequence[SpokenTurn], tokens: int) -> ExtractiveSummary:
    """The gist, and which turns it comes from."""
    return _told(_weighed(said), tokens, most=_CONSIDERED)


def brief_summary_text(said: Sequence[SpokenTurn], tokens: int = _ESSENCE_TOKENS) -> str:
    """What a talk comes down to: one or two sentences."""
    return brief_summary(said, tokens).text


def brief_summary(said: Sequence[SpokenTurn], tokens: int = _ESSENCE_TOKENS) -> ExtractiveSummary:
    """The essence, and which turns it comes from."""
    found = _weighed(said)
    best = max((sentence.weight for sentence in found), default=0.0)
    worthy = [sentence for sentence in found if sentence.weight >= _WORTHY * best]
    # Chosen from what the longer one would tell, so that a shorter essence tells nothing that a longer one does not.
    chosen = _chosen(worthy, max(tokens, _ESSENCE_TOKENS), most=2)
    fitting = [each for each in chosen if estimate(_rendered([each])) <= tokens]
    return _told(fitting or worthy, tokens, most=2)


def parse_summary(text: str, role: str = "user") -> list[SpokenTurn]:
    """The talk that a summary of ours is written as: a name, then what they said. `role` is whose a line without is."""
    talk: list[SpokenTurn] = []
    for line in text.splitlines():
        who, colon, words = line.partition(": ")
        named = colon and words and len(who) <= _LONGEST_NAME
        talk.append(SpokenTurn(_ROLES.get(who, "user"), words, who) if named else SpokenTurn(role, line))
    return talk


_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w'’.-]*|\b[A-Z]{2,}\b|\b\w+[._/]\w[\w./-]*")
_SHARES = {"user": 1.0, "agent": 0.65, "system": 0.5}  # an agent says more with less in it; a tool least
_TELLING_OUTPUT = re.compile(
    r"error|fail|exception|success|passed|warning|denied|not found|done|deployed", re.IGNORECASE
)


def _lines(said: SpokenTurn) -> list[str]:
    """The sentences of a turn, or the one line that stands for a long output."""
    text = said.text
    if said.speaker and text.startswith(f"{said.speaker}:"):  # a transcript names who speaks before the words
        text = text[len(said.speaker) + 1 :]
    if said.is_tool and len(text) > _LONG_OUTPUT:
        return [_output_line(text)]
    return split_sentences(text)


def _output_line(text: str) -> str:
    """Of a long output the line that says how it went, else its last one, and how long it was."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = next((line for line in lines if _TELLING_OUTPUT.search(line)), lines[-1] if lines else "")
    more = f" [{len(lines)} lines]" if len(lines) > 1 else ""
    return shorten(telling, _TOOL_LINE) + more


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence before it is weighed."""

    number: int
    turn: SpokenTurn
    text: str
    asked: int | None = None


def _weighed(said: Sequence[SpokenTurn]) -> list[ScoredSentence]:
    """Every sentence that is left, with its weight, in the order of the talk."""
    talk = _answered([_Line(number, turn, line) for number, turn in enumerate(said) for line in _lines(turn)])
    words = [tuple(dict.fromkeys(word.lower() for word in search_terms(line.text))) for line in talk]
    spread = Counter(word for each in words for word in each)
    found = [
        ScoredSentence(
            text=_plain(line.text),
            turn=line.number,
            asked=line.asked,
            who=line.turn.who,
            weight=(_weight(line) + _topical(each, spread, len(talk))) * _share(line)
            + _position(line.number, len(said)),
            words=each,
            classes=_classes(line),
        )
        for line, each in zip(talk, words, strict=True)
    ]
    if len(found) > _CONSIDERED:
        least = sorted((sentence.weight for sentence in found), reverse=True)[_CONSIDERED - 1]
        found = [sentence for sentence in found if sentence.weight >= least][: 2 * _CONSIDERED]
    return _caused(found)


def _answered(talk: Sequence[_Line]) -> list[_Line]:
    """Without filler and the questions that somebody answered; a question that was answered in a word or two stands
    before its answer."""
    kept: list[_Line] = []
    asked: _Line | None = None
    for line in talk:
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


def _plain(line: str) -> str:
    """Without "well, so": but the words of somebody about themselves stay as they were said."""
    if _tells_of_self(line):
        return line
    shorter = without_opening(line)
    return shorter[:1].upper() + shorter[1:] if shorter != line else line


def _tells_of_self(line: str) -> bool:
    return states_preference(line) or (is_about_self(line) and FEELING in statement_weights(line))


def _weight(said: _Line) -> float:
    line, turn = said.text, said.turn
    told = sum(statement_weights(line).values())
    told += 2.5 if turn.role == "user" and states_preference(line) else 0.0
    told += min(1.5, 0.5 * len(_NUMBER.findall(line))) + min(1.5, 0.5 * len(_NAME.findall(line)))
    told += 0.5 if is_about_self(line) else 0.0
    told += 0.3 * (turn.importance - 5)
    told += 1.0 if turn.role == "user" and said.asked is not None else 0.0  # an answer to what was asked
    told -= 1.5 if is_hedge(line) else 0.0
    told -= 1.5 if turn.role != "user" and is_acknowledgement(line) else 0.0
    told -= 1.0 if line.startswith("[") else 0.0  # the line that stands for code
    told -= 0.5 if is_question(line) else 0.0
    return told * _length_share(line)


def _share(line: _Line) -> float:
    """An agent says more with less in it, but for what it reports as done; a tool least."""
    if line.turn.role == "agent" and is_work_report(line.text):
        return 1.0
    return _SHARES.get(line.turn.role, 0.5)


def _classes(line: _Line) -> frozenset[str]:
    """Decisions, events and feelings are people's; how something came out anybody may tell. A question tells none."""
    if is_question(line.text):
        return frozenset()
    told = statement_weights(line.text).keys() & CLASS_BONUS.keys()
    if line.turn.role == "user":
        return frozenset(told | ({FEELING} if states_preference(line.text) else set()))
    works = line.turn.is_tool or is_work_report(line.text)
    return frozenset({OUTCOME} & told) if works else frozenset()


def _caused(found: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """A bare feeling with the sentence before it, by the same person, that says why; that one weighs no less."""
    sentences = list(found)
    for place, each in enumerate(sentences):
        if FEELING not in each.classes or not is_unexplained_feeling(each.text) or states_preference(each.text):
            continue
        before = [at for at in range(max(0, place - _NEAR), place) if sentences[at].who == each.who]
        telling_why = [at for at in before if sentences[at].classes - {FEELING}]
        if cause := (telling_why or before)[-1:]:
            why = sentences[cause[0]]
            sentences[cause[0]] = replace(why, weight=max(why.weight, each.weight))
            sentences[place] = replace(each, because=why.text)
    return sentences


def _length_share(line: str) -> float:
    """A fragment says little by itself, and a very long sentence takes the place of several."""
    size = len(line) * (3 if has_unspaced_script(line) else 1)
    return min(1.0, 0.4 + size / 60) if size < 160 else max(0.6, 1.0 - (size - 160) / 1_000)


def _topical(words: Sequence[str], spread: Counter[str], talk: int) -> float:
    """How much a sentence speaks of what the talk is about: words said more than once, but not everywhere."""
    if not words:
        return 0.0
    worth = (math.log1p(spread[word]) * _rarity(word, spread, talk) for word in words)
    return sum(worth) / math.sqrt(len(words) + 4) / 3


def _rarity(word: str, spread: Counter[str], talk: int) -> float:
    return math.log(1 + talk / (1 + spread[word]))


def _position(number: int, turns: int) -> float:
    """What a talk begins with says what it is about, what it ends with how it came out."""
    return 0.5 if number == 0 else 0.4 if number >= turns - 2 else 0.0


def _told(found: list[ScoredSentence], tokens: int, most: int) -> ExtractiveSummary:
    chosen = _chosen(found, tokens, most)
    if not chosen and found and tokens > 0:  # nothing fits whole
        best = max(found, key=lambda sentence: sentence.weight)
        text = _clipped(best, tokens)
        return ExtractiveSummary(text, _places([best]) if text else ())
    return ExtractiveSummary(_rendered(chosen), _places(chosen))


def _places(chosen: Sequence[ScoredSentence]) -> tuple[int, ...]:
    return tuple(sorted({place for each in chosen for place in (each.turn, each.asked) if place is not None}))


def _chosen(found: list[ScoredSentence], tokens: int, most: int) -> list[ScoredSentence]:
    """The best first, one after another, while they fit and say something that the chosen ones do not."""
    spread = Counter(word for sentence in found for word in sentence.words)
    places = {id(sentence): place for place, sentence in enumerate(found)}
    costs = {id(each): estimate(f"{each.who}: {each.text}") for each in found}
    waiting = sorted(found, key=lambda each: (-each.weight, each.turn))
    chosen: list[ScoredSentence] = []
    left = tokens
    while waiting and len(chosen) < most:
        covered = frozenset(name for each in chosen for name in each.classes)
        texts = {each.text for each in chosen}
        ready = [each for each in waiting if each.because is None or each.because in texts]
        if not ready:
            break
        best = max(ready, key=lambda each: _worth(each, covered) / costs[id(each)] ** _DENSITY)
        waiting.remove(best)
        named = any(other.who == best.who for other in chosen)  # the name may stand there already
        cost = estimate(best.text) if named else costs[id(best)]
        if cost > left or any(_said_by(best, other, spread, len(found)) > _REDUNDANT for other in chosen):
            continue
        more = sorted([*chosen, best], key=lambda sentence: places[id(sentence)])
        if estimate(_rendered(more)) <= tokens:  # what stands together may cost more than its parts
            chosen, left = more, left - cost
    return chosen


def _worth(sentence: ScoredSentence, covered: frozenset[str]) -> float:
    """Its weight, and more where nothing of its class was told yet: a talk of ten outcomes has one decision."""
    return max(0.0, sentence.weight) + max((CLASS_BONUS[name] for name in sentence.classes - covered), default=0.0)


def _said_by(sentence: ScoredSentence, other: ScoredSentence, spread: Counter[str], talk: int) -> float:
    """How much of a sentence another says already, by the weight of their words."""
    there = set(other.words)
    whole = sum(_rarity(word, spread, talk) for word in sentence.words)
    return sum(_rarity(word, spread, talk) for word in sentence.words if word in there) / whole if whole else 0.0


def _rendered(chosen: Sequence[ScoredSentence]) -> str:
    """A line for each speaker's run of sentences."""
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
    """The beginning of a sentence that does not fit whole, as long as it may be."""
    low, high = 0, len(sentence.text)
    while low < high:
        middle = (low + high + 1) // 2
        shorter = replace(sentence, text=shorten(sentence.text, middle))
        low, high = (middle, high) if estimate(_rendered([shorter])) <= tokens else (low, middle - 1)
    text = shorten(sentence.text, low)
    return _rendered([replace(sentence, text=text)]) if text.strip("… ") else ""
