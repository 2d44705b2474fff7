"""Clauses that lean on others for their subject: "I sold my car and bought a bike", "my wife left Acme"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omoide.learn.rules import rule
from omoide.learn.rules.known_words import NOT_NAMES, RELATIVES
from omoide.learn.rules.phrases import CAPITAL, RUN, person
from omoide.learn.rules.rule import NAME, FoundClaim, TurnScene
from omoide.learn.rules.rule_clauses import RuleClause
from omoide.learn.rules.rule_modality import SentenceReading
from omoide.learn.rules.statements.kin_statements import KIN, KIND, NamedRelative

_AND = re.compile(
    r",? and (?:then |just |also |now |recently |finally )*(?=(?:bought|joined|moved to|sold|left|started|switched"
    r"|adopted"
    r"|quit|got (?:a|hired|married|divorced)|work at|work as|work for|live in|use|speak|study)\b)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"(?:(?:and |so |hi,? |well,? )?(?:i'?m|i am) \d\d$)"
    r"|(?:[\w ]{0,12}, )?(?:i|we)(?:'ve| have)? (?:just |also |now |recently |finally )*[a-z]",
    re.IGNORECASE,
)
# Under these the second verb is no more told as done than the first.
_MODAL = re.compile(
    r"\b(?:would|could|should|might|may|must|almost|nearly|wish|want|wanted|hope|plan|planned|try|tried|trying|to"
    r"|will"
    r"|can|can't|cannot|never|don't|didn't|not|if|when|let|help|need|think|guess|people|who)\b|'ll\b|'d\b",
    re.IGNORECASE,
)
_MOVED_TO = re.compile(r"\b(?:moved|switched|migrated|relocated|went|back) (?:\w+ )?to\b", re.IGNORECASE)
_KINS = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
_KIN = re.compile(
    rf"(?i:(?:(?:and|but|so|oh|well),? )?(?:my|our)) (?P<kin>{_KINS})(?='s\b| [a-z])(?! (?:named|called|and)\b)"
)


def coordinated(clause: RuleClause) -> list[RuleClause]:
    """The clause, or its two halves where the second verb has the first one's subject."""
    gap = _AND.search(clause.text)
    head = clause.text[: gap.start()] if gap else ""
    if not gap or not _TELLS.match(head) or _MODAL.search(_MOVED_TO.sub("", head)):
        return [clause]
    first = replace(clause, text=head, end=clause.start + len(head))
    return [first, *coordinated(RuleClause(f"I {clause.text[gap.end() :]}", clause.start + gap.end(), clause.end))]


_SECOND = re.compile(
    r"(?:but|and|then|yet|though)\b(?: (?:then|now|also|later|mostly|actually|currently|still|since))* (?P<verb>"
    r"(?:grew up|live in|work (?:at|for|as|in)|moved (?:back )?to|speak|use|study|was raised in)\b.*)",
    re.IGNORECASE,
)
_ZWEITENS = re.compile(r"und (?P<verb>(?:arbeite|wohne|lebe)\b.*)", re.IGNORECASE)
_I_TELL = re.compile(r"(?:i|we)(?:'ve|'m|'re| have| was| were| am| are)? (?:\w+ )*[a-z]", re.IGNORECASE)


def carried(before: str, clause: RuleClause) -> RuleClause:
    """ "I was born in Lagos | but grew up in Leeds": the second half with the subject of the first."""
    if (found := _ZWEITENS.match(clause.text)) and re.match(r"(?:\w+,? )?ich\b", before, re.IGNORECASE):
        return replace(clause, text=f"ich {found['verb']}")
    found = _SECOND.match(clause.text)
    head = re.sub(r"\bused to\b", "", _MOVED_TO.sub("", before))
    if not found or not _I_TELL.match(head) or _MODAL.search(head):
        return clause
    return replace(clause, text=f"I {found['verb']}")


def speaks_of_kin(text: str) -> bool:
    """Whether it is worth knowing whom the turns before have named."""
    return _KIN.search(text) is not None


def relative(clause: RuleClause, known: Sequence[NamedRelative]) -> RuleClause:
    """ "My wife left Acme", where she was named before: by her name, if there is just one such."""
    found = _KIN.match(clause.text)
    kind = RELATIVES[found["kin"].lower()] if found else ""
    names = {kin.who for kin in known if kin.kind == kind}
    if not found or len(names) != 1:
        return clause
    return replace(clause, text=names.pop() + clause.text[found.end() :])


# Relatives without a name: "my husband is allergic to shellfish" is a fact of the user's about his husband.
#
# Nobody is born of it: there is no person called Husband. The relation stands in the predicate, `husband_allergic_to`.


# The one of whom there is mostly one. "My friend" and "my colleague" may be another tomorrow.
_ONLY = frozenset("mother father wife husband partner girlfriend boyfriend fiance fiancee son daughter".split())
_UNNAMED_KINS = "|".join(
    sorted((re.escape(word) for word, kind in RELATIVES.items() if kind in _ONLY), key=len, reverse=True)
)
_UNNAMED_KIN = re.compile(rf"(?i:(?:my|our) (?P<kin>{_UNNAMED_KINS})) (?=(?i:is|lives?|works?|has|speaks)\b)")
STAND_IN = "Zyzzyva"  # nobody's name, so that the rules for names can read the clause
_KEPT = frozenset("allergic_to lives_in works_at works_as has_condition diet speaks".split())


def stood_in(text: str) -> tuple[str, str] | None:
    """The clause with a name in the place of the relative, and who that is."""
    found = _UNNAMED_KIN.match(text)
    if found is None:
        return None
    rest = re.sub(r"^(lives|works|speaks) (?:alone|now|still|only|part-time|full-time) ", r"\1 ", text[found.end() :])
    return f"{STAND_IN} {rest}", RELATIVES[found["kin"].lower()]


def of_relative(scene: TurnScene, found: Iterator[FoundClaim], kin: str) -> Iterator[FoundClaim]:
    """What was read of the stand-in, told of the relative."""
    for item in found:
        claim = item.claim
        if claim.subject != STAND_IN or claim.predicate not in _KEPT or claim.negated or claim.valid_until:
            continue
        who = f"{scene.speaker.name}'s {kin}"
        text = rule.told(who, claim.predicate, claim.object, ended=False)
        predicate = f"{kin}_{claim.predicate}"
        told = replace(claim, subject=scene.speaker.subject, predicate=predicate, text=text)
        yield FoundClaim(told, None, None)


def plain(predicate: str) -> str:
    """The predicate without its relative."""
    kin, _, rest = predicate.partition("_")
    return rest if kin in _ONLY and rest in _KEPT else predicate


# What only a whole sentence says, since a comma stands inside it: in plain words, and who is named beside.


# "Ben, my flatmate, …". With a name after it the relative is that one: "Hi Ben, my boss, Karen, …".
_BESIDE = re.compile(rf"(?P<who>{NAME}), (?i:(?:my|our) {KIND}(?P<kin>{KIN}))(?=\s*(?:$|[.!;)]|,(?! ?{CAPITAL})))")
_NOT_OF_WHOM = re.compile(
    r"(?i:\b(?:in|at|on|near|hi|hey|hello|dear|thanks|thank you|sorry|yes|no|ok|okay)[, ]*$)"
    rf"|{CAPITAL}[\w-]+, (?:and )?$"
)
# "Listen, Tom, my friend": who is called that is not always one.
_CALLED_SO = frozenset("friend buddy mate bro brother son sis baby".split())
_SPOKEN_OF = re.compile(
    r"\b(?:with|to|from|and|for|add|met|meet|see|saw|called|visit|by|of|about|invited|asked|told|like) $", re.IGNORECASE
)
_MANY = {
    "cats": "cat", "dogs": "dog", "kittens": "kitten", "puppies": "puppy", "rabbits": "rabbit", "horses": "horse",
    "parrots": "parrot", "hamsters": "hamster", "goats": "goat", "kids": "child", "children": "child", "sons": "son",
    "boys": "son", "daughters": "daughter", "girls": "daughter", "sisters": "sister", "brothers": "brother",
    "roommates": "roommate", "flatmates": "roommate", "cofounders": "cofounder", "best friends": "friend",
}  # fmt: skip
_ANIMALS = frozenset("cat dog kitten puppy rabbit horse parrot hamster goat".split())
_ONE = rf"{CAPITAL}[\w-]+"
_NAMED = re.compile(
    r"(?i:(?:^|[,;:] |\b(?:and|so|but|btw|well|also|hi|hello|hey|that|because|since|with|love) )"
    r"(?:(?:i|we)(?:'ve| have|ve)?(?: got| have| adopted| own)? (?:two|three|four|five|\d)"
    rf"|(?:my|our)(?: (?:two|three|four|five|\d))?) (?:(?:little|young|lovely|small|older|younger|grown) )?(?P<kind>"
    rf"{'|'.join(_MANY)})(?:,? (?:named|called)|:|,| \(| [–—-])?) "
    rf"(?P<names>{_ONE}(?:, {_ONE}){{0,4}},? (?:and|&) {_ONE})"
    r"(?=[\s,.!;)]|$)"
)
_FOREIGN = {
    "hijas": "daughter", "hijos": "child", "gatos": "cat", "perros": "dog", "hermanas": "sister", "filles": "daughter",
    "fils": "son", "enfants": "child", "chats": "cat", "chiens": "dog", "sœurs": "sister", "frères": "brother",
    "töchter": "daughter", "söhne": "son", "kinder": "child", "katzen": "cat", "hunde": "dog", "schwestern": "sister",
    "brüder": "brother", "filhas": "daughter", "filhos": "child", "cachorros": "dog", "irmãs": "sister",
}  # fmt: skip
_TENGO = re.compile(
    r"(?i:(?:tengo|tenemos|tenho|temos|j'ai|on a|nous avons|ich habe|wir haben) (?:dos|tres|cuatro|duas|dois|três|deux"
    rf"|trois|quatre|zwei|drei|vier) (?P<kind>{'|'.join(_FOREIGN)})),? (?P<names>{_ONE}(?:, {_ONE}){{0,4}} (?:y|e|et"
    rf"|und) {_ONE})"
    r"(?=[\s,.!;)]|$)"
)
_FORMERLY = re.compile(
    rf"(?i:(?P<es>antes (?:yo )?vivía en)|avant,? (?:j'habitais|je vivais) (?:à|en|au)) (?P<old>{RUN}),? "
    rf"(?i:(?:y |pero |et |mais )?(?:ahora(?: vivo)? en|maintenant(?: j'habite| je vis)? (?:à|en|au))) (?P<new>{RUN})"
)
_RENAMED = re.compile(
    rf"(?i:my (?:\w+ )?name(?: is not|'s not| isn't| isnt)) {NAME}"
    rf"(?i:,? (?:but|it's|it is|its)(?: actually)?) (?P<who>{NAME})"
)
_WHO = re.compile(
    rf"(?P<who>{NAME}), who(?P<this>(?:'s|(?i: (?:also|still|now|just))? \w+) [^,;]{{2,60}})"
    r"(?:,(?P<that> (?:is|works|lives|plays|speaks|loves|likes|studies|uses|owns|hates|moved)\b.*)|,|$)"
)
_MOVED_ON = re.compile(
    rf"(?i:i (?:used to be|was) (?:at|with)) (?P<old>{RUN})(?P<long>[^.;]{{0,60}}?)(?i:,? (?:and |but )?now,?"
    rf"(?: i'?m| i am)? (?:at|with)) (?P<new>{RUN})"
)
# "Actually I eat fish too, so pescatarian": what one eats sets right what one is.
_EATS = re.compile(
    r"(?:(?:actually|no|nope|well|hmm+|sorry|ok|wait|oh)[,.! ]+)+i (?:do |also |still |now |sometimes )*eat "
    r"(?:fish|meat|chicken|eggs|dairy|cheese|seafood)\b[\w ]{0,20}"
    r",? so (?:i'?m |i am |i guess |rather |more |technically |actually |basically )*(?:an? )?(?P<diet>pescatarian"
    r"|vegetarian|vegan)(?: then| really| actually| i guess)?$",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b(?:for (?:\w+ ){1,3}(?:years?|months?|decades?)|since)\b", re.IGNORECASE)


def beside(read: SentenceReading) -> Iterator[tuple[RuleClause, NamedRelative]]:
    """Everybody whom the sentence names beside what they are to the speaker."""
    text = read.sentence.text if read.presupposed else ""
    for found in _BESIDE.finditer(text):
        who = _person(found["who"])
        before = text[: found.start("who")]
        called = found["kin"].lower() in _CALLED_SO and not _SPOKEN_OF.search(before)
        if who and not called and not _NOT_OF_WHOM.search(before):
            yield _whole(read), _kin(who, found["kin"].lower(), found)
    found_ = _NAMED.search(text) or _TENGO.match(text) if read.told else None
    for name in re.findall(_ONE, found_["names"]) if found_ else ():
        if found_ and _person(name):
            yield _whole(read), _kin(name, (_MANY | _FOREIGN)[found_["kind"].lower()], found_)


def respoken(read: SentenceReading) -> Iterator[RuleClause]:
    """The plain statements that the sentence makes, each over all of its words."""
    text = read.sentence.text
    if read.told != read.sentence.clauses:
        return
    if found := _RENAMED.search(text):
        yield replace(_whole(read), text=f"my name is {found['who']}")
    if (found := _WHO.search(text)) and _person(found["who"]):
        yield replace(_whole(read), text=f"{_person(found['who'])}{found['this']}")
        if found["that"]:
            yield replace(_whole(read), text=f"{_person(found['who'])}{found['that']}")
    if found := _FORMERLY.match(text):
        no_more, lives = ("ya no vivo en", "vivo en") if found["es"] else ("je n'habite plus à", "j'habite à")
        yield replace(_whole(read), text=f"{no_more} {found['old']}")
        yield replace(_whole(read), text=f"{lives} {found['new']}")
    if eats := _EATS.match(text):
        yield replace(_whole(read), text=f"I'm {eats['diet'].lower()}")
    found = _MOVED_ON.match(text)
    if found and (found[0].lower().startswith("i used") or _YEARS.search(found["long"])):
        yield replace(_whole(read), text=f"I no longer work at {found['old']}")
        yield replace(_whole(read), text=f"I work at {text[found.start('new') :]}")


def _kin(who: str, word: str, found: re.Match[str]) -> NamedRelative:
    relation = RELATIVES.get(word, word)
    return NamedRelative(who, "has_pet" if word in _ANIMALS else f"{relation}_of", relation, found.start(), found.end())


def _person(name: str) -> str:
    """Without a word that only begins the sentence: "So Ben"."""
    first, _, rest = name.partition(" ")
    return next(iter(person(rest if rest and first.lower() in NOT_NAMES else name)), "")


def _whole(read: SentenceReading) -> RuleClause:
    return RuleClause(read.sentence.text, read.sentence.start, read.sentence.end)
