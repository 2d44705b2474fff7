"""The user sets something right: what was wrong, what holds instead, and which turn it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from omoide.learn.proposal import Correction, Mentioned, Turn

from . import meant, refit
from .found import Found, Scene, quoted
from .known.verbs import STEPS
from .mask import GAP
from .mood import Read
from .told import ELSEWHERE, closed

_NAME = r"[\w][\w .+#/'-]{0,40}?"
_NOT_BUT = re.compile(
    rf"(?:no,? |it's |it is |its )?not (?P<wrong>{_NAME}),? but (?P<right>{_NAME})\s*$", re.IGNORECASE
)
_USE = re.compile(
    rf"(?:\w+,? )?(?:(?:no|please|always|actually|from now on)[, ]+)*(?:use|take|pick|choose|go with"
    rf"|it's|it is) (?P<right>{_NAME})(?:,? (?:and )?not|,? instead of"
    rf"|,? rather than) (?P<wrong>{_NAME})(?= (?:for|in|when|please|here|everywhere)\b|\s*$)",
    re.IGNORECASE,
)
# "Don't push to main, push to release": the same thing done otherwise.
_DO_NOT = re.compile(
    r"(?:(?:no|nope|please|actually|sorry|when \w+ing|from now on)[,:! ]+)*(?:don't|do not|dont|never)"
    r" (?P<verb>(?!(?:in|at|on|to|for|by|of|from|with)\b)[a-z]+) (?P<wrong>[\w ./@-]{1,40}?)"
    r",? (?:but |rather |instead,? |just |always )*(?P=verb) (?P<right>[\w ./@-]{1,40}?)"
    r"(?: instead)?\s*$",
    re.IGNORECASE,
)
_TAIL = re.compile(rf", (?:and )?not (?P<wrong>{_NAME})\s*$", re.IGNORECASE)
_MEANT = re.compile(
    r"(?:(?:no|nein|não|sorry|actually|wait|oops|my bad|my mistake|typo|correction|ah|oh|wrong \w+)[,.:! ]+)*"
    r"(?:i (?:actually |really |obviously )?(?:meant|mean)(?: to say| to write)?|i said|what i (?:meant|said) was"
    r"|ich mein(?:te|e)(?: eigentlich)?|quise decir|quería decir|(?:eu )?quis dizer|我(?:是说|的意思是))"
    r"\s*(?P<right>\S.*)",
    re.IGNORECASE,
)
_LAUGHS = re.compile(r"\b(?:lol|lmao|jk|(?:ha){2,})\b", re.IGNORECASE)
_RATHER = re.compile(r",? (?:and )?(?:not|instead of|nicht|no|não) (?P<wrong>.+)$", re.IGNORECASE)
_NOT_IT = re.compile(
    rf"(?:(?:no|sorry|wait|actually|oops)[, ]+)*(?:it's |it is )?not (?P<wrong>{_NAME}), (?P<right>{_NAME})\s*$",
    re.IGNORECASE,
)
# "No wait, Lyon": what is right, and nothing else. Of a weaker opening only what is surely of a sort is taken.
_SURE = r"no,? wait|wait,? no|correction|typo|i meant?|scratch that|make that|my mistake|my bad|oops"
_REPAIR = re.compile(
    rf"(?:(?P<sure>\*|(?:(?:no|sorry|oh|ah)[, ]+)*(?:{_SURE})[,.:!;\s–—-]+)|(?:(?:no|sorry|actually|wait|oh|ah)"
    rf"[,.:!\s]+)+)\s*"
    rf"(?:(?:it's|it is|it was|that's|in|on|at|to) )*(?P<right>{_NAME})\s*$",
    re.IGNORECASE,
)
_SORRY = re.compile(r"(?:no[,.! ]+|oh[, ]+)*sorry\b", re.IGNORECASE)
# "No, Autodesk, not Adobe", where Adobe was said before.
_IT_NOT = re.compile(
    rf"(?:(?:no|sorry|wait|actually|oops|i meant?)[,.! ]+)*(?:it's |it is |that's )?(?P<right>{_NAME}),? "
    rf"(?:(?:and )?not|instead of|rather than) (?P<wrong>{_NAME})\s*$",
    re.IGNORECASE,
)
_SPELT = re.compile(
    rf"(?:(?:no|sorry|wait|actually|oops|oh|btw)[,.! ]+)*(?:(?:it's|it is|that's|her name is|his name is|my name is"
    rf"|spelled|spelt) )+(?:actually )?(?P<right>{_NAME}),? (?:(?:spelled|spelt|written) )?with (?:an?|one|two"
    rf"|the)\b.*$",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"(?:no|nope)[,.!]* i (?:don't|do not|am not|didn't|haven't|wasn't)$|(?:no|nope)[,.!]* i'm not$", re.IGNORECASE
)
_WRONG = re.compile(
    r"(?:no[, ]+|sorry[, ]+|actually[, ]+)*(?:that's|that is|thats|this is|you're|you are"
    r"|it's) (?:wrong|not right|incorrect|not correct|not true|a mistake|mistaken"
    r"|outdated)(?P<rest>.*)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|nope|nah|wrong|incorrect)[,.!:]* (?:actually,? |wait,? |it's actually "
    r"|you're wrong,? )*(?P<right>(?:i|i'm|my|it|it's|we|we're|the|use|she|he|they|that's|don't|do|his"
    r"|her|our|their|its|in|on|at)\b.*)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(?:i (?:meant?|said) (?:that|it|what|so|no|yes|hi|hello|the same|if|to |well|every|business|this|nothing|you"
    r"|how|i)"
    r"|i mean)\b"
    r"|(?:i don't (?:know|think|care|want|need|have)|i'm (?:good|fine|ok|okay|not|sorry|just)"
    r"|i (?:haven't|didn't|can't|do|am|will|just|was|think|want|need|would|guess|love|like)|it's (?:ok"
    r"|okay|fine|good|all|not|just)|that's (?:ok|okay|fine|it|all|great|good|cool|what|why|so|just"
    r"|really|awesome|amazing)|it was|the only|do you|i'll|we're (?:good|fine)|they|in fact|at all)\b",
    re.IGNORECASE,
)


def corrections_in(
    scene: Scene, reads: list[Read], before: Sequence[Turn], claims: Sequence[Found]
) -> Iterator[Correction]:
    """At most one a sentence."""
    about = next(
        (turn.id for turn in reversed(before) if turn.role != scene.turn.role), before[-1].id if before else None
    )
    if not scene.speaker.owns_the_memory:
        return
    for number, read in enumerate(reads):
        plain = "?" not in read.sentence.mark and _DO_NOT.match(read.sentence.text)
        if not plain and (read.asks or not read.told):
            continue
        found = _one(scene, read, claims, before, first=number == 0)
        if found:
            wrong, right = found
            quote = quoted(scene.turn, read.sentence.start, read.sentence.end)
            told = f"Not {wrong}: {right}" if wrong and right else right or (f"Not {wrong}" if wrong else quote.words)
            yield Correction(wrong=wrong, right=right, text=told, quote=quote, about=about)


def renamed(corrections: Iterable[Correction]) -> Iterator[Mentioned]:
    """Whom or what was meant is somebody of their own, also where only the correction names them."""
    for each in corrections:
        type = meant.type_of(each.right) if each.right and each.wrong and each.right[0].isupper() else None
        if type == "person":  # a name that no list knows is of the sort of what it stands for
            type = meant.type_of(each.wrong or "") or type
        if type and each.right:
            yield Mentioned(name=each.right, type=type, quote=each.quote)


_Pair = tuple[str | None, str | None]


def _one(scene: Scene, read: Read, claims: Sequence[Found], before: Sequence[Turn], *, first: bool) -> _Pair | None:
    text = read.sentence.text
    if GAP in text:
        return None
    if (said := _MEANT.match(text)) and not _IDLE.match(text) and not _LAUGHS.search(text):
        return _meant(scene, said["right"], before)
    for pattern in (_NOT_BUT, _USE, ELSEWHERE):
        match = pattern.match(closed(text))
        if match and _named(match["wrong"]) and _named(match["right"]):
            return match["wrong"].strip(), meant.value(match["right"])
    if (done := _DO_NOT.match(closed(text))) and done["verb"].lower() in STEPS:
        return f"{done['verb']} {done['wrong']}".lower(), f"{done['verb']} {done['right']}".lower()
    tail = _TAIL.search(text)
    if tail and _named(tail["wrong"]):
        told = next(
            (f.claim.object for f in claims if f.claim.object in text[: tail.start()] and f.claim.quote.words in text),
            None,
        )
        if told:
            return tail["wrong"].strip(), told
    return (_repaired(scene, text, before) or _denied(text, before)) if first and before else None


def _repaired(scene: Scene, text: str, before: Sequence[Turn]) -> _Pair | None:
    """ "No wait, Lyon", "*Oslo", "not March 3, March 4", "Autodesk, not Adobe", said of the turn before it."""
    for pattern in (_NOT_IT, _IT_NOT):
        match = pattern.match(text)
        said = match and any(match["wrong"].casefold() in turn.text.casefold() for turn in before)
        if match and said and _named(match["wrong"]) and _named(match["right"]):
            return match["wrong"].strip(), meant.value(match["right"])
    if spelt := _SPELT.match(text):
        wrong = refit.misspelled(spelt["right"].strip(), scene, before)
        return wrong, spelt["right"].strip()
    match = _REPAIR.match(text)
    asked = before[-1].role == "agent" and before[-1].text.rstrip().endswith("?")
    right = meant.value(match["right"]) if match and not asked else ""
    if not match or not right or not _named(right) or refit.is_nothing(right):
        return None
    upper = right[0].isupper()
    if meant.is_sorted(right) or (match["sure"] and upper):
        wrong = meant.slip(right, before) or refit.replaced_by(right, scene, before)
        return (wrong, right) if wrong else (None, right) if match["sure"] else None
    if match["sure"] or (upper and not _another_named(scene, before)):
        wrong = refit.replaced_by(right, scene, before) or (refit.misspelled(right, scene, before) if upper else None)
        return (wrong, right) if wrong or _SORRY.match(text) else None
    return None


def _another_named(scene: Scene, before: Sequence[Turn]) -> bool:
    """ "No, Illustrator" may be about what the agent named in between."""
    own = refit.own_last(scene, before)
    return before[-1].role == "agent" and any(name not in (own.text if own else "") for name in meant.names(before[-1]))


def _meant(scene: Scene, words: str, before: Sequence[Turn]) -> _Pair | None:
    """ "I meant Tim, not Tom"; "I meant Tuesday" where one day was named before; else what is right alone."""
    words = words.strip(" ,.!")
    rather = _RATHER.search(words)
    right = meant.value(words[: rather.start()] if rather else words)
    if rather and _named(rather["wrong"]) and _named(right):
        return rather["wrong"].strip(), right
    if re.search(r"\w\s+(?:is|are|was|were|has|have)\b", right):
        return None  # "I mean, Paris is nice"
    wrong = meant.slip(right, before) or (refit.replaced_by(right, scene, before) if before else None)
    if wrong:
        return wrong, right
    return (None, words) if before and len(words.split()) < 8 else None


def _denied(text: str, before: Sequence[Turn]) -> _Pair | None:
    answers = bool(before) and before[-1].role == "agent"
    if wrong := _WRONG.match(text):
        rest = wrong["rest"].strip(" ,.:;-—")
        right = meant.value(rest)
        slip = meant.slip(right, before) if rest else None
        if slip:
            return slip, right
        if answers:
            return (None, rest) if rest else (text, None)
        return None if rest else (None, None)
    if not answers and _NOT_SO.match(text):
        return None, None
    if answers and (no := _NO.match(text)) and not _IDLE.match(no["right"]) and len(no["right"].split()) > 2:
        return None, no["right"].strip()
    return None


def _named(words: str) -> bool:
    """A name or a few words, not a clause: "npm", "the blue one"; not "ideal", not "about changing it"."""
    return len(words.split()) < 4 and not _NO_NAME.search(words)


_NO_NAME = re.compile(
    r"\b(?:only|just|it|this|that|you|sure|bad|good|yet|ideal|great|really|about|because|to|too|very"
    r"|so|enough|much|always|for|is|are|was|were)\b",
    re.IGNORECASE,
)
