"""Relatives and pets as claims, and those that are no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from omoide.learn.proposal import Claim, StatedOpinion
from omoide.learn.rules import rule
from omoide.learn.rules.known_words import DESCRIBES, JOBS, LANGUAGES, ORGANIZATIONS, PETS, RELATIVES
from omoide.learn.rules.names_and_dates import ended
from omoide.learn.rules.phrases import person, proper, thing
from omoide.learn.rules.preference_topics import named_tool
from omoide.learn.rules.rule import NAME, ClaimRule, FoundClaim, TurnScene, am, mine, named, quoted
from omoide.learn.rules.rule_clauses import OpenedClause, RuleClause, open_clause
from omoide.learn.rules.rule_modality import SentenceReading

_DIED = re.compile(
    r"\s*(?:has |just |sadly |recently )*(?:died|passed away|was put (?:down|to sleep)|ran away|is dead|is gone)\b",
    re.IGNORECASE,
)


_GONE = re.compile(
    rf"(?:(?:sadly|unfortunately|our|my|poor|sweet|little|old),? )*(?P<who>{NAME})"
    r"(?i:(?: has| just| sadly| recently)* (?:died|passed away|was put (?:down|to sleep)|ran away))\b"
)
_PUT_DOWN = re.compile(
    rf"(?i:(?:we|i)(?: just| sadly| recently)* (?:had to put|put|lost)) (?P<who>{NAME})(?P<down> (?:down|to sleep))?\b"
)


def gone(scene: TurnScene, clause: RuleClause, open_: OpenedClause) -> Iterator[FoundClaim]:
    """ "Rex died yesterday", "we had to put Rex down": ends that he is theirs, if he is; nobody is born of it."""
    match = _GONE.match(open_.text) or _PUT_DOWN.match(open_.text)
    if match is None or (" put " in match[0] and match.re is _PUT_DOWN and not match["down"]):
        return
    for who in person(match["who"])[:1]:
        claim = Claim(
            subject=scene.speaker.subject,
            predicate="has_pet",
            object=who,
            text=f"{scene.speaker.name} no longer has {who}",
            quote=quoted(scene.turn, clause.start, clause.end),
            confidence=1.0,
            negated=True,
            valid_until=ended(open_.timed, scene.turn.at),
        )
        yield FoundClaim(claim, None, None)


def kin_found(scene: TurnScene, clause: RuleClause, kin: NamedRelative) -> FoundClaim:
    """ "My sister Anna": who she is, whatever else is said of her."""
    name = scene.speaker.name
    pet = kin.predicate == "has_pet"
    subject, object = (scene.speaker.subject, kin.who) if pet else (kin.who, scene.speaker.subject)
    text = f"{name} has a {kin.kind} named {kin.who}" if pet else rule.told(kin.who, kin.predicate, name, ended=False)
    claim = Claim(
        subject=subject,
        predicate=kin.predicate,
        object=object,
        text=text,
        quote=quoted(scene.turn, clause.start, clause.end),
        confidence=min(1.0, scene.ceiling),
        source_type=scene.source,
    )
    return FoundClaim(claim, None if pet else "person", None)


_AT_WORK_OR_HOME = frozenset(
    "boss colleague roommate neighbor teacher coach mentor doctor landlord cofounder nanny business_partner".split()
)
_LEFT = re.compile(
    r"\s*(?:has |have |just |sadly |recently |finally )*(?:left(?: the (?:company|team|firm)| us)?|quit|resigned"
    r"|retired"
    r"|got (?:fired|laid off|sacked)|was (?:fired|let go|laid off|sacked)|moved (?:out|away)|changed jobs|died"
    r"|passed away)"
    r"(?=\s*(?:$|[,.!;]|(?:last|yesterday|today|this|in|on|two|three|a few|recently|because|for|after|and)\b))",
    re.IGNORECASE,
)
_ASLEEP = re.compile(r"\s*(?:to sleep|down)\b", re.IGNORECASE)
_GAVE_UP = re.compile(r"\b(?:buried|put down|gave|rehomed|lost|said goodbye to|had to put|put) $", re.IGNORECASE)


def lost(found: FoundClaim, clause: RuleClause, kin: NamedRelative, scene: TurnScene) -> FoundClaim:
    """ "My dog Rex died", "my boss Tina left": theirs until then. A sister stays a sister."""
    name, after = scene.speaker.name, clause.text[kin.end :]
    if kin.predicate == "has_pet":
        gone = _GAVE_UP.search(clause.text[: kin.start])
        over = _DIED.match(after) or (gone and (not gone[0].startswith(("put", "had")) or _ASLEEP.match(after)))
        text = f"{name} had a {kin.kind} named {kin.who}"
    else:
        over = _LEFT.match(after) if kin.kind in _AT_WORK_OR_HOME else None
        text = f"{kin.who} was {name}'s {kin.kind.replace('_', ' ')}"
    if not over:
        return found
    since = ended(clause.text, scene.turn.at) or scene.turn.at
    return replace(found, claim=replace(found.claim, text=text, valid_until=since))


# A couple that is none any more: "we broke up", "Tom and I split up", "I broke up with my girlfriend".


_PARTNER = r"(?:girlfriend|boyfriend|wife|husband|partner|fiancée?|fiancee?|spouse|gf|bf)"
_PARTS = re.compile(r"broke|split|separated|divorced|dumped|left m[ey]\b", re.IGNORECASE)  # worth reading closely
_SPLIT = (
    r"(?:(?:'ve|'re| have| are| just| finally| recently| actually| got)*) (?:broke up|broken up|split up|separated"
    r"|divorced)"
)
# "We broke up the monolith" and "we split up into teams" are about something else.
_OVER = (
    r"(?=\s*(?:$|[,.!;]|(?:last|yesterday|recently|after|this|because|over|and|two|three|a"
    r"|in (?:\d+|(?-i:[A-Z])\w+)|\d+|for good|again|now|when|on)\b))"
)
_WE = re.compile(rf"we{_SPLIT}{_OVER}", re.IGNORECASE)
_BOTH = re.compile(rf"(?:my {_PARTNER},? )?(?P<who>(?-i:{NAME}))? ?and i{_SPLIT}{_OVER}", re.IGNORECASE)
_WITH = re.compile(
    rf"i(?:'ve| have)?(?: just| finally| recently)* (?:broke up with|broken up with|split up with|separated from"
    rf"|divorced"
    rf"|left|dumped) (?P<whose>my {_PARTNER})?,? ?(?P<who>(?-i:{NAME}))?{_OVER}",
    re.IGNORECASE,
)
_ME = re.compile(
    rf"(?:my {_PARTNER},? ?)?(?P<who>(?-i:{NAME}))?(?: just| finally)* (?:broke up with|dumped|left"
    rf"|divorced) me{_OVER}",
    re.IGNORECASE,
)


def parted(text: str) -> tuple[str, ...]:
    """The name of who was parted from; "" where nobody is named; nothing where nobody parted."""
    if _WE.match(text):
        return ("",)
    both, left, me = _BOTH.match(text), _WITH.match(text), _ME.match(text)
    if left and not left["whose"] and re.match(r"i[\w' ]*? (?:left|dumped|divorced) ", text, re.IGNORECASE):
        left = None  # "I left Acme"
    found = both or left or me
    if found is None or (found is both and not (both["who"] or re.match("my", text, re.IGNORECASE))):
        return ()
    if found["who"]:
        return person(found["who"])
    return ("",) if re.search(rf"\bmy {_PARTNER}\b", found[0], re.IGNORECASE) else ()


def couple(scene: TurnScene, read: SentenceReading) -> Iterator[FoundClaim]:
    """Read over clauses, since "Tom and I" is two of them; at most one a sentence."""
    for clause in read.told if _PARTS.search(read.sentence.text) else ():
        open_ = open_clause(read.sentence.text[clause.start - read.sentence.start :])
        for name in parted(open_.text) if open_.doubt else ():
            yield _parted(scene, replace(clause, end=read.sentence.end), open_, name)
            return


def _parted(scene: TurnScene, clause: RuleClause, open_: OpenedClause, name: str) -> FoundClaim:
    """Without a name it is said of whoever the partner is: subject and object are then the same."""
    me = scene.speaker.subject
    text = f"{scene.speaker.name} and {name or 'their partner'} are no longer together"
    claim = Claim(
        subject=name or me,
        predicate="partner_of",
        object=me,
        text=text,
        quote=quoted(scene.turn, clause.start, clause.end),
        confidence=1.0,
        negated=True,
        valid_until=ended(open_.timed, scene.turn.at),
    )
    return FoundClaim(claim, "person" if name else None, None)


# Relatives, friends and pets by name: what "my sister Anna" says wherever it stands in a sentence.


KIN = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
_PET = "|".join(sorted(PETS, key=len, reverse=True))
KIND = (
    r"(?:(?:older|younger|best|little|big|good|old|dear|new|twin|eldest|youngest|oldest|close|closest"
    r"|baby|lovely|wonderful|beautiful|childhood|kid|\d+[- ]year[- ]old) )*"
)
_BY_NAME = re.compile(rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}|{_PET})),? (?P<who>{NAME})(?=[\s,.!?;:)']|$)")
_CALLED = re.compile(
    rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}|{_PET})(?:'?s name is| is called| is named|'s called"
    rf"|,? (?:named|called)| goes by)) (?P<who>{NAME})"
)
_HAVE = re.compile(
    rf"(?i:(?:i|we)(?:'ve)?(?: also)? (?:have|got|have got) an? {KIND}(?P<kin>{KIN}"
    rf"|{_PET}),? (?:named|called|whose name is)) (?P<who>{NAME})"
)
_TOO = re.compile(
    rf"(?i:(?:i|we)(?:'ve)?\b[^.;]{{0,60}}\b(?:an?|our) (?:[\w-]+ ){{0,2}}(?P<kin>{_PET}),? (?:named"
    rf"|called)) (?P<who>{NAME})"
)
_IS_MY = re.compile(
    rf"(?P<who>{NAME})(?: is|'s|,) (?i:(?:my|our) {KIND}(?P<kin>{KIN}))(?=\s*(?:$|[,.!;]|and\b|but\b|who\b))"
)
# "My wife is Carla": the name and a pause. A nation, a faith or a hero in its place is a description or a joke.
_IS = re.compile(
    rf"(?i:\b(?:my|our) {KIND}(?P<kin>{KIN}) is) (?P<who>{NAME})"
    r"(?=\s*(?:$|[,.!;:)(]|[–—-] |(?:and|but|who|from|btw|so|if|by the way)\b))"
)
_TITLE = re.compile(r"(?:Mrs?|Ms|Dr|Prof)\.? ")
_ASKED = re.compile(r"\b(?:is|was|are) $", re.IGNORECASE)  # "is my boss Karen?"
_SPOUSE = re.compile(rf"(?i:(?:i'?m|i am|i've been|i got) (?:happily )?(?:married|engaged) to) (?P<who>{NAME})")


@dataclass(frozen=True, slots=True)
class NamedRelative:
    """Somebody by name and what they are to the speaker; `start` and `end` bound the words that say so."""

    who: str
    predicate: str  # sister_of, or has_pet for an animal
    kind: str
    start: int
    end: int


def kin_in(text: str, *, told: bool = True) -> Iterator[NamedRelative]:
    """Everybody whom the words introduce by a relation to the speaker; where it is not `told`, by apposition alone."""
    for pattern in (_BY_NAME, _CALLED, _HAVE, _IS_MY, _SPOUSE):
        for found in pattern.finditer(text):
            yield from _kin(found)
    for found in _IS.finditer(text) if told else ():
        if not any(_describes(part.lower()) for part in found["who"].split()):
            yield from _kin(found)
    too = _TOO.match(text)
    if too:
        yield from _kin(too)


def _describes(word: str) -> bool:
    """Not a name, though it has a capital: "my wife is German", "my best friend is Google"."""
    return word in DESCRIBES | JOBS or word in LANGUAGES or word in ORGANIZATIONS or word.endswith("ing")


def _kin(found: re.Match[str]) -> Iterator[NamedRelative]:
    said = _TITLE.sub("", found["who"])
    names = person(said)
    if not names or (_ASKED.search(found.string[: found.start()]) and found.end() == len(found.string)):
        return
    kind = (found.groupdict().get("kin") or "spouse").lower()
    who = names[0]
    relation = RELATIVES.get(kind)
    yield NamedRelative(
        who,
        f"{relation}_of" if relation else "has_pet",
        relation or kind,
        found.start(),
        found.end("who") - len(said) + len(who),
    )


# What somebody likes and dislikes.


_TO_DO = re.compile(
    r"^to (eat|drink|play|watch|read|cook|bake|travel|swim|run|hike|dance|sing|paint|draw|write|ski"
    r"|surf|cycle|knit|garden|sew)\b"
)
_DOUBLED = {"swim": "swimming", "run": "running", "knit": "knitting"}
_NARROWED = re.compile(r" (?:i|you|we|he|she|they|it|that|which|who)\b")  # "movies you told me about"
_SOMETIMES = re.compile(
    r" (?:on (?:weekends?|\w+days?)|in the (?:mornings?|evenings?|summer|winter)|in (?:summer"
    r"|winter))\b"
)


# "Meetings before 10": half of what is said would say something else.
_WHEN = re.compile(
    r"\s*(?:before|after|until|past|at|earlier than|later than) (?:\d|noon|midnight|lunch|breakfast|dinner|work)"
)


# "I like Tuesday better than Thursday": which of two, and mostly for something at hand.
_COMPARED = re.compile(r"neither\b|[^,;]*\b(?:better|best)(?: than\b|\s*$|[,.!])", re.IGNORECASE)


def neither(rest: str) -> tuple[str, ...]:
    """ "Neither beer nor wine": two things that are not liked."""
    parts = rest.split(" nor ")
    found = tuple(item for part in parts for item in loved(part)[:1])
    return found if len(parts) > 1 and len(found) == len(parts) else ()


def _doing(verb: str) -> str:
    return _DOUBLED.get(verb) or (verb.removesuffix("e") if verb.endswith("e") else verb) + "ing"


def loved(rest: str) -> tuple[str, ...]:
    """What is liked in general, not the thing at hand: bare plurals, doings and names."""
    rest = _TO_DO.sub(lambda found: _doing(found[1]), rest)
    rest = _SOMETIMES.split(rest)[0]
    found = () if _COMPARED.search(rest) else thing(rest)
    if any(_WHEN.match(rest.partition(item)[2]) for item in found):
        return ()
    return tuple(item for item in found if not _AT_HAND.match(item) and not _NARROWED.match(rest.partition(item)[2]))


_AT_HAND = re.compile(
    r"(?:hearing|seeing|your|when|how|where|being able|talking to|chatting|to \w+|working with you"
    r"|another|more|new\b|so\b|way|ways|idea|ideas|looking at|thinking"
    r"|knowing|watching (?:them|it|him|her)|having|getting|trying|helping|both|feeling|not\b|no\b|to\b"
    r"|those|getting|all\b|and\b|or\b|about|bits|part|parts|that's|thinking)",
    re.IGNORECASE,
)
_LOVE = "love|like|enjoy|adore|am into|am fond of|am a big fan of|like to|love to"
_HATE = (
    "hate|dislike|can't stand|cannot stand|cant stand|detest|loathe|despise|don't like|do not like"
    "|dont like|don't enjoy|don't really like|never liked"
)

TASTE_RULES: tuple[ClaimRule, ...] = (
    mine("likes", _LOVE, loved),
    am("likes", "(?:really |super |very |a (?:big|huge) )?(?:into|fond of|fan of)", loved),
    mine("dislikes", _HATE, loved),
    mine("dislikes", "(?:like|love|enjoy) neither", neither),
    mine(
        "likes",
        "no longer like|no longer enjoy|used to love|used to like|don't like(?=.*(?:anymore|any more))",
        loved,
        ended=True,
    ),
    am(
        "likes",
        "not (?:really )?(?:a (?:big |huge )?fan of|into|fond of|keen on)(?=.*(?:any ?more|any longer))"
        "|no longer (?:a (?:big |huge )?fan of|into|fond of|keen on)",
        loved,
        ended=True,
    ),
    named("likes", "loves|likes|enjoys|adores", loved),
    named("dislikes", "hates|dislikes|doesn't like|can't stand", loved),
)


# What somebody thinks of a thing.


_GOOD = (
    "great|amazing|awesome|excellent|fantastic|wonderful|brilliant|beautiful|elegant|fun|lovely"
    "|perfect|good|nice|cool|impressive|useful|underrated|delicious|fascinating|interesting|important"
    "|the best"
)
_BAD = (
    "terrible|awful|horrible|bad|ugly|boring|overrated|useless|annoying|confusing|slow|bloated"
    "|overpriced|expensive|overkill|overengineered|stupid|dumb|a mess|garbage|trash|overhyped|painful"
    "|hard|difficult|the worst"
)
_ADJECTIVE = (
    rf"(?P<how>(?:(?:really|very|so|pretty|quite|super|absolutely|totally|extremely|way too|too|kind of"
    rf"|a bit|much better|better|worse|more|one of) )*(?:{_GOOD}|{_BAD}))\b"
)
_TASTES_IS = re.compile(
    rf"(?:(?:so|well|and|but|honestly|tbh|personally|ok|yeah|yes)[, ]+)*(?:i (?P<no>don't |do not "
    rf"|no longer )?(?:really |still "
    rf"|personally )?(?:think|believe|feel|find)(?: that)?|in my opinion,?|imo,?|imho,?|if you ask me,?"
    rf"|to me,?) (?P<about>.{{2,40}}?) (?:is|are|was) {_ADJECTIVE}",
    re.IGNORECASE,
)
_FIND = re.compile(
    rf"(?:(?:so|well|and|but|honestly|tbh|personally)[, ]+)*i (?:really "
    rf"|still )?find (?P<about>.{{2,40}}?) (?:to be )?{_ADJECTIVE}",
    re.IGNORECASE,
)


def opinions_in(scene: TurnScene, reads: list[SentenceReading]) -> Iterator[StatedOpinion]:
    for read in reads:
        for clause in read.told:
            text = read.sentence.text[clause.start - read.sentence.start :][:200]
            match = _TASTES_IS.match(text) or _FIND.match(text)
            about = _about(match["about"]) if match and not _of_the_moment(match, text) else None
            if match and about:
                yield StatedOpinion(
                    holder=scene.speaker.subject,
                    about=about,
                    text=f"{scene.speaker.name} {_thinks(match)} {about} is {match['how'].lower()}",
                    quote=quoted(scene.turn, clause.start, clause.start + match.end()),
                    confidence=min(0.9, scene.ceiling),
                )


_OPINIONS_AT_HAND = re.compile(
    r"(?:dinner|lunch|breakfast|brunch|weather|food|today|tomorrow|tonight|everyone|everybody|\d+|(?:mon|tues|wednes"
    r"|thurs"
    r"|fri|satur|sun)day)s?$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r" (?:here|today|tonight|right now|this (?:time|week|year)|at the moment|to (?!use|learn|read|understand|debug"
    r"|maintain"
    r"|work|get|set|test|write|master|follow|configure|install|teach)\w+)\b",
    re.IGNORECASE,
)


def _of_the_moment(match: re.Match[str], text: str) -> bool:
    """ "I think dinner was great", "Rome is bad this time of year", "hard to beat"."""
    was = re.search(r"\bwas\b", match[0], re.IGNORECASE) and match["about"][:1].islower()
    return bool(was or _OPINIONS_AT_HAND.match(match["about"]) or _NOW.match(text[match.end() :]))


def _thinks(match: re.Match[str]) -> str:
    return "does not think" if match.groupdict().get("no") else "thinks"


def _about(words: str) -> str | None:
    """A name or a bare noun; "it", "this place" and "your idea" mean something else tomorrow."""
    words = words.strip()
    tool = named_tool(words)
    if tool and len(words.split()) == len(tool.split()):
        return tool
    found = proper(words) or thing(words)
    return found[0] if len(found) == 1 and len(found[0].split()) >= len(words.split()) - 1 else None
