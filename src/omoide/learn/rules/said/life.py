"""Name, age, birthday, health, diet, languages, music, state of life, how to be reached."""

from __future__ import annotations

import re

from omoide.learn.rules.known.given import GIVEN
from omoide.learn.rules.known.people import CONDITIONS, DESCRIBES, DIETS, LANGUAGES, NATIONALITIES, NOT_NAMES
from omoide.learn.rules.known.places import PLACES
from omoide.learn.rules.phrase import language, person, proper
from omoide.learn.rules.rule import NAME, Rule, am, mine, named, plain
from omoide.learn.rules.thing import thing

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


RULES: tuple[Rule, ...] = (
    plain("name", r"(?:my (?:full |real |first )?name(?:'s| is)|the name's) ", own_name),
    plain(
        "called",
        r"(?:please |just |you can |everyone |people |friends |my friends |they "
        r"|but )*(?:calls? me) (?!back|later|when|if|at|on|before|after|tomorrow|today|a|an|the|out|crazy"
        r"|old)",
        own_name,
    ),
    am("age", "", years_old),
    Rule("age", re.compile(rf"(?i:i'?m|i am) {NAME}, (?P<rest>\d.*)"), aged),
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
    Rule(
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
