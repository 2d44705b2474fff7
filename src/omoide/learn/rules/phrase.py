"""What a rule's verb takes: the words after it, read as a place, a name, a trade or a thing, or as nothing at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .known.people import JOBS, LANGUAGES, MODIFIERS, NOT_NAMES
from .known.places import COUNTRIES, PLACES, STATES
from .known.tools import ORGANIZATIONS, TOOLS
from .known.words import words

Reader = Callable[[str], tuple[str, ...]]

CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĪİŁŃŇŌŐŘŚŞŠŤŪŮŰŹŻŽΑ-ΩА-Я]"
_NAMED = rf"{CAPITAL}[\w'&+#.@-]*"
RUN = (
    rf"{_NAMED}(?: (?:(?:of|de|da|do|dos|del|la|le|am|an der|upon|for|&|von|van|der"
    rf"|den) (?={CAPITAL}))?(?:{_NAMED}|\d[\w.]*))*"
)
_RUN = re.compile(rf"(?:the |The )?({RUN})")
_WORD = re.compile(r"[^\W_][\w'&+#./@%-]*|\d+")
_ITEM = re.compile(r"\s*,\s*(?:and |or )?|\s+and\s+|\s+&\s+|\s+und\s+|\s+y\s+|\s+e\s+", re.IGNORECASE)

# Where a thing ends: what follows tells when, why, with whom or how much.
_STOP = words("""
    because since when while if but so although though that which who where whose as than until unless after
    before for with at from by now anymore too also lately recently right these nowadays currently already
    every each more most very instead everyday today yesterday tomorrow last next here there again haha lol
    tbh btw please thanks is are was were has have had will would can could do does did not just ever always
    really either during over about without like especially etc i i'm we you he she they my our this around
    together sometimes often usually mostly anyways anyway ok okay xd rn atm ngl either though myself then
""")
_INNER = words(
    "in on at with to from by about for like as over during around without together"
)  # kept inside "going to concerts"
# A thing that leans on these was named elsewhere: it says nothing when it stands alone in memory.
_LEANS = words("""
    it that this these those them him her you your yours his their its something everything anything nothing
    someone everyone what how when where who why one ones some any such both all another other others same
    first second latter former i me my mine we us our being having to be seeing not the
""")
_LEANS_INSIDE = words(
    "it that this these those them him her you your his their its what how one ones such i we he she"
    " they she's he's it's"
)
_PLAIN = words(
    "home work night day school church college uni university university's noon lunch dinner time"
    " first last least once all"
)


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
    if len(parts) > 3 or known or (found[0].isupper() and len(found[0]) > 3):
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
        return () if found[0].lower() in LANGUAGES or found[0].lower() in PLACES else found
    common = re.match(
        r"(an? (?:[a-z-]+ ){0,3}[a-z-]+?)(?= (?:in|at|with|near|for|and|as|where|that|which|called|so|but"
        r"|on|now|right|since|here)\b|\s*[,.]|$)",
        rest,
    )
    if common and _WORKPLACE.search(common[1]):
        return (common[1],)
    return ()


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
    return _each(rest, _one_tool)


def _one_tool(item: str) -> tuple[str, ...]:
    item = re.sub(r"^(?:both|the|mostly|mainly)\s+", "", item, flags=re.IGNORECASE)
    found = _known(item, TOOLS) or proper(item)
    if found and found[0].lower() in PLACES | LANGUAGES:
        return ()
    return found


def language(rest: str) -> tuple[str, ...]:
    return _each(
        re.sub(r"^(?:fluent|a bit of|a little|some|basic|both|native|fluently)\s+", "", rest),
        lambda item: _known(item, LANGUAGES),
    )


def job(rest: str) -> tuple[str, ...]:
    """ "a data engineer at Zalando": a trade with what qualifies it, nothing else ("a mess", "a big fan")."""
    taken: list[str] = []
    for found in _WORD.finditer(re.sub(r"^(?:an?|the|also an?)\s+", "", rest)):
        word = found[0].lower().rstrip(".,")
        if word in JOBS:
            taken.append(found[0].rstrip(".,"))
            # "software engineer manager" is one trade, "teacher and …" ends here
            return (" ".join(taken),)
        if word not in MODIFIERS or len(taken) > 4:
            return ()
        taken.append(found[0])
    return ()


def thing(rest: str) -> tuple[str, ...]:
    """What somebody likes: bare nouns, names, doings; several in a row; nothing that leans on what was said before."""
    return _each(rest, _one_thing)


def _one_thing(item: str) -> tuple[str, ...]:
    taken: list[str] = []
    found = [m[0] for m in _WORD.finditer(item)]
    if len(found) > 1 and found[0] == "the" and found[1][0].isupper():
        found = found[1:]
    for position, raw in enumerate(found):
        word = raw.lower()
        last = position == len(found) - 1
        if word in _STOP and not (position and word in _INNER and not last and _goes_on(found[position + 1 :])):
            break
        taken.append(raw)
    taken = _without_edges(taken)
    if not taken or len(taken) > 7 or taken[0].lower() in _LEANS or any(t.lower() in _LEANS_INSIDE for t in taken):
        return ()
    text = " ".join(taken)
    return (text,) if len(text) > 2 and text in " ".join(item.split()) else ()


def _goes_on(following: list[str]) -> bool:
    """After a preposition inside a thing stand nouns ("going to concerts"), not a pronoun and not a clause."""
    next_ = following[0].lower()
    return next_ not in _STOP and next_ not in _LEANS | {"a", "an"} and not next_[0].isdigit()


_EDGES = words("a an of to and or so much lot well good-old in on at with for from by all too quite super kinda pretty")


def _without_edges(taken: list[str]) -> list[str]:
    for word in ("lot", "bit", "much", "well"):
        if len(taken) > 1 and taken[-1].lower() == word:
            taken = taken[:-1]
    while taken and taken[-1].lower() in _EDGES:
        taken = taken[:-1]
    if taken and taken[0].lower() in {"a", "an"} and len(taken) > 1:
        taken = taken[1:]
    return taken


_ONE = (
    "rock and roll",
    "mac and cheese",
    "fish and chips",
    "peanut butter and jelly",
    "drum and bass",
    "black and white",
)


def _each(rest: str, read: Reader) -> tuple[str, ...]:
    """Items of an enumeration, as long as they can be read; the first that cannot ends it."""
    if any(rest.lower().startswith(one) for one in _ONE):
        return read(rest)
    found: dict[str, None] = {}
    parts = _ITEM.split(rest)
    for number, part in enumerate(parts[:8]):
        items = read(part.strip())
        if not items:
            break
        found |= dict.fromkeys(items)
        # Words left over after an item mean that what follows belongs to another verb.
        if len(part.split()) > len(items[0].split()) + 1 and number < len(parts) - 1:
            break
    return tuple(found)


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
