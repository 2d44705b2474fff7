"""What a rule's verb takes: the words after it, read as a place, a name, a trade or a thing, or as nothing at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from omoide.learn.rules.known_words import (
    COUNTRIES,
    JOBS,
    LANGUAGES,
    MODIFIERS,
    NOT_NAMES,
    ORGANIZATIONS,
    PLACES,
    STATES,
    TOOLS,
    words,
)

CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĪİŁŃŇŌŐŘŚŞŠŤŪŮŰŹŻŽΑ-ΩА-Я]"
_NAMED = rf"(?:St\. )?{CAPITAL}(?:[\w'&+#@-]|\.(?=\w))*"
RUN = (
    rf"{_NAMED}(?: (?:(?:of|de la|de los|de las|de|da|do|dos|del|la|le|am|an der|upon|&|von der|von dem|von|van der"
    rf"|van den|van de|van|der|den) (?={CAPITAL}))?(?:{_NAMED}|\d[\w.]*)){{0,5}}"
)
_RUN = re.compile(rf"(?:the |The )?({RUN})")
_WORD = re.compile(r"[^\W_][\w'&+#./@%-]*|\d+")


def proper(rest: str) -> tuple[str, ...]:
    """A name written with capitals: "Siemens", "the Red Cross"."""
    run = _RUN.match(rest)
    name = _trimmed(run[1]) if run else ""
    return (name,) if name and name.lower() not in NOT_NAMES else ()


_ALSO_PEOPLE = words(
    "julia claude ruby travis alexa phoenix jenkins florence sofia sydney charlotte austin dallas"
    " virginia brooklyn santiago salvador kitty"
)


def person(rest: str) -> tuple[str, ...]:
    found = proper(rest)
    if not found:
        return ()
    parts = found[0].split()
    low = found[0].lower()
    known = (low in PLACES or low in TOOLS) and low not in _ALSO_PEOPLE
    if sum(part[0].isupper() for part in parts) > 3 or known or (found[0].isupper() and len(found[0]) > 3):
        return ()
    return () if any(part.lower() in NOT_NAMES or not part[0].isalpha() for part in parts) else found


def place(rest: str) -> tuple[str, ...]:
    """A place with a capital, or a known one without."""
    rest = re.sub(
        r"^(?:the city of|the town of|downtown|central|sunny|beautiful|rainy|cold|good old)\s+",
        "",
        rest,
        flags=re.IGNORECASE,
    )
    known = _known(rest, PLACES)
    found = proper(rest) or known
    if not found or (found[0].lower() in TOOLS and found[0].lower() not in PLACES) or found[0].lower() in ORGANIZATIONS:
        return ()
    name = found[0]
    if re.search(r" \d[\w.]*$", name):  # "Chapter 3", "Windows 11": what is numbered is no town
        return ()
    if known and len(known[0]) > len(name):
        name = known[0]
    tail = re.match(r",\s*", rest[len(name) :]) if rest.lower().startswith(name.lower()) else None
    if tail:
        wider = _known(rest[len(name) + tail.end() :], COUNTRIES | STATES)
        if wider:
            name = f"{name}, {wider[0]}"
    return (name,)


def known_place(rest: str) -> tuple[str, ...]:
    """Only places of the list: where the verb is said of programs and companies too ("we moved to Vercel")."""
    found = place(rest)
    return found if found and found[0].split(",")[0].lower() in PLACES else ()


def organization(rest: str) -> tuple[str, ...]:
    """ "Siemens", "a startup called Lumora", "a bank"."""
    called = re.match(r"(?:an?|the|this|my|our) (?:[\w-]+ ){1,4}(?:called|named) (?P<name>.+)", rest, re.IGNORECASE)
    if called:
        return proper(called["name"])
    found = proper(rest) or _known(rest, ORGANIZATIONS)
    if found:
        return () if found[0].lower() in LANGUAGES or found[0].lower() in PLACES else (found[0] + _own(rest, found[0]),)
    common = re.match(
        r"(an? (?:[a-z-]+ ){0,3}[a-z-]+?)(?= (?:in|at|with|near|for|and|as|where|that|which|called|so|but"
        r"|on|now|right|since|here)\b|\s*[,.]|$)",
        rest,
    )
    if common and _WORKPLACE.search(common[1]):
        return (common[1],)
    return ()


def _own(rest: str, name: str) -> str:
    """ "St. Luke's" is a name; in "Acme's competitor" Acme is."""
    after = rest.partition(name)[2]
    return (
        "'s" if re.match(r"'s(?=\s*(?:$|[.,;:!?)]|(?:and|but|in|on|as|since|for|now|where|because)\b))", after) else ""
    )


_WORKPLACE = re.compile(
    r"\b(?:bank|hospital|school|university|college|startup|start-up|company|firm|agency|restaurant"
    r"|cafe|café|bakery|shop|store|library|museum"
    r"|clinic|hotel|bar|pub|factory|studio|lab|laboratory|nonprofit|non-profit|ngo|newspaper|magazine"
    r"|supermarket|pharmacy|gym|farm|bookstore"
    r"|consultancy|law firm|nursery|kindergarten|shelter|garage|salon|warehouse|brewery|theater"
    r"|theatre|zoo|coffee shop)$"
)


def tool(rest: str) -> tuple[str, ...]:
    """Names of things that are used: with a capital, or known without one; several in a row."""
    return each(_FOR_WHAT.sub("", rest), _one_tool)


# "Django for the backend and Svelte for the frontend": what each is for stands between them.
_FOR_WHAT = re.compile(
    r" (?:for (?:the |our |my )?(?:back[- ]?end|front[- ]?end|api|ui|styling|tests|testing|work|notes|ci|data|web"
    r"|infra|database|mobile|server|client)|at (?:home|work)|on (?:the )?(?:back[- ]?end|front[- ]?end))"
    r"(?= and\b|\s*,|\s*$)",
    re.IGNORECASE,
)


def _one_tool(item: str) -> tuple[str, ...]:
    item = re.sub(r"^(?:both|the|mostly|mainly)\s+", "", item, flags=re.IGNORECASE)
    found = _known(item, TOOLS) or proper(item)
    if found and found[0].lower() in PLACES | LANGUAGES:
        return ()
    return found


_PARTLY = re.compile(r"^(?:fluent|a bit of|a little(?: bit of)?|some|basic|both|native|fluently)\s+", re.IGNORECASE)


_WHERE = re.compile(
    r" (?:at (?:home|work|school)|with (?:my|the|our) \w+|fluently|natively|(?:very |pretty )?well)"
    r"(?= and\b|\s*,|\s*$)",
    re.IGNORECASE,
)


def language(rest: str) -> tuple[str, ...]:
    return each(
        _WHERE.sub("", rest),
        lambda item: _known(_PARTLY.sub("", item), LANGUAGES),
    )


def job(rest: str) -> tuple[str, ...]:
    """ "a data engineer at Zalando": a trade with what qualifies it, nothing else ("a mess", "a big fan")."""
    taken: list[str] = []
    for found in _WORD.finditer(re.sub(r"^(?:an?|the|also an?)\s+", "", rest)):
        word = found[0].lower().rstrip(".,")
        if word in JOBS:
            taken.append(found[0].rstrip(".,"))
            return (" ".join((*taken, *_trade_on(rest[rest.find(found[0]) + len(found[0]) :]))),)
        if word not in MODIFIERS or len(taken) > 4:
            return ()
        taken.append(found[0])
    return ()


def _trade_on(after: str) -> tuple[str, ...]:
    """ "Vet nurse" is one trade, "teacher and …" ends with its first word."""
    found = re.match(r" ([a-z]+)(?=\s*(?:$|[.,!;)]|(?:at|in|for|with|and|but|now|from|since)\b))", after)
    return (found[1],) if found and found[1] in JOBS else ()


def _known(rest: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """The longest known name that the words begin with."""
    parts = [m[0].rstrip(".,;:!?") for m in _WORD.finditer(rest[:60])][:3]
    if parts and parts[0].lower() == "the":
        parts = parts[1:]
    for size in range(len(parts), 0, -1):
        name = names.get(" ".join(parts[:size]).lower().removesuffix("'s"))
        if name:
            return (name,)
    return ()


def _trimmed(name: str) -> str:
    words_ = name.rstrip(".,;:!?'-&").split()
    while words_ and words_[-1].lower() in NOT_NAMES - {"may"} and len(words_) > 1:
        words_ = words_[:-1]
    return " ".join(words_).rstrip(".,;:!?'-&").removesuffix("'s")


# Several things in a row: "pizza, sushi and tacos" is three, "complex, dark shows" is not two.


Reader = Callable[[str], tuple[str, ...]]

_BETWEEN = re.compile(r"\s*,\s*(?:and |or )?|\s+and\s+|\s+&\s+|\s+und\s+|\s+y\s+|\s+e\s+", re.IGNORECASE)
_LAST = re.compile(r"\b(?:and|or|und|y|e)\b|&", re.IGNORECASE)
_ONE = re.compile(
    r"rock and roll|mac and cheese|fish and chips|peanut butter and jelly|drum and bass|black and white|arts and crafts"
    r"|food and wine|dungeons and dragons",
    re.IGNORECASE,
)
# A word that waits for its noun: after it a comma parts adjectives, not things.
_WAITS = re.compile(
    r"(?:\w(?:ic|al|ous|ful|ive|less|able|ible|ish|ed)|unique|complex|rich|dark|small|big|new|old|good"
    r"|great|nice|cool|warm"
    r"|soft|hard|simple|easy|fresh|spicy|light|bold|bright|strong|sweet|cozy|healthy|funny|sunny|quiet"
    r"|loud|long|short|deep"
    r"|fast|slow|hot|cold|crisp|raw|local|different|various)$",
    re.IGNORECASE,
)


def each(rest: str, read: Reader) -> tuple[str, ...]:
    """Every item that can be read; the first that cannot ends the row."""
    found: dict[str, None] = {}
    for part, waits in _parts(rest):
        items = () if waits else read(part)
        if not items:
            break
        found |= dict.fromkeys(items)
        if len(part.split()) > len(items[0].split()) + 1:
            break  # words left over belong to another verb, and so does what follows them
    return tuple(found)


def _parts(rest: str) -> list[tuple[str, bool]]:
    """The items with whether a noun is still to come. "And" names the last one; without it only the first is sure."""
    if _ONE.match(rest):
        return [(rest, False)]
    gaps = list(_BETWEEN.finditer(rest))
    last = next((number for number, gap in enumerate(gaps) if _LAST.search(gap[0])), None)
    bounds = [0, *(gap.end() for gap in gaps)]
    ends = [*(gap.start() for gap in gaps), len(rest)]
    count = 1 if last is None else min(last + 2, 8)
    parts = []
    for number in range(count):
        part = rest[bounds[number] : ends[number]].strip()
        comma = number < len(gaps) and "," in gaps[number][0] and number + 1 >= count
        parts.append((part, comma and bool(_WAITS.search(part))))
    return parts


# What somebody likes or avoids: bare nouns, names and doings, nothing that leans on what was said before.


_THING_WORD = re.compile(r"[^\W_][\w'&+#./@%-]*|\d+")
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
    found = [match[0] for match in _THING_WORD.finditer(item)]
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
