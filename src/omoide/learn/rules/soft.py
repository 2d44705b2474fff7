"""Wishes that are put softly: "I'd rather you didn't …", "more of a tabs person", "yarn over npm any day"."""

from __future__ import annotations

import re

from . import matter
from .instructions import instruction
from .matter import Matter
from .told import ONCE, Told

_WISH = r"i(?:'d| would) (?:rather|prefer(?: it)?(?: if)?|appreciate it if|like it if)(?: that)? you"
_RATHER_NOT = re.compile(
    rf"{_WISH} (?:(?P<stop>stopped|avoided|quit)|didn't|did not|don't|do not|not|wouldn't|never) (?P<what>\S.*)",
    re.IGNORECASE,
)
_RATHER = re.compile(
    rf"(?:{_WISH}|it(?:'d| would) be (?:nice|great|better|good|helpful) if you) (?:could |would |always )*"
    r"(?P<verb>[a-z]+)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_BASE = {
    "asked": "ask", "used": "use", "wrote": "write", "kept": "keep", "gave": "give", "made": "make", "were": "be",
    "answered": "answer", "replied": "reply", "responded": "respond", "checked": "check", "confirmed": "confirm",
    "included": "include", "added": "add", "spoke": "speak",
}  # fmt: skip
_EVEN = re.compile(r",? (?:all the time|so (?:much|often)|at all|please|thanks|thx|pls|everywhere|if possible)$")
_LATER = re.compile(
    r"(?P<what>.+?),? (?:from now on|going forward|in (?:the )?future)(?:,? (?:please|thanks|thx|pls|ok))?",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:i'?m|i am)(?: more of| really| definitely| very much| just| mostly)? an? (?P<what>[\w+# -]{2,20}?)"
    r" (?:person|guy|gal|girl|kind of (?:guy|person|gal))(?: myself| really| at heart)?",
    re.IGNORECASE,
)
_ONE, _OTHER = r"(?P<right>[\w][\w .+#-]{0,24}?)", r"(?P<wrong>[\w][\w .+#-]{0,24}?)"
_ANY_DAY = re.compile(
    rf"{_ONE} (?:over|beats) {_OTHER},? (?:any ?day(?: of the week)?|every time|always|all day(?: long)?)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:(?:i|we) (?:usually|always|generally|normally|mostly|typically|tend to) (?:go with|use|pick|choose|reach for"
    rf"|stick (?:to|with)) )?{_ONE},? (?:rather than|over|instead of) {_OTHER}(?:,? please)?",
    re.IGNORECASE,
)
_NO_GO = re.compile(
    r"(?P<what>(?:meetings?|calls?|appointments?) (?:on|before|after|at|during) [\w: ]{2,25}?) (?:is|are) (?:a |an "
    r"|just )*"
    r"(?:no[- ]gos?|off[- ]limits|not an option|out of the question)(?: for me| to me)?",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"(?P<when>mornings|afternoons|evenings|weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)"
    r"(?: (?:usually|generally|always))? (?:(?:work|are) (?:the )?(?:best|better) for me|suit me (?:best|better))",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"i (?:like|want|prefer) my (?:code|answers?|replies|responses?) (?P<how>with |without )?(?P<what>[a-z -]{4,25}?)"
    r"(?: everywhere| always| please| best)?",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"(?:always )?(?P<what>dates? (?:as|in|like|formatted as) (?:[\w/.-]{4,12}|iso(?: format)?))(?:,? (?:please"
    r"|pls))?,? "
    r"(?:always|from now on|every time|everywhere)(?:,? please)?",
    re.IGNORECASE,
)
_BANNED = re.compile(
    r"(?:(?P<never>never|stop)|don't|dont|do not|please don't)(?: ever)? (?:us(?:e|ing)|say(?:ing)?|writ(?:e|ing)) "
    r"(?:the |that )?(?:words?|phrase|expression|term) [\"'‘“`](?P<word>[\w][\w -]{1,30})[\"'’”`](?P<tail>[\w ]*)",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(r"\b(?:ever|again|anymore|any more|from now on)\b", re.IGNORECASE)


def soft(text: str) -> Told | None:
    """`text` is the sentence from the clause on, without its opening."""
    text = _EVEN.sub("", text.strip(" .!?"))
    return _rather(text) or _later(text) or _between(text) or _habit(text)


def banned(raw: str) -> Told | None:
    """ "Don't use the word 'delve' ever again": what is quoted is masked elsewhere, and here all that matters."""
    found = _BANNED.search(raw)
    if not found or not (found["never"] or _FOR_GOOD.search(found[0])):
        return None
    return Told(Matter("communication", f"word_{matter.snake(found['word'])}", "never"))


def _rather(text: str) -> Told | None:
    """What "I'd rather" asks for good: a matter of style, or to be asked first. The rest may be of the moment."""
    if found := _RATHER_NOT.match(text):
        plain = f"{'stop' if found['stop'] else 'dont'} {found['what']}"
        told = None if ONCE.search(found["what"]) else instruction(plain, plain, None)
        return told if told and (told.matter.value == "none" or told.matter.category == "communication") else None
    found = _RATHER.match(text)
    if not found or ONCE.search(found["rest"]):
        return None
    verb = _BASE.get(found["verb"].lower(), found["verb"].lower())
    what, rest = f"{verb}{found['rest']}", re.sub(r"\b(?:your|my|the|me|things|all)\b", "", found["rest"])
    known = matter.style(rest, wanted=True, whole=True) if rest.strip() else None
    asked = matter.general(what) if verb in {"ask", "check", "confirm"} else None
    wish = known or (asked if asked and asked.name == "ask_first" else None)
    return Told(wish, 0.7) if wish else None


def _later(text: str) -> Told | None:
    found = _LATER.fullmatch(text)
    plain = f"from now on, {found['what']}" if found else ""
    return instruction(plain, plain, None) if found else None


def _between(text: str) -> Told | None:
    """One of two things that are known to be a choice."""
    found = _ANY_DAY.fullmatch(text) or _INSTEAD.fullmatch(text)
    one, other = (_whole(found["right"]), _whole(found["wrong"])) if found else (None, None)
    if not found or not one or not other or (one.category, one.name) != (other.category, other.name):
        return None
    return Told(one, 0.8, found["wrong"].strip())


def _whole(words: str) -> Matter | None:
    known = matter.choice(words.strip())
    return known if known and len(known.value) == len(words.strip()) else None


def _habit(text: str) -> Told | None:
    if found := _PERSON.fullmatch(text):
        known = _whole(found["what"])
        return Told(known, 0.7) if known else None
    if found := _NO_GO.fullmatch(text):
        return Told(Matter("scheduling", "meetings", f"no {found['what']}"), 0.7)
    if found := _BEST.fullmatch(text):
        return Told(Matter("scheduling", "times", found["when"]), 0.7)
    if found := _DATES.fullmatch(text):
        return Told(Matter("formatting", "dates", found["what"]))
    if found := _MINE.fullmatch(text):
        wanted = (found["how"] or "").strip().lower() != "without"
        style = matter.style(found["what"], wanted=wanted, whole=True)
        return Told(style, 0.7) if style else None
    return None
