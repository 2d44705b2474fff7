"""Tools, possessions, works and likings that are none."""

from __future__ import annotations

import re

from omoide.learn.rules.known.given import GIVEN
from omoide.learn.rules.known.people import LANGUAGES, NATIONALITIES
from omoide.learn.rules.known.places import PLACES
from omoide.learn.rules.known.tools import ORGANIZATIONS, TOOLS
from omoide.learn.rules.known.words import words

from .said import Said, goes_on

TIMES = words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april june july august september october november december christmas easter
    halloween thanksgiving weekends weekend weekdays mornings evenings nights today tomorrow tonight yesterday
    navidad natal montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes
    sábado domingo
""")
# Tools that are everyday words: written small they are the tool only where nothing else follows.
EVERYDAY = words("""
    go r c word teams signal linear render railway cursor solid fish black brave express spring phoenix lambda neon
    notion unity kitty helix arch roam nano zoom stripe drizzle parcel premiere sketch excel swift julia spark node
    cargo conda gemini claude target sass yarn poetry travis ruby rust java apache caddy astro remix nuxt babel
    mocha uber alexa android windows safari chrome confluence basecamp ruff zed bun brew apt biome bash vagrant
    illustrator make just slack discord box drive meet photos maps docs sheets keep notes
""")
_MEANING = re.compile(r"\s*(?:of|as (?:an?|in|the)|in the sense|with (?:double|single))\b", re.IGNORECASE)
_GADGET = re.compile(
    r"\s*(?:app|tool|cli|library|plugin|editor|browser|sdk|api|framework|platform|stack|desktop|ide|shell)s?\b"
)
# "The CacheFirst strategy" is a way of doing something, not a tool.
_OF_A_KIND = re.compile(
    r"\s*(?:strateg(?:y|ies)|patterns?|methods?|approach(?:es)?|hooks?|functions?|class(?:es)?|components?"
    r"|decorators?|flags?"
    r"|algorithms?|options?|settings?|commands?|attributes?|propert(?:y|ies)|events?|rules?|theorems?|formulas?"
    r"|techniques?"
    r"|principles?|diets?|keywords?|syntax|tests?|matrix|words?|phrases?|jokes?|references?|accents?|recipes?|puns?)\b"
)
_HEADS = words("plan option version force sense common method approach trick card power voice god")
_STATES = words("""
    broken closed dead back over gone late lost full empty open new old ready here there out off on up down sold
    done missing fixed ruined cancelled canceled retired retiring touring losing winning playing coming leaving
    great good bad awful terrible amazing fine ok okay busy sick free cheap expensive slow fast still not never
    always also mine yours extinct discontinued available unavailable
""")
_SOON_GONE = words(
    "snickers coke pepsi mars twix pizza big burger starbucks coffee beer latte margarita snack ticket uber lyft"
)
_IN_MIND = re.compile(
    r"\s*(?:in mind|on the line|on hold|on (?:weekends|fridays)|sometimes|in front of|ahead|behind|waiting)\b"
)
_KINDS_OF_CARE = re.compile(r"\b(?:with|and) (?:my|our|the) (?:son|daughter|kids?|children|nephew|niece)\b")


def a_time(said: Said) -> bool:
    return said.low in TIMES or said.low.split()[0] in TIMES


def somebody(said: Said) -> bool:
    """ "Tom depends on Anna", "Tom runs on Dunkin": people are not deployed."""
    return said.low in GIVEN or said.subject.casefold() in GIVEN


def no_tool(said: Said) -> bool:
    low = said.low
    if low in GIVEN and low not in TOOLS:
        return True
    small = said.written == low and low in EVERYDAY
    if small and (goes_on(said.after) or _MEANING.match(said.after) or re.search(r"\bthe $", said.before)):
        return True
    if low in TOOLS:
        return False
    unknown = (
        re.search(r"\bthe $", said.before, re.IGNORECASE)
        and not _GADGET.match(f"{said.after} ")
        and not _GADGET.match(said.object.split()[-1].lower())
    )
    if _OF_A_KIND.match(said.after):
        return True
    states = low in _STATES or low.split()[0] in _HEADS or len(low) < 2
    return bool(unknown) or states or _foreign_noun(said)


_GERMAN = re.compile(r"^(?:ich|wir|und ich)\b", re.IGNORECASE)


def _foreign_noun(said: Said) -> bool:
    """German writes every noun with a capital: there only what we know, or what no noun looks like, is a tool."""
    return (
        bool(_GERMAN.match(said.words))
        and said.low not in ORGANIZATIONS
        and re.fullmatch(r"[A-ZÄÖÜ][a-zäöüß]+", said.object) is not None
    )


def not_owned(said: Said) -> bool:
    low = said.low
    passing = low.split()[0] in _SOON_GONE or low in GIVEN or low.split()[0] in _HEADS or low in NATIONALITIES
    return (
        passing
        or _IN_MIND.match(said.after) is not None
        or re.search(r"\bfor (?:him|her|them|us all)\b", said.after) is not None
    )


# What is made and has a name of its own; a branch, a channel and a cake have one for a day.
_WORK = re.compile(
    r"\b(?:tool|app|application|librar(?:y|ies)|project|company|startup|start-up|firm|agency|site|website|blog"
    r"|podcast|band"
    r"|game|bot|service|framework|plugin|extension|language|platform|product|package|newsletter|book|novel|film|movie"
    r"|course"
    r"|communit(?:y|ies)|festival|nonprofit|non-profit|ngo|studio|label|brand|club|program|system|model|dataset"
    r"|magazine"
    r"|journal|engine|editor|cli|api|dashboard|compiler|database|assistant|agent|album|comic|conference|meetup|school"
    r"|shop"
    r"|store|restaurant|bakery|café|cafe|bar|song|series|initiative|foundation|charity|server|daemon|crate|gem|module)"
    r"(?: [a-z]+)?,? (?:called|named) $",
    re.IGNORECASE,
)


def not_made(said: Said) -> bool:
    """A work has a name, and it is not the name of somebody else's."""
    low = said.low
    if said.subject != "user":
        return not said.object[:1].isupper()
    if re.search(r"\b(?:called|named) $", said.before):
        return _WORK.search(said.before) is None or "report" in said.before
    return low in ORGANIZATIONS or low in PLACES or low in {"lego", "ikea"} or low in GIVEN or low in TIMES


def no_whole(said: Said) -> bool:
    return said.low in {"history", "life", "nature", "god", "steam sale"} or said.low.split()[0] == "phase"


def no_language(said: Said) -> bool:
    return said.low not in TOOLS and (said.low in LANGUAGES or re.fullmatch(r"[A-Z][a-z]+", said.object) is not None)


_DOING_TO = re.compile(r"\b\w+ing \w+[^,;]*, ", re.IGNORECASE)  # "I like buying books, pens": the pens are bought


def no_liking(said: Said) -> bool:
    """A person is loved otherwise; "neither" and "still" are nothing that can be liked."""
    low = said.low
    if _DOING_TO.search(said.before) and not re.match(r"\w+ing\b", low):
        return True
    return (
        low in GIVEN
        or low in {"neither", "still", "up", "out", "you", "dich", "ti", "te", "的人"}
        or low.startswith("week ")
    )


def no_favorite(said: Said) -> bool:
    """ "My favorite mug is broken": how it is, not which one."""
    low, what = said.low, said.predicate.removeprefix("favorite_")
    doing = re.fullmatch(r"\w+ing", low) is not None and what not in {
        "hobby",
        "activity",
        "sport",
        "pastime",
        "thing",
        "exercise",
        "way",
    }
    place = re.match(r"(?:in|on|at|under|behind|from|with) ", low) is not None
    return low.split()[0] in _STATES or place or doing or (re.fullmatch(r"\w+ed", low) is not None and what != "color")
