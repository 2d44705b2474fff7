"""Trades and employers that are none: "a model citizen", "at Starbucks when the wifi dies", "on Saturdays"."""

from __future__ import annotations

import re

from omoide.learn.rules.known.given import GIVEN
from omoide.learn.rules.known.tools import ORGANIZATIONS, TOOLS
from omoide.learn.rules.known.words import words

from .said import Said, goes_on
from .things import TIMES

_NO_TRADE = re.compile(
    r"\s*(?:of (?:character|taste|people)|tonight|today|this (?:week|evening|morning|time)|for (?:a|the|one) (?:day"
    r"|night"
    r"|evening|moment|weekend)|by night|too,? in|in disguise|in training|wannabe|to my|to the (?:kids|family)|for (?:my"
    r"|our) (?:kids|family|friends|dog|cat)|'s\b|short\b|myself out|in the making)",
    re.IGNORECASE,
)
_SEEMS = re.compile(
    r"\b(?:like|as if|almost|nearly|hardly|barely|no|not|kind of|sort of|half|more of|part|wannabe)\b[^,;]*$",
    re.IGNORECASE,
)
_NOW_AND_THEN = re.compile(
    r"\b(?:when(?:ever)?|sometimes|occasionally|once in a while|from time to time)\b|\b(?:today|tonight|for the day"
    r"|this (?:morning|afternoon|evening))\b",
    re.IGNORECASE,
)
_NO_EMPLOYER = words("""
    science height food fun free money peanuts home night scale heart god jesus change justice freedom regen nacht
    kälte hitze tag licht geld spaß ruhe schnee wind nebel sonne tageslicht navidad casa natal noche
""")
# German words made like trades that say what one is like, has or did.
_WHO_ONE_IS = words("""
    feuer erster zweiter dritter letzter sieger verlierer gewinner frühaufsteher langschläfer läufer raucher
    nichtraucher mieter vermieter vegetarier veganer zuhörer nutzer benutzer anfänger besitzer eigentümer
    linkshänder rechtshänder autofahrer radfahrer fußgänger europäer italiener spanier engländer amerikaner norweger
    ausländer leser spieler träumer optimist pessimist realist perfektionist christ atheist patient schwimmer
    wanderer teilnehmer mitglieder zeuge kater opfer täter teenager rentner schüler experte kenner kunde deutscher
""")
_APPS = words("excel word powerpoint outlook figma jira slack notion zoom teams vim emacs")
_SYSTEMS = words("windows linux macos ubuntu debian fedora arch android ios mac chromeos pto ooo wfh vpn")


def no_trade(said: Said) -> bool:
    """ "I'm a model citizen", "I'm a judge of character", "a chef tonight", "Frühaufsteher"."""
    if said.low.removesuffix("in") in _WHO_ONE_IS:
        return True
    return goes_on(said.after) or _NO_TRADE.match(said.after) is not None or _SEEMS.search(said.before) is not None


def no_employer(said: Said) -> bool:
    low = said.low
    known = low in ORGANIZATIONS
    return not known and (
        low in _NO_EMPLOYER
        or low in TIMES
        or low.removesuffix("'s") in GIVEN
        or (low in TOOLS and (low in _APPS or "join" in said.before.lower()))
    )


def now_and_then(said: Said) -> bool:
    return _NOW_AND_THEN.search(said.after) is not None


def no_work(said: Said) -> bool:
    return said.low in _SYSTEMS or said.low in GIVEN or (said.low in TOOLS and said.low in _SYSTEMS)


def no_field(said: Said) -> bool:
    return "'s " in said.object or said.low in GIVEN
