"""Procedures that are taught by their occasion: "when the printer jams you first …", "before you push always run …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import HowTo

from .found import Scene, quoted
from .known.verbs import STEPS
from .matter import named_tool
from .sentence import Sentence

_LEAD = r"(?:(?:ok|okay|so|btw|note|remember|also|well|and|hey)[,:]? )*"
_FIRST = re.compile(
    rf"{_LEAD}(?P<on>when(?:ever)?|if|every time|each time) (?P<what>(?:the|an?|my|our|your) [^,;:]{{3,40}}?),? "
    r"(?P<who>(?:you|we|i) (?:always |should |must |have to |need to |usually )*)?first(?: of all)?,? (?P<steps>\S.+)",
    re.IGNORECASE,
)
_THEN_DO = re.compile(
    rf"{_LEAD}(?P<on>when(?:ever)?|if|every time|each time) (?P<what>(?:the|an?|my|our|your) [^,;:]{{3,40}}?), "
    r"(?:(?:you|we|i) (?:always |usually |just )*)?(?P<steps>\S.+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"{_LEAD}(?P<on>before|after) (?P<what>(?:you|we|i) [^,;:]{{3,30}}?)(?:,? (?:always|please|first|make sure to))+ "
    r"(?P<steps>\S.+)",
    re.IGNORECASE,
)
# A rule of the house, not what a program should do: somebody does it, or it is done time and again.
_HABIT = re.compile(
    r"\b(?:usually|always|normally|typically|generally|every time|each time|whenever|does (?:it|the trick)|fixes it"
    r"|works|helps|what (?:i|we) do)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"^(?:the|my|our) (?:[\w-]+ )?(?:printer|router|wifi|internet|boiler|dishwasher|washing machine|dryer|heater"
    r"|heating|oven"
    r"|stove|car|engine|coffee (?:machine|maker)|scanner|projector|alarm|door|gate|lock|toilet|sink|drain|fridge|tv|vpn"
    r"|server|staging|build|pipeline|ci|deploy|database|cluster|node|worker|queue|cache|disk|power|fuse|pump|robot)\b"
    r".*\b(?:jams?|fails?|breaks?|crash(?:es)?|hangs?|freezes?|stops?|stalls?|dies|leaks?|is (?:down|stuck|full|offline"
    r"|slow|red)|goes (?:off|out|down)|overheats?|disconnects?|times out|runs out|gets stuck|trips|clogs?)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"[, ](?:and )?(?:then|finally|lastly)\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|today|tonight|tomorrow|this (?:time|one)|right away|asap|for me)\b", re.IGNORECASE)
_REST = re.compile(
    r"\s+[-–—]+\s+|;|\.\s|\s*\(|,? (?:that|this|it) (?:usually|always|normally|should|does|works|helps)\b"
)
_BETWEEN = re.compile(
    r"\s*,\s*(?:and )?(?:then |finally |lastly )?|\s+(?:and )?(?:then|finally)\s+|\s+and\s+(?=[a-z]+\b)", re.I
)
_LEAST, _MOST, _LONGEST = 3, 12, 200  # steps, and characters of one


def occasions_in(scene: Scene, own: list[Sentence]) -> Iterator[HowTo]:
    """One a sentence. All of its steps are things to do: what is told or asked for once has other verbs."""
    for sentence in own if scene.speaker.owns_the_memory else ():
        found = _match(sentence)
        steps = _steps(found["steps"]) if found else []
        if found and _LEAST <= len(steps) <= _MOST and all(map(_is_done, steps)):
            yield _howto(scene, sentence, found["on"].lower(), found["what"].strip(), steps)


def _match(sentence: Sentence) -> re.Match[str] | None:
    text = sentence.text
    if "?" in sentence.mark or _NOW.search(text):
        return None
    if before := _BEFORE.match(text):
        return before
    habit = _HABIT.search(text)
    first = _FIRST.match(text)
    if first and (first["who"] or habit):
        return first
    then = _THEN_DO.match(text)
    return then if then and (habit or _is_house_rule(then)) else None


def _is_house_rule(found: re.Match[str]) -> bool:
    """ "When the printer jams, open the back, pull the paper, then close it": a thing that fails, and an order. What a
    program is to do when a user clicks is a task."""
    return found["on"].lower().startswith("when") and bool(
        _FAILS.search(found["what"]) and _ORDER.search(found["steps"])
    )


def _steps(words: str) -> list[str]:
    words = _REST.split(words, maxsplit=1)[0]
    return [step.strip(" ,.") for step in _BETWEEN.split(words) if step.strip(" ,.")]


def _is_done(step: str) -> bool:
    verb = re.match(r"(?:you |we |i |just |also |always |please )*(?P<verb>[\w-]+)", step, re.IGNORECASE)
    return len(step) < _LONGEST and ((verb and verb["verb"].lower() in STEPS) or named_tool(step) is not None)


def _howto(scene: Scene, sentence: Sentence, on: str, what: str, steps: list[str]) -> HowTo:
    timed = on in {"before", "after"}
    name = f"{on} {what}" if timed else re.sub(r"^(?:the|an?|my|our|your) ", "", what, flags=re.IGNORECASE)
    told = "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return HowTo(
        name=name,
        trigger=name if timed else what,
        steps=tuple(steps),
        text=f"{on.capitalize()} {what}: {told}",
        quote=quoted(scene.turn, sentence.start, sentence.end),
        confidence=0.8,
    )
