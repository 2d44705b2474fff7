"""How the user wants things: standing instructions and preferences, not requests for this one time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from omoide.learn.proposal import SourceType, Wish

from . import matter
from .claims import Scene
from .found import quoted
from .known.words import words
from .matter import Matter
from .mood import Read
from .opening import opened
from .phrase import thing

VERBS = words("""
    add address adopt answer append apply archive ask assume attach avoid back backup be begin book bring
    build call cc check choose cite clean close commit compare compile confirm consider convert copy create
    deploy describe double-check draft end enable ensure escape explain export fix follow force-push format
    give group handle highlight ignore include indent install keep label leave lint list log make mention
    merge migrate mock name notify offer open order organize pin prefer prefix present print propose provide
    push put quote read rebase recommend refer remind remove rename repeat reply report respond review rewrite
    round run save schedule send set show sign sort speak specify spell split squash start stick store
    structure suggest summarize summarise switch tag talk tell test translate treat try type update upload use
    validate verify wrap write pretend commit
""")
_LEAD = (
    r"(?:(?:please|pls|just|also|and|but|so|then|hey|ok|okay|well|no|actually|oh|you should|you must"
    r"|you need to|i want you to|i need you to|i'd like you to|i would like you to|make sure (?:to|you"
    r"|that you)"
    r"|remember to|be sure to|can you|could you|would you|try to|kindly|bitte|por favor)[, ]+)*"
)
_FROM_NOW = (
    r"(?P<now>(?:from now on|going forward|in (?:the )?future|for future reference|as a rule"
    r"|in general|whenever you write code|by default)[, ]+)?"
)
_START = rf"{_LEAD}{_FROM_NOW}{_LEAD}"
_ALWAYS = re.compile(rf"{_START}(?P<how>always|never) (?P<verb>[\w-]+)\b(?P<rest>.*)", re.IGNORECASE)
_DONT = re.compile(
    rf"{_START}(?P<how>don't|do not|dont|stop|avoid|no more|quit|never ever) (?:ever )?(?P<what>\S.*)", re.IGNORECASE
)
_NO = re.compile(rf"(?:{_LEAD})no (?P<what>[a-z]+ ?[\w ]*?)(?:,? please|,? thanks|,? ever|)\s*[.!]*$", re.IGNORECASE)
_USE = re.compile(
    rf"{_START}(?:always )?(?:use|pick|choose|go with|stick (?:to|with)"
    rf"|switch to) (?P<right>[\w][\w .+#/-]{{0,40}}?)(?:,? (?:and )?not |,? (?:instead of|rather than"
    rf"|over|never|and never) )(?:using )?(?P<wrong>[\w][\w .+#/-]{{0,30}})",
    re.IGNORECASE,
)
_USE_ONLY = re.compile(rf"{_START}(?P<how>always |only )?(?:use|write in|work in) (?P<right>\S.*)", re.IGNORECASE)
_BE = re.compile(
    rf"{_START}(?:always )?(?:be|keep (?:it|things|everything|(?:your|all|the) (?:answers?|repl(?:y"
    rf"|ies)|responses?|messages?|explanations?))|make (?:your|all) (?:answers?|responses?|repl(?:y"
    rf"|ies))"
    rf"|give me|i(?:'d)? (?:prefer|like|want)|answer|respond|reply) (?:more |very |always |as |really "
    rf"|a bit |a little )*(?P<style>[\w -]+?)(?: (?:answers?|repl(?:y|ies)|responses?|explanations?"
    rf"|as possible|in your \w+|with me|please|thanks))*\s*$",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    rf"{_START}(?:always )?(?:answer|respond|reply|speak|talk|write back|antworte|antworten sie|schreib"
    rf"|responde|responda)(?: (?:to )?me| bitte| immer| mir| siempre| sempre"
    rf"| always)* (?P<in>(?:only )?(?:in|auf|en|em) \w.*)",
    re.IGNORECASE,
)
_PREFER = re.compile(
    r"(?:i|i'd|i would|we|personally i)(?: (?:really|much|strongly|generally|usually|always|definitely"
    r"|personally))* prefer (?:to (?:use|have|get|see|work with|write in) |using |having |getting "
    r"|working with |writing in )?(?P<right>[^,;]+?)"
    r"(?:,? (?:over|to|instead of|rather than|not|more than|and not) (?!be\b|have\b|get\b"
    r"|do\b)(?P<wrong>[^,;.]+?))?(?: (?:for|when|because|in|on|at|if|since|as|any day|these days"
    r"|nowadays|though|so)\b.*)?\s*$",
    re.IGNORECASE,
)
_HOURS = re.compile(r"my (?:work(?:ing)?|office|quiet) hours are (?P<what>\S.*)", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(?:yet|for now|right now|this time|today|tonight|anymore tonight|now|again|here|this|that"
    r"|these|those|it|them|him|her)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:this|that|these|those|it|them|one|ones|him|her|the (?:first|second|last|other|former|latter))\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"(?:worry|mind|forget|bother|know|think|you|need|have|feel|get|care|hesitate|be (?:shy|afraid"
    r"|sorry|sad|so)|let|give up|stress|want|like|see|understand|remember|panic|judge|laugh|tell (?:me"
    r"|anyone|him|her))\b",
    re.IGNORECASE,
)


def wishes_in(scene: Scene, reads: list[Read], disliked: str | None = None) -> Iterator[Wish]:
    """Every standing wish of a turn. `disliked` is what "never suggest it" speaks of, where the turn has named it."""
    if not scene.speaker.owns_the_memory:
        return
    for read in reads:
        sentence = read.sentence
        clauses = read.told or (sentence.clauses if read.asks else ())
        for clause in clauses:
            start = clause.start
            text = sentence.text[start - sentence.start :]
            if read.asks and not re.match(r"(?:can|could|would|will) you\b", text, re.IGNORECASE):
                continue
            found = _wish(text, clause.text, disliked)
            if found:
                subject, instead_of, source, strength = found
                yield Wish(
                    category=subject.category,
                    name=subject.name,
                    value=subject.value,
                    text=_text(scene, subject, instead_of),
                    quote=quoted(scene.turn, start, sentence.end),
                    strength=strength,
                    source_type=source,
                    instead_of=instead_of,
                )
                break


Told = tuple[Matter, str | None, SourceType, float]


def _wish(text: str, clause: str, disliked: str | None) -> Told | None:
    text = opened(text).text if not re.match(r"(?i:no )", text) else text
    clause = opened(clause).text
    for read in (_contrast, _spoken, _always, _dont, _be_like, _prefers, _use_known, _none_of, _hours):
        found = read(text, clause, disliked)
        if found:
            return found
    return None


def _contrast(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _USE.match(text)
    if not match or _LEANS.search(match[0]):
        return None
    right, wrong = (
        match["right"].strip(),
        re.split(r" (?:for|in|when|please|here|because|everywhere|from)\b", match["wrong"])[0].strip(),
    )
    known = matter.choice(right) or matter.choice(wrong)
    if known and matter.choice(right):
        return matter.choice(right) or known, wrong, "corrected", 0.9
    if len(right.split()) > 3 or len(wrong.split()) > 3 or matter.snake(right) == "other":
        return None
    category = "tools" if matter.named_tool(right) or matter.named_tool(wrong) else "other"
    return Matter(category, matter.between(right, wrong), right), wrong, "corrected", 0.9


def _always(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _ALWAYS.match(text)
    if not match or match["verb"].lower() not in VERBS:
        return _from_now(text)
    never = match["how"].lower() == "never"
    rest = match["rest"].strip(" ,.!")
    return _of(
        match["verb"].lower(),
        rest.split(",")[0],
        never,
        f"{match['how'].lower()} {match['verb']} {rest}".strip(),
        disliked,
        0.8,
    )


def _from_now(clause: str) -> Told | None:
    match = re.match(rf"{_START}(?P<what>(?P<verb>[\w'-]+)\b.*)", clause, re.IGNORECASE)
    always = re.search(r"\b(?:always|every time|each time|in every (?:reply|answer|file))\b", clause, re.IGNORECASE)
    if not match or not (match["now"] or always) or match["verb"].lower() not in VERBS:
        return None
    what = re.sub(r",? *\b(?:always|every time|each time)$", "", match["what"].strip(" .!"), flags=re.IGNORECASE)
    subject = matter.style(what, wanted=True) if len(what.split()) < 7 else None
    subject = subject or matter.general(what)
    return (subject, None, "stated", 0.8) if subject else None


def _dont(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _DONT.match(clause)
    if not match:
        return None
    what = match["what"].strip(" .!")
    if _SMALL.match(what):
        return None
    style = matter.style(what, wanted=False)
    if (
        style
        and len(what.split()) < 9
        and not re.search(r"\b(?:this|that|these|those|it|yet|here|his|her|their)\b", what, re.IGNORECASE)
    ):
        return style, None, "stated", 0.8
    words_ = what.split()
    verb = re.sub(r"(?:ting|ing)$", "", words_[0].lower())
    if verb not in VERBS and f"{verb}e" not in VERBS and words_[0].lower() not in VERBS:
        return None
    return _of(verb, " ".join(words_[1:]), True, f"{match['how'].lower()} {what}", disliked, 0.7)


def _of(verb: str, rest: str, never: bool, instruction: str, disliked: str | None, strength: float) -> Told | None:
    """ "never suggest Docker" is about Docker; "always run the tests" about tests; "never do it" about nothing."""
    if (
        re.match(r"(?:it|that|this|them)\b", rest)
        and verb in {"suggest", "use", "recommend", "mention", "propose", "offer"}
        and disliked
    ):
        tool = matter.named_tool(disliked)
        return Matter("tools" if tool else "other", matter.snake(disliked), "never"), None, "stated", strength
    style = matter.style(rest, wanted=not never)
    if style and len(rest.split()) < 6:
        return style, None, "stated", strength
    tool = matter.named_tool(rest)
    if tool and verb in {
        "suggest",
        "use",
        "recommend",
        "mention",
        "propose",
        "offer",
        "install",
        "write",
        "us",
        "choose",
        "pick",
    }:
        if never:
            return Matter("tools", matter.snake(tool), "never"), None, "stated", strength
        return matter.choice(rest) or Matter("tools", matter.snake(tool), "always"), None, "stated", strength
    if _ONCE.search(rest) or len(instruction.split()) > 16 or len(rest.split()) < 1:
        return None
    subject = matter.general(instruction)
    return (subject, None, "stated", strength) if subject else None


def _be_like(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _BE.match(clause)
    if not match or len(match["style"].split()) > 4:
        return None
    style = matter.style(match["style"], wanted=not re.match(r"(?:less|not)\b", match["style"]))
    return (style, None, "stated", 0.7) if style and style.name in {"answer_length", "tone"} else None


def _spoken(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _LANGUAGE.match(clause)
    name = matter.answer_language(match["in"]) if match else None
    return (Matter("communication", "answer_language", name), None, "stated", 0.8) if name else None


def _prefers(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _PREFER.match(text) or _PREFER.match(clause)
    if not match:
        return None
    right = match["right"].strip()
    if _LEANS.search(right) or re.match(r"(?:not|to|that|when|if|your|you|my|the)\b", right, re.IGNORECASE):
        return None
    wrong = match["wrong"].strip() if match["wrong"] else None
    known = matter.choice(right) or matter.style(right, wanted=True)
    if known:
        return known, wrong, "stated", 0.8
    objects = thing(right)
    if len(objects) != 1 or len(objects[0].split()) > 5:
        return None
    other = thing(wrong) if wrong else ()
    name = matter.between(objects[0], other[0]) if other else matter.snake(objects[0])
    category = "tools" if matter.named_tool(right) else "other"
    return Matter(category, name, objects[0]), other[0] if other else None, "stated", 0.8


def _use_known(text: str, clause: str, disliked: str | None) -> Told | None:
    """ "use metric units": a bare "use X" stands for good only where X is a matter of habit."""
    match = _USE_ONLY.match(clause)
    if not match:
        return None
    known = matter.choice(match["right"])
    if (
        not known
        or len(match["right"].split()) > (6 if match["now"] or match["how"] else 3)
        or _ONCE.search(match["right"])
    ):
        return None
    habitual = known.category == "formatting" or match["now"] or match["how"]
    return (known, None, "stated", 0.7) if habitual else None


def _none_of(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _NO.match(clause)
    if not match or len(match["what"].split()) > 6:
        return None
    style = matter.style(match["what"], wanted=False)
    if style:
        return style, None, "stated", 0.7
    if re.match(r"meetings?\b.* (?:before|after|on)\b", match["what"]):
        return Matter("scheduling", "meetings", f"no {match['what'].strip()}"), None, "stated", 0.7
    return None


def _hours(text: str, clause: str, disliked: str | None) -> Told | None:
    match = _HOURS.match(text)
    return (Matter("scheduling", "work_hours", match["what"].strip(" .")), None, "stated", 0.8) if match else None


def _text(scene: Scene, subject: Matter, instead_of: str | None) -> str:
    name = scene.speaker.name
    about = subject.name.replace("_", " ")
    if instead_of:
        return f"{name} prefers {subject.value} over {instead_of}"
    if " " in subject.value and len(subject.value.split()) > 2:
        return f"{name} wants: {subject.value}"
    if subject.value in {"never", "none"}:
        return f"{name} does not want {about}"
    if subject.value == "always":
        return f"{name} wants {about}"
    return (
        f"{name} prefers {subject.value}"
        if _CHOOSES.search(subject.name)
        else f"{name} prefers {about}: {subject.value}"
    )


_CHOOSES = re.compile("_or_|package_manager|editor|shell|browser|database|theme|framework")
