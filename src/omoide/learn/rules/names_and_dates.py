"""The people, places, tools and works that a turn names: by the rule that read them, or by a cue beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from omoide.language.time import DateClue, Grain, TimePreference, parse_time
from omoide.language.time.calendar import shift
from omoide.learn.proposal import USER, ConversationTurn, EntityMention, StatedPreference, StatedRelation
from omoide.learn.rules.known_words import ORGANIZATIONS, PLACES, TOOLS
from omoide.learn.rules.phrases import CAPITAL, RUN, person, proper
from omoide.learn.rules.predicates import RELATION_OF_PREDICATE
from omoide.learn.rules.rule import NAME, FoundClaim, TurnSpeaker, quoted
from omoide.learn.rules.rule_clauses import GAP
from omoide.learn.rules.rule_modality import ASKED, JEST, REPORTED, SUPPOSED, SentenceReading

_TITLED = re.compile(rf"\b(?:Dr|Mr|Mrs|Ms|Prof|Professor|Sir|Frau|Herr|Doctor)\.? (?P<name>{NAME})")
_ALSO = re.compile(
    rf"(?P<name>{RUN})(?P<kind>(?: [a-z]+){{0,2}}),? \(?(?i:also called|also known as|a\.?k\.?a\.?"
    rf"|short for|or just|which we call) (?P<alias>{RUN})\)?"
)
_CALLED = re.compile(
    rf"\b(?i:an?|the|our|my|this) (?:[\w-]+ ){{0,2}}(?P<kind>(?i:company|startup|start-up|firm|agency"
    rf"|project|app|tool|library|framework|service|city|town|village|conference|festival|game|website"
    rf"|product)),? (?i:called|named) (?P<name>{RUN})"
)
_EVENT = re.compile(rf"\b(?P<name>{CAPITAL}[\w]*(?:Con|Conf|Fest|Summit)(?: (?:US|EU|Europe|\d{{4}}))?)\b")
_IN = re.compile(rf"\b(?:in|to|from|near|around|via|through|visiting|visited|at) (?:the )?(?P<name>{RUN})")
_KINDS = {
    "company": "organization",
    "startup": "organization",
    "start-up": "organization",
    "firm": "organization",
    "agency": "organization",
    "project": "project",
    "app": "project",
    "product": "project",
    "website": "project",
    "game": "project",
    "tool": "tool",
    "library": "tool",
    "framework": "tool",
    "service": "tool",
    "city": "place",
    "town": "place",
    "village": "place",
    "conference": "event",
    "festival": "event",
}
# Names of tools that are everyday words when they stand in a sentence.
_EVERYDAY = frozenset(
    "go r c word teams signal linear render railway cursor solid fish black brave express spring"
    " phoenix lambda neon notion unity kitty helix arch roam nano teams zoom stripe drizzle parcel"
    " premiere sketch excel swift julia spark node cargo conda gemini claude target sass yarn poetry"
    " travis ruby java signal apache caddy astro remix nuxt babel mocha uber alexa"
    " android windows safari chrome confluence basecamp pulumi ruff zed bun brew apt biome bash"
    " vagrant word illustrator".split()
)


def named_in(turn: ConversationTurn, masked: str, reads: Sequence[SentenceReading]) -> Iterator[EntityMention]:
    """Names that a turn tells of, then those it only asks about or supposes; what is staged names nobody."""
    told = _only(masked, [span for read in reads for span in _told(read)])
    loose = [(each.start, each.end) for read in reads for each in read.told if is_tentative(each.text)]
    yield from names_in(turn, _without(told, loose))
    asked = [(read.sentence.start, read.sentence.end) for read in reads if read.why in (ASKED, SUPPOSED, JEST)]
    asked = sorted([*asked, *loose])
    yield from _tools(turn, _only(masked, loose))  # "never suggest Docker": that there is a Docker is not in doubt
    if asked:
        yield from (replace(item, existing_only=True) for item in names_in(turn, _only(masked, asked)))


def _told(read: SentenceReading) -> Iterator[tuple[int, int]]:
    """From the sentence's first word to the last that is told; reported speech names people too."""
    whole = read.why == REPORTED or read.told == read.sentence.clauses
    if whole or read.told:
        yield read.sentence.start, read.sentence.end if whole else read.told[-1].end


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + GAP * (end - start) + text[end:]
    return text


def _only(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text at its own length with nothing but the spans in it."""
    kept, at = [], 0
    for start, end in spans:
        kept += [GAP * (start - at), text[start:end]]
        at = end
    return "".join((*kept, GAP * (len(text) - at)))


def names_in(turn: ConversationTurn, masked: str) -> Iterator[EntityMention]:
    """Names that cue words or our lists vouch for."""
    for pattern, type in ((_TITLED, "person"), (_EVENT, "event")):
        for found in pattern.finditer(masked):
            for name in person(found["name"]) if type == "person" else (found["name"],):
                yield _mentioned(turn, name, type, found)
    for found in _CALLED.finditer(masked):
        for name in proper(found["name"]):
            yield _mentioned(turn, name, _KINDS[found["kind"].lower()], found)
    for found in _IN.finditer(masked):
        for name in proper(found["name"]):
            if name.lower() in PLACES:
                yield _mentioned(turn, PLACES[name.lower()], "place", found)
    aliased = [item for found in _ALSO.finditer(masked) for item in _alias(turn, found)]
    yield from aliased
    aliases = {alias for item in aliased for alias in item.aliases}
    yield from (item for item in _tools(turn, masked) if item.name not in aliases)


def _alias(turn: ConversationTurn, found: re.Match[str]) -> Iterator[EntityMention]:
    name, alias = proper(found["name"]), proper(found["alias"])
    if name and alias and name != alias:
        type = (
            "tool"
            if name[0].lower() in TOOLS
            else "organization"
            if name[0].lower() in ORGANIZATIONS
            else "place"
            if name[0].lower() in PLACES
            else "other"
        )
        yield EntityMention(name=name[0], type=type, quote=quoted(turn, found.start(), found.end()), aliases=alias)


def _tools(turn: ConversationTurn, masked: str) -> Iterator[EntityMention]:
    for found in re.finditer(rf"(?<![\w.@/-]){CAPITAL}[\w+#]*(?:\.[a-z]{{2,3}})?(?: {CAPITAL}\w+)?", masked):
        for word in (found[0], found[0].split()[0]):
            if TOOLS.get(word.lower()) == word and word.lower() not in _EVERYDAY:
                yield EntityMention(
                    name=word, type="tool", quote=quoted(turn, found.start(), found.start() + len(word))
                )
                break


def _mentioned(turn: ConversationTurn, name: str, type: str, found: re.Match[str]) -> EntityMention:
    return EntityMention(name=name, type=type, quote=quoted(turn, found.start(), found.end()))


def entities_of(found: Iterable[FoundClaim], speaker: TurnSpeaker) -> Iterator[EntityMention]:
    """Both ends of a claim, where the rule knows what they are."""
    for item in found:
        claim = item.claim
        for name, type in ((claim.subject, item.subject_type), (claim.object, item.object_type)):
            if type and name not in {USER, speaker.subject} and _is_a_name(name):
                yield EntityMention(name=name, type=_type(name, type), quote=claim.quote)


def _is_a_name(name: str) -> bool:
    return (name[0].isupper() and len(name.split()) < 5) or name.lower() in TOOLS or not name.isascii()


def _type(name: str, type: str) -> str:
    low = name.lower()
    if type in {"person", "project"} and low in TOOLS:
        return "tool"
    return "tool" if type == "other" and low in TOOLS else type


def relations_of(found: Iterable[FoundClaim]) -> Iterator[StatedRelation]:
    """Claims between two things of the world, as links."""
    for item in found:
        claim = item.claim
        kin = claim.predicate.endswith("_of") and item.subject_type == "person" and not item.object_type
        type = claim.predicate if kin else RELATION_OF_PREDICATE.get(claim.predicate)
        if (
            claim.negated
            or claim.valid_until
            or type is None
            or not (kin or item.object_type)
            or not (kin or _is_a_name(claim.object))
        ):
            continue
        yield StatedRelation(
            source=claim.subject, type=type, target=claim.object, quote=claim.quote, confidence=claim.confidence
        )


def preferred(wishes: Iterable[StatedPreference]) -> Iterator[StatedRelation]:
    for wish in wishes:
        value = str(wish.value)
        if wish.strength and wish.category == "tools" and value.lower() in TOOLS:
            yield StatedRelation(
                source=USER, type="prefers", target=TOOLS[value.lower()], quote=wish.quote, confidence=wish.strength
            )


# Names that are only talked of: nobody new is born of "I might move to Austin" or "none of us lives in Boston".


_TENTATIVE = re.compile(
    r"\b(?:might|(?-i:may)|maybe|perhaps|probably|would|could|should|'d (?:love|like|rather|never|prefer|live|move|go"
    r"|work|be)"
    r"|wants? to|wanted to|wanna|wish|hop(?:e|es|ing) (?:to|for|that)|consider(?:s|ing)?|think(?:s|ing)? (?:of|about)"
    r"|plan(?:s|ning)? (?:to|on)|dream(?:s|ing)? (?:of|about)|someday|one day|going to (?:move|live|work|study|apply"
    r"|join)"
    r"|appl(?:y|ied|ying) (?:to|for|at)|interview(?:ed|ing)? (?:at|with|for)|almost|nearly|supposed to|looking (?:for"
    r"|at|into)"
    r"|never|none of|nobody|no one|neither|(?:do|does|did|is|are|was|were|have|has|can|could|would|wo)n't|not"
    r"|forget|pretend|imagine|doubt)\b",
    re.IGNORECASE,
)


def is_tentative(clause: str) -> bool:
    """Whether what the clause speaks of is not said to be so."""
    return _TENTATIVE.search(clause) is not None


# Since when and until when a claim holds, seen from the moment it was said.


TIMED = re.compile(
    r"\d|\b(?:ago|last|until|till|next|since|yesterday|today|tomorrow|tonight|this|week|weekend|month|year|monday"
    r"|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct"
    r"|nov|dec|spring|summer|autumn|winter|christmas|easter|two|three|four|five|six|seven|eight|nine"
    r"|ten|a few|couple)\b",
    re.IGNORECASE,
)
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_LASTED = re.compile(
    r"\bfor (?:about |almost |nearly |over |more than |around |the (?:past|last) )?(?P<count>\d{1,2}"
    r"|an?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten) (?P<unit>year|month|week|day)s?\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:until|till|through)\b", re.IGNORECASE)


_LEAD = re.compile(
    r"(?P<when>(?:back |way back |it was |as of |starting )?(?:in|from|between|since|until|till|last|this|on|around"
    r"|early|late|two"
    r"|three|four"
    r"|five|ten|a few|a couple|about|\d+)\b[\w ,'-]{2,40}?)(?:,\s*|\s+|$)(?=(?:i|i'm|i've|we|we've|my"
    r"|(?-i:[A-Z])\w+)\b|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PastPeriod:
    """A time that is over: when it ended, when it began where that is said, and the words that say so."""

    since: datetime | None
    until: datetime
    words: str


def lasted(text: str, at: datetime) -> PastPeriod | None:
    """The time of something that is told as past: "in 2019", "from 2015 to 2018", "until last year"."""
    dated = _one_date(text, at, "past")
    if dated is None or dated.span.end > at:
        return None
    start = dated.span.start
    words = dated.phrase.text.strip()
    return PastPeriod(start if start.year > 1 else None, dated.span.end, words[:1].lower() + words[1:])


def ended(text: str, at: datetime) -> datetime | None:
    """When something stopped: "until 2021" is over with that year, "last month" already on its first day."""
    dated = _one_date(text, at, "past")
    if dated is not None and _UNTIL.search(dated.phrase.text):
        return dated.span.end if dated.span.end <= at else None
    return began(text, at)


def leading(text: str, at: datetime) -> str:
    """The time that a clause opens with, or is all of: "In 2019 I moved", "Back in May, …"; "" where there is none."""
    found = _LEAD.match(text) if TIMED.search(text[:48]) else None
    if found is None:
        return ""
    dated = _one_date(found["when"], at, "past")
    told = found["when"].lower().removeprefix("as of ").removeprefix("starting ")
    whole = dated is not None and len(dated.phrase.text.split()) >= len(told.split()) - 1
    return found["when"] if whole else ""


def _one_date(text: str, at: datetime, prefer: TimePreference) -> DateClue | None:
    text = in_english(text)
    if not TIMED.search(text):
        return None
    when = parse_time(text, at, prefer=prefer)
    dated = [clue for clue in when.clues if isinstance(clue, DateClue)] if when else []
    return dated[0] if len(dated) == 1 else None


def began(text: str, at: datetime, *, prefer: TimePreference = "past") -> datetime | None:
    """The start that the words give: "last month" is its first day, "for three years" counts back."""
    lasted = _LASTED.search(text := in_english(text))
    if lasted and prefer == "past":
        count = _NUMBERS.get(lasted["count"].lower()) or int(lasted["count"])
        return _back(at, count, lasted["unit"].lower())
    dated = _one_date(text, at, prefer)
    if dated is None or _UNTIL.search(dated.phrase.text):
        return None
    start = dated.span.start
    return start if start.year > 1 and (prefer == "future" or start <= at) else None


def _back(at: datetime, count: int, unit: str) -> datetime:
    grain: Grain = "year" if unit == "year" else "month" if unit == "month" else "week" if unit == "week" else "day"
    return shift(at.replace(tzinfo=None), -count, grain).replace(tzinfo=at.tzinfo)


# Times in German, Spanish, Portuguese and French, as English says them: "letzten Monat" is "last month".


_UNITS = {
    "day": "tagen? día días dia dias jours?",
    "week": "wochen? semanas? semaines?",
    "month": "monate?n? mes meses mês mois",
    "year": "jahre?n? año años ano anos ans? années?",
}
_TONGUE_NUMBERS = {
    "a": "eine[mr]? un una um uma une",
    "two": "zwei dos dois duas deux",
    "three": "drei tres três trois",
    "four": "vier cuatro quatro quatre",
    "five": "fünf cinco cinq",
    "six": "sechs seis six",
    "seven": "sieben siete sete sept",
    "eight": "acht ocho oito huit",
    "nine": "neun nueve nove neuf",
    "ten": "zehn diez dez dix",
}
_MONTHS = {
    "January": "januar jänner enero janeiro janvier",
    "February": "februar febrero fevereiro février",
    "March": "märz marzo março mars",
    "April": "april abril avril",
    "May": "mai mayo maio",
    "June": "juni junio junho juin",
    "July": "juli julio julho juillet",
    "August": "august agosto août",
    "September": "september septiembre setembro septembre",
    "October": "oktober octubre outubro octobre",
    "November": "november noviembre novembro novembre",
    "December": "dezember diciembre dezembro décembre",
}


def _any(forms: str) -> str:
    return f"(?:{'|'.join(forms.split())})"


_NUMBER = rf"(?P<n>\d+|{'|'.join(_any(forms) for forms in _TONGUE_NUMBERS.values())})"
_UNIT = rf"(?P<u>{'|'.join(_any(forms) for forms in _UNITS.values())})"
_AGO = re.compile(rf"\b(?:vor|hace|há|il y a) {_NUMBER} {_UNIT}\b", re.IGNORECASE)
_FOR = re.compile(rf"\b(?:seit|desde hace|há já|depuis) {_NUMBER} {_UNIT}\b", re.IGNORECASE)
_LAST = re.compile(
    rf"\b(?:letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?) {_UNIT}\b"
    rf"|\b(?:el|la|le|no|na|l')? ?{_UNIT.replace('<u>', '<v>')} (?:pasad[oa]|passad[oa]|dernier|dernière)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:seit|desde|depuis)(?= (?:19|20)\d\d\b)", re.IGNORECASE)
_DATES_IN = re.compile(
    rf"\b(?:im|en|em|in) (?P<m>{'|'.join(_any(forms) for forms in _MONTHS.values())})\b", re.IGNORECASE
)
_YESTERDAY = re.compile(r"\b(?:gestern|ayer|ontem|hier)\b", re.IGNORECASE)


_WORTH = re.compile(
    r"\b(?:vor|hace|há|il y a|seit|desde|depuis|letzte|vorige|vergangene|pasad|passad|derni|im|en|em|in|gestern|ayer"
    r"|ontem|hier)",
    re.IGNORECASE,
)


def in_english(text: str) -> str:
    """The text with its times in English; all else stays as it was said."""
    if not _WORTH.search(text):
        return text
    text = _FOR.sub(lambda found: f"for {_number(found['n'])} {_unit(found['u'])}s", text)
    text = _AGO.sub(lambda found: f"{_number(found['n'])} {_unit(found['u'])}s ago", text)
    text = _LAST.sub(lambda found: f" last {_unit(found['u'] or found['v'])}", text)
    text = _DATES_IN.sub(lambda found: f"in {_of(_MONTHS, found['m'])}", text)
    return _YESTERDAY.sub("yesterday", _SINCE.sub("since", text))


def _number(word: str) -> str:
    return word if word.isdigit() else _of(_TONGUE_NUMBERS, word)


def _unit(word: str) -> str:
    return _of(_UNITS, word)


def _of(forms: dict[str, str], word: str) -> str:
    return next(name for name, each in forms.items() if re.fullmatch(_any(each), word, re.IGNORECASE))
