"""What somebody owns and uses, and the animals they keep."""

from __future__ import annotations

import re

from omoide.learn.rules.known_words import PETS, TOOLS, words
from omoide.learn.rules.phrases import CAPITAL, person, proper, tool
from omoide.learn.rules.rule import NAME, ClaimRule, am, mine, named, plain

_VEHICLES = words(
    "car bike bicycle motorcycle motorbike boat house apartment flat condo cabin van truck guitar"
    " piano camera drone telescope kayak scooter"
)
_KNOWN = "|".join(sorted(map(re.escape, TOOLS), key=len, reverse=True))
_BUY = "bought|just bought|own|got myself|purchased|ordered myself"


def possession(rest: str) -> tuple[str, ...]:
    """Things with a name ("a Tesla Model 3") or of a kind that lasts ("a house")."""
    article = re.match(
        r"(?:an?|my|our|one|two|the)(?: (?:new|used|second-hand|old|brand new|brand-new|red|blue|black"
        r"|white|small|big))* ",
        rest,
    )
    if not article:
        return ()
    after = rest[article.end() :]
    found = () if _GIVEN.search(after) else proper(after)
    if found:
        return found if _ENDS.match(after[len(found[0]) :]) and found[0].lower() not in _DEGREES else ()
    kind = re.match(
        r"([a-z]+)(?: (?:in|near|with|last|yesterday|this|from|for|and|two|a few|recently)\b|\s*$|,)", after
    )
    return (kind[1],) if kind and kind[1] in _VEHICLES and not _GIVEN.search(after) else ()


_DEGREES = words(
    "christmas bachelor master masters phd ph.d doctorate mba msc bsc ba ma md jd meng beng a-level abitur"
)
_GIVEN = re.compile(r"\bfor (?:my|our|his|her|their|the|an?|[A-Z]\w+)\b(?! (?:self|trip|job|work|commute))")
# After the name of a thing; another noun there makes it something else ("an Amazon membership", "a Bachelor's degree").
_ENDS = re.compile(
    r"\s*(?:$|[,.!;()]|(?:in|from|for|that|which|and|but|last|yesterday|today|this|with|to|at|on|so"
    r"|two|three|a|an|back|since|because|recently|now|as|when)\b)"
)


def owned_by_name(rest: str) -> tuple[str, ...]:
    """ "I have a Tesla": only names, since one has meetings, ideas and colds too."""
    found = possession(rest)
    return found if found and found[0][0].isupper() and not re.match(r"[A-Z]{2,4}\b", found[0]) else ()


_GEAR = (
    r"(?:phone|cell phone|car|laptop|computer|tablet|bike|bicycle|motorbike|motorcycle|van|truck|camera|guitar|watch"
    r"|e-reader|desktop|monitor|printer|scooter)"
)
_TRADES = words(
    "bakery shop bookshop bookstore restaurant cafe café farm business company store brewery vineyard winery gym salon"
    " hotel gallery bar pub studio startup agency pharmacy nursery barbershop pizzeria franchise"
)


_DREAMT = re.compile(r"\b(?:dreams?|compared|imagination|metaphor\w*)\b", re.IGNORECASE)


# Makes of cars that are no other word, written small.
_MAKE = re.compile(
    r"(?:skoda|volkswagen|toyota|honda|hyundai|kia|mazda|nissan|peugeot|renault|citroen|dacia|volvo|audi|fiat|subaru"
    r"|mitsubishi|suzuki|chevrolet|tesla|seat(?= (?:ibiza|leon|ateca)))"
    r"(?: (?!(?:and|but|with|that|which|so|in|from|to|for|now|diesel|car|because|since|every|when|as|at|on|like)\b)"
    r"[a-z0-9-]+)?(?=\s*(?:$|[,.!;(]|(?:and|but|with|that|which|so|from|to|now|diesel|because|since|every)\b))"
)


def model(rest: str) -> tuple[str, ...]:
    """ "a 2009 Corolla that …", "a Pixel 7": a make by name, with its year."""
    found = re.match(
        r"(?:an? )(?:(?:used|new|old|second-hand|red|blue|black|white|silver) )*(?P<year>(?:19|20)\d\d )?", rest
    )
    after = rest[found.end() :] if found and not _DREAMT.search(rest) else ""
    if small := _MAKE.match(after):
        return (f"{found['year'] or ''}{small[0].title()}",) if found else ()
    name = owned_by_name(f"a {after}") if found else ()
    return (f"{found['year'] or ''}{name[0]}",) if found and name else ()


def enterprise(rest: str) -> tuple[str, ...]:
    """ "a small bakery on Dundas Street": what one runs, without its address."""
    found = re.match(
        r"an? ((?:[a-z-]+ ){0,2}?([a-z]+))(?=\s*(?:$|[,.!]|(?:in|on|near|at|with|called|named|and|since|that)\b))", rest
    )
    return (found[1],) if found and found[2] in _TRADES else ()


_PET = re.compile(
    rf"(?P<count>an?|one|two|three|four|five|\d|my|our"
    rf"|some) (?:[\w-]+ ){{0,2}}?(?P<kind>{'|'.join(sorted(PETS, key=len, reverse=True))})\b"
    r"(?P<noun> (?:allergy|food|person|sitter|costume|joke|video|lover|bed|toy|shelter|in the|at the"
    r"|cafe|hair|park|show))?"
    r"(?:,? (?:called|named|whose name is) (?P<name>\S.*))?",
    re.IGNORECASE,
)


def pet(rest: str) -> tuple[str, ...]:
    """ "a cat called Miso" → Miso; "two cats" → two cats; "a puppy" → puppy."""
    found = _PET.match(rest)
    if not found or found["noun"]:
        return ()
    if found["name"]:
        return proper(found["name"])
    count, kind = found["count"].lower(), found["kind"].lower()
    return (kind,) if count in {"a", "an", "my", "our"} else (f"{count} {kind}",)


def used(rest: str) -> tuple[str, ...]:
    """Names of tools; "I use my phone" and "I use it" name none."""
    found = tool(rest)
    return tuple(name for name in found if not re.fullmatch(r"(?:I|A|My|The|It|This|That|Your)", name))


THING_RULES: tuple[ClaimRule, ...] = (
    mine("owns", _BUY, possession, "other"),
    mine("owns", "have", owned_by_name, "other", confidence=0.9),
    mine("owns", "drive|ride", model, "other", confidence=0.9),
    plain(
        "owns", rf"my (?:current |new |main |daily |work )?{_GEAR}(?:'s| is) (?=an? )", model, "other", confidence=0.9
    ),
    plain("owns", r"(?:i|we)(?: also| still| now)? own (?=an? )", enterprise),
    plain("runs", r"(?:i|we)(?: also| still| now)? run (?=an? )", enterprise),
    mine(
        "owns",
        "sold|got rid of|no longer own|no longer have|don't own|don't have(?= my)|gave away",
        lambda rest: _former(rest),
        "other",
        ended=True,
    ),
    mine("has_pet", "have|own|adopted|got|rescued|bought|just got|just adopted", pet),
    mine(
        "uses",
        "use|using|switched (?:over )?to|migrated to|started using|use both|prefer using|rely on",
        used,
        "tool",
    ),
    mine("uses", "moved (?:over )?to", lambda rest: _tools_only(rest), "tool"),
    am(
        "uses",
        "using|on(?= (?:macos|linux|windows|ubuntu|arch|nixos|debian|fedora)\\b)|running(?= (?:macos"
        "|linux|windows|ubuntu|arch|nixos|debian|fedora)\\b)",
        used,
        "tool",
    ),
    mine(
        "uses",
        "switched (?:over )?from [\\w .+#-]{1,30} to|migrated from [\\w .+#-]{1,30} to|moved from [\\w .+#-]{1,30} to",
        lambda rest: _tools_only(rest),
        "tool",
    ),
    mine(  # what replaces a tool is one, though nobody has heard of it
        "uses",
        rf"(?:switched|migrated|moved)(?: over)? from (?:{_KNOWN}) (?:over )?to",
        lambda rest: proper(rest)[:1],
        "tool",
    ),
    mine(
        "uses",
        "switched (?:over )?from(?=.* to\\b)|migrated from(?=.* to\\b)|moved from(?=.* to\\b)"
        "|switched away from|moved away from|moved off",
        lambda rest: _tools_only(rest),
        "tool",
        ended=True,
    ),
    mine(
        "uses",
        "no longer use|don't use|do not use|dont use|stopped using|quit using|used to use|gave up on"
        "|ditched|dropped(?= [A-Z])|never use",
        used,
        "tool",
        ended=True,
    ),
    am("uses", "no longer using|not using", used, "tool", ended=True),
    mine(
        "uses",
        "cancell?ed (?:my|our)|unsubscribed from|uninstalled|deleted (?:my|our)|got rid of|got off|ripped out",
        lambda rest: _given_up(rest),
        "tool",
        ended=True,
    ),
    named("uses", "uses|is using|switched to", used, "tool"),
    named("uses", "no longer uses|doesn't use|does not use|stopped using", used, "tool", ended=True),
    named("owns", "owns|bought|drives", owned_by_name, "other"),
    plain(
        "uses",
        r"my (?:main |favou?rite |daily |go-to )?(?:editor|ide|browser|shell|terminal|os|operating system"
        r"|note app|phone|laptop|package manager|database) (?:is|of choice is) ",
        used,
        "tool",
    ),
)


def _former(rest: str) -> tuple[str, ...]:
    return possession(rest if re.match(r"(?:an?|my|our|the) ", rest) else f"my {rest}")


def _given_up(rest: str) -> tuple[str, ...]:
    """ "my Netflix subscription", "Docker": a name, and nothing after it but what one has of it."""
    found = used(rest)[:1]
    after = rest.partition(found[0])[2] if found else ""
    return (
        found
        if re.match(r"\s*(?:subscription|account|membership|plan|$|[,.!]|last|yesterday|in)\b|\s*$", after)
        else ()
    )


def _tools_only(rest: str) -> tuple[str, ...]:
    return tuple(name for name in used(rest) if name.lower() in TOOLS)[:1]


# What software and other works are made of, run on and belong to.


_PARTS = (
    r"app|backend|back end|frontend|front end|api|site|website|web ?site|service|server|database"
    r"|project|bot|blog|store|platform|repo|pipeline|cluster|dashboard|codebase"
    r"|product|model|library|package|cli|plugin|extension|game|worker|queue|cache|gateway|portal"
    r"|landing page|docs|documentation|monorepo|staging|production"
)
SUBJECT = rf"(?:(?i:the|our|my) (?P<part>(?:[a-zA-Z][\w-]+ )?(?i:{_PARTS}))|(?P<who>{NAME}))"


def _rule(predicate: str, verbs: str, read: object, type: str | None = "tool", *, ended: bool = False) -> ClaimRule:
    return ClaimRule(predicate, re.compile(rf"{SUBJECT}(?i: (?:{verbs})) (?P<rest>\S.*)"), read, type, ended, 1.0)  # type: ignore[arg-type]


def platform(rest: str) -> tuple[str, ...]:
    """ "Vercel", "Vercel's hobby plan", "a Raspberry Pi"."""
    plan = re.match(
        rf"(?:the )?({CAPITAL}[\w.]+(?:'s)? (?:[a-z]+ ){{0,2}}(?:plan|tier|cluster|instance|server))\b", rest
    )
    if plan:
        return (plan[1],)
    rest = re.sub(r"^(?:an?|the|our|my) ", "", rest)
    found = tool(rest)[:1]
    return found if found else ()


def whole(rest: str) -> tuple[str, ...]:
    """ "the Chimera project"."""
    rest = re.sub(r"^(?:the|our|my) ", "", rest)
    project = re.match(
        rf"({CAPITAL}[\w-]*(?: {CAPITAL}[\w-]*)*(?: (?:project|suite|platform|team|group|stack|family"
        rf"|ecosystem|program|initiative|company))?)",
        rest,
    )
    return (project[1],) if project and project[1].split()[0].lower() not in {"i", "it"} else ()


def maker(rest: str) -> tuple[str, ...]:
    return person(rest) or proper(rest)


def made(rest: str) -> tuple[str, ...]:
    """ "I created Kira", "I built a tool called Lumen"; not "I created a file"."""
    called = re.match(r"(?:an?|the|my|our) (?:[\w-]+ ){1,4}(?:called|named) (?P<name>.+)", rest)
    found = proper(called["name"] if called else rest)
    return found if found and (called or found[0].lower() not in TOOLS) else ()


def _of_a_whole(rest: str) -> tuple[str, ...]:
    """ "The Chimera suite"; "Ann" owns it, and it is no part of her."""
    found = whole(rest)
    return found if found and (len(found[0].split()) > 1 or rest.startswith(("the ", "our "))) else ()


PROJECT_RULES: tuple[ClaimRule, ...] = (
    _rule(
        "deployed_on",
        "(?:is|are|was|were|got) (?:now |currently |already )?deployed (?:on|to|with|via)|deploys to",
        platform,
    ),
    _rule("hosted_on", "(?:is|are) (?:now |currently )?hosted (?:on|at|with|by)", platform),
    _rule("runs_on", "(?:runs?|is running|now runs) (?:on|under)", platform),
    _rule("deployed_on", "(?:is|are) no longer deployed (?:on|to)", platform, ended=True),
    _rule("depends_on", "(?:depends?|relies|is built|now depends) (?:up)?on(?: top of)?|requires", platform),
    _rule("part_of", "(?:is|are) (?:a )?part of", whole, "project"),
    _rule("part_of", "belongs to", lambda rest: _of_a_whole(rest), "project"),
    _rule("written_in", "(?:is|are|was) (?:all |mostly |entirely )?(?:written|coded|programmed) in", tool),
    _rule("built_with", "(?:is|are|was) (?:built|made) (?:with|using|in)", tool),
    ClaimRule(
        "deployed_on",
        re.compile(
            rf"(?i:(?:we|i)(?:'ve| have)? (?:just |recently |finally )*(?:moved|migrated|switched) (?:the|our"
            rf"|my)) (?P<part>"
            rf"(?:[a-zA-Z][\w-]+ )?(?i:{_PARTS}))(?i:(?: over)? from [\w .+#-]{{2,30}} to) (?P<rest>\S.*)(?P<who>(?!))?"
        ),
        lambda rest: tuple(name for name in platform(rest) if name.lower() in TOOLS),
        "tool",
    ),
    _rule(
        "uses",
        "(?:has |have )?(?:now )?(?:switched|migrated|moved)(?: over)? from [\\w .+#-]{2,30} to",
        lambda rest: platform(rest),
    ),
    _rule(
        "uses",
        "(?:has |have )?(?:now )?(?:switched|migrated|moved)(?: over)? from(?=.* to\\b)",
        lambda rest: platform(rest.split(" to ")[0]),
        ended=True,
    ),
    _rule("uses", "(?:uses?|is using|now uses|still uses)", lambda rest: platform(rest)),
    _rule(
        "created_by",
        "was (?:created|built|made|founded|written|designed|developed|started) by|is (?:made|built"
        "|developed|maintained) by",
        maker,
        "person",
    ),
    mine(
        "created",
        "created|built|founded|started(?= a (?:company|startup|project|blog|podcast|band|channel))"
        "|wrote(?= a (?:tool|library|book|program))|made(?= an? .*(?:called|named))|am the (?:author"
        "|creator) of",
        made,
        "project",
    ),
)
