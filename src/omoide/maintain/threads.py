"""What is still open: questions that nobody answered, plans and promises that nobody reported done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from omoide.layers import Node
from omoide.learn.stands import share
from omoide.sentences import asks, is_filler, sentences
from omoide.text import shorten

_MOST = 20  # of either in one day; more are a list, not threads
_LONGEST = 160  # characters
_ENOUGH = 0.5  # of what a plan says must stand in a report for it to be the same thing

_PLAN = re.compile(
    r"\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| need to| have to| must"
    r"| should| want to"
    r"| plan to| promise to| promised to)\s+(?!be\b|see\b|know\b|think\b|say\b|admit\b|let you know\b)"
    r"|\b(?:to-?do|remind me|don'?t forget|remember to|next step)\b:?\s*|\bich (?:werde|muss|will)\s+"
    r"|\bje vais\s+|\bvoy a\s+"
    r"|\bvou\s+(?=\w+r\b)|我(?:要|会|打算|需要)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:done|finished|completed?|fixed|solved|resolved|sent|booked|bought|paid|called|wrote|shipped"
    r"|deployed|merged|passed|submitted"
    r"|delivered|cancelled|canceled|works now|it works|did (?:it|that)|i did|we did|taken care of"
    r"|erledigt|fertig|terminé|listo|hecho)\b"
    r"|完成|做完|搞定|終わ",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:tomorrow|today|tonight|later|soon|now|next (?:week|month|year)|this (?:week|weekend|evening)"
    r"|on (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)day|in the morning|morgen|heute|demain|mañana|to|the|a|an|my|our)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:i don'?t know|not sure|let me (?:check|find out|look)|i'?ll (?:check|find out|get back)|no idea)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Thread:
    """Words of a turn."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Threads:
    """What is open after a day, and what was reported done on it: some of that closes what was open before."""

    open: tuple[Thread, ...] = ()
    done: tuple[Thread, ...] = ()


def threads(turns: Sequence[Node]) -> Threads:
    """Of turns in order of time, of one session or several."""
    done = _reports(turns)
    plans = [each for each in _plans(turns) if not closed(each, done)]
    return Threads(tuple([*_questions(turns), *plans][-_MOST:]), tuple(done[-_MOST:]))


def closed(thread: Thread, done: Iterable[Thread]) -> bool:
    """Whether some later report says what the plan says."""
    core = _WHEN.sub(" ", _PLAN.sub(" ", thread.text, count=1)).strip(" .!,:")
    return bool(core) and any(each.turn > thread.turn and share(core, each.text) >= _ENOUGH for each in done)


def _questions(turns: Sequence[Node]) -> list[Thread]:
    """The last question of a turn after which nobody else spoke in its session, or only to say they do not know."""
    found: list[Thread] = []
    for number, turn in enumerate(turns):
        asked = [each for each in sentences(turn.text) if asks(each) and not is_filler(each)]
        if not asked or (turn.role or "").startswith("tool:"):
            continue
        replies = [each for each in turns[number + 1 :] if each.session == turn.session and each.role != turn.role]
        if not replies or (_UNSURE.search(replies[0].text) and len(replies) == 1):
            found.append(Thread(turn.id, shorten(asked[-1], _LONGEST)))
    return found


def _plans(turns: Sequence[Node]) -> list[Thread]:
    return [
        Thread(turn.id, shorten(each, _LONGEST))
        for turn in turns
        if turn.role in {"user", "agent"}
        for each in sentences(turn.text)
        if _PLAN.search(each) and not asks(each) and not _UNSURE.search(each)
    ]


def _reports(turns: Sequence[Node]) -> list[Thread]:
    return [
        Thread(turn.id, shorten(each, _LONGEST))
        for turn in turns
        for each in sentences(turn.text)
        if _DONE.search(each) and not asks(each) and not _PLAN.search(each)
    ]
