"""Name, age, birthday, health, diet, languages, music, state of life, how to be reached."""

from __future__ import annotations

import re

from omoide.learn.rules.known_words import (
    CONDITIONS,
    DESCRIBES,
    DIETS,
    GIVEN,
    LANGUAGES,
    NATIONALITIES,
    NOT_NAMES,
    ORGANIZATIONS,
    PLACES,
    TOOLS,
)
from omoide.learn.rules.phrases import known_place, language, person, place, proper, thing
from omoide.learn.rules.rule import NAME, ClaimRule, am, mine, named, plain

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = re.compile(
    rf"(?:on )?(?:the )?(?:(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month2>{_MONTH}))(?:,? (?P<year>(?:19"
    rf"|20)\d\d))?\b",
    re.IGNORECASE,
)
_INSTRUMENTS = re.compile(
    r"(?:the )?(piano|guitar|violin|drums?|bass|flute|cello|saxophone|trumpet|clarinet|ukulele|harp"
    r"|banjo|tennis|chess|soccer|football|basketball"
    r"|volleyball|golf|hockey|badminton|rugby|cricket|baseball|handball|bass guitar|electric guitar"
    r"|harmonica|accordion)\b",
    re.IGNORECASE,
)


def day(rest: str) -> tuple[str, ...]:
    """ "on the 3rd of May 1990" → "May 3, 1990"."""
    found = _DAY.match(rest)
    if not found:
        return ()
    month = (found["month"] or found["month2"]).capitalize()
    number = int(found["day"] or found["day2"])
    return (f"{month} {number}, {found['year']}" if found["year"] else f"{month} {number}",) if 0 < number < 32 else ()


def years(rest: str) -> tuple[str, ...]:
    found = re.match(
        r"(?P<age>\d{1,3})(?: years? old| y/?o\b|(?=\s*$)|(?= (?:now|today|yesterday|last|this|and)\b))", rest
    )
    return (found["age"],) if found and 3 < int(found["age"]) < 121 else ()


def years_old(rest: str) -> tuple[str, ...]:
    return years(rest) if re.match(r"\d{1,3}(?: years? old| y/?o\b|\s*$)", rest) else ()


def own_name(rest: str) -> tuple[str, ...]:
    found = person(rest)
    if found:
        return found
    low = re.match(r"([^\W\d_]{2,20})\s*$", rest)  # "my name is otto", alone at the end
    return (low[1].capitalize(),) if low and low[1].islower() and low[1] not in NOT_NAMES else ()


def introduced(rest: str) -> tuple[str, ...]:
    """ "I'm Maya": a single capital word that is no place, people or feeling, and then a pause."""
    found = person(rest)
    low = found[0].lower() if found else ""
    if not found or (low in PLACES and low not in GIVEN) or low in LANGUAGES:
        return ()
    after = rest[len(found[0]) :].strip()
    described = any(part.lower() in DESCRIBES or part.endswith("ing") for part in found[0].split())
    return found if (not after or after[0] in ",.!(") and not found[0].isupper() and not described else ()


def greeted(rest: str) -> tuple[str, ...]:
    """ "hi im dave": a common name, written small, and then a pause."""
    low = re.match(r"([a-zà-ÿ]{2,15})(?=\s*(?:$|[,.!(]|(?:and|from|here|btw)\b))", rest)
    return (low[1].capitalize(),) if low and low[1] in GIVEN else ()


def aged(rest: str) -> tuple[str, ...]:
    """ "I'm Sofia, 29, …": nothing but years beside the name."""
    found = re.match(r"(\d\d)(?: years? old| y/?o)?(?=\s*(?:$|[,.]|(?:and|from)\b))", rest)
    return (found[1],) if found else ()


def nationality(rest: str) -> tuple[str, ...]:
    word = re.match(r"(?:half )?([A-Za-z]+)\s*(?:$|[,.]|and\b|but\b|by\b|born\b)", rest)
    return (word[1].capitalize(),) if word and word[1].lower() in NATIONALITIES and rest[0].isupper() else ()


def diet(rest: str) -> tuple[str, ...]:
    word = re.match(
        r"(?:an? |strictly |strict |fully |mostly )*([A-Za-z-]+)\b(?! (?:food|restaurant|recipe|option"
        r"|meal|dish|place)s?)",
        rest,
    )
    return (word[1].lower(),) if word and word[1].lower() in DIETS else ()


def condition(rest: str) -> tuple[str, ...]:
    low = rest.lower()
    return next(
        (
            (name,)
            for key, name in CONDITIONS.items()
            if re.match(rf"(?:mild |severe |chronic |bad )?{re.escape(key)}\b", low)
        ),
        (),
    )


def allergy(rest: str) -> tuple[str, ...]:
    found = re.match(
        r"(?:an? )?(?:severe |mild |bad |serious |slight )*([a-z]+(?: [a-z]+)?) allergy\b", rest, re.IGNORECASE
    )
    return (found[1],) if found and found[1].lower() not in {"food", "bad", "an", "no", "strong"} else ()


def intolerance(rest: str) -> tuple[str, ...]:
    found = re.match(r"(lactose|gluten|fructose|histamine|dairy)[ -]intoleran", rest, re.IGNORECASE)
    return (found[1].lower(),) if found else ()


def played(rest: str) -> tuple[str, ...]:
    found = _INSTRUMENTS.match(rest)
    return (found[1].lower(),) if found else ()


def status(rest: str) -> tuple[str, ...]:
    found = re.match(
        r"(?:happily |recently |newly )?(married|divorced|engaged|single|widowed|retired|pregnant"
        r"|unemployed)\s*(?:$|[,.!]|(?:now|with|for|since|and|last|this|yesterday|recently|again|in (?:\d|[A-Z])\w*"
        r"|until"
        r"|two|three|a few|\d+)\b)",
        rest,
        re.IGNORECASE,
    )
    return (found[1].lower(),) if found else ()


_WED = re.compile(r"(?:married|divorced|engaged)\b", re.IGNORECASE)


def children(rest: str) -> tuple[str, ...]:
    found = re.match(
        r"((?:an?|one|two|three|four|five|six|\d) (?:(?:young|little|small|grown|adult|wonderful|amazing"
        r"|beautiful|teenage) )*(?:kids?|children|sons?|daughters?|boys|girls))\b(?!,? (?:at|in|named"
        r"|called|whose) )",
        rest,
        re.IGNORECASE,
    )
    return (found[1],) if found else ()


_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\d[\d ()/-]{5,18}\d")
_ZONE = re.compile(
    r"(?:[A-Z][a-z]+/[A-Z]\w+(?:/\w+)?|(?:UTC|GMT)[+-]?\d{0,2}(?::\d\d)?|[CPEM][SDE]?T|CET|CEST|BRT|IST|JST|AEST)\b"
)


def email(rest: str) -> tuple[str, ...]:
    found = _EMAIL.match(rest)
    return (found[0].rstrip("."),) if found else ()


def phone(rest: str) -> tuple[str, ...]:
    found = _PHONE.match(rest)
    return (found[0].strip(),) if found else ()


def zone(rest: str) -> tuple[str, ...]:
    found = _ZONE.match(rest)
    return (found[0],) if found else ()


def favorite(rest: str) -> tuple[str, ...]:
    found = proper(rest) if rest[:1].isupper() else thing(re.sub(r"^the (?=[a-z])", "", rest))
    return found[:1] if found and len(found[0].split()) < 6 else ()


LIFE_RULES: tuple[ClaimRule, ...] = (
    plain("name", r"(?:my (?:full |real |first )?name(?:'s| is)|the name's) ", own_name),
    plain(
        "called",
        r"(?:please |just |you can |everyone |people |friends |my friends |they "
        r"|but )*(?:calls? me) (?!back|later|when|if|at|on|before|after|tomorrow|today|a|an|the|out|crazy"
        r"|old)",
        own_name,
    ),
    am("age", "", years_old),
    ClaimRule("age", re.compile(rf"(?i:i'?m|i am) {NAME}, (?P<rest>\d.*)"), aged),
    mine("age", "turned|just turned|turn(?= \\d+ today)", years),
    plain("birthday", r"my (?:birthday|bday|b-day)(?:'s| is| falls) (?:on )?", day),
    plain("birthday", r"i was born on (?:the )?", day),
    am("allergic_to", "(?:severely |very |really |highly |also |deathly |mildly |slightly )?allergic to", thing),
    mine("allergic_to", "have(?= .*allergy)|got(?= .*allergy)", allergy),
    am("allergic_to", "not allergic to|no longer allergic to", thing, ended=True),
    am("intolerant_to", "", intolerance),
    am("diet", "", diet),
    mine("diet", "went|became|have been|turned", diet),
    plain("diet", r"i(?:'m| am) (?:not|no longer) (?=.*(?:anymore|any more|longer)|\w+$)", diet, ended=True),
    mine(
        "does_not_eat",
        "don't eat|do not eat|dont eat|never eat|can't eat|cannot eat|(?:stopped|quit|gave up) eating",
        lambda rest: thing(re.sub(r"^any ", "", rest)),
    ),
    mine("does_not_eat", "(?:eat|started eating|am eating|can eat)(?=.* again\\b)", thing, ended=True),
    mine("has_condition", "have|suffer from|was diagnosed with|got diagnosed with|live with", condition),
    plain("has_condition", r"i(?:'ve| have|ve) got ", condition),
    mine("speaks", "speak|can speak|also speak|am fluent in", language),
    mine("speaks", "don't speak|do not speak|dont speak|can't speak|no longer speak", language, ended=True),
    am("speaks", "fluent in|a native speaker of|bilingual in", language),
    plain("speaks", r"my (?:native|first) (?:language|tongue) is |my mother tongue is ", language),
    am("learns", "learning|studying|taking (?:lessons|classes) in|learning (?:to speak|how to speak)", language),
    mine("learns", "started learning|study", language),
    mine("learns", "(?:stopped|quit|gave up) learning|no longer learn", language, ended=True),
    am("learns", "no longer learning|not learning(?=.* any ?more)", language, ended=True),
    mine("plays", "play", played),
    am("nationality", "", nationality),
    am("marital_status", "", status),
    plain(
        "marital_status",
        r"(?:i was|we were)(?: once| happily| actually)* (?=married|engaged|single)",
        status,
        past=True,
    ),
    mine(
        "marital_status", "got|just got|recently got|finally got", lambda rest: status(rest) if _WED.match(rest) else ()
    ),
    mine("has_children", "have", children),
    plain("timezone", r"my time ?zone is (?:now )?|i(?:'m| am) (?:in|on) (?=[A-Z]{3}|[A-Z][a-z]+/)", zone),
    plain("email", r"my (?:work |personal |private )?e-?mail(?: address)?(?:'s| is)(?: now)? ", email),
    plain("phone", r"my (?:phone|cell|mobile)(?: number)?(?:'s| is)(?: now)? ", phone),
    named("age", "is|turned", years),
    named("allergic_to", "is (?:severely |very )?allergic to", thing),
    named("diet", "is", diet),
    named("has_condition", "has|suffers from|was diagnosed with", condition),
    named("speaks", "speaks", language),
    named("learns", "is learning", language),
    named("plays", "plays", played),
    ClaimRule(
        "birthday",
        re.compile(r"(?P<who>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)(?:'s|') birthday is (?P<rest>.+)"),
        day,
        confidence=0.9,
    ),
)
FAVORITE = re.compile(
    r"(?i:my (?:(?:all-time|absolute"
    r"|current) )?(?:all.time )?favou?rite) (?P<what>[a-z]+(?: (?!of\b)[a-z]+)?)(?i: of all time| ever)?"
    r" (?i:is now|is|are now|are|has always been"
    r"|was always) (?P<rest>\S.*)"
)


# Where somebody lives, comes from, was born.


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


HOME_RULES: tuple[ClaimRule, ...] = (
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
