"""The user sets something right: what was wrong, what holds instead, and which turn it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from omoide.domain.entity import name_key
from omoide.learn.proposal import ConversationTurn, EntityMention, UserCorrection
from omoide.learn.rules import repairs
from omoide.learn.rules.claims import claims_in
from omoide.learn.rules.known_words import STEPS
from omoide.learn.rules.phrases import RUN
from omoide.learn.rules.preference_topics import ELSEWHERE, closed
from omoide.learn.rules.rule import FoundClaim, TurnScene, quoted
from omoide.learn.rules.rule_clauses import GAP, masked, parse_sentences
from omoide.learn.rules.rule_modality import SentenceReading, read_sentence
from omoide.learn.rules.sense.check import sound
from omoide.learn.rules.statements.kin_statements import NamedRelative

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
    scene: TurnScene, reads: list[SentenceReading], before: Sequence[ConversationTurn], claims: Sequence[FoundClaim]
) -> Iterator[UserCorrection]:
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
            yield UserCorrection(wrong=wrong, right=right, text=told, quote=quote, about=about)


def renamed(corrections: Iterable[UserCorrection]) -> Iterator[EntityMention]:
    """Whom or what was meant is somebody of their own, also where only the correction names them."""
    for each in corrections:
        type = repairs.type_of(each.right) if each.right and each.wrong and each.right[0].isupper() else None
        if type == "person":  # a name that no list knows is of the sort of what it stands for
            type = repairs.type_of(each.wrong or "") or type
        if type and each.right:
            yield EntityMention(name=each.right, type=type, quote=each.quote)


_Pair = tuple[str | None, str | None]


def _one(
    scene: TurnScene,
    read: SentenceReading,
    claims: Sequence[FoundClaim],
    before: Sequence[ConversationTurn],
    *,
    first: bool,
) -> _Pair | None:
    text = read.sentence.text
    if GAP in text:
        return None
    if (said := _MEANT.match(text)) and not _IDLE.match(text) and not _LAUGHS.search(text):
        return _meant(scene, said["right"], before)
    for pattern in (_NOT_BUT, _USE, ELSEWHERE):
        match = pattern.match(closed(text))
        if match and _named(match["wrong"]) and _named(match["right"]):
            return match["wrong"].strip(), repairs.value(match["right"])
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


def _repaired(scene: TurnScene, text: str, before: Sequence[ConversationTurn]) -> _Pair | None:
    """ "No wait, Lyon", "*Oslo", "not March 3, March 4", "Autodesk, not Adobe", said of the turn before it."""
    for pattern in (_NOT_IT, _IT_NOT):
        match = pattern.match(text)
        said = match and any(match["wrong"].casefold() in turn.text.casefold() for turn in before)
        if match and said and _named(match["wrong"]) and _named(match["right"]):
            return match["wrong"].strip(), repairs.value(match["right"])
    if spelt := _SPELT.match(text):
        wrong = misspelled(spelt["right"].strip(), scene, before)
        return wrong, spelt["right"].strip()
    match = _REPAIR.match(text)
    asked = before[-1].role == "agent" and before[-1].text.rstrip().endswith("?")
    right = repairs.value(match["right"]) if match and not asked else ""
    if not match or not right or not _named(right) or is_nothing(right):
        return None
    upper = right[0].isupper()
    if repairs.is_sorted(right) or (match["sure"] and upper):
        wrong = repairs.slip(right, before) or replaced_by(right, scene, before)
        return (wrong, right) if wrong else (None, right) if match["sure"] else None
    if match["sure"] or (upper and not _another_named(scene, before)):
        wrong = replaced_by(right, scene, before) or (misspelled(right, scene, before) if upper else None)
        return (wrong, right) if wrong or _SORRY.match(text) else None
    return None


def _another_named(scene: TurnScene, before: Sequence[ConversationTurn]) -> bool:
    """ "No, Illustrator" may be about what the agent named in between."""
    own = own_last(scene, before)
    return before[-1].role == "agent" and any(
        name not in (own.text if own else "") for name in repairs.names(before[-1])
    )


def _meant(scene: TurnScene, words: str, before: Sequence[ConversationTurn]) -> _Pair | None:
    """ "I meant Tim, not Tom"; "I meant Tuesday" where one day was named before; else what is right alone."""
    words = words.strip(" ,.!")
    rather = _RATHER.search(words)
    right = repairs.value(words[: rather.start()] if rather else words)
    if rather and _named(rather["wrong"]) and _named(right):
        return rather["wrong"].strip(), right
    if re.search(r"\w\s+(?:is|are|was|were|has|have)\b", right):
        return None  # "I mean, Paris is nice"
    wrong = repairs.slip(right, before) or (replaced_by(right, scene, before) if before else None)
    if wrong:
        return wrong, right
    return (None, words) if before and len(words.split()) < 8 else None


def _denied(text: str, before: Sequence[ConversationTurn]) -> _Pair | None:
    answers = bool(before) and before[-1].role == "agent"
    if wrong := _WRONG.match(text):
        rest = wrong["rest"].strip(" ,.:;-—")
        right = repairs.value(rest)
        slip = repairs.slip(right, before) if rest else None
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


# Where a word fits that sets something right: "Autodesk" goes into "I work at Adobe" where Adobe stands.


_ALIKE = 0.6  # of the letters: Jon and John, Marta and Martha
_NOTHING = re.compile(
    r"(?:no|not|nothing|none|well|that|this|it|you|me|what|how|if|when|to|thanks|thank|please|sorry|yes|ok|okay|later"
    r"|never|maybe|sure|so|just|only|every|all|business)\b"
    r"|(?:claude|chatgpt|gpt|gemini|copilot|siri|alexa|assistant|bot|omoide)$",
    re.IGNORECASE,
)


def own_last(scene: TurnScene, before: Sequence[ConversationTurn]) -> ConversationTurn | None:
    """What the same speaker said just before, with at most an answer between."""
    return next(
        (turn for turn in reversed(before[-3:]) if turn.role == "user" and turn.speaker == scene.turn.speaker), None
    )


def told_in(scene: TurnScene, turn: ConversationTurn, text: str | None = None) -> list[FoundClaim]:
    """What the rules read in a turn, or would if its words were these."""
    words = masked(turn.text, turn.speaker) if text is None else text
    return sound(list(claims_in(TurnScene(turn, scene.speaker), read_sentence(parse_sentences(words)))), words)


def replaced_by(right: str, scene: TurnScene, before: Sequence[ConversationTurn]) -> str | None:
    """What was said in the one place where `right` makes a statement of the same kind; None if none or several do."""
    turn = own_last(scene, before)
    if turn is None or is_nothing(right) or len(right.split()) > 4:
        return None
    text = masked(turn.text, turn.speaker)
    found = [item.claim for item in told_in(scene, turn)]
    fits: dict[str, str] = {}
    for claim in found:
        wrong = re.search(rf"(?<!\w){re.escape(claim.object)}(?!\w)", text, re.IGNORECASE)
        if wrong is None or name_key(right) in name_key(wrong[0]) or claim.negated:
            continue
        anew = told_in(scene, turn, f"{text[: wrong.start()]}{right}{text[wrong.end() :]}")
        if any(
            (each.claim.predicate, name_key(each.claim.object)) == (claim.predicate, name_key(right)) for each in anew
        ):
            fits[name_key(claim.object)] = wrong[0]
    return next(iter(fits.values())) if len(fits) == 1 else None


def _says(found: FoundClaim, predicate: str, object: str) -> bool:
    return found.claim.predicate == predicate and name_key(found.claim.object) == name_key(object)


def is_nothing(right: str) -> bool:
    """ "No, thanks", "sorry, Claude": said to whoever listens, and no other value of anything."""
    return _NOTHING.match(right) is not None


def misspelled(right: str, scene: TurnScene, before: Sequence[ConversationTurn]) -> str | None:
    """The one name said before that is nearly this one."""
    turn = own_last(scene, before)
    names = {name for run in re.findall(RUN, turn.text) for name in run.split()} if turn else set()
    alike = [name for name in sorted(names) if name != right and _ratio(name, right) > _ALIKE]
    return alike[0] if len(alike) == 1 else None


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def people(scene: TurnScene, before: Sequence[ConversationTurn]) -> list[NamedRelative]:
    """Whom the speaker told of just before: "no wait, she lives in Lagos" is about her."""
    turn = own_last(scene, before)
    found = told_in(scene, turn) if turn else []
    persons = {item.claim.subject: item.claim.predicate for item in reversed(found) if item.subject_type == "person"}
    return [NamedRelative(who, predicate, predicate.removesuffix("_of"), 0, 0) for who, predicate in persons.items()]
