"""What somebody is going to do at a time they name. Without a time it is talk."""

from __future__ import annotations

import re
from datetime import datetime

from omoide.learn.rules.dates import began

_PLAN = re.compile(
    r"(?i:(?:i'?m|i am|we're|we are) (?:also |finally |officially )?)(?P<what>(?i:flying|moving"
    r"|traveling|travelling|going|driving|heading|starting|getting married|getting|having|taking"
    r"|visiting|meeting|seeing|attending|running|leaving|returning|graduating|presenting|giving"
    r"|hosting|launching|releasing|switching|retiring|turning|celebrating)\b.*)"
)
_GOING_TO = re.compile(
    r"(?i:(?:i'?m|i am|we're|we are) (?:going to|planning to|planning on|scheduled to|about to|gonna)"
    r"|i (?:plan|intend) to|i will|i'll|we'll|we will|we plan to) (?!the |a |an |my )(?P<what>[a-z].*)"
)
_HAVE = re.compile(
    r"(?i:(?:i|we) have) (?P<what>(?i:an? (?:[\w'-]+ ){0,2}(?:appointment|interview|exam|flight"
    r"|surgery|wedding|deadline|presentation|conference|trip|concert|marathon|race|recital))\b.*)"
)
_LONGEST = 120  # characters of a plan with its time
# The words of the time: cut from the end of what is planned.
_TIME = re.compile(
    r"\s*,?\s*\b(?:(?:on|in|at|by|for|from|until|early|late|around|before|after|sometime|later) )*"
    r"(?:(?:this|next|the|coming) )*(?:tomorrow|tonight|today|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|weekend|week|month|year"
    r"|summer|winter|spring|autumn|fall|christmas|easter|(?:in )?(?:an?|two|three|four|five|six"
    r"|\d+) (?:days?|weeks?|months?|years?|hours?)|\d{1,2}(?:st|nd|rd|th)?|\d{4}"
    r"|\d{1,2}(?::\d\d)? ?(?:am|pm))\b"
    r"(?:[ ,]*(?:of|at|the|in|on|\d{1,4}(?::\d\d)?(?:st|nd|rd|th)?(?: ?[ap]m)?|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|year|month|week|weekend|morning"
    r"|afternoon|evening|night|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday)\b)*\s*$",
    re.IGNORECASE,
)
_SURELY = re.compile(r"^(?:definitely|also|just|certainly|finally|then|actually|be(?= \w+ing\b)) ", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:try|check|see|look|think|let|be|go ahead|do|get back|ask|take a look|give it|give that|need"
    r"|have to|keep|start with|read|test|call|try out|work on|use|make sure|say|tell you|assume|start"
    r"|stop|continue|begin|follow|finish"
    r"|admit)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:it|that|this|them|him|her|there|you|your|these|those|tomorrow|today|next (?:week|month"
    r"|year))\b",
    re.IGNORECASE,
)


_CANCELLED = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |had to )?(?:cancell?(?:ed)?|call(?:ed)? off) (?:the|my"
    r"|our) (?P<what>(?:[\w-]+ ){0,2}(?:trip"
    r"|flight|visit|move|appointment|meeting|wedding|vacation|holiday|journey|party|interview"
    r"|conference)\b[^,;.]{0,40})",
    re.IGNORECASE,
)


def cancelled(text: str) -> str | None:
    """What is off: "the trip to Rome"."""
    found = _CANCELLED.match(text)
    return found["what"].strip() if found else None


def plan(text: str, at: datetime) -> tuple[str, datetime] | None:
    """What is planned and when it begins, or None where no future time is named."""
    found = _GOING_TO.match(text) or _PLAN.match(text) or _HAVE.match(text)
    if not found or len(found["what"]) > _LONGEST:
        return None
    when = began(found["what"], at, prefer="future")
    if when is None or when.date() <= at.date():  # what is done today is over before it is remembered
        return None
    what = _TIME.sub("", _SURELY.sub("", found["what"])).strip(" ,.")
    if not 1 < len(what.split()) < 9 or _VAGUE.match(what) or _LEANS.search(what):
        return None
    return what, when
