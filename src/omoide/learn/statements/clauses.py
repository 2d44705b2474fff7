"""A turn in sentences and clauses, each with its exact place, so that what is learned can quote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from omoide.language.registry import language_pattern
from omoide.language.statement_words import StatementWords

# Blanks what in a turn is not the speaker's own word: code, logs, links, mails, quotations. Offsets stay valid.


GAP = "\ufffc"  # stands for what was blanked
LONGEST = 20_000  # characters; what lies beyond is a document, and its beginning says what it is

_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_LINES = re.compile(
    r"^[ \t]*(?:>|&gt;|\|).*$"  # a quoted line, a table
    r"|^[ \t]*(?:[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d(?::\d\d)?\]?\s+\w+:|(?:INFO"
    r"|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[ :\]]"
    r"|at [\w.$<>]+\(|File \"|Traceback |\w*(?:Error|Exception): |[A-Z]{2,}_[A-Z_]{3,}\b|[$%] ?[a-z./]"
    r"|[+-]{3} [ab]/|@@ |diff --git"
    r"|(?:const|let|var|def|class|import|from|function|return|public|private|SELECT|INSERT|UPDATE|DELETE"
    r"|CREATE)\b[^\n]*[;:={}()*]"
    r"|<[/!]?\w+[ >/]|[{}\[\]]+[ \t]*,?[ \t]*$|//|/\*|<!--|#[ \t]?(?:todo|fixme|note|xxx)\b).*$"
    r"|^[ \t]*(?:<[\w.-]{2,20}>|\[\d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?\] ?[\w .'-]{1,30}:"
    r"|[\w.-]+@[\w.-]+:\S*[$#]).*$"  # a chat, a shell
    r"|^[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?: (?=(?:I|I'm|I've|My|my|We|we)\b).*$"  # Bob: I live in Rome
    r"|^.*(?:[;{}]|=>)[ \t]*$|^[ \t]*[\w.]+\([^\n]*\)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_MAIL = re.compile(
    r"^[ \t]*(?:[-_*=]{2,} ?(?:forwarded|original|weitergeleitete|ursprüngliche|mensaje|mensagem|message"
    r"|messaggio) ?\w*"
    r"|begin forwarded message|(?:on|am|el|em|le|il) [^\n]{5,100}(?:wrote|schrieb[^\n]{0,60}|escribió"
    r"|escreveu|a écrit|ha scritto) ?:[ \t]*$"
    r"|(?:from|von|de|da|sent|subject|betreff|asunto|assunto|oggetto|to|date): [^\n]*\n(?:from|to|cc"
    r"|sent|date|subject|von|an|a|datum|betreff|de|da"
    r"|para|fecha|asunto|assunto|oggetto|data): ).*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_LETTER = re.compile(
    r"^[ \t]*(?:dear|to whom it may concern|(?:hi|hello|hey) (?:all|team|everyone|\w+)|sehr geehrte[rs]?"
    r"|liebe[rs]?|estimad[oa]s?|prezad[oa]s?"
    r"|cher|chère|gentile)\b[^\n]{0,60}[,:]?[ \t]*\n.*"
    r"^[ \t]*(?:(?:best|kind|warm|many) (?:regards|wishes)|regards|sincerely|yours|mit freundlichen"
    r"|atentamente|cheers|atenciosamente|best|love"
    r"|cordialement|cordiali saluti|viele grüße)[,!. ]*(?:\n[^\n]*|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_INLINE_CODE = re.compile(
    r"(?<![:\w])//\s[^\n]*|\b(?:SELECT|INSERT|DELETE|UPDATE|CREATE)\b[^\n]*\b(?:FROM|INTO|SET|TABLE)\b[^\n]*"
)
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]{1,15}://|www\.)\S+", re.IGNORECASE)
_QUOTES = re.compile(
    r'"([^"\n]*+)"|“([^”\n]*+)”|„([^“”\n]*+)[“”]|«([^»\n]*+)»|「([^」\n]*+)」|『([^』\n]*+)』|‘([^’\n]{3,300})’(?!\w)'
    r"|(?<![\w'])'(?=\w)([^'\n]{3,300}(?:'\w[^'\n]{0,300}){0,4}[.,!?]?)'(?!\w)"
)
_STARRED = re.compile(r"(?<!\w)\*[a-z][^*\n]{2,80}\*(?!\w)")  # *walks into the room*: acting, not telling
_BLANK = re.compile(r"_{3,}|\[[A-Z][A-Z _-]+\]|\{\{?\w+\}?\}")  # what a template leaves to be filled in
_TITLE_WORDS = 4  # quoted words that can be a title or a name: 'the Leitz folder "Haus"'


def mask(text: str, speaker: str | None = None) -> str:
    """The text at its own length, with GAP wherever somebody or something else speaks."""
    text = text[:LONGEST].replace("’", "'").replace("ʼ", "'") if "‘" not in text else text[:LONGEST]
    if speaker and text.startswith(f"{speaker}:"):  # a transcript names who speaks before the words
        text = " " * (len(speaker) + 1) + text[len(speaker) + 1 :]
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(_blank, text)
    if "\n" in text:
        text = _LETTER.sub(_blank, _MAIL.sub(_blank, text))
        text = _LINES.sub(_blank, text)
    text = _INLINE_CODE.sub(_blank, text)
    if "//" in text or "www" in text:
        text = _LINK.sub(_blank, text)
    if "*" in text:
        text = _STARRED.sub(_blank, text)
    if "_" in text or "[" in text or "{" in text:
        text = _BLANK.sub(_blank, text)
    return _QUOTES.sub(_unless_title, text)


def _unless_title(match: re.Match[str]) -> str:
    words = next(filter(None, match.groups()), "")
    short = len(words.split()) <= _TITLE_WORDS and len(words) <= 40 and not words.rstrip().endswith(("!", "?", "."))
    return match[0] if short else GAP * len(match[0])


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", GAP, match[0])


_END = re.compile(r"[.!?…]++[\"')\]*]*(?=\s|\Z|[^\w\s.,;:'\"/-])|[。！？]|\n+")
_BULLET = re.compile(r"\s*(?:[-*•·–]\s+|\d{1,2}[.)]\s+|\[[ x]\]\s*)")
_NUMBER = re.compile(r"(?<!\S)\d{1,2}\Z")
_MAX_SENTENCE = 600  # characters; patterns that look ahead cost the square of what they see
_MAX_CLAUSES = 24
_MIN_WORDS = 2  # a shorter piece belongs to its neighbour
_MARKS = " \t,;:*_#•·-–—()\"'" + GAP

_MIN_STEPS, _MIN_LISTED = 2, 3  # a list with commas is often no list of steps
_STEP = re.compile(r"(?<!\S)\d{1,2}[.)]\s+")
_STEP_ENDS = " ,.;:\n\t-*•"


@dataclass(frozen=True, slots=True)
class Clause:
    """Words that assert, ask or demand one thing: `turn.text[start:end]`, and the sentence they stand in."""

    text: str
    start: int
    end: int
    sentence: int  # number of the sentence in the turn
    mark: str  # the end mark of the sentence
    last: bool  # nothing of the sentence follows
    bullet: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    start: int
    mark: str
    bullet: bool
    clauses: tuple[Clause, ...]


def read_sentences(text: str, words: StatementWords) -> list[Sentence]:
    """Every sentence of a masked text, in order; the end of a line ends a sentence, but not within a how-to."""
    taught = [(each.start, each.end) for each in how_tos(text, words)]
    found: list[Sentence] = []
    begin = 0
    for end in _END.finditer(text):
        if end[0] == "." and _is_abbreviation(text, end, words):
            continue
        if any(low < end.start() and end.end() < high for low, high in taught):
            continue
        _add(found, text, begin, end.start(), end[0].strip(), words)
        begin = end.end()
    _add(found, text, begin, len(text), "", words)
    return found


def _is_abbreviation(text: str, end: re.Match[str], words: StatementWords) -> bool:
    if text[end.start() - 1 : end.start()].isdigit():  # "am 3. Mai", but "for 27. saw it"
        line = text.rfind("\n", 0, end.start()) + 1
        numbered = (
            _NUMBER.search(text, max(0, end.start() - 2), end.start()) is not None and " 1. " in text and " 2. " in text
        )
        return words.ordinal_dots or numbered or text[line : end.start()].strip().isdigit()
    return language_pattern("abbreviations").search(text, max(0, end.start() - 6), end.end()) is not None


def _add(found: list[Sentence], text: str, start: int, end: int, mark: str, words: StatementWords) -> None:
    bullet = _BULLET.match(text, start, end)
    if bullet:
        start = bullet.end()
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()[:_MAX_SENTENCE]
    if any(map(str.isalnum, piece)):
        clauses = _clauses(piece, start, len(found), mark, bullet is not None, words)
        found.append(Sentence(piece, start, mark, bullet is not None, clauses))


def _clauses(text: str, offset: int, number: int, mark: str, bullet: bool, words: StatementWords) -> tuple[Clause, ...]:
    places: list[tuple[int, int]] = []
    begin = 0
    depth = _brackets(text)
    taught = how_to_in(text, words) is not None
    for gap in words.pattern("gaps").finditer(text):
        if taught or gap.start() <= begin or any(low < gap.start() < high for low, high in depth):
            continue
        if _is_joint_subject(text, gap, words) or _only_leads(text[begin : gap.start()], gap[0], words):
            continue
        if _long_enough(text[begin : gap.start()]) and _long_enough(text[gap.end() :]):
            places.append((begin, gap.start()))
            begin = gap.end()
    places.append((begin, len(text)))
    pieces = [_trimmed(text, *place) for place in places[:_MAX_CLAUSES]]
    return tuple(
        Clause(text[low:high], offset + low, offset + high, number, mark, low == pieces[-1][0], bullet)
        for low, high in pieces
        if high > low
    )


def _is_joint_subject(text: str, gap: re.Match[str], words: StatementWords) -> bool:
    """Whether the gap stands within "Carla and I": one of both would have nothing to say."""
    rest = text[gap.end() :]
    before = text[: gap.start()].rpartition(",")[2]
    joint = words.pattern("joint_subjects").search(text, max(0, gap.start() - 24), gap.end())
    return joint is not None and rest[:2].lower() in {"i ", "i'"} and not words.pattern("has_verb").search(before)


def _only_leads(before: str, gap: str, words: StatementWords) -> bool:
    """Whether what stands before a comma says nothing alone: "anything over five hundred, I want half of"."""
    opening = words.pattern("openings").match(before)
    rest = before[opening.end() :] if opening else before
    return gap.strip() == "," and words.pattern("has_verb").search(rest) is None


def _long_enough(piece: str) -> bool:
    return not piece.isascii() or len(piece.split()) >= _MIN_WORDS


def _brackets(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\([^()]*\)", text)] if "(" in text else []


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _MARKS and text[start] not in "(\"'":
        start += 1
    while end > start and text[end - 1] in _MARKS and text[end - 1] not in ")\"'":
        end -= 1
    return start, end


# ── how something is done: "To descale it, empty the tray, pour in vinegar, and rinse" ──


@dataclass(frozen=True, slots=True)
class HowTo:
    """What is done, and its steps in order: `text[start:end]`."""

    goal: str
    steps: tuple[str, ...]
    start: int
    end: int

    def told(self, words: StatementWords, before: str = "") -> str:
        """All of it as one sentence; what "it" means is looked up in the sentence before."""
        thing = words.pattern("topics").match(before)
        goal = words.pattern("topic_again").sub(f"the {thing['thing']}", self.goal, count=1) if thing else self.goal
        return words.how_to_template.format(goal, "; ".join(self.steps))


def how_tos(text: str, words: StatementWords) -> Iterator[HowTo]:
    for found in words.pattern("how_tos").finditer(text):
        steps = _steps(found["steps"], found["colon"] is not None, words)
        if steps:
            yield HowTo(found["goal"].strip(), steps, found.start("head"), found.end("steps"))


def how_to_in(text: str, words: StatementWords) -> HowTo | None:
    """The how-to with which a text begins."""
    found = next(how_tos(text, words), None)
    return found if found and found.start == 0 else None


def _steps(text: str, colon: bool, words: StatementWords) -> tuple[str, ...]:
    listed = False
    if _STEP.match(text):
        pieces = _STEP.split(text)
    else:
        pieces = words.pattern("step_order").split(text)
        listed = len(pieces) == 1
        pieces = words.pattern("step_gaps").split(text) if listed else pieces
    steps = tuple(step for piece in pieces if (step := " ".join(piece.split()).strip(_STEP_ENDS)))
    if any(words.pattern("no_step").match(each) for each in steps):
        return ()
    return steps if len(steps) >= (_MIN_LISTED if listed and not colon else _MIN_STEPS) else ()
