"""Standing instructions: "always …", "never …", "don't …", "be brief", "no emojis", "answer in German"."""

from __future__ import annotations

import re

from omoide.learn.rules import preference_topics
from omoide.learn.rules.known_words import INSTRUCTIONS
from omoide.learn.rules.preference_topics import ONCE, START, PreferenceTopic, StandingPreference

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


def instruction(text: str, clause: str, disliked: str | None) -> StandingPreference | None:
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


def _spoken(clause: str) -> StandingPreference | None:
    match = _LANGUAGE.match(clause)
    name = preference_topics.answer_language(match["in"]) if match else None
    return StandingPreference(PreferenceTopic("communication", "answer_language", name)) if name else None


def _always(text: str, disliked: str | None) -> StandingPreference | None:
    match = _ALWAYS.match(text)
    if not match or match["verb"].lower() not in INSTRUCTIONS:
        return None
    how, verb, rest = match["how"].lower(), match["verb"].lower(), match["rest"].strip(" ,.!)")
    matter_ = _of(verb, rest.split(",")[0], f"{how} {match['verb']} {rest}".strip(), disliked, never=how == "never")
    return StandingPreference(matter_) if matter_ else None


def _from_now(text: str) -> StandingPreference | None:
    match = re.match(rf"{START}(?P<what>(?P<verb>[\w'-]+)\b.*)", text, re.IGNORECASE)
    every = _EVERY.search(text)
    if not match or not (match["now"] or every) or match["verb"].lower() not in INSTRUCTIONS:
        return None
    what = _EVERY.sub("", match["what"].strip(" .!"))
    if ONCE.search(what) or len(what.split()) > 16:
        return None
    found = preference_topics.style(what, wanted=True) if len(what.split()) < 7 else None
    found = found or preference_topics.general(what)
    return StandingPreference(found) if found else None


def _dont(clause: str, disliked: str | None) -> StandingPreference | None:
    match = _DONT.match(clause)
    what = match["what"].strip(" .!") if match else ""
    if not match or _SMALL.match(what) or re.search(r"\band\b", what):
        return None
    if not ONCE.search(what) and (style := _style_of(what)):
        return StandingPreference(style)
    first, _, rest = what.partition(" ")
    verb = re.sub(r"(?:tt|nn|pp|gg)?ing$", "", first.lower())
    verb = next((v for v in (first.lower(), verb, f"{verb}e") if v in INSTRUCTIONS), "")
    # What the instruction is about stands after its verb: "don't push the work back to me" is not about git.
    about = verb and rest and (preference_topics.named_tool(rest) or disliked or preference_topics.general(rest))
    found = _of(verb, rest, f"{match['how'].lower()} {what}", disliked, never=True) if about else None
    return StandingPreference(found, 0.7) if found else None


def _style_of(what: str) -> PreferenceTopic | None:
    """ "put comments in the code", "apologizing", "be so verbose": the matter right after the verb."""
    rest = _DOING.sub("", what, count=1)
    found = preference_topics.style(" ".join(rest.split()[:3]), wanted=False)
    return found if found and len(what.split()) < 9 else None


def _of(verb: str, rest: str, instruction: str, disliked: str | None, *, never: bool) -> PreferenceTopic | None:
    """ "never suggest Docker" is about Docker; "always run the tests" about tests; "never do it" about nothing."""
    if disliked and verb in _PROPOSING and re.match(r"(?:it|that|this|them)\b", rest):
        return PreferenceTopic(
            "tools" if preference_topics.named_tool(disliked) else "other", preference_topics.snake(disliked), "never"
        )
    style = preference_topics.style(rest, wanted=not never) if len(rest.split()) < 6 else None
    if style:
        return style
    tool = preference_topics.named_tool(rest)
    if tool and verb in _PROPOSING:
        named = PreferenceTopic("tools", preference_topics.snake(tool), "never" if never else "always")
        return named if never else preference_topics.choice(rest) or named
    chosen = preference_topics.choice(rest)
    if never and chosen and verb in _PROPOSING and len(rest.split()) == len(chosen.value.split()):
        return PreferenceTopic(chosen.category, preference_topics.snake(chosen.value), "never")
    if ONCE.search(rest) or len(instruction.split()) > 16 or not rest:
        return None
    return preference_topics.general(instruction)


def _be_like(clause: str) -> StandingPreference | None:
    match = _BE.match(clause)
    if not match or len(match["style"].split()) > 3:
        return None
    about_answers = match["of"] or not re.search(
        r"give me|prefer|like|want", clause[: match.start("style")], re.IGNORECASE
    )
    style = preference_topics.style(match["style"], wanted=not re.match(r"(?:less|not)\b", match["style"]), whole=True)
    return (
        StandingPreference(style, 0.7) if style and about_answers and style.name in {"answer_length", "tone"} else None
    )


def _use_known(clause: str) -> StandingPreference | None:
    """ "use metric units": a bare "use X" stands for good only where X is a matter of habit."""
    match = _USE.match(clause)
    known = preference_topics.choice(match["right"]) if match else None
    if not known and (habit := _habit(clause)):
        return StandingPreference(habit, 0.7)
    if not match or not known or ONCE.search(match["right"]):
        return None
    standing = bool(match["now"] or match["how"])
    fits = len(match["right"].split()) <= (6 if standing else 3)
    return StandingPreference(known, 0.7) if fits and (standing or known.category == "formatting") else None


def _habit(clause: str) -> PreferenceTopic | None:
    """ "use emojis", "put comments in the code": named for good by their nature, with nothing of the moment beside."""
    match = _PUT.match(clause)
    rest = _IN_CODE.sub("", match["what"].strip(" .!")) if match else ""
    return preference_topics.style(rest, wanted=True, whole=True) if rest and len(rest.split()) < 4 else None


_NO_WISH = re.compile(  # "no comments on the PR so far" tells
    r"^(?:time|need|comment$|one|more time)"
    r"|\b(?:so far|yet|needed|left|found|there|today|on the|from|were|was|are|is|sounds?|seems?)\b",
    re.IGNORECASE,
)


def _none_of(clause: str) -> StandingPreference | None:
    match = _NO.match(clause)
    what = match["what"].strip() if match else ""
    if not what or len(what.split()) > 6 or _NO_WISH.search(what):
        return None
    style = preference_topics.style(" ".join(what.split()[:3]), wanted=False)
    if style and (style.name != "answer_length" or re.search(rf"\b{_ANSWERS}|essays?|paragraphs?|texts?\b", what)):
        return StandingPreference(style, 0.7)
    if re.match(r"meetings?\b.* (?:before|after|on)\b", what):
        return StandingPreference(PreferenceTopic("scheduling", "meetings", f"no {what}"), 0.7)
    return None


def _hours(text: str) -> StandingPreference | None:
    match = _HOURS.match(text)
    return StandingPreference(PreferenceTopic("scheduling", "work_hours", match["what"].strip(" ."))) if match else None


# Wishes that are put softly: "I'd rather you didn't …", "more of a tabs person", "yarn over npm any day".


_WISH = r"i(?:'d| would) (?:rather|prefer(?: it)?(?: if)?|appreciate it if|like it if)(?: that)? you"
_RATHER_NOT = re.compile(
    rf"{_WISH} (?:(?P<stop>stopped|avoided|quit)|didn't|did not|don't|do not|not|wouldn't|never) (?P<what>\S.*)",
    re.IGNORECASE,
)
_RATHER = re.compile(
    rf"(?:{_WISH}|it(?:'d| would) be (?:nice|great|better|good|helpful) if you) (?:could |would |always )*"
    r"(?P<verb>[a-z]+)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_BASE = {
    "asked": "ask", "used": "use", "wrote": "write", "kept": "keep", "gave": "give", "made": "make", "were": "be",
    "answered": "answer", "replied": "reply", "responded": "respond", "checked": "check", "confirmed": "confirm",
    "included": "include", "added": "add", "spoke": "speak",
}  # fmt: skip
_EVEN = re.compile(r",? (?:all the time|so (?:much|often)|at all|please|thanks|thx|pls|everywhere|if possible)$")
_LATER = re.compile(
    r"(?P<what>.+?),? (?:from now on|going forward|in (?:the )?future)(?:,? (?:please|thanks|thx|pls|ok))?",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:i'?m|i am)(?: more of| really| definitely| very much| just| mostly)? an? (?P<what>[\w+# -]{2,20}?)"
    r" (?:person|guy|gal|girl|kind of (?:guy|person|gal))(?: myself| really| at heart)?",
    re.IGNORECASE,
)
_ONE, _OTHER = r"(?P<right>[\w][\w .+#-]{0,24}?)", r"(?P<wrong>[\w][\w .+#-]{0,24}?)"
_ANY_DAY = re.compile(
    rf"{_ONE} (?:over|beats) {_OTHER},? (?:any ?day(?: of the week)?|every time|always|all day(?: long)?)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:(?:i|we) (?:usually|always|generally|normally|mostly|typically|tend to) (?:go with|use|pick|choose|reach for"
    rf"|stick (?:to|with)) )?{_ONE},? (?:rather than|over|instead of) {_OTHER}(?:,? please)?",
    re.IGNORECASE,
)
_NO_GO = re.compile(
    r"(?P<what>(?:meetings?|calls?|appointments?) (?:on|before|after|at|during) [\w: ]{2,25}?) (?:is|are) (?:a |an "
    r"|just )*"
    r"(?:no[- ]gos?|off[- ]limits|not an option|out of the question)(?: for me| to me)?",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"(?P<when>mornings|afternoons|evenings|weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)"
    r"(?: (?:usually|generally|always))? (?:(?:work|are) (?:the )?(?:best|better) for me|suit me (?:best|better))",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"i (?:like|want|prefer) my (?:code|answers?|replies|responses?) (?P<how>with |without )?(?P<what>[a-z -]{4,25}?)"
    r"(?: everywhere| always| please| best)?",
    re.IGNORECASE,
)
_DATES = re.compile(
    r"(?:always )?(?P<what>dates? (?:as|in|like|formatted as) (?:[\w/.-]{4,12}|iso(?: format)?))(?:,? (?:please"
    r"|pls))?,? "
    r"(?:always|from now on|every time|everywhere)(?:,? please)?",
    re.IGNORECASE,
)
_BANNED = re.compile(
    r"(?:(?P<never>never|stop)|don't|dont|do not|please don't)(?: ever)? (?:us(?:e|ing)|say(?:ing)?|writ(?:e|ing)) "
    r"(?:the |that )?(?:words?|phrase|expression|term) [\"'‘“`](?P<word>[\w][\w -]{1,30})[\"'’”`](?P<tail>[\w ]*)",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(r"\b(?:ever|again|anymore|any more|from now on)\b", re.IGNORECASE)


def soft(text: str) -> StandingPreference | None:
    """`text` is the sentence from the clause on, without its opening."""
    text = _EVEN.sub("", text.strip(" .!?"))
    return _rather(text) or _later(text) or _between(text) or _soft_habit(text)


def banned(raw: str) -> StandingPreference | None:
    """ "Don't use the word 'delve' ever again": what is quoted is masked elsewhere, and here all that matters."""
    found = _BANNED.search(raw)
    if not found or not (found["never"] or _FOR_GOOD.search(found[0])):
        return None
    return StandingPreference(
        PreferenceTopic("communication", f"word_{preference_topics.snake(found['word'])}", "never")
    )


def _rather(text: str) -> StandingPreference | None:
    """What "I'd rather" asks for good: a matter of style, or to be asked first. The rest may be of the moment."""
    if found := _RATHER_NOT.match(text):
        plain = f"{'stop' if found['stop'] else 'dont'} {found['what']}"
        told = None if ONCE.search(found["what"]) else instruction(plain, plain, None)
        return told if told and (told.matter.value == "none" or told.matter.category == "communication") else None
    found = _RATHER.match(text)
    if not found or ONCE.search(found["rest"]):
        return None
    verb = _BASE.get(found["verb"].lower(), found["verb"].lower())
    what, rest = f"{verb}{found['rest']}", re.sub(r"\b(?:your|my|the|me|things|all)\b", "", found["rest"])
    known = preference_topics.style(rest, wanted=True, whole=True) if rest.strip() else None
    asked = preference_topics.general(what) if verb in {"ask", "check", "confirm"} else None
    wish = known or (asked if asked and asked.name == "ask_first" else None)
    return StandingPreference(wish, 0.7) if wish else None


def _later(text: str) -> StandingPreference | None:
    found = _LATER.fullmatch(text)
    plain = f"from now on, {found['what']}" if found else ""
    return instruction(plain, plain, None) if found else None


def _between(text: str) -> StandingPreference | None:
    """One of two things that are known to be a choice."""
    found = _ANY_DAY.fullmatch(text) or _INSTEAD.fullmatch(text)
    one, other = (_whole(found["right"]), _whole(found["wrong"])) if found else (None, None)
    if not found or not one or not other or (one.category, one.name) != (other.category, other.name):
        return None
    return StandingPreference(one, 0.8, found["wrong"].strip())


def _whole(words: str) -> PreferenceTopic | None:
    known = preference_topics.choice(words.strip())
    return known if known and len(known.value) == len(words.strip()) else None


def _soft_habit(text: str) -> StandingPreference | None:
    if found := _PERSON.fullmatch(text):
        known = _whole(found["what"])
        return StandingPreference(known, 0.7) if known else None
    if found := _NO_GO.fullmatch(text):
        return StandingPreference(PreferenceTopic("scheduling", "meetings", f"no {found['what']}"), 0.7)
    if found := _BEST.fullmatch(text):
        return StandingPreference(PreferenceTopic("scheduling", "times", found["when"]), 0.7)
    if found := _DATES.fullmatch(text):
        return StandingPreference(PreferenceTopic("formatting", "dates", found["what"]))
    if found := _MINE.fullmatch(text):
        wanted = (found["how"] or "").strip().lower() != "without"
        style = preference_topics.style(found["what"], wanted=wanted, whole=True)
        return StandingPreference(style, 0.7) if style else None
    return None


# Standing instructions with a matter of their own: whose spelling, which folders are left alone.


_SPELLING = re.compile(
    rf"{START}(?:always )?(?:use|write in|stick to|spell (?:things |everything )?in) "
    r"(?P<whose>british|american|canadian|australian|uk|us) (?:english )?spellings?(?P<rest>.*)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?: (?:everywhere|always|throughout|(?:in|for) (?:all (?:of )?)?(?:my|our|your|the) (?:texts?|e?-?mails?"
    r"|documents?|writing|answers?|replies|posts?|articles?|docs)))*(?:,? (?:please|thanks))?\s*",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    rf"{START}(?P<what>(?:don't|do not|dont|never)(?: ever)? (?:touch|edit|modify|change|delete|rename|reformat) "
    r"(?:anything|files|any files?|the files|code|any code)(?: that lives)? (?:under|in|inside|below) "
    r"(?:the )?(?P<where>[\w.-]*\w/[\w./-]*|\.[\w-]+))(?: (?:folder|directory|dir))?\s*$",
    re.IGNORECASE,
)


def standing(clause: str) -> StandingPreference | None:
    """The clause by itself, since what follows it only says why."""
    clause = clause.strip(" .!")
    spelling = _SPELLING.match(clause)
    if spelling and _ALL.fullmatch(spelling["rest"]):
        return StandingPreference(PreferenceTopic("formatting", "spelling", f"{spelling['whose']} spelling"), 0.7)
    if leave := _LEAVE.match(clause):
        return StandingPreference(
            PreferenceTopic("workflow", f"files_{preference_topics.snake(leave['where'])}", leave["what"].strip())
        )
    return None
