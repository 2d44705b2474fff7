"""What in a turn is not the speaker's own word: code, logs, links, quotations. It is blanked, so that offsets hold."""

from __future__ import annotations

import re

GAP = "\ufffc"  # stands for what was blanked; no pattern of ours matches it

_LONGEST = 20_000  # characters; what lies beyond is a document, and its beginning says what it is
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
    if len(text) > _LONGEST:
        text = text[:_LONGEST]
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
