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
from functools import cache

from omoide.layers.wish import is_wish
from omoide.text import is_unspaced, shorten, terms
from omoide.tokens import estimate

_ESSENCE_TOKENS = 40  # Kira-L's distilled example
_CONSIDERED = 400  # sentences; the redundancy check is their number times the number chosen
_LONGEST = 600  # characters of a sentence: beyond that it is a list or a paste, and its beginning tells what
_TOOL_LINE = 160  # characters that are kept of a long output
_LONG_OUTPUT = 300  # characters from which an output is one line of itself
_REDUNDANT = 0.6  # of the weight of a sentence's words were said by one that was chosen
_SHORT_ANSWER = 4  # words: "yes" and "on Tuesday" mean nothing without their question


@dataclass(frozen=True, slots=True)
class Said:
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
class Sentence:
    """What somebody said in one breath: `turn` is its turn's place in the talk."""

    text: str
    turn: int
    who: str
    weight: float
    words: tuple[str, ...]


def gist(said: Sequence[Said], tokens: int) -> str:
    """The most telling sentences in the order of the talk, each under its speaker's name, in at most so many tokens."""
    return _told(_weighed(said), tokens, most=_CONSIDERED)


def essence(said: Sequence[Said], tokens: int = _ESSENCE_TOKENS) -> str:
    """What a talk comes down to: one or two sentences."""
    return _told(_weighed(said), tokens, most=2)


def sentences(text: str) -> list[str]:
    """Every sentence of a text in any script, without code; a line that ends is a sentence that ends."""
    found: list[str] = []
    for line in _without_code(text).splitlines():
        begin = 0
        for end in _END.finditer(line):
            if end[0] == "." and _ABBREVIATED.search(line, max(0, end.start() - 6), end.end()):
                continue
            found.append(line[begin : end.end()])
            begin = end.end()
        found.append(line[begin:])
    plain = (_MARKDOWN.sub("", sentence).strip().replace("**", "") for sentence in found)
    return [shorten(sentence, _LONGEST) for sentence in plain if any(map(str.isalnum, sentence))]


def asks(sentence: str) -> bool:
    """Whether a sentence is a question."""
    return _QUESTION.search(sentence) is not None


def is_filler(sentence: str) -> bool:
    """Greetings, thanks, and what is said to keep a talk going."""
    return _FILLER.fullmatch(sentence.strip()) is not None


_END = re.compile(r"[.!?…]+[\"'”’»)\]*]*(?=\s|\Z)|[。！？｡؟।]+[」』”）]*")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m|z\.B|bzw|Sra"
    r"|usw)|\b[A-Z]|\b\d{1,2})\.\Z"
)
_MARKDOWN = re.compile(r"^\s*(?:[-*•·>]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+|\s*\|.*\|\s*$")
_FENCE = re.compile(r"(```|~~~)[ \t]*(\w*)[^\n]*\n?(.*?)(?:\1|\Z)", re.DOTALL)
_QUESTION = re.compile(r"[?？؟]\W*\Z|(?:吗|嗎|呢|ですか|ますか|でしょうか)[。.]?\W*\Z")
_FILLER = re.compile(
    r"(?:\W|\b(?:hi|hey|hello|hiya|yo|good\s+(?:morning|evening|afternoon|night)|bye|goodbye|see\s+you"
    r"|later|there|all|ok|okay"
    r"|k|kk|yes|yeah|yep|yup|no|nope|sure|sure\s+thing|of\s+course|absolutely|certainly|definitely"
    r"|exactly|right|got\s+it|i\s+see"
    r"|thanks|thank\s+you|thx|ty|cheers|please|welcome|you'?re\s+welcome|no\s+problem|no\s+worries"
    r"|so\s+much|a\s+lot|very\s+much"
    r"|great|good|nice|cool|congratulations|congrats|awesome|perfect|wow|haha+|lol|hmm+|um+|uh+|oh|ah|well|alright"
    r"|sounds\s+(?:good|great)|makes\s+sense"
    r"|one\s+moment|let\s+me\s+(?:check|see|know|think)|happy\s+to\s+help|glad\s+to\s+hear(?:\s+(?:it"
    r"|that))?|understood|i\s+(?:understand|agree)"
    r"|how\s+are\s+you(?:\s+(?:doing|today))?|what'?s\s+up|good\s+(?:question|point|idea)"
    r"|great\s+(?:question|point|idea)"
    r"|have\s+a\s+(?:good|great|nice)\s+(?:day|one|evening|weekend)|take\s+care|again|then|and|you|too|to"
    r"|it|that'?s|that|is|i'?m|for"
    r"|hallo|guten\s+(?:tag|morgen|abend)|danke|bitte|tschüss|genau|klar|super|ja|nein"
    r"|bonjour|salut|merci|oui|non|d'accord|hola|buenos\s+d[ií]as|gracias|vale|s[ií]|ol[áa]|obrigad[oa]"
    r"|sim|ciao|grazie"
    r"|привет|спасибо|да|нет|хорошо)\b"
    r"|你好|您好|谢谢|謝謝|好的|好吧|嗯|是的|再见|こんにちは|おはよう|ありがとう(?:ございます)?|はい|いいえ|了解(?:です)?|안녕하세요|감사합니다|네)+",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:well|oh|ah|so|ok|okay|yeah|yes|sure|hmm+|um+|uh+|hey|hi|great|perfect|alright|anyway|haha"
    r"|lol|wow|also|and|but|actually"
    r"|basically|honestly)\b[,!.…]*\s+)+(?=\S)",
    re.IGNORECASE,
)

# What a sentence tells, by words that say so, and how much that is worth. English first, then the commonest of others.
_CUES = (
    (  # a decision
        2.2,
        r"\b(?:decid|agreed?\b|chose|chosen|settled on|go(?:ing)? with|went with|opted|let'?s (?:use|go|do"
        r"|not|never)|we(?:'ll| will)"
        r"|i(?:'ll| will)|plan(?:s|ned|ning)? to|going to|instead of|switch(?:ed|ing)? to|entschieden"
        r"|beschlossen|décidé|decidi|решил)"
        r"|决定|決定|決め|选择|選択|选了|打算|する予定",
    ),
    (  # an outcome
        2.0,
        r"\b(?:done|works?\b|worked|working now|fixed|failed|fail(?:s|ure)|broke|broken|deployed|shipped"
        r"|merged|finished|completed?|succe"
        r"|resolved|solved|passed|won|lost|got (?:the|a|an)|started|quit|moved|born|died|married|bought|sold"
        r"|arrived|released|error"
        r"|turned out|because|result(?:ed|s)?\b|cost|fertig|funktioniert|fehlgeschlagen|terminé|réussi"
        r"|terminado|funciona|готово)"
        r"|完成|成功|失败|失敗|解决|解決|できた|完了|終わ|买了|搬",
    ),
    (  # a feeling
        1.8,
        r"\b(?:love|hate|afraid|scared|happy|sad|angry|upset|excited|worried|anxious|proud|miss(?:ed)?\b"
        r"|feel(?:s|ing)?\b|felt|grateful|tired"
        r"|stressed|frustrat|lonely|enjoy|can'?t stand|can'?t wait|glücklich|traurig|angst|heureux|triste"
        r"|feliz|рад|грустно)"
        r"|喜欢|喜歡|讨厌|爱|高兴|难过|害怕|担心|好き|嫌い|嬉し|悲し|怖",
    ),
    (  # a duty, a promise, a wish to be remembered
        1.2,
        r"\b(?:remember|important|never|always|must|need(?:s|ed)? to|have to|deadline|due|promise|prefer"
        r"|my name|allergic|don'?t|do not"
        r"|wichtig|immer|nie\b|toujours|jamais|siempre|nunca|sempre|всегда|никогда)|必须|必須|记住|重要|总是|从不|絶対",
    ),
)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÞА-Я][\w'’.-]*|\b[A-Z]{2,}\b|\b\w+[._/]\w[\w./-]*")
_SELF = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|ich|mein|wir|je|mon|yo|mi|eu|meu|я|мой)\b|我|私|僕|나는", re.IGNORECASE
)
_HEDGE = re.compile(
    r"\b(?:let me know|feel free|happy to help|here(?:'s| is) (?:a|an|the|some|how)|you (?:can|could"
    r"|might|would|get|may)|would you like|i hope"
    r"|if you(?:'d| would)? (?:like|want|need)|for example|in general|it'?s worth|as an ai|keep in mind)\b",
    re.IGNORECASE,
)
_SHARES = {"user": 1.0, "agent": 0.65, "system": 0.5}  # an agent says more with less in it; a tool least
_TELLING_OUTPUT = re.compile(
    r"error|fail|exception|success|passed|warning|denied|not found|done|deployed", re.IGNORECASE
)


@cache
def _cues() -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((weight, re.compile(pattern, re.IGNORECASE)) for weight, pattern in _CUES)


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(_code_line, text)


def _code_line(fence: re.Match[str]) -> str:
    lines = len(fence[3].strip().splitlines())
    return f"\n[{fence[2] or 'code'}, {lines} line{'' if lines == 1 else 's'}]\n"


def _lines(said: Said) -> list[str]:
    """The sentences of a turn that may tell something."""
    text = said.text
    if said.speaker and text.startswith(f"{said.speaker}:"):  # a transcript names who speaks before the words
        text = text[len(said.speaker) + 1 :]
    if said.is_tool and len(text) > _LONG_OUTPUT:
        return [_output_line(text)]
    return [sentence for sentence in sentences(text) if not is_filler(sentence)]


def _output_line(text: str) -> str:
    """Of a long output the line that says how it went, else its last one, and how long it was."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = next((line for line in lines if _TELLING_OUTPUT.search(line)), lines[-1] if lines else "")
    more = f" [{len(lines)} lines]" if len(lines) > 1 else ""
    return shorten(telling, _TOOL_LINE) + more


def _weighed(said: Sequence[Said]) -> list[Sentence]:
    """Every sentence that is left, with its weight, in the order of the talk."""
    talk = _answered([(number, turn, line) for number, turn in enumerate(said) for line in _lines(turn)])
    words = [tuple(dict.fromkeys(word.lower() for word in terms(line))) for _, _, line in talk]
    spread = Counter(word for each in words for word in each)
    found = [
        Sentence(
            text=_plain(line),
            turn=number,
            who=turn.who,
            weight=(_weight(line, turn) + _topical(each, spread, len(talk))) * _SHARES.get(turn.role, 0.5)
            + _position(number, len(said)),
            words=each,
        )
        for (number, turn, line), each in zip(talk, words, strict=True)
    ]
    if len(found) > _CONSIDERED:
        least = sorted((sentence.weight for sentence in found), reverse=True)[_CONSIDERED - 1]
        found = [sentence for sentence in found if sentence.weight >= least][: 2 * _CONSIDERED]
    return found


def _answered(talk: list[tuple[int, Said, str]]) -> list[tuple[int, Said, str]]:
    """Without the questions that somebody answered; one that was answered in a word or two stands before its answer."""
    kept: list[tuple[int, Said, str]] = []
    asked: tuple[int, Said, str] | None = None
    for number, turn, line in talk:
        if asked and turn.who != asked[1].who:
            short = len(terms(line)) < _SHORT_ANSWER and not asks(line)
            line = f"({asked[2]}) {line}" if short else line
            asked = None
        if asks(line) and not line.startswith("("):
            if asked and asked[0] != number:
                kept.append(asked)
            asked = (number, turn, line)
            continue
        kept.append((number, turn, line))
    return [*kept, asked] if asked else kept


def _plain(line: str) -> str:
    """Without "well, so": but the words of somebody about themselves stay as they were said."""
    if _tells_of_self(line):
        return line
    shorter = _OPENING.sub("", line)
    return shorter[:1].upper() + shorter[1:] if shorter != line else line


def _tells_of_self(line: str) -> bool:
    return is_wish(line) or (_SELF.search(line) is not None and _cues()[2][1].search(line) is not None)


def _weight(line: str, turn: Said) -> float:
    told = sum(weight for weight, pattern in _cues() if pattern.search(line))
    told += 2.5 if turn.role == "user" and is_wish(line) else 0.0
    told += min(1.5, 0.5 * len(_NUMBER.findall(line))) + min(1.5, 0.5 * len(_NAME.findall(line)))
    told += 0.5 if _SELF.search(line) else 0.0
    told += 0.3 * (turn.importance - 5)
    told += 1.0 if turn.role == "user" and line.startswith("(") else 0.0  # an answer to what was asked
    told -= 1.5 if _HEDGE.search(line) else 0.0
    told -= 1.0 if line.startswith("[") else 0.0  # the line that stands for code
    told -= 0.5 if asks(line) else 0.0
    return told * _length_share(line)


def _length_share(line: str) -> float:
    """A fragment says little by itself, and a very long sentence takes the place of several."""
    size = len(line) * (3 if is_unspaced(line) else 1)
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


def _told(found: list[Sentence], tokens: int, most: int) -> str:
    chosen = _chosen(found, tokens, most)
    while chosen and estimate(_rendered(chosen)) > tokens:  # what stands together may cost more than its parts
        chosen.remove(min(chosen, key=lambda sentence: sentence.weight))
    if chosen or not found or tokens < 1:
        return _rendered(chosen)
    best = max(found, key=lambda sentence: sentence.weight)  # nothing fits whole
    return _clipped(best, tokens)


def _chosen(found: list[Sentence], tokens: int, most: int) -> list[Sentence]:
    """The heaviest first, while they fit and say something that the chosen ones do not."""
    spread = Counter(word for sentence in found for word in sentence.words)
    chosen: list[Sentence] = []
    left = tokens
    for sentence in sorted(found, key=lambda each: (-each.weight, each.turn)):
        cost = estimate(f"{sentence.who}: {sentence.text}")
        if cost > left or any(_said_by(sentence, other, spread, len(found)) > _REDUNDANT for other in chosen):
            continue
        chosen.append(sentence)
        left -= cost
        if len(chosen) == most:
            break
    places = {id(sentence): place for place, sentence in enumerate(found)}
    return sorted(chosen, key=lambda sentence: places[id(sentence)])


def _said_by(sentence: Sentence, other: Sentence, spread: Counter[str], talk: int) -> float:
    """How much of a sentence another says already, by the weight of their words."""
    there = set(other.words)
    whole = sum(_rarity(word, spread, talk) for word in sentence.words)
    return sum(_rarity(word, spread, talk) for word in sentence.words if word in there) / whole if whole else 0.0


def _rendered(chosen: Sequence[Sentence]) -> str:
    """A line for each speaker's run of sentences."""
    lines: list[str] = []
    speaker = None
    for sentence in chosen:
        if sentence.who == speaker:
            lines[-1] += f" {sentence.text}"
        else:
            lines.append(f"{sentence.who}: {sentence.text}")
        speaker = sentence.who
    return "\n".join(lines)


def _clipped(sentence: Sentence, tokens: int) -> str:
    """The beginning of a sentence that does not fit whole, as long as it may be."""
    low, high = 0, len(sentence.text)
    while low < high:
        middle = (low + high + 1) // 2
        shorter = replace(sentence, text=shorten(sentence.text, middle))
        low, high = (middle, high) if estimate(_rendered([shorter])) <= tokens else (low, middle - 1)
    text = shorten(sentence.text, low)
    return _rendered([replace(sentence, text=text)]) if text.strip("… ") else ""
