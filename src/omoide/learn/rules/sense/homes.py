"""Places that are none, and homes that are only half told."""

from __future__ import annotations

import re

from omoide.learn.rules.known.given import GIVEN
from omoide.learn.rules.known.places import PLACES
from omoide.learn.rules.known.tools import ORGANIZATIONS, TOOLS
from omoide.learn.rules.known.words import words

from .said import Said
from .things import TIMES

# Names of parts of a firm, a building, a book, a game or a plan; of what one is in without being anywhere.
_HEADS = words("""
    team plan chapter level phase tier row room building house unit terminal floor gate seat zone section block
    group department division sales marketing hr engineering support finance legal it product design ops operations
    research qa security procurement payroll management logistics accounting devops infrastructure platform growth
    analytics data backend frontend mobile customer success business development strategy consulting audit
    compliance squad tribe guild project stage step grade class year version act scene season episode part book
    volume page line track league division scrum kanban agile standup remote hybrid freelance
""")
_STATES = words("""
    denial hope fear peace sin shame luxury poverty misery bliss hell heaven limbo exile debt silence darkness
    solitude chaos love pain doubt danger harmony isolation ignorance scouts foster narnia hogwarts mordor gotham
    atlantis wonderland neverland oz utopia wakanda whiterun camelot azeroth westeros valhalla asgard mars venus
    jupiter saturn pluto neptune uranus space cyberspace internet marte júpiter frieden sorge angst scheidung
    trennung gedanken armut saus freiheit hoffnung gefahr versehen spaß not eile ruhe paz babia exatas letras
    humanas guerra
""")
_ABSTRACT = re.compile(r"(?:ness|ment|tion|sion|ity|ism|ship|hood|heit|keit|schaft|ung|dad|ción|ção)$")
_MOVED = re.compile(r"\b(?:moved|relocated|migrated|switched|transferred)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom (?:the )?(?P<name>[\w.+#-]+(?: [A-Z][\w.+#-]*)?) (?:over )?to\b", re.IGNORECASE)
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend)s?"
_PART = re.compile(
    rf"\s*,?\s*(?:(?:on|from|during|over) )?(?:the )?(?:{_DAYS}\b|half (?:of )?the|part of the|most of the|every other"
    r"|in (?:the )?(?:summers?|winters?)\b|during the (?:week|semester|winter|summer)|some of the)",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\b(?:get to|got to|would|could|almost|nearly|supposed|pretend|fast|beinahe|gezogen worden)\b")


def no_place(said: Said) -> bool:
    low = said.low.partition(",")[0]
    if low in PLACES:
        return False
    first, last = low.split()[0], low.split()[-1]
    listed = low in _STATES or low in TIMES or first in _HEADS or last in _HEADS or low in TOOLS or low in ORGANIZATIONS
    return listed or _ABSTRACT.search(last) is not None or (len(last) == 1 and last.isalpha())


def moved_elsewhere(said: Said) -> bool:
    """ "Moved from Slack to Zulip": what one moves from tells what one moves to."""
    left = _FROM.search(said.words)
    if not left or said.low.partition(",")[0] in PLACES:
        return False
    name = left["name"].casefold()
    return name in TOOLS or name in ORGANIZATIONS or name in _HEADS or name.split()[0] in _HEADS or name in GIVEN


def part_of_the_week(said: Said) -> bool:
    """ "In Berlin Monday to Thursday and in Hamburg on weekends": one of two homes is not the home."""
    return _PART.match(said.after) is not None


def passing(said: Said) -> bool:
    """ "I get to live in Paris for the weekend"."""
    return _PASSING.search(said.before) is not None or _PASSING.search(said.after) is not None


_LONG_AGO = re.compile(
    r"\b(?:in (?:19|20)\d\d|ago|last (?:year|month|summer|winter)|back then|as a (?:kid|child|student))\b",
    re.IGNORECASE,
)


def long_ago(said: Said) -> bool:
    """ "I moved to London for a month in 2015": nobody stays there now."""
    return _LONG_AGO.search(said.words) is not None
