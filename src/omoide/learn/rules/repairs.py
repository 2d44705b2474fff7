"""What "I meant Tuesday" sets right: the one thing of the same sort that was said just before."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from functools import partial

from omoide.domain.entity import name_key
from omoide.learn.proposal import Claim, ConversationTurn, Quote, UserCorrection
from omoide.learn.rules import rule
from omoide.learn.rules.claims import claims_in
from omoide.learn.rules.known_words import LANGUAGES, NOT_NAMES, ORGANIZATIONS, PLACES, TOOLS
from omoide.learn.rules.phrases import RUN
from omoide.learn.rules.predicates import is_single_valued
from omoide.learn.rules.rule import FoundClaim, TurnScene, quoted
from omoide.learn.rules.rule_clauses import ParsedSentence, masked, parse_sentences
from omoide.learn.rules.rule_modality import read_sentence

_DAYS = "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight yesterday"
_MONTHS = "january february march april may june july august september october november december"
_OPENS = re.compile(
    r"(?:(?:it|that|this|he|she|they|i|my name|the name)(?:'s| is|'re| are|'m| am| was| were| should be)|it should be"
    r"|its|on|in|at|to|by|the|an?|called|named|spelled|spelt|pronounced|actually|really|for|with|use|using)\s+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\w.:,%-]*|\$\d[\w.,]*")


def value(words: str) -> str:
    """ "it's on Tuesday" → Tuesday."""
    words = words.strip(" ,.!:;-—")
    while (opens := _OPENS.match(words)) and opens.end() < len(words):
        words = words[opens.end() :]
    return words


def slip(right: str, before: Sequence[ConversationTurn]) -> str | None:
    """What was said where `right` was meant: by the speaker or by the agent after them, if only one thing fits."""
    if not before:
        return None
    own = next((turn.text for turn in reversed(before[-3:]) if turn.role == "user"), "")
    back = before[-1].text if before[-1].role == "agent" else ""
    for find in _sorts(right):
        mine, theirs = (_others(find(masked(text)), right) for text in (own, back))
        fits = next((names for names in (mine, theirs) if names), {})
        if fits:
            return next(iter(fits.values())) if len(fits) == 1 else None
    return None


def _others(found: Sequence[str], right: str) -> dict[str, str]:
    return {name.casefold(): name for name in found if name.casefold() != right.casefold()}


_Find = Callable[[str], list[str]]


def _sorts(right: str) -> Iterator[_Find]:
    """How others of its sort are found in a text, the closest sort first; none where it is of no sort we can tell."""
    low = right.casefold()
    for listed in (frozenset(_DAYS.split()), frozenset(_MONTHS.split())):
        if low in listed:
            yield partial(_of_list, listed=listed)
            return
    if _NUMBER.fullmatch(right):
        yield lambda text: [found.rstrip(".,:") for found in _NUMBER.findall(text)]
        return
    known = next((each for each in (PLACES, TOOLS, LANGUAGES, ORGANIZATIONS) if low in each), None)
    if known is not None:
        yield partial(_of_list, listed=known)
    if right[:1].isupper() and len(right.split()) < 4:
        yield lambda text: [name for name in _names(text) if not _common(name)]
        yield lambda text: [name for name in _names(text) if name.casefold() not in NOT_NAMES | _OPENERS]


def _of_list(text: str, listed: Container[str]) -> list[str]:
    return [name for name in (*_names(text), *re.findall(r"[\w.+#-]*\w", text)) if name.casefold() in listed]


def is_sorted(right: str) -> bool:
    """Whether it is surely a place, a tool, a day, a number: something that there are others of."""
    low = right.casefold()
    listed = (PLACES, TOOLS, LANGUAGES, ORGANIZATIONS, _DAYS.split(), _MONTHS.split())
    return any(low in each for each in listed) or _NUMBER.fullmatch(right) is not None


def type_of(right: str) -> str | None:
    """What kind of thing it is, as far as its name tells; none for a day, a number or a common word."""
    low = right.casefold()
    for known, type in ((PLACES, "place"), (TOOLS, "tool"), (ORGANIZATIONS, "organization")):
        if low in known:
            return type
    named = right[:1].isupper() and len(right.split()) < 4 and not _common(right) and low not in _MONTHS.split()
    return "person" if named else None


def names(turn: ConversationTurn) -> list[str]:
    """The names in a turn that are no words of the language."""
    return [name for name in _names(masked(turn.text)) if name.casefold() not in NOT_NAMES | _OPENERS]


def _names(text: str) -> list[str]:
    return [name for run in re.findall(RUN, text) if (name := _trimmed(run.split()))]


def _trimmed(words: list[str]) -> str:
    """Without the words that only open a sentence with a capital: "In 2019 I" names nobody."""
    while words and (words[0].casefold() in NOT_NAMES | _OPENERS or words[0][0].isdigit()):
        words = words[1:]
    while words and words[-1].casefold() in NOT_NAMES | _OPENERS:
        words = words[:-1]
    return " ".join(words).strip(".,;:!?'")


def _common(name: str) -> bool:
    """A word that only opens its sentence, or a name of another sort."""
    low = name.casefold()
    return (
        low in NOT_NAMES
        or any(low in known for known in (PLACES, TOOLS, LANGUAGES))
        or low in _DAYS.split()
        or low in _OPENERS
    )


_OPENERS = frozenset(
    "meet book call send write tell ask remind invite email text add move order schedule cancel set put buy get note"
    " in on at from since until my we our he she they ich wir mein meine great nice ok okay sure done yes no hi hello"
    " thanks so and the i'll".split()
)


# What is taken back in the breath it was said in: "I live in Paris. No wait, in Lyon", "…, that was wrong".


_CUE = (
    r"(?:no,? wait|wait,? no|wait|hold on|sorry|oops|er+m?|uh|i meant?|correction|rather|scratch that|make that|no"
    r"|my mistake|my bad|well,? (?:technically|actually|strictly speaking)|technically|actually|strictly speaking"
    r"|or rather"
    r"|to be (?:precise|exact|more precise))"
)
_REPAIR = re.compile(
    rf"(?:[.,;:!?…–—-]+\s*|\s)(?i:(?:{_CUE}[,.!:;\s–—-]{{1,4}}){{1,4}}(?:actually,? )?"
    rf"(?:it's |it is |in |at |on |to |from |for )?)"
    rf"(?P<right>{RUN})\s*(?=[.!,;)]|$)",
    re.MULTILINE,
)
_AGAIN = re.compile(
    rf"(?:^|[.,;:!?…–—-]+\s*|\s)(?:(?:no,? wait|wait,? no|wait|scratch that|correction|my mistake|oops|i mean)\b"
    rf"|{_CUE}[,.!:]*\s+(?:sorry|wait)\b|that (?:was|is) (?:wrong|not true|a mistake|incorrect)\b|that's wrong\b)",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"that (?:was|is) (?:wrong|not true|a mistake|incorrect|a lie)\b|that's (?:wrong|not true|a lie)\b"
    r"|\b(?:actually|no|wait),? i (?:don't|do not)(?=\s*(?:$|[.!]))",
    re.IGNORECASE,
)
_SURELY = re.compile(
    r"\b(?:wait|meant?|correction|scratch|make that|rather|technically|actually|strictly|precise|exact)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[.!?]\s")


def repaired(scene: TurnScene, text: str, found: Sequence[FoundClaim]) -> list[FoundClaim]:
    """The claims without those that were taken back, and with what was meant in the place of what was said."""
    kept = [item for item in found if not _taken_back(item.claim, text, found)]
    for repair in _REPAIR.finditer(text) if kept else ():
        kept = [_instead(scene, item, repair, text) for item in kept]
    return kept


def _instead(scene: TurnScene, item: FoundClaim, repair: re.Match[str], text: str) -> FoundClaim:
    claim, right = item.claim, repair["right"].strip(" .,")
    at = text.rfind(claim.object, 0, repair.start())
    begins = text.find(claim.quote.words)
    between = text[at + len(claim.object) : repair.start()]
    if min(at, begins) < 0 or len(between) > 20 or _NEXT.search(between) or not _alike(claim.object, right, repair[0]):
        return item
    wrong = claim.object
    quote = Quote(claim.quote.episode, scene.turn.text[begins : repair.end()].strip())
    text_ = re.sub(rf"(?<!\w){re.escape(wrong)}(?!\w)", lambda _: right, claim.text)
    return replace(item, claim=replace(claim, object=right, text=text_, quote=quote))


def _alike(one: str, other: str, repair: str) -> bool:
    """Both of one sort: a town is not set right by a person's name, unless the words leave no doubt."""
    sorts = type_of(one), type_of(other)
    fits = sorts[0] == sorts[1] or ("person" in sorts and _SURELY.search(repair) is not None)
    return one[:1].isupper() and fits and name_key(one) != name_key(other)


def _taken_back(claim: Claim, text: str, found: Sequence[FoundClaim]) -> bool:
    begins = text.find(claim.quote.words)
    at = text.find(claim.object, begins) if begins >= 0 else -1
    if at < 0:
        return False
    ends = at + len(claim.object)
    wrong = _WRONG.search(text, ends)
    if wrong and not _NEXT.search(text[ends : wrong.start()].lstrip(".! ")):
        return True
    return any(_AGAIN.search(text[ends:later]) for later in _later(claim, ends, text, found))


def _later(claim: Claim, ends: int, text: str, found: Sequence[FoundClaim]) -> Iterator[int]:
    """Where another value of the same is told after it; the words between may say that it is told anew."""
    for other in (item.claim for item in found):
        same = other.subject == claim.subject and other.predicate == claim.predicate and not other.negated
        at = text.find(other.quote.words, ends)
        # The words of what is told anew may open with "no wait" themselves.
        if same and is_single_valued(claim.predicate) and name_key(other.object) != name_key(claim.object) and at >= 0:
            yield text.find(other.object, at)


# What the turn before is taken back by: "ignore that", "just kidding", "forget that I live in Rome".


_SOFTLY = (
    r"(?:(?:sorry|ok(?:ay)?|oh|ah|haha+|lol|please|pls|wait|actually|hmm+|no|nah|well|um+|and"
    r"|remember(?: that)?|never ?mind)[,.!:…\s]+)*"
)
_THAT = (
    r"(?:that|this|it|what i (?:just )?(?:said|told you|wrote)|my last (?:message|sentence)|the last (?:bit|part"
    r"|message))"
)
_FORGET = r"(?:forget|ignore|disregard|scratch|strike|scrap|drop|delete|erase|undo|never ?mind)"
_DONT_KEEP = (
    r"(?:(?:you )?(?:don't|do not|dont|shouldn't|should not)) (?:remember|save|store|keep|note|learn|record"
    r"|memori[sz]e)"
)
# At the beginning of the turn, and the end of what it says: "ignore that warning" is about a warning.
_WHOLE = re.compile(
    rf"{_SOFTLY}(?:(?:{_FORGET}|{_DONT_KEEP}) {_THAT}(?: (?:please|again|then|though|ok))*(?=\s*(?:[.,!;:…–—-]|$))"
    rf"|{_FORGET} (?:that )?i (?:ever |just )*(?:said|told you|mentioned|wrote) (?:that|this|it"
    rf"|anything)(?=\s*(?:[.,!;]|$))"
    r"|(?:i'm |i am |i was |it was |that was |that's |was )*(?:just |only |all |a |totally )*(?:kidding|joking|jk|j/k|"
    r"a joke|joke|sarcasm|being sarcastic|messing with you|pulling your leg)(?=\s*(?:[.,!;…–—-]|$|lol\b|haha"
    r"|obviously\b))"
    r"|(?:lol|haha+)[,.!\s]+(?:no|nope|nah)[,.!\s]*(?:i (?:don't|do not|am not|didn't|haven't|wasn't)"
    r"|i'm not)?(?=\s*(?:[.,!]|$))"
    r"|(?:april fools?|gotcha)\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"{_SOFTLY}(?:{_FORGET}|{_DONT_KEEP}|forget (?:that )?i (?:ever )?(?:said|told you|mentioned)) (?:that "
    rf"|the fact that )?"
    r"(?P<what>(?:i|i'm|i've|my|we|we're|our)\b.{3,200})",
    re.IGNORECASE,
)


_WORTH = re.compile(rf"\b(?:{_FORGET}|{_DONT_KEEP})\b", re.IGNORECASE)  # reading all of a turn once more


def takes_back(text: str) -> re.Match[str] | None:
    """Whether a turn opens by taking back what its speaker said just before."""
    return _WHOLE.match(text.lstrip())


def retracted(scene: TurnScene, text: str, before: Sequence[ConversationTurn]) -> Iterator[UserCorrection]:
    """All that the speaker's last turn taught; only theirs, and only that turn."""
    found = takes_back(text)
    own = next((turn for turn in reversed(before) if _same_voice(turn, scene.turn)), None) if found else None
    if found and own:
        start = len(text) - len(text.lstrip())
        quote = quoted(scene.turn, start, start + found.end())
        yield UserCorrection(wrong=None, right=None, text=quote.words, quote=quote, about=own.id, whole=True)


def denied(scene: TurnScene, text: str) -> Iterator[FoundClaim]:
    """ "Please forget that I live in Rome": whatever it says is said to end."""
    for sentence in parse_sentences(text) if _WORTH.search(text) else ():
        named = _NAMED.match(sentence.text) if "?" not in sentence.mark else None
        if named is None:
            continue
        begins = sentence.start + named.start("what")
        told = [_at(each, begins) for each in parse_sentences(named["what"])]
        for item in claims_in(scene, read_sentence(told)):
            claim = item.claim
            if not claim.negated and claim.predicate != "asked_to_remember":
                said = rule.told(claim.subject, claim.predicate, claim.object, ended=True)
                yield replace(item, claim=replace(claim, negated=True, text=said, valid_from=None, valid_until=None))


def _at(sentence: ParsedSentence, offset: int) -> ParsedSentence:
    clauses = tuple(replace(each, start=each.start + offset, end=each.end + offset) for each in sentence.clauses)
    return replace(sentence, start=sentence.start + offset, clauses=clauses)


def _same_voice(one: ConversationTurn, other: ConversationTurn) -> bool:
    return one.role == other.role and one.speaker == other.speaker and one.origin == other.origin
