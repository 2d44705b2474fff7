"""Replaces the name of a tool or branch in what was learned, where it names what is used and nowhere else."""

from __future__ import annotations

import re
from typing import Any

# Names of tools that are also ordinary English words.
_EVERYDAY_WORDS = frozenset(
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
_COMMAND_LEAD = (
    r"(?:run|runs|running|execute|executing|invoke|invoking|call|use|uses|using|via|with|by|install|installing|need"
    r"|needs|in|prefers|likes|over|sudo|npx|wants?:?)"
)
_BRANCH_LEAD = r"(?:to|on|into|from|onto|off|origin|checkout|branch)"
_BRANCHES = frozenset("release main master stage dev develop".split())
# What follows a command: nothing, a flag, a path, or the name of a target.
_COMMAND_END = r"(?=\s*(?:$|[,;:.!?)`]|(?:and|then|in|on|for|before|after|from|&&|\|)\s))"
_COMMAND_ARGUMENT = (
    r"(?=\s+(?:-{1,2}\w|[\w.-]*[/=.][\w.]"
    r"|(?:build|test|tests|run|install|clean|lint|fmt|mod|get|deploy|dist|check|ci|start|release|all|format|docs|vet"
    r"|dev|serve|publish|generate|up|down)"
    r"\s*(?:$|[,;:.!?)`]|(?:and|then|in|on)\s|-{1,2}\w|[\w.-]*/)))"
)
_BACKTICKS = re.compile(r"`[^`\n]+`")
_STEP_START = r"(?:^|\d[.)] |[;\n] ?)"


def replace_word(value: Any, wrong: str, right: str) -> Any:
    """Replace whole words in strings, also inside lists and dictionaries."""
    if isinstance(value, str):
        return _replace_in_text(value, wrong, right)
    if isinstance(value, list | tuple):
        return [replace_word(each, wrong, right) for each in value]
    if isinstance(value, dict):
        return {name: replace_word(each, wrong, right) for name, each in value.items()}
    return value


def contains_word(text: str, word: str) -> bool:
    """Whether a text contains a whole word, in any meaning."""
    return _word_pattern(word).search(text) is not None


def _word_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


# A word inside a link, a path, a package or a version is a part of another name.
_PART_BEFORE = re.compile(r"(?:[\w.-]*[@/]|://\S*|[\w]-|[\w]\.)$")
_PART_AFTER = re.compile(r"-?\w|[-/@]\w|\.\w|://")
# What is forbidden, or only compared with, is not what is done.
_RULED_OUT = re.compile(
    r"(?:\b(?:not|never|no|without|stop|avoid|than|instead of|over|from|nicht|kein\w*|statt|pas|jamais|no usar?|nunca"
    r"|sem|em vez de)|n't|n’t)"
    r"(?: (?:to|ever|use|using|run|running|call|the|install|verwenden|utiliser|usar?))*[ `\"']*$",
    re.IGNORECASE,
)
_PACKAGE_LEAD = re.compile(
    r"\b(?:npx|dlx|bunx|uvx|pipx run|add|install(?: -g| --global| -D)?)\s+[`\"']?$", re.IGNORECASE
)


def _replace_in_text(text: str, wrong: str, right: str) -> str:
    everyday = wrong.casefold() in _EVERYDAY_WORDS | _BRANCHES and text.strip().casefold() != wrong.casefold()
    ticked = [found.span() for found in _BACKTICKS.finditer(text)] if everyday else []

    def replaced(found: re.Match[str]) -> str:
        before, after = text[: found.start()], text[found.end() :]
        if _PART_BEFORE.search(before) or _PART_AFTER.match(after):
            return found[0]
        if _RULED_OUT.search(before) or (_PACKAGE_LEAD.search(before) and " " not in wrong):
            return found[0]
        return right if not everyday or _is_named_thing(found, text, ticked) else found[0]

    return _word_pattern(wrong).sub(replaced, text)


def _is_named_thing(found: re.Match[str], text: str, ticked: list[tuple[int, int]]) -> bool:
    """Whether an ordinary word is used as the name of a tool or branch."""
    start, end = found.span()
    if any(left < start < after for left, after in ticked):
        return True
    before, after = text[:start], text[end:]
    opens = re.search(rf"{_STEP_START}$", before) is not None
    if found[0][:1].isupper() and not opens and not re.search(r"[.!?:] $", before):
        return True
    if found[0].casefold() in _BRANCHES and re.search(rf"\b{_BRANCH_LEAD} (?:the )?$", before, re.IGNORECASE):
        return re.match(r"\s*(?:$|[,;:.!?)`]|branch\b|and\b|then\b)", after) is not None
    if re.search(rf"\b{_COMMAND_LEAD} $", before, re.IGNORECASE):
        return re.match(_COMMAND_END, after) is not None or re.match(_COMMAND_ARGUMENT, after) is not None
    return opens and re.match(_COMMAND_ARGUMENT, after) is not None
