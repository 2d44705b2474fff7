"""What somebody likes and dislikes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import StatedOpinion
from omoide.learn.rules.modality import SentenceReading
from omoide.learn.rules.phrases import proper, thing
from omoide.learn.rules.preference_topics import named_tool
from omoide.learn.rules.rule import ClaimRule, TurnScene, am, mine, named, quoted

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
_IS = re.compile(
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
            match = _IS.match(text) or _FIND.match(text)
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
