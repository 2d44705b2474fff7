"""What only a whole sentence says, since a comma stands inside it: in plain words, and who is named beside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .known.people import NOT_NAMES, RELATIVES
from .mood import Read
from .phrase import CAPITAL, RUN, person
from .rule import NAME
from .said.kin import KIN, KIND, Kin
from .sentence import Clause

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


def beside(read: Read) -> Iterator[tuple[Clause, Kin]]:
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


def respoken(read: Read) -> Iterator[Clause]:
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


def _kin(who: str, word: str, found: re.Match[str]) -> Kin:
    relation = RELATIVES.get(word, word)
    return Kin(who, "has_pet" if word in _ANIMALS else f"{relation}_of", relation, found.start(), found.end())


def _person(name: str) -> str:
    """Without a word that only begins the sentence: "So Ben"."""
    first, _, rest = name.partition(" ")
    return next(iter(person(rest if rest and first.lower() in NOT_NAMES else name)), "")


def _whole(read: Read) -> Clause:
    return Clause(read.sentence.text, read.sentence.start, read.sentence.end)
