"""Where somebody lives, comes from, was born."""

from __future__ import annotations

import re

from omoide.learn.rules.known.tools import ORGANIZATIONS, TOOLS
from omoide.learn.rules.phrase import known_place, place
from omoide.learn.rules.rule import Rule, am, mine, named, plain

_DEPARTMENTS = re.compile(
    r"(?:Accounting|Marketing|Sales|HR|Engineering|Support|Finance|Legal|IT|Product|Design|Ops|Operations|Research|QA"
    r"|Security|Procurement|Payroll|Management|Logistics|Customer)\b"
)


def origin(rest: str) -> tuple[str, ...]:
    """ "from Chile", not "from Accounting"."""
    return () if _DEPARTMENTS.match(rest) else place(rest)


# "We moved to Basecamp last month" is about a team; a name that is built like a product's is no town.
_BUILT = re.compile(r"\w*[a-z][A-Z]|\w*\d|\w+(?:base|camp|ify|hub|flow|stack|desk|force|cloud|ops|lab|ware|soft)\b")
_AT_WORK = re.compile(
    r"\b(?:team|company|project|migrat\w*|stack|hosting|server|office|app|site|repo|code|backend|workflow)\b",
    re.IGNORECASE,
)


def household(rest: str) -> tuple[str, ...]:
    """ "we moved to Potsdam two weeks ago": a family did, where nothing speaks of a team and its tools."""
    found = place(rest)
    name = found[0].split(",")[0] if found else ""
    low = name.lower()
    ruled_out = low in TOOLS or low in ORGANIZATIONS or _BUILT.match(name) or _AT_WORK.search(rest)
    return () if not name or len(name.split()) > 2 or ruled_out or _DEPARTMENTS.match(name) else found


RULES: tuple[Rule, ...] = (
    mine(
        "lives_in",
        "live in(?: an? (?:[\\w-]+ ){0,2}(?:flat|apartment|house|studio|cottage|condo|townhouse) in)?"
        "|live over in|reside in|living in|have lived in(?=.* (?:since|for)\\b)|lived in(?=.* since\\b)",
        place,
        "place",
    ),
    plain(
        "lives_in",
        r"(?:i've|i have|we've|we have)(?: recently| just| actually| mostly)? (?:lived"
        r"|been living) in (?=.* (?:since|for|all my life"
        r"|my whole life)\b)",
        place,
        "place",
    ),
    am("lives_in", "living in|based in|based out of|located in|settled in", place, "place"),
    mine("lives_in", "(?:re)?moved(?: back| away| out| over)? to|relocated to|settled in", known_place, "place"),
    plain(
        "lives_in",
        r"i(?:'ve)?(?: recently| just| finally| actually| officially)? (?:moved|relocated)(?: back| over"
        r"| here)? (?:from [^,]{2,30} )?to (?=[^,]*\b(?:last|ago|in \d|in (?:jan|feb|mar|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec)\w*|this|yesterday|recently)\b|[^,]{2,25}$)",
        place,
        "place",
    ),
    plain(
        "lives_in",
        r"we(?:'ve| have)?(?: recently| just| finally| actually| all)? (?:moved|relocated)(?: back| over| here)? to"
        r" (?=[^,]*\b(?:last (?:week|month|year|weekend|summer|spring|autumn|fall|winter)|ago|yesterday|recently"
        r"|in (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d))\b)",
        household,
        "place",
        confidence=0.9,
    ),
    mine("lives_in", "(?:re)?moved (?:here |over )?from [\\w .'-]{2,30} to", place, "place"),
    mine("lives_in", "(?:re)?moved (?:here |over )?from(?=.* to\\b)", place, "place", ended=True),
    mine(
        "lives_in",
        "used to live in|no longer live in|don't live in|do not live in|dont live in|moved away from"
        "|moved out of|left(?= [^,]* for good)",
        place,
        "place",
        ended=True,
    ),
    am("lives_in", "no longer living in|not living in|no longer based in", place, "place", ended=True),
    plain(
        "lives_in",
        r"(?:i|we)(?: also| once| actually| previously| briefly)? lived in (?!.* since\b)",
        place,
        "place",
        past=True,
    ),
    named("lives_in", "lived in(?!.* since\\b)", place, "place", past=True),
    plain(
        "lived_in",
        r"i lived in (?=.* (?:for|as a (?:kid|child|student)|back then|when)\b)",
        place,
        "place",
        confidence=0.9,
    ),
    plain("lives_in", r"my home ?town is ", lambda rest: (), "place"),
    plain("lives_in", r"(?:my (?:current )?(?:city|home city|location) is |home is )", place, "place"),
    am("comes_from", "from|originally from", origin, "place"),
    mine("comes_from", "come from|hail from|originally come from", place, "place"),
    plain("comes_from", r"my home ?town is ", place, "place"),
    plain("born_in", r"i was (?:actually |originally )?born (?:and raised )?in ", place, "place"),
    mine("grew_up_in", "grew up (?:mostly |mainly )?in|was raised in", place, "place"),
    named("lives_in", "lives in|is living in|is based in|resides in|moved (?:back )?to|relocated to", place, "place"),
    named("comes_from", "is from|comes from|is originally from", known_place, "place"),
    named("born_in", "was born in", place, "place"),
    named("grew_up_in", "grew up in", place, "place"),
    named("lives_in", "no longer lives in|doesn't live in", place, "place", ended=True),
)
