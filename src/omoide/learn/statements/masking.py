"""Blanks what in a turn is not the speaker's own word: code, logs, links, mails, quotations. Offsets stay valid."""

from __future__ import annotations

import re

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
