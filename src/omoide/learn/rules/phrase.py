"""What a rule's verb takes: the words after it, read as a place, a name, a trade or a thing, or as nothing at all."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .known.people import JOBS, LANGUAGES, MODIFIERS, NOT_NAMES
from .known.places import COUNTRIES, PLACES, STATES
from .known.tools import ORGANIZATIONS, TOOLS
from .known.words import words
from .listing import each

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
