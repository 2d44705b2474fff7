"""Procedures that the user teaches: a task by name, and its steps in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from omoide.learn.proposal import TaughtProcedure
from omoide.learn.rules.known_words import STEPS
from omoide.learn.rules.preference_topics import named_tool
from omoide.learn.rules.rule import TurnScene, quoted
from omoide.learn.rules.rule_clauses import ParsedSentence

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


def howtos_in(scene: TurnScene, text: str, own: list[ParsedSentence]) -> Iterator[TaughtProcedure]:
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


def _row(scene: TurnScene, sentence: ParsedSentence) -> tuple[str, list[str]] | None:
    """ "To release, bump the version, run make dist, then push the tag": every step is a command, and "then" says
    that it is an order. What points at the thing at hand is asked for now."""
    found = _ROW.match(sentence.text)
    if not found or "?" in sentence.mark or _AT_HAND.search(found["name"]) or not _ORDERED.search(found["steps"]):
        return None
    steps = _words(scene, _parts(_COMMAS, found["steps"], sentence.start + found.start("steps")))
    return (found["name"], steps) if len(steps) > 2 and all(map(_commands, steps)) else None


def again(
    scene: TurnScene, own: list[ParsedSentence], taught: Callable[[], Sequence[TaughtProcedure]]
) -> Iterator[TaughtProcedure]:
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


def _words(scene: TurnScene, spans: _Spans) -> list[str]:
    """As they were said: between ticks stand the commands, which are the best of a how-to."""
    return [step for start, end in spans if (step := _clean(scene.turn.text[start:end]))]


_NO_TASK = re.compile(  # "To sum up: …", "How I wasted my day: …"
    r"(?:be|sum up|summari[sz]e|recap|conclude|wrap up|clarify|buy|do$|whom|whoever|whomever|my|your|our|lose"
    r"|get there|i"
    r"|wish|see it)\b|\w+ed\b",
    re.IGNORECASE,
)
_FAILED = re.compile(r"\b(?:failed|crashed|was|were|happened)\s*$", re.IGNORECASE)


def _howto(scene: TurnScene, name: str, steps: list[str], start: int, end: int) -> Iterator[TaughtProcedure]:
    commands = sum(_commands(step) for step in steps)
    if _NO_TASK.match(name) or any(_FAILED.search(step) for step in steps):
        return
    if len(steps) < 2 or len(steps) > 30 or commands * 3 < len(steps) * 2 or any("?" in step for step in steps):
        return
    name = re.sub(r"^(?:we|i|you) ", "", name.strip(" ,.").removesuffix(" is"), flags=re.IGNORECASE)
    told = "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    yield TaughtProcedure(
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


# Procedures that are taught by their occasion: "when the printer jams you first …", "before you push always run …".


_LEAD = r"(?:(?:ok|okay|so|btw|note|remember|also|well|and|hey)[,:]? )*"
_OCCASIONS_FIRST = re.compile(
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
_LEAST, _MOST, _OCCASIONS_LONGEST = 3, 12, 200  # steps, and characters of one


def occasions_in(scene: TurnScene, own: list[ParsedSentence]) -> Iterator[TaughtProcedure]:
    """One a sentence. All of its steps are things to do: what is told or asked for once has other verbs."""
    for sentence in own if scene.speaker.owns_the_memory else ():
        found = _match(sentence)
        steps = _steps(found["steps"]) if found else []
        if found and _LEAST <= len(steps) <= _MOST and all(map(_is_done, steps)):
            yield _occasions_howto(scene, sentence, found["on"].lower(), found["what"].strip(), steps)


def _match(sentence: ParsedSentence) -> re.Match[str] | None:
    text = sentence.text
    if "?" in sentence.mark or _NOW.search(text):
        return None
    if before := _BEFORE.match(text):
        return before
    habit = _HABIT.search(text)
    first = _OCCASIONS_FIRST.match(text)
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
    return len(step) < _OCCASIONS_LONGEST and ((verb and verb["verb"].lower() in STEPS) or named_tool(step) is not None)


def _occasions_howto(
    scene: TurnScene, sentence: ParsedSentence, on: str, what: str, steps: list[str]
) -> TaughtProcedure:
    timed = on in {"before", "after"}
    name = f"{on} {what}" if timed else re.sub(r"^(?:the|an?|my|our|your) ", "", what, flags=re.IGNORECASE)
    told = "; ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return TaughtProcedure(
        name=name,
        trigger=name if timed else what,
        steps=tuple(steps),
        text=f"{on.capitalize()} {what}: {told}",
        quote=quoted(scene.turn, sentence.start, sentence.end),
        confidence=0.8,
    )
