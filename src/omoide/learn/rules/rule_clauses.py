"""A turn in sentences, a sentence in clauses: the unit that a rule reads from its first word."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m|z\.B|bzw|Sra|usw)|\b[A-Z])\.\Z"
)
_END = re.compile(r"[.!?…。！？]+[\"')\]*]*(?=\s|\Z|[^\w\s.,;:'\"/-])|[。！？]|\n+")
_PRONOUN = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our|he|he's|she|she's|it|it's|they|they're|you"
    r"|you're|your|this|that's)"
)
_ASKING = (
    r"(?:what|what's|how|how's|which|where|who|why|can|could|would|will|do|does|did|is|are|any|should|anything|got)"
)
_TELLING = (
    r"(?:please|never|always|don't|do not|dont|let|let's|use|not|so|but|because|cause|since|though"
    r"|although|thanks|right|ok|now)"
)
# Where a question begins in another language: "Vivo en Cádiz, ¿qué hago hoy?"
ASKED_ABROAD = (
    r"(?:¿|(?:was|wie|wo|wann|warum|wieso|welche[rsnm]?|wer|woran|womit|kann|kannst|können|könntest|hast|gibt|soll|sollte"
    r"|qué|cómo|dónde|cuándo|cuál|cuáles|quién|por qué|con qué|puedes|podrías"
    r"|que|quels?|quelles?|comment|où|quand|pourquoi|peux-tu|pouvez-vous|est-ce|combien|une idée|des idées"
    r"|o que|onde|quando|qual|quais|você pode|pode)\b|qu')"
)
_SPLIT = re.compile(
    rf"\s*[;…]+\s*|\.\.+\s*|\s+[-–—]+\s+|\s*—\s*|\s*[()\[\]]+\s*|:\s+|\s*\ufffc+\s*"
    rf"|\s*,\s*(?=(?:and |or |so |but |then |plus )?(?:{_PRONOUN}|{_ASKING}|{_TELLING}|when|if|while"
    rf"|unless|which|where|who|as|just|even|then)\b)"
    rf"|\s*,\s*(?=(?:ich|wir|mein|meine|aber|weil|und ich|und mein|vivo|trabajo|me|soy|mi|eu|moro|meu"
    rf"|minha|pero|mas|porque|y|e|je|j'|et je|et j'|mon|mais|parce|maintenant)\b)"
    rf"|\s*,\s*(?={ASKED_ABROAD})"
    rf"|\s+(?=(?:and|or)\s+(?:{_PRONOUN}|please|then|never|always|don't|do not)\b)"
    rf"|\s+(?=(?:but|because|cause|cuz|although|though|whereas|except)\b)"
    rf"|\s+(?=(?:since|so|when|while|if|unless|whenever|before|after|until|where|as)\s+(?:{_PRONOUN})\b)"
    rf"|\s+(?=(?:und|aber|weil|y|pero|porque|e|mas)\s+(?:ich|wir|mein|meine|vivo|trabajo|me|soy|mi|eu"
    rf"|moro|meu|minha|não|no|sou|gosto)\b)"
    rf"|\s+(?=(?:et|mais)\s+(?:je|j'|mon|ma|notre|on|nous)\b|parce que\s+(?:je|j')|und\s+(?:arbeite|wohne|lebe)\b)"
    r"|[，、；]",
    re.IGNORECASE,
)


# No sentence that people write is longer. Patterns that look ahead cost the square of what they see, so these two
# bounds are what keeps a turn's cost in proportion to its length.
_LONGEST = 600  # characters
_MOST = 24  # clauses


@dataclass(frozen=True, slots=True)
class RuleClause:
    """Words of one sentence that stand together, and where: `turn.text[start:end]`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """`text` without its end mark; `mark` is that mark, "" at a line's end."""

    text: str
    start: int
    mark: str
    clauses: tuple[RuleClause, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def parse_sentences(text: str) -> list[ParsedSentence]:
    """Every sentence of a masked text, in order."""
    found: list[ParsedSentence] = []
    begin = 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATED.search(text, max(0, end.start() - 6), end.end()):
            continue
        _add(found, text, begin, end.start(), end[0].strip())
        begin = end.end()
    _add(found, text, begin, len(text), "")
    return found


def _add(found: list[ParsedSentence], text: str, start: int, end: int, mark: str) -> None:
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words[:_LONGEST].strip()
    if words:
        found.append(ParsedSentence(words, start, mark, _clauses(words, start)))


def _clauses(text: str, offset: int) -> tuple[RuleClause, ...]:
    found: list[RuleClause] = []
    begin = 0
    for gap in _SPLIT.finditer(text):
        if gap.start() > begin:
            found.append(_clause(text, begin, gap.start(), offset))
        begin = gap.end()
    found.append(_clause(text, begin, len(text), offset))
    return tuple(clause for clause in found if clause.text)[:_MOST]


def _clause(text: str, start: int, end: int, offset: int) -> RuleClause:
    words = text[start:end]
    start += len(words) - len(words.lstrip(" \t,*_#•·-"))
    words = text[start:end].rstrip(" \t,*_")
    return RuleClause(words, start + offset, start + len(words) + offset)


# What in a turn is not the speaker's own word: code, logs, links, quotations. It is blanked, so that offsets hold.


GAP = "\ufffc"  # stands for what was blanked; no pattern of ours matches it

_MASK_LONGEST = 20_000  # characters; what lies beyond is a document, and its beginning says what it is
# Possessive and bounded by the next mark: linear in any text.
_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|&gt;|\|).*$", re.MULTILINE)
_LOG = re.compile(
    r"^[ \t]*(?:[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d(?::\d\d)?\]?\s+\w+:|(?:INFO"
    r"|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[ :\]]"
    r"|at [\w.$<>]+\(|File \"|Traceback |\w*(?:Error|Exception): |[$#%] ?[a-z./]|[+-]{3} [ab]/|@@ |diff --git"
    r"|(?:const|let|var|def|class|import|from|function|return|public|private|SELECT|INSERT|UPDATE"
    r"|DELETE|CREATE)\b[^\n]*[;:={}()*]"
    r"|<[/!]?\w+[ >/]|[{}\[\]]+[ \t]*,?[ \t]*$).*$",
    re.MULTILINE,
)
_CODE_ENDS = re.compile(r"^.*(?:[;{}]|=>)[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]{1,15}://|www\.)\S+", re.IGNORECASE)
_TICKED = re.compile(r"`([^`\n]*)`")
_WORD = re.compile(r"[\w@/.+#-]{1,30}\Z")
_QUOTE = re.compile(r'"[^"\n]*+"|“[^”\n]*+”|„[^“”\n]*+[“”]|«[^»\n]*+»|「[^」\n]*+」|『[^』\n]*+』')
_SINGLE = re.compile(r"(?<![\w'])'(?=\w)[^'\n]{3,300}(?:'\w[^'\n]{0,300}){0,4}[.,!?]?'(?!\w)")
_CURLY = re.compile(r"‘[^’\n]{3,300}’(?!\w)")
_STARRED = re.compile(r"(?<!\w)\*[a-z][^*\n]{2,80}\*(?!\w)")  # *walks into the room*: acting, not telling


# From such a line on it is a mail that somebody sent: to the user, or from them to somebody else.
_MAIL = re.compile(
    r"^[ \t]*(?:[-_*=]{2,} ?(?:forwarded message|original message|weitergeleitete nachricht|ursprüngliche nachricht"
    r"|mensaje reenviado|mensagem encaminhada)|begin forwarded message|(?:on|am|el|em|le) [^\n]{5,100}"
    r"(?:wrote|schrieb[^\n]{0,60}|escribió|escreveu|a écrit) ?:[ \t]*$"
    r"|(?:from|von|de|sent|subject|betreff|asunto|assunto|to|date): [^\n]*\n(?:(?:from|to|cc|sent|date|subject|von"
    r"|an|datum"
    r"|betreff|de|para|fecha|asunto|assunto|data): )).*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
# A letter has both ends; who signs it is not always who pastes it.
_DEAR = re.compile(
    r"^[ \t]*(?:dear|to whom it may concern|(?:hi|hello|hey) (?:all|team|everyone|everybody|folks)|sehr geehrte[rs]?"
    r"|estimad[oa]s?|prezad[oa]s?)\b[^\n]{0,60}\n",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNED = re.compile(
    r"^[ \t]*(?:(?:best|kind|warm|many) (?:regards|wishes)|regards|sincerely|yours|mit freundlichen|atentamente|cheers"
    r"|atenciosamente|best,)",
    re.IGNORECASE | re.MULTILINE,
)
_COMMENT = re.compile(
    r"^[ \t]*(?://|/\*|--[ \t]|<!--|#[ \t]?(?:(?:todo|fixme|note|xxx)\b|(?-i:(?:I|I'm|I've|My|We|We're|Our) ))).*$",
    re.IGNORECASE | re.MULTILINE,
)
_CALL = re.compile(r"^[ \t]*[\w.]+\([^\n]*\)[ \t]*$", re.MULTILINE)  # print("hi")
_HASHED = re.compile(r"^[ \t]*#.*$", re.MULTILINE)  # a comment beside code, a heading elsewhere
_NICK = re.compile(
    r"^[ \t]*(?:<[\w.-]{2,20}>|\[\d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?\] ?[\w .'-]{1,30}:|[\w.-]+@[\w.-]+:\S*[$#]).*$",
    re.MULTILINE,
)
# What a form or a template leaves to be filled in.
_BLANK = re.compile(
    r"_{3,}|\[[A-Z][A-Z _-]+\]|\[(?:your |the )?(?:name|city|company|date|address)\]|\{\{?\w+\}?\}"
    r"|<(?:your )?[a-z_ ]{2,20}>"
)


# "Bob: I live in Rome" in a pasted chat: somebody else speaks of themselves.
_OTHER_VOICE = re.compile(r"(?m)^[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?: (?=(?:I|I'm|I've|My|my|We|we)\b).*$")


def masked(text: str, speaker: str | None = None) -> str:
    """The text at its own length, with GAP wherever somebody or something else speaks."""
    if len(text) > _MASK_LONGEST:
        text = text[:_MASK_LONGEST]
    text = text.replace("’", "'").replace("ʼ", "'") if "‘" not in text else _CURLY.sub(_blank, text).replace("’", "'")
    if speaker and text.startswith(f"{speaker}:"):  # a transcript names who speaks before the words
        text = " " * (len(speaker) + 1) + text[len(speaker) + 1 :]
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(_blank, text)
    if "`" in text:
        text = _TICKED.sub(_unticked, text)
    if ":" in text or "\n" in text:
        text = _unlettered(_MAIL.sub(_blank, text))
    if _CALL.search(text):
        text = _HASHED.sub(_blank, _CALL.sub(_blank, text))
    for pattern in (_COMMENT, _NICK, _QUOTED_LINE, _OTHER_VOICE, _LOG, _CODE_ENDS, _LINK, _QUOTE, _STARRED, _BLANK):
        text = pattern.sub(_blank, text)
    return _SINGLE.sub(_blank, text) if "'" in text else text


def _unlettered(text: str) -> str:
    """Without the letter in it, from its first greeting to its last signature."""
    dear = _DEAR.search(text)
    signed = [found.end() for found in _SIGNED.finditer(text, dear.end())] if dear else []
    return text[: dear.start()] + GAP * (signed[-1] - dear.start()) + text[signed[-1] :] if dear and signed else text


def _blank(match: re.Match[str]) -> str:
    return GAP * len(match[0])


def _unticked(match: re.Match[str]) -> str:
    """`pnpm` is a name in the sentence; `npm run build` is code."""
    return f" {match[1]} " if _WORD.match(match[1]) else GAP * len(match[0])


# How a clause begins before it says anything: small talk, factive conjunctions, hedges, "no, …", "remember that …".


_FILLER = re.compile(
    r"(?:(?:as a matter of fact|no,? wait|wait,? no|scratch that|correction|hold on|so"
    r"|well|oh|hey(?: there)?|hi(?: there)?|hello|yeah|yes|yep|yup|ok|okay|btw"
    r"|by the way|fyi"
    r"|also|and|but|or|honestly|to be honest|tbh|anyway|anyways|actually|plus"
    r"|as you know|just so you know|you know|for the record|fun fact|for context|context|about me"
    r"|a bit about me|since|because|cause|cuz|as(?! of\b)|given that|now that"
    r"|although|though|even though|considering(?: that)?|seeing as|haha+|lol|um+|uh+|hmm+|nope|nah"
    r"|thanks|thank you|thx|cool|great|nice|wow|ah|right|sure"
    r"|however|personally|currently|now|right now|these days|nowadays|recently|lately|in general|basically"
    r"|the thing is|(?:it )?turns out(?: that)?|in fact|truth be told|long story short|i mean"
    r"|btw|ps|oh and|sorry|ugh|man|dude|damn|yes please|good morning|good evening|nice to meet you"
    r"|absolutely|definitely|totally|exactly|same|for sure|of course"
    r"|like i said|as i said|as i mentioned|i(?:'ve)? (?:already |just )?(?:told you|said"
    r"|mentioned)(?: that)?|you should know(?: that)?|also|too"
    r"|aber|also|und|ja|nein|hallo|weil|übrigens|pues|hola|sí|oi|olá|sim|e|y|et|mais|salut|bonjour|coucou|oui|alors"
    r"|donc|en fait|au fait|du coup|sinon|maintenant)"
    r"(?:\s*[,:!.…-]+\s*|\s+)|no(?:\s*[,:!.…-]+\s*| (?=i\b|i'm|im\b|my\b|we\b|it's\b|use\b))){1,6}",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"i(?:'m| am) (?:pretty|fairly|quite|almost) (?:sure|certain)(?: that)? "
    r"|i (?:think|guess|believe|suppose|feel like|assume|reckon)(?: that)? |if i remember (?:correctly"
    r"|right),? |iirc,? |i'd say(?: that)? ",
    re.IGNORECASE,
)
_SURE = re.compile(r"i(?:'m| am) (?:pretty|fairly|quite|almost)", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|may be|likely|not sure|unsure|kind of|kinda|sort of"
    r"|sorta|supposedly|apparently|could be|vielleicht|wahrscheinlich"
    r"|peut-être|probablement|sans doute|quizás?|tal vez|talvez|provavelmente|也许|可能)\b",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"(?:please |pls |can you |could you )*(?:remember|don't forget|do not forget|dont forget"
    r"|keep in mind|bear in mind|note|make a note|note to self|remind yourself|for the record)"
    r"(?:(?: that|:|,)\s+| (?=(?:i|i'm|im|i've|ive|my|we're)\b))",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\s*(?:no|nope|nah|wrong|incorrect|actually|nein|não|not quite|that's wrong|that's not right"
    r"|that is wrong)\b[,.!:]?\s+(?!thanks|thank|not yet|problem|worries|idea|i don't know)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OpenedClause:
    """A clause without its opening. `doubt` is how far a claim in it is believed; 0 means not at all."""

    text: str
    doubt: float
    kept: bool  # "remember that …"
    when: str = ""  # the time it opened with: "In 2019 I …"

    @property
    def timed(self) -> str:
        return f"{self.when} {self.text}" if self.when else self.text


def open_clause(text: str) -> OpenedClause:
    kept = False
    doubt = 0.0 if _UNSURE.search(text) else 1.0
    for _ in range(4):
        before = text
        if (filler := _FILLER.match(text)) and filler.end() < len(text):
            text = text[filler.end() :]
        if (keep := _KEEP.match(text)) and keep.end() < len(text):
            text, kept = text[keep.end() :], True
        if guess := _DOUBT.match(text):
            text, doubt = text[guess.end() :], doubt * (0.8 if _SURE.match(guess[0]) else 0.4)
        if text == before:
            break
    return OpenedClause(text, doubt, kept)


def denies(text: str) -> bool:
    """The speaker sets something right: "no, …", "actually, …"."""
    return bool(_DENIES.match(text))
