"""The commonest statements in German."""

from __future__ import annotations

import re

from omoide.learn.rules.phrases import CAPITAL, person, place, proper
from omoide.learn.rules.rule import ClaimRule, plain

GATE = re.compile(r"(?i:ich|meine?|unsere?|wir|früher)\b")
KIN = re.compile(
    rf"(?i:(?:meine?|unsere?) (?:(?:kleine|große|ältere|jüngere|beste)[rs]? )?(?P<kin>schwester|bruder|mutter|vater"
    rf"|frau|mann|tochter|sohn|freundin|freund|chefin|chef|hund|katze) heißt) (?P<who>{CAPITAL}[\w-]+)"
)
KINDS = {
    "schwester": "sister",
    "bruder": "brother",
    "mutter": "mother",
    "vater": "father",
    "frau": "wife",
    "mann": "husband",
    "tochter": "daughter",
    "sohn": "son",
    "freundin": "friend",
    "freund": "friend",
    "chefin": "boss",
    "chef": "boss",
    "hund": "dog",
    "katze": "cat",
}
IS = re.compile(r"(?:,? und)?(?: sie| er)? ist (?P<rest>\S.*)", re.IGNORECASE)
_ADV = r"(?: (?:jetzt|aktuell|derzeit|noch|auch|seit (?:\w+ ){0,2}?\w+|wirklich|sehr|total))*"
_NOUN = re.compile(
    rf"(?:gerne? |sehr |keine?n? |die |das |den "
    rf"|der )*({CAPITAL}[\wäöüß-]+(?: und {CAPITAL}[\wäöüß-]+)?)(?=\s*(?:$|[,.!]|sehr|nicht|allergisch|gerne?"
    rf"|total|über))"
)
_TRADE = re.compile(
    r"(?:eine? |von Beruf |selbstständiger? )*([A-ZÄÖÜ][\wäöüß]*(?:(?:er|ist|or|ent|eur|leiter"
    r"|pfleger)(?:in)?|arzt|ärztin|koch|köchin|anwalt|anwältin|mann|frau|ologe|ologin))(?=\s*(?:$"
    r"|[,.!]|bei|in|an|und))"
)
_NOT_TRADES = re.compile(
    r"Mutter|Vater|Bruder|Schwester|Tochter|Anhänger|Kenner|Gegner|Student|Frau|Mann|Berliner"
    r"|Hamburger|Wiener|Kölner|Münchner|Schweizer|Österreicher|Raucher|Nichtraucher|Rentner|Vegetarier|Veganer"
    r"|Anfänger|Verlierer|Gewinner|Träumer|Linkshänder|Rechtshänder|Schüler|Single|Fußgänger|Frühaufsteher",
    re.IGNORECASE,
)


def noun(rest: str) -> tuple[str, ...]:
    found = _NOUN.match(rest)
    return tuple(found[1].split(" und ")) if found else ()


def trade(rest: str) -> tuple[str, ...]:
    found = _TRADE.match(rest)
    return (found[1],) if found and not _NOT_TRADES.match(found[1]) else ()


_SO = r"(?!.*\b(?:nicht|nie|niemals|kaum)\b)"  # German denies at the end: "ich benutze Docker nicht mehr"

RULES: tuple[ClaimRule, ...] = (
    plain("lives_in", rf"{_SO}(?:ich wohne|ich lebe|wir wohnen|wir leben){_ADV} in ", place, "place"),
    plain("lives_in", r"(?:ich bin|wir sind)(?: \w+){0,3}? nach (?=.* (?:gezogen|umgezogen))", place, "place"),
    plain("lives_in", r"ich (?:wohne|lebe) nicht mehr in ", place, "place", ended=True),
    plain("lives_in", r"ich (?:wohne|lebe) in (?=.* nicht mehr)", place, "place", ended=True),
    plain("lives_in", r"(?:ich bin|wir sind)(?: \w+){0,2}? (?:aus|von) (?=.* weggezogen)", place, "place", ended=True),
    plain("works_at", rf"{_SO}ich arbeite{_ADV} (?:bei|für) (?:der |dem )?", proper, "organization"),
    plain("works_at", r"ich arbeite nicht mehr (?:bei|für) (?:der |dem )?", proper, "organization", ended=True),
    plain(
        "works_at",
        r"ich habe(?: meinen job)?(?: \w+)? bei (?:der |dem )?(?=.* (?:gekündigt|aufgehört))",
        proper,
        "organization",
        ended=True,
    ),
    plain("works_at", r"ich arbeite (?:bei|für) (?:der |dem )?(?=.* nicht mehr)", proper, "organization", ended=True),
    plain("works_as", rf"{_SO}ich (?:bin|arbeite als|arbeite{_ADV} als) ", trade),
    plain("comes_from", r"ich komme(?: ursprünglich)? aus ", place, "place"),
    plain("born_in", r"ich (?:bin|wurde) in (?=\S+ geboren)", place, "place"),
    plain("name", r"(?:mein name ist|ich heiße|ich heisse) ", person),
    plain("age", r"ich bin (?=\d+ jahre alt)", lambda rest: (rest.split()[0],)),
    plain("age", r"ich bin (?=\d\d(?:\s*$|,| und\b))", lambda rest: (rest[:2],)),
    plain("works_as", r"ich bin \d\d(?: jahre(?: alt)?)? und (?:arbeite als )?", trade),
    plain("likes", r"ich (?:mag|liebe) (?!nicht|keine)", noun),
    plain("dislikes", r"ich (?:hasse|mag keine?n?) ", noun),
    plain("allergic_to", r"ich bin allergisch (?:gegen|auf) ", noun),
    plain("allergic_to", r"ich bin (?:sehr )?(?:gegen|auf) (?=.* allergisch)", noun),
    plain("lives_in", r"früher (?:habe ich|wohnte ich|lebte ich) in ", place, "place", ended=True),
    plain(
        "diet",
        r"ich bin (?=(?:vegetarier|veganer)(?:in)?\b)",
        lambda rest: ("vegan" if rest.lower().startswith("vegan") else "vegetarian",),
    ),
    plain(
        "uses", rf"{_SO}(?:ich benutze|ich verwende|ich nutze|wir nutzen|wir verwenden|wir benutzen) ", proper, "tool"
    ),
    plain("uses", r"ich (?:benutze|verwende|nutze) (?=.* nicht mehr)", proper, "tool", ended=True),
)
