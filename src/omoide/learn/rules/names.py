"""The people, places, tools and works that a turn names: by the rule that read them, or by a cue beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from omoide.learn.conflict import RELATION_OF_PREDICATE
from omoide.learn.proposal import USER, ConversationTurn, EntityMention, StatedPreference, StatedRelation
from omoide.learn.rules.clauses import GAP
from omoide.learn.rules.known_words import ORGANIZATIONS, PLACES, TOOLS
from omoide.learn.rules.modality import ASKED, JEST, REPORTED, SUPPOSED, SentenceReading
from omoide.learn.rules.phrases import CAPITAL, RUN, person, proper
from omoide.learn.rules.rule import NAME, FoundClaim, TurnSpeaker, quoted

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
