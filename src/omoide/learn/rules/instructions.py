"""Standing instructions: "always …", "never …", "don't …", "be brief", "no emojis", "answer in German"."""

from __future__ import annotations

import re

from . import matter
from .known.verbs import INSTRUCTIONS
from .matter import Matter
from .told import ONCE, START, Told

_ALWAYS = re.compile(rf"{START}(?P<how>always|never) (?P<verb>[\w-]+)\b(?P<rest>.*)", re.IGNORECASE)
_DONT = re.compile(
    rf"{START}(?P<how>don't|do not|dont|stop|avoid|no more|quit|never ever) (?:ever )?(?P<what>\S.*)", re.IGNORECASE
)
_EVERY = re.compile(r",? *\b(?:always|every time|each time|in every (?:reply|answer|file))$", re.IGNORECASE)
_NO = re.compile(
    r"(?:please |and |so |but )*no (?P<what>[a-z]+ ?[\w ]*?)(?:,? please|,? thanks|,? ever|)$", re.IGNORECASE
)
_USE = re.compile(rf"{START}(?P<how>always |only )?(?:use|write in|work in) (?P<right>\S.*)", re.IGNORECASE)
_PUT = re.compile(rf"{START}(?:use|put|add|include|write) (?P<what>\S.*)", re.IGNORECASE)
_IN_CODE = re.compile(r" (?:in|to|into) (?:the|your|my) (?:code|answers?|replies)$", re.IGNORECASE)
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?)"
_BE = re.compile(
    rf"{START}(?:always )?(?:be|keep (?:it|things|everything|(?:(?:your|all|the) )?{_ANSWERS})"
    rf"|make (?:your|all) {_ANSWERS}"
    rf"|give me|i(?:'d)? (?:prefer|like|want)|answer|respond|reply) (?:more |very |always |as |really "
    rf"|a bit |a little )*(?P<style>[\w -]+?)(?P<of>(?: (?:{_ANSWERS}|as possible|in your \w+|with me|please"
    rf"|thanks))*)$",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    rf"{START}(?:always )?(?:answer|respond|reply|speak|talk|write back|antworte|antworten sie|schreib"
    rf"|responde|responda|réponds|répondez|parle-moi|écris-moi)(?: (?:to )?me| bitte| immer| mir| siempre| sempre|"
    rf" toujours"
    rf"| always)* (?P<in>(?:only )?(?:in|auf|en|em) \w.*)",
    re.IGNORECASE,
)
_HOURS = re.compile(
    r"my (?:work(?:ing)?|office|quiet) hours are (?P<what>(?:from )?\d[^,;]{1,40}(?:, (?:mon|tue|wed|thu|fri|sat|sun)"
    r"[^,;]{1,30})?)",
    re.IGNORECASE,
)
_SMALL = re.compile(  # "don't worry" is no instruction
    r"(?:worry|mind|forget|bother|know|think|you|need|have|feel|get|care|hesitate|be (?:shy|afraid"
    r"|sorry|sad|so)|let|give up|stress|want|like|see|understand|remember|panic|judge|laugh|ask(?:ing)?|tell (?:me"
    r"|anyone|him|her))\b",
    re.IGNORECASE,
)
_PROPOSING = frozenset("suggest use recommend mention propose offer install write choose pick".split())
_DOING = re.compile(
    r"(?:be|add|adding|put|putting|use|using|include|including|write|writing|give|giving|send|sending"
    r"|with)\b ?"
)


def instruction(text: str, clause: str, disliked: str | None) -> Told | None:
    """`text` runs to the sentence's end, `clause` to its own; `disliked` is what "never suggest it" speaks of."""
    return (
        _spoken(clause)
        or _always(text, disliked)
        or _from_now(text)
        or _dont(clause, disliked)
        or _be_like(clause)
        or _use_known(clause)
        or _none_of(clause)
        or _hours(text)
    )


def _spoken(clause: str) -> Told | None:
    match = _LANGUAGE.match(clause)
    name = matter.answer_language(match["in"]) if match else None
    return Told(Matter("communication", "answer_language", name)) if name else None


def _always(text: str, disliked: str | None) -> Told | None:
    match = _ALWAYS.match(text)
    if not match or match["verb"].lower() not in INSTRUCTIONS:
        return None
    how, verb, rest = match["how"].lower(), match["verb"].lower(), match["rest"].strip(" ,.!)")
    matter_ = _of(verb, rest.split(",")[0], f"{how} {match['verb']} {rest}".strip(), disliked, never=how == "never")
    return Told(matter_) if matter_ else None


def _from_now(text: str) -> Told | None:
    match = re.match(rf"{START}(?P<what>(?P<verb>[\w'-]+)\b.*)", text, re.IGNORECASE)
    every = _EVERY.search(text)
    if not match or not (match["now"] or every) or match["verb"].lower() not in INSTRUCTIONS:
        return None
    what = _EVERY.sub("", match["what"].strip(" .!"))
    if ONCE.search(what) or len(what.split()) > 16:
        return None
    found = matter.style(what, wanted=True) if len(what.split()) < 7 else None
    found = found or matter.general(what)
    return Told(found) if found else None


def _dont(clause: str, disliked: str | None) -> Told | None:
    match = _DONT.match(clause)
    what = match["what"].strip(" .!") if match else ""
    if not match or _SMALL.match(what) or re.search(r"\band\b", what):
        return None
    if not ONCE.search(what) and (style := _style_of(what)):
        return Told(style)
    first, _, rest = what.partition(" ")
    verb = re.sub(r"(?:tt|nn|pp|gg)?ing$", "", first.lower())
    verb = next((v for v in (first.lower(), verb, f"{verb}e") if v in INSTRUCTIONS), "")
    # What the instruction is about stands after its verb: "don't push the work back to me" is not about git.
    about = verb and rest and (matter.named_tool(rest) or disliked or matter.general(rest))
    found = _of(verb, rest, f"{match['how'].lower()} {what}", disliked, never=True) if about else None
    return Told(found, 0.7) if found else None


def _style_of(what: str) -> Matter | None:
    """ "put comments in the code", "apologizing", "be so verbose": the matter right after the verb."""
    rest = _DOING.sub("", what, count=1)
    found = matter.style(" ".join(rest.split()[:3]), wanted=False)
    return found if found and len(what.split()) < 9 else None


def _of(verb: str, rest: str, instruction: str, disliked: str | None, *, never: bool) -> Matter | None:
    """ "never suggest Docker" is about Docker; "always run the tests" about tests; "never do it" about nothing."""
    if disliked and verb in _PROPOSING and re.match(r"(?:it|that|this|them)\b", rest):
        return Matter("tools" if matter.named_tool(disliked) else "other", matter.snake(disliked), "never")
    style = matter.style(rest, wanted=not never) if len(rest.split()) < 6 else None
    if style:
        return style
    tool = matter.named_tool(rest)
    if tool and verb in _PROPOSING:
        named = Matter("tools", matter.snake(tool), "never" if never else "always")
        return named if never else matter.choice(rest) or named
    chosen = matter.choice(rest)
    if never and chosen and verb in _PROPOSING and len(rest.split()) == len(chosen.value.split()):
        return Matter(chosen.category, matter.snake(chosen.value), "never")
    if ONCE.search(rest) or len(instruction.split()) > 16 or not rest:
        return None
    return matter.general(instruction)


def _be_like(clause: str) -> Told | None:
    match = _BE.match(clause)
    if not match or len(match["style"].split()) > 3:
        return None
    about_answers = match["of"] or not re.search(
        r"give me|prefer|like|want", clause[: match.start("style")], re.IGNORECASE
    )
    style = matter.style(match["style"], wanted=not re.match(r"(?:less|not)\b", match["style"]), whole=True)
    return Told(style, 0.7) if style and about_answers and style.name in {"answer_length", "tone"} else None


def _use_known(clause: str) -> Told | None:
    """ "use metric units": a bare "use X" stands for good only where X is a matter of habit."""
    match = _USE.match(clause)
    known = matter.choice(match["right"]) if match else None
    if not known and (habit := _habit(clause)):
        return Told(habit, 0.7)
    if not match or not known or ONCE.search(match["right"]):
        return None
    standing = bool(match["now"] or match["how"])
    fits = len(match["right"].split()) <= (6 if standing else 3)
    return Told(known, 0.7) if fits and (standing or known.category == "formatting") else None


def _habit(clause: str) -> Matter | None:
    """ "use emojis", "put comments in the code": named for good by their nature, with nothing of the moment beside."""
    match = _PUT.match(clause)
    rest = _IN_CODE.sub("", match["what"].strip(" .!")) if match else ""
    return matter.style(rest, wanted=True, whole=True) if rest and len(rest.split()) < 4 else None


_NO_WISH = re.compile(  # "no comments on the PR so far" tells
    r"^(?:time|need|comment$|one|more time)"
    r"|\b(?:so far|yet|needed|left|found|there|today|on the|from|were|was|are|is|sounds?|seems?)\b",
    re.IGNORECASE,
)


def _none_of(clause: str) -> Told | None:
    match = _NO.match(clause)
    what = match["what"].strip() if match else ""
    if not what or len(what.split()) > 6 or _NO_WISH.search(what):
        return None
    style = matter.style(" ".join(what.split()[:3]), wanted=False)
    if style and (style.name != "answer_length" or re.search(rf"\b{_ANSWERS}|essays?|paragraphs?|texts?\b", what)):
        return Told(style, 0.7)
    if re.match(r"meetings?\b.* (?:before|after|on)\b", what):
        return Told(Matter("scheduling", "meetings", f"no {what}"), 0.7)
    return None


def _hours(text: str) -> Told | None:
    match = _HOURS.match(text)
    return Told(Matter("scheduling", "work_hours", match["what"].strip(" ."))) if match else None
