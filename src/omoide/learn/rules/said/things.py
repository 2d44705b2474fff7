"""What somebody owns and uses, and the animals they keep."""

from __future__ import annotations

import re

from omoide.learn.rules.known.people import PETS
from omoide.learn.rules.known.tools import TOOLS
from omoide.learn.rules.known.words import words
from omoide.learn.rules.phrase import proper, tool
from omoide.learn.rules.rule import Rule, am, mine, named, plain

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


RULES: tuple[Rule, ...] = (
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
