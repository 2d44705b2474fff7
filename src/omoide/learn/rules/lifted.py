"""A wish that is taken back: "emojis are fine now", "you don't need to use black anymore", "go back to npm"."""

from __future__ import annotations

import re

from . import matter
from .matter import Matter
from .told import START, Told

# What is taken back has no strength, whatever it was before.
TAKEN_BACK = 0.0

_AGAIN = r"(?P<again> (?:again|now|after all|from now on|any ?more|any longer))?"
_NEEDLESS = re.compile(
    rf"{START}(?:you (?:don't|do not|dont|no longer) (?:need|have) to|you needn't|(?:there's |there is )?no need to"
    rf"|you (?:can|may) stop|stop|quit) (?P<what>[^,;]+?){_AGAIN}$",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    rf"{START}(?:you (?:can|may)(?: now)?|you're (?:free|allowed|welcome) to|feel free to|it's (?:ok|okay|fine) to"
    rf"|i don't mind(?: if you)?) (?P<what>[^,;]+?){_AGAIN}$",
    re.IGNORECASE,
)
_FINE = re.compile(
    rf"(?P<what>[\w .+#-]{{2,30}}?) (?:is|are)(?: totally| perfectly| actually)? (?:fine|ok|okay|allowed|welcome"
    rf"|alright|all right)(?: with me| by me)?{_AGAIN}$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"(?:please )?(?:forget|ignore|never ?mind|scrap|drop) (?:what i (?:said|told you) about|my (?:rule|wish"
    r"|preference) (?:about|for|on)|the rule (?:about|on)) (?:using |not using |the )?(?P<what>[^,;]+)$",
    re.IGNORECASE,
)
_AFTER_ALL = re.compile(
    r"\s*(?:actually|on second thoughts?|sorry|i changed my mind|scratch that|come to think of it)\b", re.IGNORECASE
)
_BACK_TO = re.compile(
    rf"(?:^|, ){START}(?:let's )?(?:go|switch|change|move) back to (?:using )?(?P<right>[\w .+#-]{{2,30}})$",
    re.IGNORECASE,
)
_WRONG_ABOUT = re.compile(r"\bwrong about (?:using )?(?P<wrong>[\w.+#-]+)", re.IGNORECASE)
_DOING = re.compile(
    r"(?:us(?:e|ing)|put(?:ting)?|add(?:ing)?|includ(?:e|ing)|writ(?:e|ing)|giv(?:e|ing)|send(?:ing)?|suggest(?:ing)?"
    r"|recommend(?:ing)?|mention(?:ing)?|propos(?:e|ing)|be(?:ing)?|format(?:ting)? with|work(?:ing)? with)\b"
    r"(?: (?:any|the|so|me))? ?",
    re.IGNORECASE,
)
_ANSWERING = re.compile(
    r"(?:answer|respond|reply|speak|talk|writ)(?:e|ing)?(?: (?:to )?me)?(?P<in> in \w+)", re.IGNORECASE
)
_STOPS = re.compile(rf"{START}(?:stop|quit)\b", re.IGNORECASE)


def lifted(said: str) -> Told | None:
    """`said` is a clause with its opening: "actually" may be all that tells a change of mind."""
    said = said.strip(" .!")
    after_all = _AFTER_ALL.match(said)
    text = said[after_all.end() :].lstrip(" ,") if after_all else said
    if back := _back(text):
        return back
    for pattern in (_NEEDLESS, _ALLOWED, _FINE, _FORGET):
        match = pattern.match(text)
        again = match and (match.groupdict().get("again") or after_all or pattern in (_NEEDLESS, _FORGET))
        what = _what(match["what"]) if match and again else None
        if match and what and (what.name == "answer_language" or not _STOPS.match(text)):
            return Told(what, TAKEN_BACK)  # "stop using emojis" is a wish of its own, no end of one
    return None


def _back(text: str) -> Told | None:
    match = _BACK_TO.search(text)
    known = matter.choice(match["right"]) if match else None
    wrong = _WRONG_ABOUT.search(text)
    return Told(known, 0.9, wrong["wrong"] if wrong else None, "corrected") if known else None


def _what(words: str) -> Matter | None:
    """What was wished: its matter, and its value where one is named."""
    answering = _ANSWERING.match(words)
    if answering:
        language = matter.answer_language(answering["in"])
        return Matter("communication", "answer_language", language) if language else None
    rest = _DOING.sub("", words.strip(), count=1)
    if len(rest.split()) > 5 or not rest:
        return None
    tool = matter.named_tool(rest)
    style = matter.style(rest, wanted=True, whole=True) or matter.style(_in_code(rest), wanted=True, whole=True)
    if style:
        return Matter(style.category, style.name, "")
    known = matter.choice(rest)
    if known and len(known.value.split()) == len(rest.split()):
        return known
    return Matter("tools", matter.snake(tool), "") if tool and len(tool.split()) == len(rest.split()) else None


def _in_code(words: str) -> str:
    """Without where it is done: "comments in the code" are comments."""
    return re.sub(r" (?:in|to|into) (?:the|your|my) (?:code|answers?|replies|repl(?:y|ies))$", "", words)
