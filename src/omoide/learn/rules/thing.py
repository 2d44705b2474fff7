"""What somebody likes or avoids: bare nouns, names and doings, nothing that leans on what was said before."""

from __future__ import annotations

import re

from .known.words import words
from .listing import each

_WORD = re.compile(r"[^\W_][\w'&+#./@%-]*|\d+")
# Where a thing ends: what follows tells when, why, with whom or how much.
_STOP = words("""
    because since when while if but so although though that which who where whose as than until unless after
    before for with at from by now anymore too also lately recently right these nowadays currently already
    every each more most very instead everyday today yesterday tomorrow last next here there again haha hahaha lol
    lmao jaja jajaja jajajaja mdr ptdr kkk kkkk rsrs
    tbh btw please thanks is are was were has have had will would can could do does did not just ever always
    really either during over about without like especially etc i i'm we you he she they my our this around
    together sometimes often occasionally regularly rarely
    usually mostly anyways anyway ok okay xd rn atm ngl either though myself then
""")
_INNER = words(
    "in on at with to from by about for over during around without together"
)  # kept inside "going to concerts"
# A thing that leans on these was named elsewhere: it says nothing when it stands alone in memory.
_LEANS = words("""
    it that this these those them him her you your yours his their its something everything anything nothing
    someone everyone what how when where who why one ones some any such both all another other others same
    first second latter former i me my mine we us our being having to be seeing not the
""")
_LEANS_INSIDE = words(
    "it that this these those them him her you your yours his their its what how one ones such i we he she"
    " they she's he's it's"
)


_OWN = words("my our this your his her their")
_AT_HAND = re.compile(r"\b(?:ideas?|suggestions?|options?|recipes?|approach|one|ones)\b", re.IGNORECASE)
_MANY = re.compile(r"^(?:a lot of|lots of|all kinds of|many|most|some) ")
# "the Beatles", not "the Classic and Simple style": with an article only names stand alone.
_ALL_NAMES = re.compile(
    r"the [A-ZÀ-Þ][\w'-]*(?:(?: (?:of|and|the))? [A-ZÀ-Þ][\w'-]*)*(?:\s*$|[,.!]| (?:a lot|so much"
    r"|very much|too)\b)"
)
_VAGUE = re.compile(
    r"(?:spending (?:time|quality time)|listening|going|doing|making|taking|working|talking|looking|trying"
    r"|seeing|using|being|having|getting"
    r"|knowing|thinking|feeling|playing|watching|reading about|learning more|hearing|finding|keeping"
    r"|running|living|things?"
    r"|stuff|people|time|life|way|ways|part|parts)$",
    re.IGNORECASE,
)
_EDGES = words("a an of to and or so much lot well in on at with for from by all too quite super kinda pretty the")


def thing(rest: str) -> tuple[str, ...]:
    """The things, in their order; none where the words only mean something beside those before them."""
    rest = _MANY.sub("", rest)
    if _AT_HAND.search(rest) or (rest.startswith("the ") and not _ALL_NAMES.match(rest)):
        return ()
    return each(rest, _one)


def _one(item: str) -> tuple[str, ...]:
    found = [match[0] for match in _WORD.finditer(item)]
    if len(found) > 1 and found[0] == "the":
        found = found[1:] if all(word[0].isupper() for word in found[1:]) else []
    taken: list[str] = []
    cut = ""
    for position, raw in enumerate(found):
        word = raw.lower()
        inside = 0 < position < len(found) - 1 and word in _INNER and _goes_on(found[position + 1].lower())
        if word in _STOP and not inside:
            cut = word
            break
        taken.append(raw)
    taken = _without_edges(taken)
    return _checked(taken, cut, item)


def _checked(taken: list[str], cut: str, item: str) -> tuple[str, ...]:
    text = " ".join(taken)
    low = [word.lower() for word in taken]
    if (
        not taken
        or len(taken) > 7
        or len(text) < 3
        or low[0] in _LEANS
        or any(word in _LEANS_INSIDE or word.endswith("'s") for word in low)
    ):
        return ()
    if cut in _OWN or (_VAGUE.match(text) and (cut or len(taken) > 1 or not _ALONE.match(text))):
        return ()
    return (text,) if text in " ".join(item.split()) else ()  # as it was said, nothing left out


_ALONE = re.compile(r"(?:reading|running)$", re.IGNORECASE)  # vague before something else, a pastime alone


def _goes_on(following: str) -> bool:
    """After a preposition inside a thing stand nouns ("going to concerts"), not a pronoun and not a clause."""
    return following not in _STOP and following not in _LEANS | {"a", "an"} and not following[0].isdigit()


def _without_edges(taken: list[str]) -> list[str]:
    while taken and taken[-1].lower() in _EDGES | {"bit"}:
        taken = taken[:-1]
    return taken[1:] if len(taken) > 1 and taken[0].lower() in {"a", "an"} else taken
