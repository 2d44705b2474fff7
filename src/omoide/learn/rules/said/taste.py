"""What somebody likes and dislikes."""

from __future__ import annotations

import re

from omoide.learn.rules.rule import Rule, am, mine, named
from omoide.learn.rules.thing import thing

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

RULES: tuple[Rule, ...] = (
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
