"""Procedures that the user teaches: a task by name, and its steps in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from omoide.learn.proposal import HowTo

from .found import Scene, quoted
from .known.verbs import STEPS
from .matter import named_tool
from .sentence import Sentence

_TASK = (
    r"(?:here(?:'s| is| are) (?:how (?:to|we|i|you)|the (?:steps|process|procedure|way) (?:to|for|we"
    r"|i))|how (?:to|we|i)|to|when(?:ever)? (?:you|we|i)|steps (?:to|for)|the (?:steps|process"
    r"|procedure) (?:to|for|we use to)"
    r"|the way (?:to|we|i)|our (?:process|procedure) (?:to|for)|(?:if|when) you (?:want|need) to)"
)
_TITLE = re.compile(
    rf"(?:(?:ok|okay|so|please|remember|note|fyi|also|no|nope|actually|sorry|wait"
    rf"|btw)[,:]? )*{_TASK} (?P<name>[\w][\w '/.-]{{2,60}}?)(?: is| are| goes like this| like this"
    rf"| as follows| this way)?\s*[:：]\s*",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:^|\n|\s)(?:\(?\d{1,2}[.)]|[-*•]|step \d{1,2}:)\s+(?P<step>[^\n]+?)(?=\s+\(?\d{1,2}[.)]\s|\s+step \d|\n|$)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"(?:(?:ok|so|remember|note)[,:]? )*{_TASK} (?P<name>[\w][\w '/.-]{{2,60}}?)(?: is to)?,? (?:you "
    rf"|we |please )?(?:should |must |need to |have to )?first(?:ly)?,? (?P<steps>\S.+)",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"(?:(?:ok|okay|so|btw|fyi|note|remember|also)[,:]? )*to (?P<name>[a-z][\w '/-]{2,40}?), "
    r"(?:(?:you|we|i) (?:always |just |have to |need to )?)?(?P<steps>\S.+)",
    re.IGNORECASE,
)
_ORDERED = re.compile(r"[, ](?:and )?(?:then|finally|lastly)\b", re.IGNORECASE)
_AT_HAND = re.compile(
    r"\b(?:this|that|these|those|it|them|here|now|today|you|your|me|start|begin|help|avoid|be|get|make|answer)\b",
    re.IGNORECASE,
)
# "No, first build, then run the tests": how what was taught just before is done instead.
_RATHER = re.compile(
    r"(?:(?:no|nope|wrong|actually|sorry|wait|that's wrong)[,:.! ]+)+(?:you |we |please )?(?:should |must |have to )?"
    r"first(?:ly)?,? (?P<steps>\S.+)",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\s*[,;.]?\s*(?:and )?\b(?:then|finally|after that|afterwards|next|second(?:ly)?|third(?:ly)?|lastly)\b,?\s*",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"\s*(?:[,;]|->|→)\s*(?:and )?(?:then |finally )?|\s+(?:and )?then\s+", re.IGNORECASE)
_PROGRAMS = frozenset("make git npx ssh scp curl rsync sudo kubectl go cp mv rm mkdir touch chmod".split())
_LONGEST = 200  # characters of a step


def howtos_in(scene: Scene, text: str, own: list[Sentence]) -> Iterator[HowTo]:
    """From the masked text: a title with a list, or "to X, first …, then …"."""
    if not scene.speaker.owns_the_memory or not own:
        return
    end = own[-1].end
    text = text[:end]
    for match in _TITLE.finditer(text):
        if _stands_first(text, match.start()) and (spans := _listed(text, match.end())):
            yield from _howto(scene, match["name"], _words(scene, spans), match.start(), spans[-1][1])
            return
    for sentence in own:
        if row := _row(scene, sentence):
            yield from _howto(scene, row[0], row[1], sentence.start, sentence.end)
            continue
        first = _FIRST.match(sentence.text)
        if first and "?" not in sentence.mark:
            spans = _parts(_THEN, first["steps"], sentence.start + first.start("steps"))
            yield from _howto(scene, first["name"], _words(scene, spans), sentence.start, sentence.end)


def _row(scene: Scene, sentence: Sentence) -> tuple[str, list[str]] | None:
    """ "To release, bump the version, run make dist, then push the tag": every step is a command, and "then" says
    that it is an order. What points at the thing at hand is asked for now."""
    found = _ROW.match(sentence.text)
    if not found or "?" in sentence.mark or _AT_HAND.search(found["name"]) or not _ORDERED.search(found["steps"]):
        return None
    steps = _words(scene, _parts(_COMMAS, found["steps"], sentence.start + found.start("steps")))
    return (found["name"], steps) if len(steps) > 2 and all(map(_commands, steps)) else None


def again(scene: Scene, own: list[Sentence], taught: Callable[[], Sequence[HowTo]]) -> Iterator[HowTo]:
    """New steps for the how-to that was taught last, where they are told without its name."""
    for sentence in own:
        rather = _RATHER.match(sentence.text)
        if rather and "?" not in sentence.mark and (before := taught()):
            spans = _parts(_THEN, rather["steps"], sentence.start + rather.start("steps"))
            yield from _howto(scene, before[-1].name, _words(scene, spans), sentence.start, sentence.end)
            return


def _stands_first(text: str, at: int) -> bool:
    before = text[:at].rstrip(" \t")
    return not before or before[-1] in ".!\n:;"


_Spans = list[tuple[int, int]]


def _listed(text: str, at: int) -> _Spans:
    """Where the steps stand: numbered or bulleted right after the title, or in a row between commas on its line."""
    block = re.split(r"\n\s*\n", text[at:], maxsplit=1)[0]
    items = list(_LISTED.finditer(block))
    if len(items) > 1 and not block[: items[0].start()].strip():
        return [(at + item.start("step"), at + item.end("step")) for item in items]
    line = re.split(r"\n|(?<=[\w\ufffc])[.!?](?=\s|$)", block, maxsplit=1)[0]
    parts = _parts(_COMMAS, line, at)
    return parts if len(parts) > 2 else []


def _parts(between: re.Pattern[str], text: str, at: int) -> _Spans:
    gaps = [gap.span() for gap in between.finditer(text)]
    bounds = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(text)]
    return [(at + start, at + end) for start, end in zip(*bounds, strict=True) if text[start:end].strip()]


def _words(scene: Scene, spans: _Spans) -> list[str]:
    """As they were said: between ticks stand the commands, which are the best of a how-to."""
    return [step for start, end in spans if (step := _clean(scene.turn.text[start:end]))]


_NO_TASK = re.compile(  # "To sum up: …", "How I wasted my day: …"
    r"(?:be|sum up|summari[sz]e|recap|conclude|wrap up|clarify|buy|do$|whom|whoever|whomever|my|your|our|lose"
    r"|get there|i"
    r"|wish|see it)\b|\w+ed\b",
    re.IGNORECASE,
)
_FAILED = re.compile(r"\b(?:failed|crashed|was|were|happened)\s*$", re.IGNORECASE)


def _howto(scene: Scene, name: str, steps: list[str], start: int, end: int) -> Iterator[HowTo]:
    commands = sum(_commands(step) for step in steps)
    if _NO_TASK.match(name) or any(_FAILED.search(step) for step in steps):
        return
    if len(steps) < 2 or len(steps) > 30 or commands * 3 < len(steps) * 2 or any("?" in step for step in steps):
        return
    name = re.sub(r"^(?:we|i|you) ", "", name.strip(" ,.").removesuffix(" is"), flags=re.IGNORECASE)
    told = "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    yield HowTo(
        name=name,
        trigger=f"asked to {name}",
        steps=tuple(steps),
        text=f"How to {name}: {told}",
        quote=quoted(scene.turn, start, end),
        confidence=0.8,
    )


def _commands(step: str) -> bool:
    """ "run the tests", "npm build", "`make dist`"."""
    return step.startswith("`") or _verb(step) in STEPS | _PROGRAMS or named_tool(step) is not None


def _verb(step: str) -> str:
    word = re.match(r"(?:you |we |please |just |also |always )*(?P<verb>[\w-]+)", step, re.IGNORECASE)
    return word["verb"].lower() if word else ""


def _clean(step: str) -> str:
    return re.sub(r"^(?:and|then|finally|first)\b,?\s*", "", step.strip(" \t,;.*_"), flags=re.IGNORECASE)[
        :_LONGEST
    ].strip()
