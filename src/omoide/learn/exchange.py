"""One word in the place of another: "npm" wherever it stands, "go" only where it is the tool and not the verb."""

from __future__ import annotations

import re
from typing import Any

# Names of tools, and whatever else is ruled out, that English uses for other things than the thing itself.
_EVERYDAY = frozenset(
    """
    act add air all also and any apply apt ask at back be black bold bottle break brew bright build bun burn but by call
    can case catch chart check chef clean clear click clip close code come consul const copy crystal cut dark dart dash
    deep deploy direct do draft drive early echo else end even every express fast fetch find fine fish flash flat flow
    fly for force format free fresh get give go good grunt gulp hard have helix help here hide high hold home hot how if
    in ink install into is it jest join jump just keep key kind large lead leave less let light like link lint list
    little live load lock long look loop low make map match may mean merge might mix more most move much name need never
    new next node not note now null of off old on once one only open or order other out over pack pass past phoenix pick
    plain play plot plus post press print pull pure push put quick raise rake rank react read ready rebase record red
    release relay remix render rest right ring roll round ruby run rush rust safe salt same save scratch script see self
    send serve set shape share sharp ship short show shut sign simple single sit size skip slack slim slow small smart
    so solid some sort spark speak spin split spring stack stage stand start static stay step still stop strict strong
    such swift switch table take talk tell test that the then there thin this throw tidy tie time to too touch track try
    turn type under until up use var very vite wait walk want warp watch way wet when while will wire with word work
    write yarn yield you zed zip zoom
    """.split()
)
_RUNNER = (
    r"(?:run|runs|running|execute|executing|invoke|invoking|call|use|uses|using|via|with|by|install|installing|need"
    r"|needs|in|prefers|likes|over|sudo|npx|wants?:?)"
)
_BRANCH = r"(?:to|on|into|from|onto|off|origin|checkout|branch)"
_BRANCHES = frozenset("release main master stage dev develop".split())
# What stands after a command: nothing, a flag, a path, or the name of a target and then nothing else.
_END = r"(?=\s*(?:$|[,;:.!?)`]|(?:and|then|in|on|for|before|after|from|&&|\|)\s))"
_ARGUMENT = (
    r"(?=\s+(?:-{1,2}\w|[\w.-]*[/=.][\w.]"
    r"|(?:build|test|tests|run|install|clean|lint|fmt|mod|get|deploy|dist|check|ci|start|release|all|format|docs|vet"
    r"|dev|serve|publish|generate|up|down)"
    r"\s*(?:$|[,;:.!?)`]|(?:and|then|in|on)\s|-{1,2}\w|[\w.-]*/)))"
)
_TICKED = re.compile(r"`[^`\n]+`")
_STEP = r"(?:^|\d[.)] |[;\n] ?)"


def exchanged(value: Any, wrong: str, right: str) -> Any:
    """The right word in the place of the wrong one, whole words alone: pnpm is not to become ppnpm."""
    if isinstance(value, str):
        return _in_text(value, wrong, right)
    if isinstance(value, list | tuple):
        return [exchanged(each, wrong, right) for each in value]
    if isinstance(value, dict):
        return {name: exchanged(each, wrong, right) for name, each in value.items()}
    return value


def holds(text: str, word: str) -> bool:
    """Whether a word stands in a text, whatever it means there."""
    return _word(word).search(text) is not None


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _in_text(text: str, wrong: str, right: str) -> str:
    pattern = _word(wrong)
    if wrong.casefold() not in _EVERYDAY | _BRANCHES or text.strip().casefold() == wrong.casefold():
        return pattern.sub(lambda _: right, text)
    ticked = [found.span() for found in _TICKED.finditer(text)]
    return pattern.sub(lambda found: right if _named(found, text, ticked) else found[0], text)


def _named(found: re.Match[str], text: str, ticked: list[tuple[int, int]]) -> bool:
    """Whether an everyday word stands for the thing of that name."""
    start, end = found.span()
    if any(left < start < after for left, after in ticked):
        return True
    before, after = text[:start], text[end:]
    opens = re.search(rf"{_STEP}$", before) is not None
    if found[0][:1].isupper() and not opens and not re.search(r"[.!?:] $", before):
        return True
    if found[0].casefold() in _BRANCHES and re.search(rf"\b{_BRANCH} (?:the )?$", before, re.IGNORECASE):
        return re.match(r"\s*(?:$|[,;:.!?)`]|branch\b|and\b|then\b)", after) is not None
    if re.search(rf"\b{_RUNNER} $", before, re.IGNORECASE):
        return re.match(_END, after) is not None or re.match(_ARGUMENT, after) is not None
    return opens and re.match(_ARGUMENT, after) is not None
